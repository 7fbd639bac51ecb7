#include "solvers/spanning_tree/tree_surrogate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "polystep/error.hpp"
#include "polystep/tile.hpp"
#include "solvers/milp/milp.hpp"
#include "solvers/spanning_tree/set_partition_model.hpp"

namespace polystep::solvers {
namespace {

constexpr double kNoSolution = std::numeric_limits<double>::quiet_NaN();

bool all_finite(std::span<const double> numbers) {
  return std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
}

}  // namespace

TreeSurrogate::TreeSurrogate(DistrictGraph graph, const PartitionProgramOptions& options)
    : graph_(std::move(graph)),
      sets_(graph_),
      values_(graph_, sets_, options.instruction_set),
      program_(PartitionProgram::build(graph_, sets_, options)) {
  if (sets_.size() == 0) {
    throw InputError(fmt::format("districts: no connected set has {} to {} units, expected at least one",
                                 graph_.sizes().lower, graph_.sizes().upper));
  }
}

TreeSurrogate::Workspace::Workspace(const TreeSurrogate& surrogate)
    : values_(surrogate.sets().size() * kLanes) {
  if (surrogate.program() == nullptr) {
    general_ = std::make_unique<MilpSolver>(set_partition_model(surrogate.graph(), surrogate.sets()));
  }
  one_.resize(surrogate.graph().edges());
}
TreeSurrogate::Workspace::~Workspace() = default;
TreeSurrogate::Workspace::Workspace(Workspace&&) noexcept = default;

double TreeSurrogate::solve_costs(std::span<const double> costs, Workspace& work,
                                  std::span<std::uint32_t> chosen) const {
  if (!all_finite(costs)) return kNoSolution;
  if (program_) return program_->solve(costs, work.program_, chosen);
  work.general_->set_objective(costs);
  const MilpResult result = work.general_->solve();
  if (result.status != MilpStatus::kOptimal) return kNoSolution;
  std::size_t count = 0;
  for (std::uint32_t set = 0; set < sets_.size(); ++set) {
    if (result.solution[set] > 0.5) chosen[count++] = set;
  }
  double total = 0;  // in the order in which the programme adds
  for (std::size_t k = count; k-- > 0;) total += costs[chosen[k]];
  return total;
}

double TreeSurrogate::solve(std::span<const double> weights, Workspace& work,
                            std::span<std::uint32_t> chosen) const {
  if (!all_finite(weights)) return kNoSolution;
  const std::span<double> values(work.values_.data(), sets_.size());
  values_.fill(weights, values);
  return solve_costs(values, work, chosen);
}

void TreeSurrogate::solve_tile(const double* weights, Workspace& work, double* objective,
                               std::uint32_t* chosen) const {
  if (!program_) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      for (std::size_t edge = 0; edge < graph_.edges(); ++edge)
        work.one_[edge] = weights[kLanes * edge + lane];
      objective[lane] =
          solve({work.one_.data(), graph_.edges()}, work, {chosen + lane * districts(), districts()});
    }
    return;
  }
  double broken[kLanes] = {};  // not a number where a weight is not finite
  for (std::size_t edge = 0; edge < graph_.edges(); ++edge) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) broken[lane] += 0 * weights[kLanes * edge + lane];
  }
  values_.fill_tile(weights, work.values_.data());
  program_->solve_tile(work.values_.data(), work.program_, objective, chosen);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    if (broken[lane] != 0) objective[lane] = kNoSolution;
  }
}

void TreeSurrogate::mark_edges(std::span<const double> weights, std::span<const std::uint32_t> chosen,
                               std::span<double> decision) const {
  std::ranges::fill(decision, 0.0);
  for (const std::uint32_t set : chosen) {
    values_.for_each_edge(set, weights, [&](std::uint32_t edge) { decision[edge] = 1.0; });
  }
}

}  // namespace polystep::solvers
