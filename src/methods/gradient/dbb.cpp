#include "methods/gradient/dbb.hpp"

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "methods/gradient/learning_direction.hpp"

namespace polystep {
namespace {

class BlackBoxDifference final : public BatchLoss {
 public:
  explicit BlackBoxDifference(const LearnerContext& context)
      : oracle_(context.evaluator, "dbb"),
        lambda_(context.options.number("lambda")),
        wrong_way_(learns_wrong_way(context.options, oracle_)) {}

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    const double strength = (wrong_way_ ? -lambda_ : lambda_) / static_cast<double>(batch.rows.size());
    std::vector<double> nudged(gradient.size()), here(gradient.size()), there(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      const std::span<double> row = batch.layout.row(nudged, i);
      for (std::size_t o = 0; o < row.size(); ++o)
        row[o] = batch.prediction(i)[o] + strength * batch.training.truth_row(batch.rows[i])[o];
    }
    oracle_.decide(batch.rows, batch.predictions, here, report.solves);
    oracle_.decide(batch.rows, nudged, there, report.solves);
    const double sign = wrong_way_ ? -1 : oracle_.sense();
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = sign * (there[k] - here[k]) / lambda_;
  }

 private:
  DecisionOracle oracle_;
  double lambda_;
  bool wrong_way_;
};

}  // namespace

MethodEntry dbb_method() {
  MethodEntry entry =
      baseline_entry<BlackBoxDifference>("dbb", "finite difference between a decision and a nudged one");
  entry.options.number("lambda", 1.0, 1e-9, 1e9, "strength of the nudge");
  entry.tuning.emplace_back("lambda=log:0.1..100");
  add_direction_option(entry);
  return entry;
}

}  // namespace polystep
