#include "watched_evaluation.hpp"

#include <chrono>

#include "interrupts.hpp"

namespace polystep {
namespace {

class MeasuringWatch final : public Watch {
 public:
  explicit MeasuringWatch(ProgressStyle style) : progress_(style) {}

  bool stop(std::size_t done, std::size_t of) override {
    ProgressState state;
    state.unit = "measuring, batch";
    state.step = static_cast<std::int64_t>(done);
    state.steps = static_cast<std::int64_t>(of);
    state.timed = false;  // decisions and references take different times
    progress_.update(state);
    return interrupt_requested();
  }

 private:
  Progress progress_;
};

}  // namespace

std::optional<MeasuredModel> measure_watched(Evaluator& evaluator, std::span<const double> parameters,
                                             ProgressStyle style) {
  const auto begin = std::chrono::steady_clock::now();
  MeasuringWatch watch(style);
  const Watching watching(evaluator.team(), &watch);
  MeasuredModel measured;
  try {
    measured.validation = evaluator.evaluate(parameters, TiledRows(evaluator.task().data.validation));
    measured.test = measure_test(evaluator, parameters);
  } catch (const Stopped&) {
    return {};
  }
  measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return measured;
}

}  // namespace polystep
