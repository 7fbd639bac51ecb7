#include "problems/portfolio.hpp"

#include <fmt/format.h>

#include "data/benchmarks/portfolio_data.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

// Decisions are continuous: every change of a prediction changes them, so there are no margins.
class PortfolioTileSolver final : public TileSolver {
 public:
  explicit PortfolioTileSolver(const solvers::Portfolio& portfolio) : portfolio_(portfolio) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed =
        portfolio_.solve_tile(prediction, tile.truth, outcome.cost.data(), outcome.signature.data());
    for (double& cost : outcome.cost) cost = 0.0 - cost;
  }

 private:
  solvers::Portfolio portfolio_;
};

PortfolioData read_data(const Options& options, const TaskContext& context, int degree) {
  const PortfolioSign sign =
      options.text("sign") == "published" ? PortfolioSign::kPublished : PortfolioSign::kReturns;
  if (wants_published("portfolio", options, context))
    return published_portfolio(context.data_directory, degree, sign);
  return generated_portfolio(degree, sign, data_seed(options));
}

Task make_portfolio(const Options& options, const TaskContext& context) {
  const auto degree = static_cast<int>(options.integer("degree"));
  Task task;
  task.setting = fmt::format("degree={}", degree);
  if (options.text("sign") != "published") task.setting += fmt::format(" sign={}", options.text("sign"));
  if (options.text("source") != "published")
    task.setting += fmt::format(" data-seed={}", options.integer("data-seed"));
  PortfolioData data = read_data(options, context, degree);
  task.problem = std::make_unique<PortfolioProblem>(
      solvers::Portfolio(data.loadings, kPortfolioAssets, kPortfolioSpecificVariance, data.risk_limit));
  task.predictor = make_linear(kPortfolioFeatures, task.problem->outputs());
  task.data = std::move(data.data);
  task.metric = RegretMetric::kAbsolute;
  return task;
}

}  // namespace

SolveStatus PortfolioProblem::decide(std::span<const double> prediction, std::size_t,
                                     std::span<double> decision) const {
  return portfolio_.solve(prediction, decision) ? SolveStatus::kSolved : SolveStatus::kFailed;
}

// Added up asset by asset like the solver does; 0 - value, so that holding nothing costs 0 and not -0.
double PortfolioProblem::cost(std::span<const double> decision, std::span<const double> truth,
                              std::size_t) const {
  double value = 0;
  for (std::size_t asset = 0; asset < decision.size(); ++asset) value += truth[asset] * decision[asset];
  return 0.0 - value;
}

std::unique_ptr<TileSolver> PortfolioProblem::make_tile_solver() const {
  return std::make_unique<PortfolioTileSolver>(portfolio_);
}

std::string PortfolioProblem::decision_name(std::size_t component) const {
  return fmt::format("asset_{}", component);
}

ProblemEntry portfolio_entry() {
  ProblemEntry entry;
  entry.name = "portfolio";
  entry.help = "best portfolio within a budget and a risk limit, returns predicted from five features";
  entry.options
      .integer("degree", 1, 1, kLargestPortfolioDegree,
               "of the return polynomial: the higher, the less linear")
      .choice("sign", "published", {"published", "returns"},
              "target: minus the return, as in published results, or the return");
  add_source_options(entry.options);
  entry.settle = settle_source;
  entry.make = make_portfolio;
  entry.facts = [](const Options&) { return PortfolioProblem::stated_facts(); };
  entry.published = "portfolio";
  return entry;
}

}  // namespace polystep
