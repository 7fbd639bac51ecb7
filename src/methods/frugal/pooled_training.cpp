#include "methods/frugal/pooled_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/schedule.hpp"

namespace polystep {
namespace {

// Members whose logarithm of probability is this far below that of the likeliest are left out: most are.
constexpr double kUnlikely = -16;

using Member = RememberedDecisions::Member;
using Members = std::span<const Member>;

// One row at a time: what its members are worth by a prediction, and the gradient by that prediction.
class ChoiceLoss {
 public:
  ChoiceLoss(const RememberedDecisions& decisions, bool by_references)
      : decisions_(decisions), by_references_(by_references) {}

  // Adds to gradient [outputs].
  void add(std::size_t row, const double* prediction, double soft_share, double temperature,
           double* gradient) {
    const Members members = decisions_.members(row);
    const Member* reference = by_references_ ? decisions_.reference(row) : nullptr;
    if (members.size() + (reference != nullptr) < 2) return;  // nothing to choose
    values_.resize(members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      values_[m] = decisions_.value(members[m].decision, prediction);
    if (soft_share < 1) {
      const Member& wanted = reference != nullptr ? *reference : members[decisions_.cheapest(row)];
      add_spo_plus(wanted, members, prediction, 1 - soft_share, gradient);
    }
    if (soft_share > 0) add_soft(members, soft_share, temperature, gradient);
  }

 private:
  void add_spo_plus(const Member& wanted, Members members, const double* prediction, double share,
                    double* gradient) {
    double lowest = 2 * decisions_.value(wanted.decision, prediction) - wanted.cost;
    std::uint32_t tempting = wanted.decision;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double value = 2 * values_[m] - members[m].cost;
      if (!(value < lowest)) continue;
      lowest = value;
      tempting = members[m].decision;
    }
    if (tempting == wanted.decision) return;
    add_decision(wanted.decision, share, gradient);
    add_decision(tempting, -share, gradient);
  }

  // Of the expected cost where members are chosen with probability ∝ exp(-value / temperature).
  void add_soft(Members members, double share, double temperature, double* gradient) {
    const double lowest = *std::ranges::min_element(values_);
    double total = 0, mean = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double exponent = (lowest - values_[m]) / temperature;
      values_[m] = exponent > kUnlikely ? std::exp(exponent) : 0.0;
      total += values_[m];
      mean += values_[m] * members[m].cost;
    }
    mean /= total;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const double weight = values_[m] / total * (members[m].cost - mean) / temperature;
      if (weight != 0) add_decision(members[m].decision, -share * weight, gradient);
    }
  }

  void add_decision(std::uint32_t number, double factor, double* gradient) const {
    const RememberedDecisions::Decision decision = decisions_.decision(number);
    factor *= decisions_.sense();
    for (std::size_t k = 0; k < decision.index.size(); ++k)
      gradient[decision.index[k]] += factor * decision.value[k];
  }

  const RememberedDecisions& decisions_;
  bool by_references_;
  std::vector<double> values_;  // [members]
};

}  // namespace

std::vector<double> train_on_decisions(const Predictor& predictor, const RememberedDecisions& decisions,
                                       const TiledRows& rows, std::vector<double> start,
                                       const PooledTraining& setting) {
  const Schedule temperature{ScheduleKind::kCosine, setting.soft_start, setting.soft_end,
                             setting.training.steps};
  ChoiceLoss loss(decisions, setting.by_references);
  return train_quickly(
      predictor, rows, std::move(start), setting.training,
      [&, known = setting.training.steps, value = 0.0](std::size_t step, std::size_t, std::size_t row,
                                                       const double* prediction, double* gradient) mutable {
        if (step != known) value = temperature.value(known = step);
        loss.add(row, prediction, setting.soft_share, value, gradient);
      });
}

}  // namespace polystep
