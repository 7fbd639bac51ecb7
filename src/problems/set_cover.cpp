#include "problems/set_cover.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "problems/constraint_task.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

// Lane by lane; only covers that can be bought are looked at.
class CoverTileSolver final : public TileSolver {
 public:
  explicit CoverTileSolver(const SetCover& problem)
      : problem_(problem),
        required_(problem.outputs()),
        provided_(problem.outputs()),
        multiples_(problem.decision_size()) {
    for (const std::size_t j : problem.cover().useful())
      for (std::size_t i = 0; i < problem.outputs(); ++i)
        if (problem.cover().contains(j, i)) marks_.push_back({j, i});
  }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      copy_lane(prediction, lane);
      outcome.cost[lane] = 0;
      outcome.signature[lane] = 0;
      if (!problem_.cover().solve(required_, multiples_, work_)) {
        outcome.failed |= 1u << lane;
        continue;
      }
      double cost = 0;
      std::uint64_t hash = 0xcbf29ce484222325u;
      for (const std::size_t j : problem_.cover().useful()) {
        cost += problem_.cover().costs()[j] * multiples_[j];
        hash = (hash ^ std::bit_cast<std::uint64_t>(multiples_[j])) * 0x100000001b3u;
        hash ^= hash >> 29;
      }
      std::fill(provided_.begin(), provided_.end(), 0.0);
      for (const auto& [j, i] : marks_) provided_[i] += multiples_[j];
      copy_lane(tile.truth, lane);
      const Realisation result = pay_shortage(cost, required_, provided_, problem_.shortage_price());
      outcome.cost[lane] = result.cost;
      outcome.signature[lane] = hash;
      outcome.infeasible |= static_cast<std::uint32_t>(result.recourse.infeasible) << lane;
    }
    outcome.changed = outcome.infeasible;
  }

 private:
  void copy_lane(const double* rows, std::size_t lane) {
    for (std::size_t i = 0; i < required_.size(); ++i) required_[i] = rows[i * kLanes + lane];
  }

  struct Mark {
    std::size_t cover;
    std::size_t item;
  };

  const SetCover& problem_;
  solvers::SetMulticover::Workspace work_;
  std::vector<Mark> marks_;        // by cover, then item
  std::vector<double> required_;   // [items], of one lane
  std::vector<double> provided_;   // [items]
  std::vector<double> multiples_;  // [covers]
};

Task make_set_cover(const Options& options, const TaskContext& context) {
  const ConstraintRun run = constraint_run(options, context.seed);
  const CoverSize& size = find_cover_size(options.text("size"));
  Task task;
  task.setting = fmt::format("size={} {}", size.name, constraint_setting(options, context.seed));
  CoverData data = wants_published("set-cover", options, context)
                       ? published_set_cover(context.data_directory, size, run)
                       : generated_set_cover(data_seed(options), size, run);
  std::vector<double> price = std::move(data.dearest);
  for (double& item : price) item *= options.number("rho");
  task.problem = std::make_unique<SetCover>(data.costs, data.members, std::move(price));
  task.data = std::move(data.data);
  task.released_seed = run.released_seed();
  task.predictor = make_standardised_linear(task.data.training);
  return task;
}

}  // namespace

SetCover::SetCover(std::span<const double> costs, std::span<const std::uint8_t> members,
                   std::vector<double> shortage_price)
    : RecourseProblem(shortage_price.size(), costs.size()),
      cover_(costs, members, shortage_price.size()),
      shortage_price_(std::move(shortage_price)) {}

SolveStatus SetCover::decide(std::span<const double> prediction, std::size_t,
                             std::span<double> decision) const {
  solvers::SetMulticover::Workspace work;
  return cover_.solve(prediction, decision, work) ? SolveStatus::kSolved : SolveStatus::kFailed;
}

Realisation SetCover::realise(std::span<const double> decision, std::span<const double> truth,
                              std::size_t) const {
  std::vector<double> provided(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) provided[i] = cover_.coverage(decision, i);
  return pay_shortage(cover_.cost_of(decision), truth, provided, shortage_price_);
}

std::unique_ptr<TileSolver> SetCover::make_tile_solver() const {
  return std::make_unique<CoverTileSolver>(*this);
}

std::string SetCover::decision_name(std::size_t component) const {
  return fmt::format("cover_{}", component);
}

void SetCover::write_rows(std::span<const double> prediction, std::size_t, std::span<double> a,
                          std::span<double> b) const {
  for (std::size_t i = 0; i < cover_.items(); ++i) {
    for (std::size_t j = 0; j < cover_.covers(); ++j)
      a[i * cover_.covers() + j] = cover_.contains(j, i) ? -1.0 : 0.0;
    b[i] = prediction[i];
  }
}

void SetCover::add_gradient(std::span<const double>, std::span<const double> b_gradient,
                            std::span<double> prediction_gradient) const {
  for (std::size_t i = 0; i < prediction_gradient.size(); ++i) prediction_gradient[i] += b_gradient[i];
}

bool SetCover::solve_rows(std::span<const double> prediction, std::size_t, std::span<const double> upper,
                          std::span<double> x) const {
  solvers::SetMulticover::Workspace work;
  if (!cover_.solve(prediction, x, work)) return false;
  for (std::size_t j = 0; j < x.size(); ++j)
    if (x[j] > upper[j]) return cover_.solve_within(prediction, upper, x);
  return true;
}

ProblemEntry set_cover_entry() {
  ProblemEntry entry;
  entry.name = "set-cover";
  entry.help = "cheapest covers for requirements that are predicted; shortages cost";
  entry.options.choice("size", "10x50", {"10x50", "5x25"}, "items and covers");
  add_constraint_options(entry, 1);
  entry.make = make_set_cover;
  entry.facts = [](const Options&) { return constraint_facts(false); };
  return entry;
}

}  // namespace polystep
