// Spreads independent work items over threads.
//
// Results never depend on the number of threads as long as each item writes only its own slot; reductions
// over slots are then done in order by the caller.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace polystep {

class Executor {
 public:
  explicit Executor(std::size_t threads);
  ~Executor();

  std::size_t threads() const { return threads_; }

  // Calls work(item, worker) for every item in 0..count-1; worker is in 0..threads()-1 and no two items run
  // on the same worker at once, so per-worker workspaces need no locks. Where items throw, the exception of
  // the lowest such item is rethrown here, for any number of threads; items after it may not have run.
  //
  // An item may call this again: such a nested call runs its items one after the other on the worker that
  // makes it, for any number of threads, so that no worker waits for another. Two threads that are not this
  // executor's workers must not call at the same time.
  void for_each(std::size_t count, const std::function<void(std::size_t item, std::size_t worker)>& work);

 private:
  struct Arena;
  std::size_t threads_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace polystep
