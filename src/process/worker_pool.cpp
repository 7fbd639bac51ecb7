#include "process/worker_pool.hpp"

#include <fmt/format.h>

#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "process/batch_exchange.hpp"

namespace polystep {
namespace {

// A solver that has failed on so many instances and solved none has a defect that no training can get around.
constexpr std::uint64_t kHopeless = 16;
constexpr int kStartTries = 3;  // of a solver that has worked before

}  // namespace

WorkerPool::WorkerPool(SolverCommand command, FrameShape shape, std::size_t frame_size)
    : command_(std::move(command)),
      shape_(shape),
      frame_size_(frame_size),
      codec_(make_codec(command_.format)) {
  if (command_.words.empty() || command_.words.front().empty())
    throw InputError("the solver's command is empty, expected a program and its arguments");
  for (const std::size_t size :
       {shape_.outputs, shape_.decision_size, shape_.feature_columns, shape_.truth_columns})
    if (size == kVaries && command_.format == FrameFormat::kBinary)
      throw InputError(
          "solver: its frames are binary and instances differ in size, expected JSON lines, which can say "
          "that");
  idle_.push_back(start());
}

WorkerPool::~WorkerPool() = default;

void WorkerPool::solve(SolveBatch& batch) { BatchExchange(*this, batch).run(); }

SolverEvents WorkerPool::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

std::unique_ptr<SolverWorker> WorkerPool::start() {
  std::size_t number = 0;
  {
    const std::lock_guard lock(mutex_);
    number = started_++;
  }
  try {
    return std::make_unique<SolverWorker>(command_, *codec_, shape_, log_, number);
  } catch (const InputError& error) {
    throw SolverLost(error.what());
  }
}

// What starts once may fail to start the next time for a moment only, when the system is short of something.
std::unique_ptr<SolverWorker> WorkerPool::restart() {
  {
    const std::lock_guard lock(mutex_);
    ++events_.restarts;
  }
  for (int tries = 1;; ++tries) {
    try {
      return start();
    } catch (const SolverLost& error) {
      log_.add("polystepor", error.what());
      if (tries == kStartTries) throw;
    }
  }
}

std::unique_ptr<SolverWorker> WorkerPool::take() {
  bool replaces_a_lost_one = false;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<SolverWorker> worker = std::move(idle_.back());
      idle_.pop_back();
      return worker;
    }
    replaces_a_lost_one = lost_ != 0;
    lost_ -= replaces_a_lost_one;
  }
  return replaces_a_lost_one ? restart() : start();
}

void WorkerPool::give_back(std::unique_ptr<SolverWorker> worker) {
  const std::lock_guard lock(mutex_);
  if (worker->running())
    idle_.push_back(std::move(worker));
  else
    ++lost_;  // with the last frame of its batch; whoever asks next starts another
}

std::set<std::uint64_t> WorkerPool::suspects() const {
  const std::lock_guard lock(mutex_);
  return suspects_;
}

void WorkerPool::count_fault(Fault fault) {
  const std::lock_guard lock(mutex_);
  events_.crashes += fault == Fault::kCrash;
  events_.hangs += fault == Fault::kHang;
  events_.garbage += fault == Fault::kGarbage;
}

void WorkerPool::count_answers(std::uint64_t solved, std::uint64_t declined) {
  const std::lock_guard lock(mutex_);
  ++events_.frames;
  events_.instances += solved + declined;
  events_.declined += declined;
  ever_solved_ |= solved != 0;
}

void WorkerPool::suspect(std::uint64_t instance) {
  const std::lock_guard lock(mutex_);
  suspects_.insert(instance);
}

void WorkerPool::charge(std::uint64_t instance, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  ++events_.instances;
  ++events_.charged;
  if (reported_.insert(instance).second)
    log_.add("polystepor", fmt::format("instance {} is charged the failure cost: {}", instance, reason));
  if (!ever_solved_ && events_.charged >= kHopeless)
    throw SolverLost(
        fmt::format("solver {} failed on each of the first {} instances, the last time because {}",
                    in_quotes(command_.words.front()), events_.charged, reason));
}

void WorkerPool::acquit(std::uint64_t instance) {
  const std::lock_guard lock(mutex_);
  suspects_.erase(instance);
}

}  // namespace polystep
