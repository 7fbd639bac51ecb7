#include "methods/gradient/fenchel_young.hpp"

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "methods/gradient/learning_direction.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

class FenchelYoung final : public BatchLoss {
 public:
  explicit FenchelYoung(const LearnerContext& context)
      : oracle_(context.evaluator, "fenchel-young"),
        sigma_(context.options.number("sigma")),
        sign_(learns_wrong_way(context.options, oracle_) ? 1 : oracle_.sense()),
        seed_(context.seed) {}

  void prepare(Preparation& preparation, SolveCounts& references) override {
    oracle_.prepare(preparation, references);
  }

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    std::vector<double> perturbed(gradient.size()), decisions(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      RandomStream noise(seed_, Purpose::kPerturbation, batch.update, i);
      const std::span<double> row = batch.layout.row(perturbed, i);
      for (std::size_t o = 0; o < row.size(); ++o) row[o] = batch.prediction(i)[o] + sigma_ * noise.gumbel();
    }
    oracle_.decide(batch.rows, perturbed, decisions, report.solves);
    const double factor = sign_ / static_cast<double>(batch.rows.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (!oracle_.has_reference(batch.rows[i])) continue;  // its gradient stays 0
      const std::span<const double> reference = oracle_.reference(batch.rows[i]);
      const std::size_t first = batch.layout.begin(i);
      for (std::size_t o = 0; o < reference.size(); ++o)
        gradient[first + o] = factor * (reference[o] - decisions[first + o]);
    }
  }

 private:
  DecisionOracle oracle_;
  double sigma_;
  double sign_;
  std::uint64_t seed_;
};

}  // namespace

MethodEntry fenchel_young_method() {
  MethodEntry entry =
      baseline_entry<FenchelYoung>("fenchel-young", "imitates optimal decisions through a perturbed solver");
  entry.options.number("sigma", 1.0, 0.0, 1e9, "scale of the Gumbel noise");
  add_direction_option(entry);
  return entry;
}

}  // namespace polystep
