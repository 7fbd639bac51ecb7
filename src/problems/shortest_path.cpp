#include "problems/shortest_path.hpp"

#include <fmt/format.h>

#include "data/benchmarks/shortest_path_data.hpp"
#include "polystep/error.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

class GridTileSolver final : public TileSolver {
 public:
  explicit GridTileSolver(const solvers::GridPath& grid) : grid_(grid) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    grid_.solve_tile(prediction, tile.truth, outcome.cost.data(), outcome.signature.data());
    outcome.failed = 0;
  }
  bool margins(const Tile&, const double* prediction, double* margin) override {
    return grid_.margins_tile(prediction, margin);
  }

 private:
  solvers::GridPath grid_;
};

constexpr double kPublishedNoise = 0.5;

bool has_published_shape(const Options& options) {
  return options.integer("grid") == static_cast<std::int64_t>(kPublishedGrid) &&
         options.number("noise") == kPublishedNoise;
}

// Settings that were not published are generated without being asked for.
void settle_shortest_path(Options& options, const TaskContext& context) {
  if (options.text("source") == "auto" && !has_published_shape(options))
    options.set("source", std::string("generated"), "source");
  settle_source(options, context);
}

Task make_shortest_path(const Options& options, const TaskContext& context) {
  const auto degree = static_cast<int>(options.integer("degree"));
  const auto side = static_cast<std::size_t>(options.integer("grid"));
  Task task;
  task.setting = fmt::format("degree={}", degree);
  if (wants_published("shortest-path", options, context)) {
    if (!has_published_shape(options))
      throw InputError(
          fmt::format("shortest-path: grid {} with noise {} is not published, expected grid {} with noise "
                      "{}; give --source generated",
                      side, options.number("noise"), kPublishedGrid, kPublishedNoise));
    task.data = published_shortest_path(context.data_directory, degree);
  } else {
    task.data = generated_shortest_path(side, degree, options.number("noise"), data_seed(options));
    task.setting +=
        fmt::format(" grid={} noise={} data-seed={}", side, options.number("noise"), data_seed(options));
  }
  task.problem = std::make_unique<ShortestPath>(solvers::GridPath(static_cast<int>(side)));
  task.predictor = make_linear(kShortestPathFeatures, task.problem->outputs());
  return task;
}

}  // namespace

ProblemFacts ShortestPath::stated_facts() {
  ProblemFacts facts = linear_facts(Sense::kMinimise);
  facts.binary_decisions = facts.has_margins = true;
  return facts;
}

SolveStatus ShortestPath::decide(std::span<const double> prediction, std::size_t,
                                 std::span<double> decision) const {
  grid_.solve(prediction, decision);
  return SolveStatus::kSolved;
}

// Edges are numbered so that a path meets them in ascending order: this adds costs as the path is walked,
// like the solvers do.
double ShortestPath::cost(std::span<const double> decision, std::span<const double> truth,
                          std::size_t) const {
  double sum = 0;
  for (std::size_t e = 0; e < decision.size(); ++e)
    if (decision[e] != 0) sum += truth[e];
  return sum;
}

std::unique_ptr<TileSolver> ShortestPath::make_tile_solver() const {
  return std::make_unique<GridTileSolver>(grid_);
}

std::string ShortestPath::decision_name(std::size_t component) const {
  std::size_t edge = 0;
  const auto side = static_cast<std::size_t>(grid_.side());
  for (std::size_t node = 0;; ++node) {
    if (node % side + 1 < side && edge++ == component) return fmt::format("edge_{}_{}", node, node + 1);
    if (node / side + 1 < side && edge++ == component) return fmt::format("edge_{}_{}", node, node + side);
  }
}

ProblemEntry shortest_path_entry() {
  ProblemEntry entry;
  entry.name = "shortest-path";
  entry.help = "cheapest way across a grid whose edge costs are predicted from five features";
  entry.options.integer("degree", 8, 1, kLargestDegree, "of the cost polynomial: the higher, the less linear")
      .integer("grid", 5, solvers::GridPath::kSmallestSide, solvers::GridPath::kLargestSide, "nodes per side")
      .number("noise", kPublishedNoise, 0.0, 1.0, "half width of the multiplicative cost noise");
  add_source_options(entry.options);
  entry.settle = settle_shortest_path;
  entry.facts = [](const Options&) { return ShortestPath::stated_facts(); };
  entry.published = "shortest-path";
  entry.make = make_shortest_path;
  return entry;
}

}  // namespace polystep
