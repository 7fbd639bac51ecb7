#include "methods/gradient/spo_plus.hpp"

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/decision_oracle.hpp"

namespace polystep {
namespace {

class SpoPlus final : public BatchLoss {
 public:
  explicit SpoPlus(const LearnerContext& context) : oracle_(context.evaluator, "spo+") {}

  void prepare(Preparation& preparation, SolveCounts& references) override {
    oracle_.prepare(preparation, references);
  }

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    std::vector<double> coefficients(gradient.size()), decisions(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const std::span<double> row = batch.layout.row(coefficients, i);
      for (std::size_t o = 0; o < row.size(); ++o)
        row[o] = 2 * batch.prediction(i)[o] - batch.training.truth_row(batch.rows[i])[o];
    }
    oracle_.decide(batch.rows, coefficients, decisions, report.solves);
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (!oracle_.has_reference(batch.rows[i])) continue;  // its gradient stays 0
      const std::span<const double> reference = oracle_.reference(batch.rows[i]);
      const std::size_t first = batch.layout.begin(i);
      for (std::size_t o = 0; o < reference.size(); ++o)
        gradient[first + o] = oracle_.sense() * (reference[o] - decisions[first + o]);
    }
  }

 private:
  DecisionOracle oracle_;
};

}  // namespace

MethodEntry spo_plus_method() {
  return baseline_entry<SpoPlus>("spo+",
                                 "subgradient of a convex bound on regret; learns from optimal decisions");
}

}  // namespace polystep
