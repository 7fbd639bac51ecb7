#include "problems/constraint_task.hpp"

#include <fmt/format.h>

#include <cmath>

#include "data/data_directory.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kBySeed = -1;

ConstraintRun published_run(std::uint64_t seed) {
  return {static_cast<std::size_t>(seed / kConstraintSplits % kConstraintDatasets),
          static_cast<std::size_t>(seed % kConstraintSplits)};
}

void settle_generated(Options& options, const TaskContext& context) {
  settle_source_where(options, holds_constraint_data(context.data_directory));
  const ConstraintRun run = constraint_run(options, context.seed);
  options.set("dataset", static_cast<std::int64_t>(run.dataset), "dataset");
  options.set("split", static_cast<std::int64_t>(run.split), "split");
}

}  // namespace

void add_constraint_options(ProblemEntry& entry, double default_rho, bool with_source) {
  entry.options.number("rho", default_rho, 1, 1e6, "price of recourse: what late changes or shortages cost")
      .integer("dataset", kBySeed, kBySeed, kConstraintDatasets - 1, "data set; -1: seed / 3 modulo 5")
      .integer("split", kBySeed, kBySeed, kConstraintSplits - 1, "split of it; -1: seed modulo 3");
  if (with_source) add_source_options(entry.options);
  entry.settle = settle_generated;
}

ConstraintRun constraint_run(const Options& options, std::uint64_t seed) {
  ConstraintRun run = published_run(seed);
  if (options.integer("dataset") != kBySeed)
    run.dataset = static_cast<std::size_t>(options.integer("dataset"));
  if (options.integer("split") != kBySeed) run.split = static_cast<std::size_t>(options.integer("split"));
  return run;
}

std::string constraint_setting(const Options& options, std::uint64_t seed) {
  std::string setting = fmt::format("rho={}", options.number("rho"));
  const ConstraintRun run = constraint_run(options, seed), usual = published_run(seed);
  if (run.dataset != usual.dataset || run.split != usual.split)
    setting += fmt::format(" dataset={} split={}", run.dataset, run.split);
  if (options.text("source") != "published")
    setting += fmt::format(" data-seed={}", options.integer("data-seed"));
  return setting;
}

std::unique_ptr<Predictor> make_standardised_linear(const Split& training) {
  OutputScaling scaling;
  const auto rows = static_cast<double>(training.rows);
  for (std::size_t o = 0; o < training.truth_columns; ++o) {
    double sum = 0, squares = 0;
    for (std::size_t row = 0; row < training.rows; ++row) sum += training.truth_row(row)[o];
    const double mean = sum / rows;
    for (std::size_t row = 0; row < training.rows; ++row) {
      const double difference = training.truth_row(row)[o] - mean;
      squares += difference * difference;
    }
    const double deviation = std::sqrt(squares / (rows - 1));
    scaling.mean.push_back(mean);
    scaling.deviation.push_back(deviation > 0 ? deviation : 1);  // a constant keeps its units
  }
  return make_scaled(make_linear(training.feature_columns, training.truth_columns), std::move(scaling));
}

}  // namespace polystep
