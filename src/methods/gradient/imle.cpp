#include "methods/gradient/imle.hpp"

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/decision_oracle.hpp"
#include "methods/gradient/learning_direction.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kNoiseTerms = 5;  // k of the sum-of-gamma noise

class ImplicitLikelihood final : public BatchLoss {
 public:
  explicit ImplicitLikelihood(const LearnerContext& context)
      : oracle_(context.evaluator, "imle"),
        beta_(context.options.number("beta")),
        noise_scale_(context.options.number("noise-scale")),
        sign_(learns_wrong_way(context.options, oracle_) ? 1 : oracle_.sense()),
        seed_(context.seed) {}

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    const double strength = beta_ / static_cast<double>(batch.rows.size());
    std::vector<double> here(gradient.size()), there(gradient.size()), low(gradient.size()),
        high(gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      RandomStream noise(seed_, Purpose::kPerturbation, batch.update, i);
      const std::size_t first = batch.layout.begin(i);
      for (std::size_t o = 0; o < batch.layout.size(i); ++o) {
        // Gamma of rate 1/k is k times one of unit rate; divided by k again.
        const double draw = noise.gamma(1 / kNoiseTerms);
        here[first + o] = batch.prediction(i)[o] - sign_ * noise_scale_ * draw;
        there[first + o] = here[first + o] + strength * batch.training.truth_row(batch.rows[i])[o];
      }
    }
    oracle_.decide(batch.rows, here, low, report.solves);
    oracle_.decide(batch.rows, there, high, report.solves);
    for (std::size_t k = 0; k < gradient.size(); ++k) gradient[k] = sign_ * (high[k] - low[k]);
  }

 private:
  DecisionOracle oracle_;
  double beta_;
  double noise_scale_;
  double sign_;
  std::uint64_t seed_;
};

}  // namespace

MethodEntry imle_method() {
  MethodEntry entry =
      baseline_entry<ImplicitLikelihood>("imle", "implicit maximum likelihood by perturbed decisions");
  entry.options.number("beta", 10.0, 1e-9, 1e9, "strength of the nudge towards the truth")
      .number("noise-scale", 1.0, 0.0, 1e9, "of the sum-of-gamma noise");
  entry.tuning.emplace_back("beta=log:0.1..100");
  add_direction_option(entry);
  return entry;
}

}  // namespace polystep
