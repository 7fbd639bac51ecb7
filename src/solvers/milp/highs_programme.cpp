#include "solvers/milp/highs_programme.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>

#include "polystep/stop.hpp"
#include "solvers/milp/highs_library.hpp"

namespace polystep::solvers {
namespace {

// What HiGHS calls a solve's end.
enum Ending {
  kEmpty = 6,
  kEndedOptimal = 7,
  kEndedInfeasible = 8,
  kEndedEither = 9,
  kEndedUnbounded = 10,
  kFirstLimit = 11,  // bound, target, time, iterations, unknown, solutions and nodes, interrupt, memory
  kEndedUnknown = 15,
  kInterrupted = 17,
  kLastLimit = 18,
};

constexpr int kRowWise = 2, kMinimise = 1, kFeasible = 2, kCallFailed = -1;
constexpr int kWholeNumber = 1, kAnyNumber = 0;

// Where HiGHS asks whether to go on: in the simplex method, the interior point method, the search.
constexpr int kAsksInSimplex = 1, kAsksInInterior = 2, kAsksInSearch = 6;

// Of sums of rows, bounds and reduced costs. HiGHS's own 1e-7 would be all of what milp.hpp promises.
constexpr double kTolerance = 1e-9;

// HiGHS would refuse a model with coefficients above 1e15; a solve that they spoil is a failed one.
constexpr double kLargestCoefficient = 1e100;

extern "C" void ask_whether_to_go_on(int, const char*, const void*, int* input, void*) {
  if (input != nullptr && stop_wanted()) *input = 1;
}

void expect(int returned, const char* what) {
  if (returned == kCallFailed) throw std::runtime_error(std::string("HiGHS refused ") + what);
}

}  // namespace

struct HighsProgramme::Loaded {
  const HighsLibrary& highs = HighsLibrary::get();
  HighsLibrary::Model model = highs.create();
  std::size_t columns = 0, rows = 0;

  ~Loaded() { highs.destroy(model); }
  double figure(const char* name) const {
    double value = std::numeric_limits<double>::quiet_NaN();
    highs.double_figure(model, name, &value);
    return value;
  }
};

HighsProgramme::HighsProgramme(const MilpModel& source, std::span<const double> objective)
    : loaded_(std::make_unique<Loaded>()) {
  const HighsLibrary& highs = loaded_->highs;
  const HighsLibrary::Model model = loaded_->model;
  loaded_->columns = source.columns.size();
  loaded_->rows = source.rows.size();
  highs.set_bool(model, "output_flag", 0);
  highs.set_string(model, "parallel", "off");
  highs.set_int(model, "threads", 1);
  highs.set_int(model, "random_seed", 0);
  for (const char* tolerance :
       {"primal_feasibility_tolerance", "dual_feasibility_tolerance", "mip_feasibility_tolerance"})
    highs.set_double(model, tolerance, kTolerance);
  highs.set_double(model, "mip_abs_gap", 0.0);
  highs.set_double(model, "large_matrix_value", kLargestCoefficient);

  std::vector<double> column_lower, column_upper, row_lower, row_upper, values;
  std::vector<int> integrality, starts, indices;
  for (const MilpColumn& column : source.columns) {
    column_lower.push_back(column.lower);
    column_upper.push_back(column.upper);
    integrality.push_back(column.integer ? kWholeNumber : kAnyNumber);
  }
  for (const MilpRow& row : source.rows) {
    row_lower.push_back(row.lower);
    row_upper.push_back(row.upper);
    starts.push_back(static_cast<int>(indices.size()));
    std::map<std::size_t, double> sums;  // entries of the same column add up
    for (const MilpEntry& entry : row.entries) sums[entry.column] += entry.coefficient;
    for (const auto& [column, coefficient] : sums) {
      if (coefficient == 0.0) continue;
      indices.push_back(static_cast<int>(column));
      values.push_back(coefficient);
    }
  }
  starts.push_back(static_cast<int>(indices.size()));
  expect(highs.pass_mip(model, static_cast<int>(loaded_->columns), static_cast<int>(loaded_->rows),
                        static_cast<int>(indices.size()), kRowWise, kMinimise, 0.0, objective.data(),
                        column_lower.data(), column_upper.data(), row_lower.data(), row_upper.data(),
                        starts.data(), indices.data(), values.data(), integrality.data()),
         "the model");
  highs.set_callback(model, ask_whether_to_go_on, nullptr);
  for (const int type : {kAsksInSimplex, kAsksInInterior, kAsksInSearch}) highs.start_callback(model, type);
}

HighsProgramme::~HighsProgramme() = default;

void HighsProgramme::set_objective(std::span<const double> objective) {
  expect(loaded_->highs.change_costs(loaded_->model, 0, static_cast<int>(loaded_->columns) - 1,
                                     objective.data()),
         "an objective");
}

void HighsProgramme::set_column_bounds(std::size_t column, double lower, double upper) {
  expect(loaded_->highs.change_column_bounds(loaded_->model, static_cast<int>(column), lower, upper),
         "bounds of a column");
}

void HighsProgramme::set_row_bounds(std::size_t row, double lower, double upper) {
  expect(loaded_->highs.change_row_bounds(loaded_->model, static_cast<int>(row), lower, upper),
         "bounds of a row");
}

void HighsProgramme::set_coefficient(std::size_t row, std::size_t column, double coefficient) {
  expect(loaded_->highs.change_coefficient(loaded_->model, static_cast<int>(row), static_cast<int>(column),
                                           coefficient),
         "a coefficient");
}

HighsProgramme::Answer HighsProgramme::solve(const MilpLimits& limits) { return run(limits, false); }
HighsProgramme::Answer HighsProgramme::solve_relaxation(const MilpLimits& limits) {
  return run(limits, true);
}

HighsProgramme::Answer HighsProgramme::run(const MilpLimits& limits, bool relaxed) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const HighsLibrary& highs = loaded_->highs;
  highs.set_bool(loaded_->model, "solve_relaxation", relaxed ? 1 : 0);
  highs.set_double(loaded_->model, "mip_rel_gap", limits.relative_gap);
  highs.set_int(loaded_->model, "mip_max_nodes",
                static_cast<int>(std::min<std::int64_t>(limits.nodes, std::numeric_limits<int>::max())));
  Answer answer = run_once("choose", limits.seconds, relaxed);
  if (answer.status != MilpStatus::kFailed) return answer;
  // HiGHS checks its answers, and finds some that its presolve spoiled (version 1.11 with equations of
  // integers).
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  return run_once("off", limits.seconds - seconds, relaxed);
}

