// Who computes: the threads of this process, and later those of other machines.
//
// Work is cut into slots that any member of the team may compute and that everybody has afterwards. Results
// never depend on who computed what, as long as each piece of work writes only its own slot; sums over slots
// are then taken in order by the caller. A team is handed to whoever computes, never built inside.
#pragma once

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "polystep/parallel_for.hpp"
#include "polystep/stop.hpp"

namespace polystep {

// Plain numbers that a fill completes, those of one slot together, one slot after the other. The last one may
// be shorter than the rest.
struct SlotArray {
  std::byte* data = nullptr;
  std::size_t total = 0;  // bytes
  std::size_t bytes = 0;  // of one slot
};

template <class T, class Allocator>
SlotArray slots_of(std::vector<T, Allocator>& values, std::size_t per_slot = 1) {
  static_assert(std::is_trivially_copyable_v<T>, "slots travel between machines as bytes");
  return {reinterpret_cast<std::byte*>(values.data()), values.size() * sizeof(T), per_slot * sizeof(T)};
}

// The clock and the signals, one for all: what it says, every member follows. Long solves ask it `wanted`
// (see stop.hpp) in the middle of a piece of work.
class Watch : public StopSource {
 public:
  // Asked between pieces of work, on the thread that called the team; true: leave the rest and stop.
  virtual bool stop(std::size_t done, std::size_t of) = 0;
};

class Team {
 public:
  using Work = std::function<void(std::size_t item, std::size_t worker)>;

  virtual ~Team() = default;

  virtual std::size_t threads() const = 0;  // of this process, hence workspaces needed
  virtual std::size_t rank() const { return 0; }
  virtual std::size_t ranks() const { return 1; }

  // Calls work(item, worker) for every item in 0..count-1, all of them in this process; worker is in
  // 0..threads()-1 and no two items run on the same worker at once, so per-worker workspaces need no locks.
  // Where items throw, the exception of the lowest such item is rethrown here, for any number of threads;
  // items after it may not have run. Called from inside an item, it does its items one after the other, on
  // that item's own worker. What may stop the caller's thread may stop the items too.
  virtual void for_each(std::size_t count, const Work& work) = 0;

  // The same, where it does not matter which member computes a slot: afterwards all of them have all slots of
  // the given arrays.
  virtual void fill(std::size_t slots, std::span<const SlotArray> arrays, const Work& work) {
    (void)arrays;
    for_each(slots, work);
  }
  void fill(std::size_t slots, std::initializer_list<SlotArray> arrays, const Work& work) {
    fill(slots, std::span<const SlotArray>(arrays.begin(), arrays.size()), work);
  }

  // One decision that all follow: that of the first member.
  virtual bool agreed(bool mine) { return mine; }

  // Looked at between items until another is set; nullptr: nobody watches.
  void set_watch(Watch* watch) { watch_ = watch; }
  Watch* watch() const { return watch_; }

 private:
  Watch* watch_ = nullptr;
};

// Sets a watch for a while, over the team and over what this thread does itself.
class Watching {
 public:
  Watching(Team& team, Watch* watch) : team_(team), before_(team.watch()), stopped_by_(watch) {
    team.set_watch(watch);
  }
  ~Watching() { team_.set_watch(before_); }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  Team& team_;
  Watch* before_;
  StoppedBy stopped_by_;
};

// The threads of this process; the calling one works too, as worker 0.
class ThreadTeam final : public Team {
 public:
  explicit ThreadTeam(std::size_t threads);
  ~ThreadTeam() override;

  std::size_t threads() const override { return threads_; }
  void for_each(std::size_t count, const Work& work) override;

 private:
  struct Arena;

  std::size_t threads_;
  std::unique_ptr<Arena> arena_;
};

// A team's threads for parts that know nothing of teams; it must outlive what it returns.
inline ParallelFor threads_of(Team& team) {
  return [&team](std::size_t slots, const std::function<void(std::size_t)>& work) {
    team.for_each(slots, [&](std::size_t slot, std::size_t) { work(slot); });
  };
}

}  // namespace polystep
