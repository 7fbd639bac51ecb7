#include "solvers/milp/milp_search.hpp"

#include <CbcHeuristic.hpp>
#include <CbcModel.hpp>
#include <CglClique.hpp>
#include <CglFlowCover.hpp>
#include <CglGomory.hpp>
#include <CglMixedIntegerRounding2.hpp>
#include <ClpSimplex.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "solvers/milp/milp_cover_cuts.hpp"
#include "solvers/milp/milp_stop.hpp"

namespace polystep::solvers {
namespace {

// CBC copies each generator. Every one is tried at the root and kept below it only where it has helped.
// CglProbing is left out on purpose: its row cuts cut off optima of programmes with general integers (about 1
// in 2,000 small random ones), and without them it brings no speed.
void add_cuts(CbcModel& search) {
  constexpr int kWhereUseful = -1;
  CglGomory gomory;
  CoverCuts cover;  // not CglKnapsackCover itself: it loses optima too
  CglClique clique;
  clique.setStarCliqueReport(false);
  clique.setRowCliqueReport(false);
  CglMixedIntegerRounding2 rounding;
  CglFlowCover flow_cover;
  search.addCutGenerator(&gomory, kWhereUseful, "gomory");
  search.addCutGenerator(&cover, kWhereUseful, "cover");
  search.addCutGenerator(&clique, kWhereUseful, "clique");
  search.addCutGenerator(&rounding, kWhereUseful, "rounding");
  search.addCutGenerator(&flow_cover, kWhereUseful, "flow cover");
}

// By default CBC passes over solutions that are better by less than 1e-5; here only rounding is passed over.
void set_tolerances(CbcModel& search, double relaxed_objective, const MilpLimits& limits) {
  const double rounding = 1e-9 * std::max(1.0, std::abs(relaxed_objective));
  search.setCutoffIncrement(rounding);
  search.setAllowableGap(rounding);
  search.setAllowableFractionGap(limits.relative_gap);
  search.setIntegerTolerance(1e-7);
}

void set_limits(CbcModel& search, const MilpLimits& limits) {
  const std::int64_t most = std::numeric_limits<int>::max();
  search.setMaximumNodes(static_cast<int>(std::clamp<std::int64_t>(limits.nodes, 0, most)));
  search.setUseElapsedTime(true);  // processor time would count the other threads too
  if (std::isfinite(limits.seconds)) search.setMaximumSeconds(std::max(limits.seconds, 1e-3));
}

MilpStatus status_of(const CbcModel& search) {
  if (search.status() == 1) return MilpStatus::kLimit;
  if (search.isProvenOptimal()) return MilpStatus::kOptimal;
  if (search.isProvenInfeasible()) return MilpStatus::kInfeasible;
  return MilpStatus::kFailed;
}

}  // namespace

// CBC takes a node whose linear programme was not solved for one without solutions. So simplex solves have no
// deadline of their own, and what CBC calls proven is believed only where time was left when it ended.
SearchOutcome branch_and_cut(ClpSimplex& root, const MilpLimits& limits) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  SearchOutcome outcome;
  outcome.status = MilpStatus::kLimit;
  outcome.bound = root.objectiveValue();
  if (!(limits.seconds > 0)) return outcome;
  root.setMaximumWallSeconds(-1.0);
  OsiClpSolverInterface interface(&root);
  interface.messageHandler()->setLogLevel(0);
  CbcModel search(interface);
  search.setLogLevel(0);
  search.solver()->messageHandler()->setLogLevel(0);
  search.solver()->setHintParam(OsiDoReducePrint, true, OsiHintTry);
  add_cuts(search);
  CbcRounding rounding_heuristic(search);
  search.addHeuristic(&rounding_heuristic);
  set_tolerances(search, root.objectiveValue(), limits);
  set_limits(search, limits);
  SearchStop stop;
  search.passInEventHandler(&stop);
  search.initialSolve();
  search.branchAndBound();
  stop_if_wanted();

  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const MilpStatus status = status_of(search);
  outcome.nodes = search.getNodeCount();
  if (seconds < limits.seconds) {
    outcome.status = status;
    outcome.bound = search.getBestPossibleObjValue();
  } else if (status == MilpStatus::kLimit && outcome.nodes > 0) {
    outcome.bound = std::max(outcome.bound, search.getBestPossibleObjValue());
  }
  if (const double* best = search.bestSolution()) outcome.solution.assign(best, best + root.numberColumns());
  return outcome;
}

}  // namespace polystep::solvers
