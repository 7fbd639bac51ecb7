// When to write the next checkpoint: often enough that little work is lost, seldom enough to cost little.
//
// What a checkpoint takes grows with the model, so the time between two of them is a multiple of what the
// last one took. Times are seconds on any clock that the caller reads.
#pragma once

namespace polystep {

class CheckpointPace {
 public:
  // A write of one second in twenty: checkpoints take at most 5 % of a run's time.
  static constexpr double kWaitPerWriting = 19;

  // `interval`: wait at least this long; `start`: when the run began.
  CheckpointPace(double interval, double start) : interval_(interval), last_(start) {}

  bool due(double now) const { return now - last_ >= interval_ && now - last_ >= kWaitPerWriting * writing_; }

  // A checkpoint was written from `begin` to `end`.
  void written(double begin, double end) {
    writing_ = end - begin;
    last_ = end;
  }

 private:
  double interval_;
  double last_;
  double writing_ = 0;  // what the last checkpoint took; the first one is not known to take anything
};

}  // namespace polystep
