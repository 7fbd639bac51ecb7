#include "methods/gradient/spo_plus.hpp"

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/decision_oracle.hpp"

namespace polystep {
namespace {

class SpoPlus final : public BatchLoss {
 public:
  explicit SpoPlus(const LearnerContext& context) : oracle_(context.evaluator, "spo+") {}

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    oracle_.references(report.reference_solves);
    const Split& training = oracle_.task().data.training;
    std::vector<double> coefficients(gradient.size()), decisions(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      for (std::size_t o = 0; o < batch.outputs; ++o)
        coefficients[i * batch.outputs + o] =
            2 * batch.prediction(i)[o] - training.truth_row(batch.rows[i])[o];
    oracle_.decide(batch.rows, coefficients, decisions, report.solves);
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      for (std::size_t o = 0; o < batch.outputs; ++o)
        gradient[i * batch.outputs + o] =
            oracle_.sense() * (oracle_.reference(batch.rows[i])[o] - decisions[i * batch.outputs + o]);
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
