// Solver processes, as many as threads ask at once, and the rule by which faults are put down to instances.
//
// A frame that ends in a fault is halved and sent again, until the guilty instances stand alone. An instance
// is charged, that is, given up without a decision, only when it fails alone in a frame that is the first of
// a newly started worker. Whether it is charged then depends on the instance and its prediction alone, not on
// the instances beside it, on the order of work or on the number of threads. Instances that were charged once
// travel in frames of their own from then on, so that they cost their neighbours nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "process/frames.hpp"
#include "process/solver_log.hpp"
#include "process/solver_worker.hpp"

namespace polystep {

struct SolverEvents {
  std::uint64_t frames = 0;     // answered
  std::uint64_t instances = 0;  // answered or charged
  std::uint64_t declined = 0;   // answered by "no decision"
  std::uint64_t charged = 0;    // given up after a crash, a hang or garbage
  std::uint64_t crashes = 0;
  std::uint64_t hangs = 0;
  std::uint64_t garbage = 0;
  std::uint64_t restarts = 0;
};

// Many instances to solve. Arrays are shared with frames, never copied.
struct SolveBatch {
  std::vector<std::uint64_t> instances;  // [instances]
  std::vector<double> predictions;       // [instances × outputs]
  std::vector<double> features;          // [instances × feature_columns]
  std::vector<double> truth;             // [instances × truth_columns], or empty
  bool wants_cost = false;
  // Where rows begin, [instances + 1], of those that vary in length; else empty.
  std::vector<std::size_t> prediction_begin, feature_begin, truth_begin, decision_begin;
  // Answers.
  std::vector<std::uint8_t> solved;  // [instances]
  std::vector<double> decisions;     // [instances × decision_size]
  std::vector<double> costs;         // [instances], where wanted
};

class WorkerPool {
 public:
  // Starts one worker, so that a command that does not work is known at once: InputError.
  WorkerPool(SolverCommand command, FrameShape shape, std::size_t frame_size);
  ~WorkerPool();

  const FrameShape& shape() const { return shape_; }
  std::size_t frame_size() const { return frame_size_; }

  // Fills the answers. Throws InputError where the solver cannot be started again, or has failed on every
  // instance so far.
  void solve(SolveBatch& batch);

  SolverEvents events() const;
  SolverLog& log() { return log_; }

 private:
  friend class BatchExchange;

  std::unique_ptr<SolverWorker> start();
  std::unique_ptr<SolverWorker> restart();
  std::unique_ptr<SolverWorker> take();
  void give_back(std::unique_ptr<SolverWorker> worker);
  std::set<std::uint64_t> suspects() const;
  void count_fault(Fault fault);
  void count_answers(std::uint64_t solved, std::uint64_t declined);
  void charge(std::uint64_t instance, const std::string& reason);
  void suspect(std::uint64_t instance);
  void acquit(std::uint64_t instance);

  const SolverCommand command_;
  const FrameShape shape_;
  const std::size_t frame_size_;
  const std::unique_ptr<FrameCodec> codec_;
  SolverLog log_;
  mutable std::mutex mutex_;  // of everything below
  std::vector<std::unique_ptr<SolverWorker>> idle_;
  std::size_t started_ = 0;
  std::size_t lost_ = 0;              // workers that died and were not replaced yet
  std::set<std::uint64_t> suspects_;  // instances that cost a worker when they were last asked for
  std::set<std::uint64_t> reported_;  // instances the log has told of
  SolverEvents events_;
  bool ever_solved_ = false;
};

}  // namespace polystep
