// A mixed-integer programme loaded in HiGHS, set up for exact answers: the one place that knows its switches
// and status codes.
//
// It always minimises. An answer depends on the present numbers and the limits alone: HiGHS forgets every
// earlier solve before the next, and searches on one thread from one seed.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "solvers/milp/milp.hpp"

namespace polystep::solvers {

class HighsProgramme {
 public:
  // Bounds and coefficients are the model's; `objective` [columns] is to be minimised. Throws InputError
  // where the machine has no HiGHS.
  HighsProgramme(const MilpModel& model, std::span<const double> objective);
  ~HighsProgramme();
  HighsProgramme(const HighsProgramme&) = delete;
  HighsProgramme& operator=(const HighsProgramme&) = delete;

  void set_objective(std::span<const double> objective);
  void set_column_bounds(std::size_t column, double lower, double upper);
  void set_row_bounds(std::size_t row, double lower, double upper);
  void set_coefficient(std::size_t row, std::size_t column, double coefficient);

  struct Answer {
    MilpStatus status = MilpStatus::kFailed;
    bool proved_nothing = false;     // unbounded or infeasible, which of the two was not found out
    std::vector<double> solution{};  // [columns], whole numbers up to HiGHS's tolerance; empty without one
    double bound = std::numeric_limits<double>::quiet_NaN();  // no solution has a smaller objective
    std::int64_t nodes = 0;
  };
  // Throws Stopped where the work of this thread is to stop.
  Answer solve(const MilpLimits& limits);
  Answer solve_relaxation(const MilpLimits& limits);

 private:
  Answer run(const MilpLimits& limits, bool relaxed);
  Answer run_once(const char* presolve, double seconds, bool relaxed);

  struct Loaded;
  std::unique_ptr<Loaded> loaded_;
};

}  // namespace polystep::solvers
