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
      : oracle_(context.evaluator, "fenchel-young", DecisionOracle::Learns::kFromReferences),
        samples_(static_cast<std::size_t>(context.options.integer("samples"))),
        sigma_(context.options.number("sigma")),
        normal_(context.options.text("perturbation") == "normal"),
        common_(context.options.flag("common-noise")),
        averaged_(context.options.text("references") == "averaged"),
        sign_(learns_wrong_way(context.options, oracle_) ? 1 : oracle_.sense()),
        seed_(context.seed) {}

  void prepare(Preparation& preparation, SolveCounts& references) override {
    oracle_.prepare(preparation, references, averaged_);
  }

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    perturbed_.resize(samples_ * gradient.size());
    decisions_.resize(samples_ * gradient.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) perturb(batch, i);
    const std::vector<SolveStatus> statuses =
        oracle_.decide_samples(batch.rows, samples_, perturbed_, decisions_, report.solves);
    const double factor = sign_ / static_cast<double>(batch.rows.size());
    for (std::size_t i = 0; i < batch.rows.size(); ++i) {
      if (!oracle_.has_reference(batch.rows[i])) continue;  // its gradient stays 0
      const std::span<const double> reference = oracle_.reference(batch.rows[i]);
      const std::span<double> row = batch.layout.row(gradient, i);
      add_up(std::span(statuses).subspan(i * samples_, samples_), batch.layout.begin(i) * samples_, row);
      for (std::size_t o = 0; o < row.size(); ++o) row[o] = factor * (reference[o] - row[o]);
    }
  }

 private:
  // The row's samples, one after the other.
  void perturb(const Minibatch& batch, std::size_t i) {
    RandomStream noise = common_ ? RandomStream(seed_, Purpose::kPerturbation, kCommon)
                                 : RandomStream(seed_, Purpose::kPerturbation, batch.update, i);
    const std::span<const double> prediction = batch.prediction(i);
    double* out = perturbed_.data() + batch.layout.begin(i) * samples_;
    for (std::size_t sample = 0; sample < samples_; ++sample)
      for (const double value : prediction)
        *out++ = value + sigma_ * (normal_ ? noise.normal() : noise.gumbel());
  }

  // The mean of a row's decisions; those that failed are left out.
  void add_up(std::span<const SolveStatus> statuses, std::size_t begin, std::span<double> mean) const {
    double solved = 0;
    for (const SolveStatus status : statuses) solved += status == SolveStatus::kSolved;
    std::ranges::fill(mean, 0.0);
    for (std::size_t sample = 0; sample < samples_; ++sample)
      for (std::size_t o = 0; o < mean.size(); ++o) mean[o] += decisions_[begin + sample * mean.size() + o];
    if (solved > 1)
      for (double& value : mean) value /= solved;
  }

  static constexpr std::uint64_t kCommon = ~std::uint64_t{0};  // no update has this number

  DecisionOracle oracle_;
  std::size_t samples_;
  double sigma_;
  bool normal_;
  bool common_;
  bool averaged_;
  double sign_;
  std::uint64_t seed_;
  std::vector<double> perturbed_;  // [rows × samples × outputs]
  std::vector<double> decisions_;  // likewise
};

OptionValues districtnet_values(const PresetContext&) {
  return {{"samples", std::int64_t{20}},
          {"sigma", 1.0},
          {"perturbation", std::string("normal")},
          {"common-noise", true},
          {"references", std::string("averaged")},
          {"epochs", std::int64_t{100}},
          {"batch", std::int64_t{1}},
          {"shuffle", true},
          {"rate", 1e-3},
          {"schedule", std::string("stepped")}};
}

OptionValues early_values(const PresetContext& context) {
  OptionValues values = districtnet_values(context);
  for (auto& [name, value] : values) {
    if (name == "epochs" || name == "batch") value = std::int64_t{10};
  }
  values.emplace_back("decay", 0.1);
  return values;
}

}  // namespace

MethodEntry fenchel_young_method() {
  MethodEntry entry =
      baseline_entry<FenchelYoung>("fenchel-young", "imitates optimal decisions through a perturbed solver");
  entry.options.number("sigma", 1.0, 0.0, 1e9, "scale of the noise")
      .integer("samples", 1, 1, 100000, "perturbed solves per row and update")
      .choice("perturbation", "gumbel", {"gumbel", "normal"}, "the noise added to predictions")
      .flag("common-noise", false, "the same noise for all rows and updates")
      .choice("references", "optimal", {"optimal", "averaged"},
              "what is imitated: the reference decision, or the average of those that stand for it");
  entry.tuning.emplace_back("sigma=log:0.1..10");
  add_direction_option(entry);
  entry.presets.push_back(
      {"districtnet", "network districting as published (DistrictNet)", districtnet_values});
  entry.presets.push_back(
      {"early", "the same, stopped after 10 epochs, with batches of 10 and weight decay", early_values});
  return entry;
}

}  // namespace polystep
