// A model loaded into solvers of one thread: decides, and works out what a decision comes to.
//
// Only numbers that are filled in change between solves, and all of them do, so nothing of an earlier
// instance is left. Small models are solved by a SmallProgramme; what that leaves, and all others, by the
// general solver, which is only shown numbers when it is asked.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <vector>

#include "own/model_problem.hpp"
#include "solvers/milp/small_programme.hpp"

namespace polystep {

class ModelWorker {
 public:
  // `usual`: parameters whose basis solves start from, or empty.
  ModelWorker(std::shared_ptr<const ModelSetup> setup, std::span<const double> usual);

  // The decision for these parameters, [columns]; a status without solution leaves it alone.
  solvers::MilpStatus decide(std::span<const double> parameters, std::size_t instance,
                             std::span<double> decision);

  Realisation realise(std::span<const double> decision, std::span<const double> truth, std::size_t instance);

 private:
  // How the truth breaks a decision.
  struct Breach {
    bool any = false;            // by more than rounding
    bool unpaid = false;         // somewhere without a price
    bool unpaid_column = false;  // at a column that stays
    double row_price = 0;
    double column_price = 0;
  };

  struct Found {
    solvers::MilpStatus status;
    bool solution;  // there is one
  };

  void find_touched();
  void start_from(std::span<const double> usual);
  void make_small(const solvers::MilpModel& recourse_model);
  bool fill(std::span<const double> parameters, std::size_t instance);  // false: a number is not finite
  bool bounds_cross() const;
  Found find(std::span<double> decision);
  bool load(solvers::MilpSolver& solver) const;
  bool load_recourse(std::span<const double> decision);
  solvers::ProgrammeNumbers view(std::size_t columns, std::span<const double> given);
  std::chrono::steady_clock::time_point now_if_limited() const;
  solvers::MilpLimits limits_after(std::chrono::steady_clock::time_point start) const;
  Breach breach_of(std::span<const double> decision) const;
  void add_breach(Breach& breach, double& price, double value, double lower, double upper, double scale,
                  const Penalty* penalty) const;
  Realisation choose_again(std::span<const double> decision, Realisation outcome, double column_price);
  bool solve_recourse(std::span<const double> decision);
  double own_value(std::span<const double> decision) const;

  std::shared_ptr<const ModelSetup> setup_;
  std::size_t columns_ = 0;                        // of the model
  std::unique_ptr<solvers::MilpSolver> recourse_;  // where columns are free in recourse
  ModelNumbers numbers_;                           // of the recourse model, where there is one
  solvers::MilpSolver decider_;
  std::unique_ptr<solvers::SmallProgramme> small_decider_, small_recourse_;  // where models are small
  std::vector<char> is_free_;                                                // [columns]
  std::vector<const Penalty*> row_penalty_, column_penalty_;          // [rows], [columns]; nullptr: none
  std::vector<std::size_t> touched_rows_, touched_columns_;           // whose bounds are filled in
  std::vector<std::pair<std::size_t, std::size_t>> touched_entries_;  // rows and their entries
  bool objective_touched_ = false;
  std::vector<double> entry_values_;  // [touched entries]
  std::vector<double> chosen_;        // [columns of the recourse model]
};

}  // namespace polystep
