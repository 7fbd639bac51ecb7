#include "runtime/plan/solve_timing.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/starts/initial_fit.hpp"

namespace polystep {
namespace {

constexpr double kDearSolve = 0.02;   // seconds; from here on single rows are timed
constexpr double kEnough = 1.0;       // seconds spent on them
constexpr std::size_t kDearRows = 4;  // at most
constexpr std::size_t kQuickRows = 2 * kLanes;

// Where the fit of a network would take long, its random start must do.
std::vector<double> plausible_parameters(const Task& task) {
  std::vector<std::size_t> rows(task.data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (auto fitted = least_squares_start(*task.predictor, task.data.training, rows)) return *fitted;
  return task.predictor->initial_parameters(0);
}

class Timer {
 public:
  explicit Timer(const Task& task)
      : task_(task), evaluator_(task, alone_), theta_(plausible_parameters(task)) {}

  // Seconds per row. Predicting is not timed.
  double run(std::size_t first, std::size_t count) {
    std::vector<std::size_t> numbers(count);
    for (std::size_t i = 0; i < count; ++i) numbers[i] = (first + i) % task_.data.training.rows;
    TiledRows rows;
    rows.gather(task_.data.training, numbers);
    std::vector<double> predictions;
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      const std::size_t outputs = task_.predictor->outputs_of(tile);
      AlignedDoubles predicted(outputs * tile.width);
      task_.predictor->predict(theta_, tile, predicted.data());
      for (std::size_t lane = 0; lane < tile.lanes; ++lane)
        for (std::size_t o = 0; o < outputs; ++o) predictions.push_back(predicted[o * tile.width + lane]);
    }
    const auto begin = std::chrono::steady_clock::now();
    evaluator_.decide(predictions, rows);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / static_cast<double>(count);
  }

 private:
  const Task& task_;
  ThreadTeam alone_{1};
  Evaluator evaluator_;
  std::vector<double> theta_;
};

}  // namespace

SolveTiming time_solves(const Task& task) {
  Timer timer(task);
  SolveTiming timing{timer.run(0, 1), 1};
  if (timing.seconds < kDearSolve) {  // the first one woke things up
    const std::size_t rows = std::min(kQuickRows, task.data.training.rows);
    for (int again = 0; again < 2; ++again) {
      timing.seconds = std::min(timing.seconds, timer.run(0, rows));
      timing.solves += rows;
    }
    return timing;
  }
  // The middle one: a first solve may be slow to start, and machines pause.
  std::vector<double> each = {timing.seconds};
  while (std::accumulate(each.begin(), each.end(), 0.0) < kEnough && each.size() < kDearRows)
    each.push_back(timer.run(each.size(), 1));
  std::sort(each.begin(), each.end());
  return {each[(each.size() - 1) / 2], each.size()};
}

}  // namespace polystep
