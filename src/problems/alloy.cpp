#include "problems/alloy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decision_hash.hpp"
#include "polystep/error.hpp"
#include "problems/data_source.hpp"
#include "solvers/cover/two_row_cover.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep {
namespace {

constexpr double kFailureFactor = 100;  // of surcharge times the sum of prices
constexpr std::size_t kHiddenUnits = 512;

bool all_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

double sum_of_products(std::span<const double> left, std::span<const double> right) {
  double sum = 0;
  for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
  return sum;
}

// Lane by lane; the solver keeps its polygons from call to call.
class AlloyTileSolver final : public TileSolver {
 public:
  explicit AlloyTileSolver(const Alloy& problem)
      : problem_(problem),
        cover_(problem.suppliers()),
        prediction_(problem.outputs()),
        truth_(problem.outputs()),
        amounts_(problem.suppliers()) {}

  bool takes_any_width() const override { return true; }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t k = 0; k < prediction_.size(); ++k) {
        prediction_[k] = prediction[k * tile.width + lane];
        truth_[k] = tile.truth[k * tile.width + lane];
      }
      const std::size_t instance = tile.instance[lane];
      Realisation result{kFailed, {}};
      outcome.signature[lane] = 0;
      if (all_finite(prediction_) &&
          cover_.solve(problem_.prices(instance), prediction_, problem_.required(), amounts_)) {
        result = problem_.realise(amounts_, truth_, instance);
        outcome.signature[lane] = hash_decision(amounts_);
      }
      write_lane(result, lane, outcome);
    }
  }

 private:
  const Alloy& problem_;
  solvers::TwoRowCover cover_;
  std::vector<double> prediction_, truth_;  // [outputs], of one lane
  std::vector<double> amounts_;             // [suppliers]
};

AlloyStandIn stand_in_of(const Options& options) {
  const auto count = [&](const char* name) { return static_cast<std::size_t>(options.integer(name)); };
  return {.profile = find_alloy_profile(options.text("profile")),
          .seed = data_seed(options),
          .features = count("features"),
          .training = count("training-rows"),
          .validation = count("validation-rows"),
          .test = count("test-rows"),
          .penalty = options.number("penalty")};
}

// Published penalties are files, one folder for each mean.
std::string penalty_folder(double penalty) { return fmt::format("{}", penalty); }

std::array<double, kAlloyMetals> required_by(const Options& options) {
  return {options.number("copper"), options.number("zinc")};
}

std::string alloy_setting(const Options& options) {
  const bool published = options.text("source") == "published";
  std::string setting = published ? "published" : "profile=" + options.text("profile");
  for (const char* name : {"data-seed", "features", "training-rows", "validation-rows", "test-rows",
                           "penalty", "copper", "zinc", "hidden"})
    if (options.value(name) != options.table().find(name)->fallback)
      setting += fmt::format(" {}={}", name, format_value(options.value(name)));
  return setting;
}

Task make_task(const Options& options, AlloyData data) {
  Task task;
  task.setting = alloy_setting(options);
  task.problem = std::make_unique<Alloy>(kAlloySuppliers, std::move(data.prices), std::move(data.penalties),
                                         required_by(options));
  task.data = std::move(data.data);
  task.predictor = make_shared_mlp(task.data.feature_names.size(),
                                   {static_cast<std::size_t>(options.integer("hidden"))}, kAlloyContents);
  return task;
}

// Published data are what they are: options that shape generated ones must be left alone.
void refuse_options_of_the_stand_in(const Options& options) {
  for (const char* name :
       {"profile", "data-seed", "features", "training-rows", "validation-rows", "test-rows"})
    if (options.value(name) != options.table().find(name)->fallback)
      throw InputError(
          fmt::format("alloy: found {} = {} with source = published, expected the default, since it is an "
                      "option of source = generated",
                      name, format_value(options.value(name))));
}

Task make_alloy(const Options& options, const TaskContext& context) {
  if (!wants_published("alloy", options, context))
    return make_task(options, generated_alloy(stand_in_of(options)));
  refuse_options_of_the_stand_in(options);
  return make_task(options,
                   published_alloy(context.data_directory, penalty_folder(options.number("penalty"))));
}

Task make_fresh_alloy(const Options& options, const TaskContext&, const FreshRows& rows) {
  if (options.text("source") == "published")
    throw InputError("alloy: fresh rows were asked for with source = published, expected source = generated");
  return make_task(options, fresh_alloy(stand_in_of(options), rows.seed, rows.first, rows.count));
}

}  // namespace

Alloy::Alloy(std::size_t suppliers, std::vector<double> prices, std::vector<double> penalties,
             std::array<double, kAlloyMetals> required)
    : RecourseProblem(kAlloyMetals * suppliers, suppliers),
      suppliers_(suppliers),
      prices_(std::move(prices)),
      penalties_(std::move(penalties)),
      required_(required) {
  if (suppliers == 0 || prices_.size() % suppliers != 0 || penalties_.size() != prices_.size())
    throw InputError(fmt::format("alloy: found {} prices and {} penalties, expected {} of each per instance",
                                 prices_.size(), penalties_.size(), suppliers));
  for (const double price : prices_)
    if (!(price > 0 && std::isfinite(price)))
      throw InputError(fmt::format("alloy: found price {}, expected prices above 0", price));
  for (const double amount : required_)
    if (!(amount > 0 && std::isfinite(amount)))
      throw InputError(fmt::format("alloy: found requirement {}, expected both above 0", amount));
  for (std::size_t i = 0; i < prices_.size(); i += suppliers) {
    double sum = 0;
    for (std::size_t n = 0; n < suppliers; ++n) sum += penalties_[i + n];
    surcharge_.push_back(sum / static_cast<double>(suppliers));
  }
}

