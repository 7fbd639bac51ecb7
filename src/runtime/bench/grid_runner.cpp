#include "runtime/bench/grid_runner.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <tuple>

#include "polystep/error.hpp"
#include "polystep/team.hpp"
#include "polystep/train.hpp"
#include "runtime/bench/finished_runs.hpp"
#include "runtime/run/fresh_figures.hpp"

namespace polystep {
namespace {

// What several cells share: made by the first that needs it, dropped by the last, so that only what is in
// work is in memory.
template <class Thing>
class SharedByCells {
 public:
  void expect_one_more() { ++left_; }

  template <class Make>
  std::shared_ptr<const Thing> get(Make make) {
    const std::lock_guard lock(mutex_);
    if (!thing_) thing_ = std::make_shared<const Thing>(make());
    return thing_;
  }
  void release() {
    const std::lock_guard lock(mutex_);
    if (--left_ == 0) thing_.reset();
  }

 private:
  std::mutex mutex_;
  std::size_t left_ = 0;
  std::shared_ptr<const Thing> thing_;
};

using RunKey = std::tuple<std::string, std::string, std::string, std::string, std::uint64_t>;

RunKey key_of(const RunRecord& run) { return {run.problem, run.setting, run.method, run.preset, run.seed}; }

class GridRun {
 public:
  GridRun(const std::vector<GridCell>& cells, ResultsFile& results, Progress& progress,
          const std::function<bool()>& interrupted)
      : cells_(cells),
        results_(results),
        progress_(progress),
        interrupted_(interrupted),
        failures_(cells.size()) {
    for (const RunRecord& run : results.earlier()) present_.insert(key_of(run));
    tasks_ = std::vector<SharedByCells<Task>>(cells.empty() ? 0 : cells.back().task + 1);
    for (const GridCell& cell : cells) {
      tasks_[cell.task].expect_one_more();
      fresh_[cell.setting].expect_one_more();
    }
    state_.steps = static_cast<std::int64_t>(cells.size());
    state_.unit = "run";
  }

  GridOutcome execute(Team& team) {
    team.for_each(cells_.size(), [&](std::size_t cell, std::size_t) { run_cell(cell); });
    progress_.finish(state_);
    GridOutcome outcome;
    outcome.skipped = static_cast<std::size_t>(state_.first_step);
    outcome.trained = trained_;
    outcome.interrupted = stopped_;
    for (const std::string& failure : failures_)
      if (!failure.empty()) outcome.failures.push_back(failure);
    return outcome;
  }

 private:
  // Keeps the display alive while a cell is trained, and ends that on request.
  class CellWatch final : public Watch {
   public:
    explicit CellWatch(GridRun& grid) : grid_(grid) {}

    // Pieces of work may take microseconds; threads must not queue for the display after each.
    bool stop(std::size_t, std::size_t) override {
      const auto now = std::chrono::steady_clock::now();
      if (now < next_) return false;
      next_ = now + std::chrono::milliseconds(50);
      return grid_.asked_to_stop();
    }

   private:
    GridRun& grid_;
    std::chrono::steady_clock::time_point next_{};
  };

  bool asked_to_stop() {
    const std::lock_guard lock(mutex_);
    progress_.update(state_);
    stopped_ = stopped_ || (interrupted_ && interrupted_());
    return stopped_;
  }

  void run_cell(std::size_t index) {
    if (asked_to_stop()) return;
    const GridCell& cell = cells_[index];
    SharedByCells<Task>& shared = tasks_[cell.task];
    try {
      const std::shared_ptr<const Task> task =
          shared.get([request = cell.request]() mutable { return make_task(request); });
      if (present_.contains({cell.request.problem->name, task->setting, cell.request.method->name,
                             cell.preset, cell.request.seed})) {
        note([&] { ++state_.first_step; });
      } else {
        const RunRecord run = train_cell(cell, *task);
        note([&] {
          results_.append(run);
          ++trained_;
        });
      }
    } catch (const Stopped&) {
      return;
    } catch (const CannotRecord&) {
      throw;  // without a place for results there is no point in going on
    } catch (const std::exception& error) {
      note([&] {
        failures_[index] = describe_failure(cell, error);
        ++state_.failed;
      });
    }
    shared.release();
    fresh_.at(cell.setting).release();
  }

  // A result that could not be written, unlike a run that could not be made, concerns all cells.
  struct CannotRecord : InputError {
    using InputError::InputError;
  };

  template <class Change>
  void note(const Change& change) {
    const std::lock_guard lock(mutex_);
    try {
      change();
    } catch (const InputError& error) {
      throw CannotRecord(error.what());
    }
    ++state_.step;
    progress_.update(state_);
  }

  RunRecord train_cell(const GridCell& cell, const Task& task) {
    const auto start = std::chrono::steady_clock::now();
    ThreadTeam alone(1);
    CellWatch watch(*this);
    const Watching watching(alone, &watch);
    TrainingSettings settings;
    settings.seed = cell.request.seed;
    settings.team = &alone;
    settings.on_step = [&](std::size_t, std::size_t) {
      if (asked_to_stop()) throw Stopped();
      return true;
    };
    const TrainingResult result = train(task, *cell.request.method, cell.request.method_options, settings);
    if (!std::isfinite(result.test_regret) || !std::isfinite(result.test_cost) ||
        !std::isfinite(result.validation_cost))
      throw InputError(
          fmt::format("its test regret came to {}, expected a finite number", result.test_regret));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    RunRecord run = record_of(cell.request.problem->name, task, cell.request.method->name, cell.preset,
                              cell.request.seed, result, seconds);
    if (cell.fresh.count == 0) return run;
    const FreshFigures fresh = fresh_.at(cell.setting)
                                   .get([&] { return KeptFreshRows(cell.request, cell.fresh, alone); })
                                   ->measure(result.parameters, result.failure_cost, alone);
    run.fresh_regret = fresh.regret;
    run.fresh_infeasible = fresh.infeasible;
    run.fresh_conditional_regret = fresh.conditional_regret;
    return run;
  }

  static std::string describe_failure(const GridCell& cell, const std::exception& error) {
    return fmt::format("{} ({}) with method {}, preset {}, seed {}: {}", cell.request.problem->name,
                       cell.setting, cell.request.method->name, cell.preset, cell.request.seed, error.what());
  }

  const std::vector<GridCell>& cells_;
  ResultsFile& results_;
  Progress& progress_;
  std::vector<SharedByCells<Task>> tasks_;                     // of one problem, setting and seed
  std::map<std::string, SharedByCells<KeptFreshRows>> fresh_;  // by setting, whatever the seeds
  std::set<RunKey> present_;
  const std::function<bool()>& interrupted_;
  std::mutex mutex_;  // of everything below
  bool stopped_ = false;
  ProgressState state_;
  std::vector<std::string> failures_;  // [cells]; empty: none
  std::size_t trained_ = 0;
};

}  // namespace

GridOutcome run_grid(const std::vector<GridCell>& cells, ResultsFile& results, Team& team, Progress& progress,
                     const std::function<bool()>& interrupted) {
  return GridRun(cells, results, progress, interrupted).execute(team);
}

}  // namespace polystep
