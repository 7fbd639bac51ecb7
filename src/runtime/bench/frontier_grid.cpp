#include "runtime/bench/frontier_grid.hpp"

#include <fmt/format.h>

#include <cmath>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor frontier";
constexpr const char* kLimit = "max-infeasibility";

// Methods whose operating points are marked besides the frontier.
struct Marked {
  std::string method;
  std::string preset;
};

void refuse_unsuitable(const ProblemRegistry& problems, const FrontierRequest& request) {
  if (find_method(request.method, std::string(kWhere) + " --method").options.find(kLimit) == nullptr)
    throw InputError(fmt::format(
        "{} --method: {} cannot be held to a share of infeasible decisions, expected polystepor or "
        "polystepor-output",
        kWhere, request.method));
  if (!(request.lowest > 0) || !(request.lowest < request.highest) || request.highest > 1)
    throw InputError(fmt::format("{}: found limits from {} to {}, expected 0 < lowest < highest <= 1", kWhere,
                                 request.lowest, request.highest));
  problems.find(request.problem, kWhere);
}

RunRequest resolve(const ProblemRegistry& problems, const FrontierRequest& request, const Marked& how,
                   std::uint64_t seed, const std::vector<GivenOption>& limits) {
  RunConfig config;
  config.problem = request.problem;
  config.method = how.method;
  config.preset = how.preset;
  config.seed = seed;
  config.data = request.data;
  const ProblemEntry& problem = problems.find(request.problem, kWhere);
  const MethodEntry& method = find_method(how.method, kWhere);
  std::vector<GivenOption> given = limits;
  for (const GivenOption& option : request.given) {
    const bool known = problem.options.find(option.key) != nullptr ||
                       method.options.find(option.key) != nullptr || how.method == request.method;
    if (known) given.push_back(option);  // what the traced method does not know either is refused below
  }
  return resolve_run(problems, config, kWhere, given);
}

}  // namespace

std::vector<double> frontier_limits(const FrontierRequest& request) {
  std::vector<double> limits;
  for (std::size_t k = 0; k < request.points; ++k) {
    const double share =
        request.points == 1 ? 1 : static_cast<double>(k) / static_cast<double>(request.points - 1);
    const double limit = request.lowest * std::pow(request.highest / request.lowest, share);
    limits.push_back(std::round(limit * 1e4) / 1e4);  // short enough to be read in a table
  }
  return limits;
}

std::vector<GridCell> frontier_grid(const ProblemRegistry& problems, const FrontierRequest& request) {
  refuse_unsuitable(problems, request);
  std::vector<GridCell> cells;
  std::size_t task = 0;
  for (const std::uint64_t seed : request.seeds) {
    for (const double limit : frontier_limits(request)) {
      const std::string text = fmt::format("{}", limit);
      cells.push_back(
          {resolve(problems, request, {request.method, "best"}, seed, {{kLimit, text, "--points"}}),
           request.problem, fmt::format("best {}={}", kLimit, text), task});
    }
    std::vector<Marked> marked = {{request.method, "best"}, {"gaussian", "paper"}, {"sfge", "paper"}};
    if (request.method != "polystepor") marked.push_back({"polystepor", "best"});
    for (const Marked& how : marked)
      cells.push_back({resolve(problems, request, how, seed, {}), request.problem, how.preset, task});
    ++task;
  }
  if (!cells.empty() && !make_task(cells.front().request).problem->facts().has_recourse)
    throw InputError(fmt::format(
        "{}: no decision of {} can turn out infeasible, expected a problem whose predictions enter "
        "constraints",
        kWhere, request.problem));
  return cells;
}

}  // namespace polystep