ProblemFacts Alloy::stated_facts() {
  ProblemFacts facts = constraint_facts(false);
  facts.needs_instance_data = true;
  return facts;
}

SolveStatus Alloy::decide(std::span<const double> prediction, std::size_t instance,
                          std::span<double> decision) const {
  if (!all_finite(prediction)) return SolveStatus::kFailed;
  return solvers::TwoRowCover(suppliers_).solve(prices(instance), prediction, required_, decision)
             ? SolveStatus::kSolved
             : SolveStatus::kFailed;
}

Realisation Alloy::realise(std::span<const double> decision, std::span<const double> truth,
                           std::size_t instance) const {
  const std::array<double, kAlloyMetals> provided = {
      sum_of_products(truth.first(suppliers_), decision),
      sum_of_products(truth.subspan(suppliers_, suppliers_), decision)};
  return scale_to_cover(sum_of_products(prices(instance), decision), required_, provided,
                        surcharge(instance));
}

std::optional<double> Alloy::failure_charge(std::size_t instance) const {
  double sum = 0;
  for (const double price : prices(instance)) sum += price;
  return kFailureFactor * surcharge(instance) * sum;
}

std::unique_ptr<TileSolver> Alloy::make_tile_solver() const {
  return std::make_unique<AlloyTileSolver>(*this);
}

std::string Alloy::decision_name(std::size_t component) const {
  return fmt::format("supplier_{}", component);
}

void Alloy::write_rows(std::span<const double> prediction, std::size_t, std::span<double> a,
                       std::span<double> b) const {
  for (std::size_t k = 0; k < prediction.size(); ++k) a[k] = -prediction[k];
  std::ranges::copy(required_, b.begin());
}

void Alloy::add_gradient(std::span<const double> a_gradient, std::span<const double>,
                         std::span<double> prediction_gradient) const {
  for (std::size_t k = 0; k < prediction_gradient.size(); ++k) prediction_gradient[k] -= a_gradient[k];
}

// Where the cheapest purchase leaves the box, a general solver finds the cheapest within it.
bool Alloy::solve_rows(std::span<const double> prediction, std::size_t instance,
                       std::span<const double> upper, std::span<double> x) const {
  if (decide(prediction, instance, x) != SolveStatus::kSolved) return false;
  bool within = true;
  for (std::size_t j = 0; j < suppliers_; ++j) within &= x[j] <= upper[j];
  if (within) return true;
  solvers::MilpModel model;
  for (std::size_t j = 0; j < suppliers_; ++j) model.add_integer(0, upper[j], prices(instance)[j]);
  for (std::size_t m = 0; m < kAlloyMetals; ++m) {
    std::vector<solvers::MilpEntry> entries;
    for (std::size_t j = 0; j < suppliers_; ++j)
      if (const double content = prediction[m * suppliers_ + j]; content != 0)
        entries.push_back({j, content});
    model.add_row(entries, required_[m], solvers::kUnbounded);
  }
  const solvers::MilpResult result = solvers::MilpSolver(model).solve({.nodes = 100'000});
  if (result.solution.empty()) return false;
  std::ranges::copy(result.solution, x.begin());
  return true;
}

ProblemEntry alloy_entry() {
  ProblemEntry entry;
  entry.name = "alloy";
  entry.published = "alloy";
  entry.help = "cheapest ore for an alloy when metal contents are predicted by a large network";
  entry.options
      .choice(
          "profile", "arc", {"blind", "line", "arc", "spread"},
          "what generated features tell of contents: nothing, linearly, along an arc, or a little in each of "
          "many directions")
      .number("penalty", 0.5, 0.0, 1e6, "mean surcharge on what must be bought late")
      .number("copper", kAlloyRequired[0], 1e-6, 1e9, "copper required")
      .number("zinc", kAlloyRequired[1], 1e-6, 1e9, "zinc required")
      .integer("features", kAlloyFeatures, 1, 1000000, "of one content, in generated data")
      .integer("hidden", kHiddenUnits, 1, 100000, "units of the network's hidden layer")
      .integer("training-rows", 350, 1, 1000000, "generated instances to train on")
      .integer("validation-rows", 50, 1, 1000000, "generated instances to validate on")
      .integer("test-rows", 100, 1, 1000000, "generated instances to test on")
      .choice("source", "auto", {"auto", "published", "generated"},
              "data: the benchmark's files, drawn afresh, or the files where they are found")
      .integer("data-seed", kAlloySeed, 0, INT64_MAX, "of generated data");
  entry.make = make_alloy;
  entry.make_fresh = make_fresh_alloy;
  entry.settle = [](Options& options, const TaskContext& context) {
    settle_source_where(options, holds_alloy_data(context.data_directory));
  };
  entry.facts = [](const Options&) { return Alloy::stated_facts(); };
  return entry;
}

}  // namespace polystep