HighsProgramme::Answer HighsProgramme::run_once(const char* presolve, double seconds, bool relaxed) {
  const HighsLibrary& highs = loaded_->highs;
  const HighsLibrary::Model model = loaded_->model;
  Answer answer;
  if (!(seconds > 0)) {
    answer.status = MilpStatus::kLimit;
    return answer;
  }
  highs.clear_solver(model);
  highs.set_string(model, "presolve", presolve);
  highs.set_double(model, "time_limit", seconds);
  const int returned = highs.run(model);
  stop_if_wanted();
  const int ending = highs.model_status(model);
  if (returned == kCallFailed) return answer;
  switch (ending) {
    case kEmpty:
    case kEndedOptimal:
      answer.status = MilpStatus::kOptimal;
      break;
    case kEndedInfeasible:
      answer.status = MilpStatus::kInfeasible;
      return answer;
    case kEndedEither:
    case kEndedUnbounded:
      answer.status = MilpStatus::kUnbounded;
      answer.proved_nothing = true;
      return answer;
    default:
      if (ending < kFirstLimit || ending > kLastLimit || ending == kEndedUnknown || ending == kInterrupted)
        return answer;
      answer.status = MilpStatus::kLimit;
  }
  int quality = 0;
  highs.int_figure(model, "primal_solution_status", &quality);
  if (quality == kFeasible || ending == kEmpty) {
    answer.solution.resize(loaded_->columns);
    std::vector<double> duals(loaded_->columns), sums(loaded_->rows), prices(loaded_->rows);
    highs.solution(model, answer.solution.data(), duals.data(), sums.data(), prices.data());
  }
  if (relaxed) return answer;
  answer.bound = loaded_->figure("mip_dual_bound");
  if (!std::isfinite(answer.bound)) answer.bound = std::numeric_limits<double>::quiet_NaN();
  highs.int64_figure(model, "mip_node_count", &answer.nodes);
  answer.nodes = std::max<std::int64_t>(answer.nodes, 0);  // -1 where no search was needed
  return answer;
}

}  // namespace polystep::solvers
