// Any mixed-integer linear programme, solved by CLP and CBC, or by HiGHS: the general backend.
//
// It serves problems that a user writes down as a model, and it checks the exact solvers of this folder,
// which are 30 to 300,000 times faster on the problems they know. The model stays loaded; its objective,
// bounds and coefficients can change between solves:
//
//   MilpModel model{.sense = Sense::kMaximise};
//   const auto x = model.add_binary(5.0), y = model.add_binary(4.0);
//   model.add_row({{x, 3.0}, {y, 2.0}}, -kUnbounded, 4.0);
//   MilpSolver solver(model);
//   solver.set_objective(predicted);
//   const MilpResult result = solver.solve();
//
// What is guaranteed, whichever engine solves:
//   - an answer depends on the current model, the limits and the basis to start from alone, never on earlier
//     solves or other threads (but a limit in seconds depends on the machine);
//   - a solution that is handed back has whole numbers in its integer columns, exactly, and satisfies every
//     bound to kFeasibilityTolerance in the sense of MilpModel::violation_of;
//   - optimal means to the solver's tolerances, about 1e-9 of the objective; which of several equally good
//     solutions is found is not specified.
//
// Of CBC an optimum is only as good as the cuts, and not all of CGL's are valid. Used are Gomory, clique,
// mixed integer rounding and flow cover cuts as CGL makes them, and cover cuts in the guarded form of
// milp_cover_cuts.hpp; probing is left out. Of binary programmes with all solutions enumerated, tens of
// thousands of Gomory and guarded cover cuts and thousands of rounding cuts excluded none; clique and flow
// cover cuts hardly arise there, and are trusted because answers with them match enumeration.
//
// Use one object per thread. CBC is used through its C++ classes only: its C interface shares state between
// threads and then returns wrong optima. HiGHS is used through its C interface (highs_library.hpp), which
// shares nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solvers/milp/milp_model.hpp"

namespace polystep::solvers {

inline constexpr double kFeasibilityTolerance = 1e-6;

// Whose simplex method and search do the work.
enum class MilpEngine {
  kCoin,   // CLP and CBC
  kHighs,  // HiGHS, where the machine has it
};

// Nothing, or InputError where this machine does not have the engine.
void require_engine(MilpEngine engine);

// "CLP and CBC", or "HiGHS" with its version.
std::string engine_text(MilpEngine engine);

struct MilpLimits {
  double seconds = kUnbounded;                           // of elapsed time
  std::int64_t nodes = std::numeric_limits<int>::max();  // of the search tree; 0 stops after the root
  double relative_gap = 0.0;  // stop once the solution is within this fraction of the bound
};

enum class MilpStatus {
  kOptimal,     // solution is optimal, up to the relative gap asked for
  kInfeasible,  // no solution exists
  kUnbounded,   // solutions exist, with objectives without end
  kLimit,       // a limit was reached; solution is the best found, or empty
  kFailed,      // the solver gave up or its answer did not satisfy the model; there is no solution
};

struct MilpResult {
  MilpStatus status = MilpStatus::kFailed;
  double objective = std::numeric_limits<double>::quiet_NaN();  // of solution, NaN without one
  double bound = std::numeric_limits<double>::quiet_NaN();  // no solution is better; NaN where none is known
  std::vector<double> solution{};                           // [columns], or empty
  std::int64_t nodes = 0;  // of the search tree; 0 where the linear relaxation settled it
};

// Where a variable is in a basis.
enum class BasisPlace : char { kBasic, kLower, kUpper };

class MilpSolver {
 public:
  // Throws InputError, see MilpModel::check and require_engine.
  explicit MilpSolver(MilpModel model, MilpEngine engine = MilpEngine::kCoin);
  ~MilpSolver();
  MilpSolver(MilpSolver&&) noexcept;
  MilpSolver& operator=(MilpSolver&&) noexcept;

  const MilpModel& model() const;

  void set_objective(std::span<const double> objective);  // [columns]
  void set_column_bounds(std::size_t column, double lower, double upper);
  void set_row_bounds(std::size_t row, double lower, double upper);
  // `entry` counts the row's entries; its column must have no other entry in the row.
  void set_coefficient(std::size_t row, std::size_t entry, double coefficient);

  // Solves the relaxation of the present model and starts every later solve from its basis. Answers still
  // depend on nothing else: each solve goes back to this basis. Where there is no optimum nothing changes.
  // HiGHS starts from nothing all the same; the basis is there to be asked for.
  void start_from_here();

  // That basis: first the columns, then the rows' sums. Empty where there is none.
  std::vector<BasisPlace> start_basis() const;

  // With integer columns that have no bounds the search may not end by itself: give a limit.
  MilpResult solve(const MilpLimits& limits = {}) const;

  // The same model without the demand for whole numbers. Of the limits only seconds counts.
  MilpResult solve_relaxation(const MilpLimits& limits = {}) const;

 private:
  struct Backend;
  std::unique_ptr<Backend> backend_;
};

}  // namespace polystep::solvers
