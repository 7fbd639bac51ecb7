// A MilpSolver's answers by HiGHS: checked and repaired like those of CLP and CBC.
#include <chrono>

#include "solvers/milp/highs_library.hpp"
#include "solvers/milp/milp_backend.hpp"

namespace polystep::solvers {

void require_engine(MilpEngine engine) {
  if (engine == MilpEngine::kHighs) HighsLibrary::get();
}

std::string engine_text(MilpEngine engine) {
  return engine == MilpEngine::kHighs ? "HiGHS " + HighsLibrary::get().version : "CLP and CBC";
}

MilpResult MilpSolver::Backend::solved_by_highs(const MilpLimits& limits) const {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const HighsProgramme::Answer answer = highs->solve(limits);
  if (answer.proved_nothing) {
    // With an objective that matters to nobody the programme has a solution or none.
    MilpLimits rest = limits;
    rest.seconds -= std::chrono::duration<double>(Clock::now() - start).count();
    const std::vector<double> zeros(model.columns.size(), 0.0);
    highs->set_objective(zeros);
    const MilpStatus any = highs->solve(rest).status;
    highs->set_objective({pristine.objective(), model.columns.size()});
    return without_solution(any == MilpStatus::kOptimal ? MilpStatus::kUnbounded : any);
  }
  MilpResult result = without_solution(answer.status);
  if (!answer.solution.empty()) {
    auto solution = repaired(answer.solution.data(), integer_copy());
    if (!solution) return without_solution(MilpStatus::kFailed);
    result = with_solution(answer.status, *std::move(solution));
  } else if (answer.status == MilpStatus::kOptimal) {
    return without_solution(MilpStatus::kFailed);
  }
  result.nodes = answer.nodes;
  if (answer.status == MilpStatus::kLimit || limits.relative_gap > 0.0) give_bound(answer.bound, result);
  return result;
}

MilpResult MilpSolver::Backend::relaxed_by_highs(const MilpLimits& limits) const {
  const HighsProgramme::Answer answer = highs->solve_relaxation(limits);
  if (answer.status != MilpStatus::kOptimal) return without_solution(answer.status);
  if (answer.solution.empty()) return without_solution(MilpStatus::kFailed);
  std::vector<double> solution = clamped(answer.solution.data());
  if (model.violation_of(solution) > kFeasibilityTolerance) return without_solution(MilpStatus::kFailed);
  return with_solution(MilpStatus::kOptimal, std::move(solution));
}

}  // namespace polystep::solvers
