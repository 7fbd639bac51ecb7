#include "methods/polystepor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/polystepor_options.hpp"
#include "methods/probe_costs.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

class PolyStepLearner final : public Learner {
 public:
  explicit PolyStepLearner(const LearnerContext& context)
      : task_(context.evaluator.task()),
        options_(context.options),
        seed_(context.seed),
        optimizer_(make_optimizer(options_, *task_.predictor, seed_)),
        probe_evaluator_(context.evaluator, options_.flag("skip-solves")) {}

  TrainingPlan plan() const override {
    const auto steps = static_cast<std::size_t>(options_.integer("steps"));
    const double interval = static_cast<double>(steps) / static_cast<double>(options_.integer("checks"));
    return {.steps = steps,
            .check_every = std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(interval))),
            .patience = static_cast<std::size_t>(options_.integer("patience")),
            .keep_best = true};
  }

  LearnerReport step() override {
    draw_minibatch();
    const Probes& probes = optimizer_.ask();
    probe_evaluator_.evaluate(probes, optimizer_.parameters(), minibatch_, costs_);
    optimizer_.tell(costs_.costs);
    const StepReport& move = optimizer_.report();
    LearnerReport report;
    report.figures = {{"temperature", move.temperature},       {"step_length", move.step_length},
                      {"radius", move.probe_radius},           {"incumbent_cost", costs_.incumbent_cost},
                      {"mean_cost", move.mean_cost},           {"cost_scale", move.cost_scale},
                      {"weight_entropy", move.weight_entropy}, {"displacement", move.displacement}};
    report.flip_rate = costs_.flip_rate();
    report.solves = costs_.probe_solves;
    report.solves += costs_.incumbent_solves;
    return report;
  }

  std::span<const double> parameters() const override { return optimizer_.parameters(); }
  void save(ArchiveWriter& archive) const override { optimizer_.save(archive); }
  void load(ArchiveReader& archive) override { optimizer_.load(archive); }

 private:
  // The rows of a step, shared by all of its probes.
  void draw_minibatch() {
    const Split& training = task_.data.training;
    const auto wanted = static_cast<std::size_t>(options_.integer("batch"));
    RandomStream stream(seed_, Purpose::kMinibatch, optimizer_.step());
    if (options_.text("sampling") == "in-order") {
      const std::size_t batches = (training.rows + wanted - 1) / wanted;
      const std::size_t first = optimizer_.step() % batches * wanted;
      rows_.resize(std::min(wanted, training.rows - first));
      std::iota(rows_.begin(), rows_.end(), first);
    } else if (options_.text("sampling") == "with-replacement") {
      rows_.resize(wanted);
      for (std::size_t& row : rows_) row = stream.below(training.rows);
    } else {
      rows_.resize(training.rows);
      std::iota(rows_.begin(), rows_.end(), std::size_t{0});
      const std::size_t drawn = std::min(wanted, training.rows);
      if (drawn < training.rows)
        for (std::size_t i = 0; i < drawn; ++i)
          std::swap(rows_[i], rows_[i + stream.below(training.rows - i)]);
      rows_.resize(drawn);
    }
    minibatch_.gather(training, rows_);
  }

  const Task& task_;
  const Options& options_;
  std::uint64_t seed_;
  PolyStep optimizer_;
  ProbeEvaluator probe_evaluator_;
  std::vector<std::size_t> rows_;
  TiledRows minibatch_;
  ProbeCosts costs_;
};

}  // namespace

MethodEntry polystepor_method() {
  MethodEntry entry;
  entry.name = "polystepor";
  entry.help = "probe the predictor's parameters, decide, and move towards cheap decisions";
  entry.options = polystepor_options();
  entry.presets = polystepor_presets();
  entry.make = [](const LearnerContext& context) -> std::unique_ptr<Learner> {
    return std::make_unique<PolyStepLearner>(context);
  };
  return entry;
}

}  // namespace polystep
