#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "polystep/error.hpp"
#include "polystep/team.hpp"

namespace polystep {
namespace {

using Work = Team::Work;

// The item this thread is working on, innermost first: of which team, and as which worker.
struct Place {
  const Team* team;
  std::size_t worker;
  const Place* outer;
};

thread_local const Place* innermost = nullptr;

class Within {
 public:
  Within(const Team* team, std::size_t worker) : place_{team, worker, innermost} { innermost = &place_; }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  ~Within() { innermost = place_.outer; }

 private:
  Place place_;
};

const Place* place_in(const Team* team) {
  const Place* place = innermost;
  while (place != nullptr && place->team != team) place = place->outer;
  return place;
}

// While the caller waits for the others.
constexpr std::chrono::milliseconds kLookInterval(50);

constexpr std::size_t kNoItem = std::numeric_limits<std::size_t>::max();

void rest_a_moment() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

// Spins until `ready`, but only some tens of microseconds: the next batch of a training loop comes sooner
// than the system can wake a sleeper, and whoever waits longer should leave the core to others.
template <class Ready>
bool spin_until(int rounds, const Ready& ready) {
  for (int round = 0; round < rounds; ++round) {
    if (ready()) return true;
    rest_a_moment();
  }
  return ready();
}

}  // namespace

// A pool of sleeping threads. The calling thread works too, as worker 0. A batch is open from its start until
// the caller has seen its last item handed out; a worker that wakes later finds it closed and is not waited
// for, so more threads than cores cost little.
struct ThreadTeam::Arena {
  const ThreadTeam* owner = nullptr;
  std::mutex mutex;
  std::condition_variable wake;   // workers: a batch was opened, or the pool ends
  std::condition_variable empty;  // caller: the last worker left the batch

  // The batch. Changed under the mutex while no worker is inside.
  const Work* work = nullptr;
  Watch* watch = nullptr;
  const StopSource* stop = nullptr;  // of the thread that opened it
  std::size_t count = 0;
  std::atomic<std::size_t> done{0};
  std::atomic<std::size_t> next{0};  // items are handed out in ascending order

  std::atomic<std::uint64_t> opened{0};  // batches so far; workers watch it while they spin
  std::atomic<std::size_t> inside{0};    // workers in the batch; changed under the mutex
  bool open = false;
  bool ending = false;
  std::size_t sleepers = 0;
  std::atomic<bool> busy{false};  // a for_each is running

  std::mutex failure_mutex;
  std::size_t failed_item = kNoItem;
  std::exception_ptr failure;

  int spin_rounds = 0;
  std::vector<std::thread> threads;

  ~Arena();
  void start(std::size_t workers);
  void serve(std::size_t worker);
  bool await_batch(std::unique_lock<std::mutex>& lock, std::uint64_t& seen);
  void drain(std::size_t worker) noexcept;
  void run(std::size_t items, const Work& item_work, Watch* item_watch);
};

ThreadTeam::Arena::~Arena() {
  {
    const std::lock_guard lock(mutex);
    ending = true;
    opened.fetch_add(1, std::memory_order_release);  // ends the spinning too
  }
  wake.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void ThreadTeam::Arena::start(std::size_t workers) {
  // With fewer cores than threads a spinning thread would only keep a working one from its core.
  spin_rounds = workers + 1 <= std::thread::hardware_concurrency() ? 1000 : 0;
  threads.reserve(workers);
  for (std::size_t worker = 1; worker <= workers; ++worker)
    threads.emplace_back([this, worker] { serve(worker); });
}

// Waits for a batch this worker has not seen; false where the pool ends.
bool ThreadTeam::Arena::await_batch(std::unique_lock<std::mutex>& lock, std::uint64_t& seen) {
  lock.unlock();
  spin_until(spin_rounds, [&] { return opened.load(std::memory_order_acquire) != seen; });
  lock.lock();
  ++sleepers;
  wake.wait(lock, [&] { return ending || opened.load(std::memory_order_relaxed) != seen; });
  --sleepers;
  seen = opened.load(std::memory_order_relaxed);
  return !ending;
}

void ThreadTeam::Arena::serve(std::size_t worker) {
  std::unique_lock lock(mutex);
  std::uint64_t seen = 0;
  while (await_batch(lock, seen)) {
    if (!open) continue;
    inside.fetch_add(1, std::memory_order_relaxed);
    lock.unlock();
    drain(worker);
    lock.lock();
    if (inside.fetch_sub(1, std::memory_order_release) == 1) empty.notify_one();
  }
}

// Works on items until none is left. After a failure no more are handed out; all items before the failed one
// already were, so the failure with the lowest item is found whatever the timing.
void ThreadTeam::Arena::drain(std::size_t worker) noexcept {
  const Within within(owner, worker);
  const StoppedBy stopped_by(stop);
  while (true) {
    const std::size_t item = next.fetch_add(1, std::memory_order_relaxed);
    if (item >= count) return;
    try {
      (*work)(item, worker);
      const std::size_t so_far = done.fetch_add(1, std::memory_order_relaxed) + 1;
      if (watch != nullptr && worker == 0 && watch->stop(so_far, count)) throw Stopped();
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (item < failed_item) {
        failed_item = item;
        failure = std::current_exception();
      }
      next.store(count, std::memory_order_relaxed);
    }
  }
}

void ThreadTeam::Arena::run(std::size_t items, const Work& item_work, Watch* item_watch) {
  if (busy.exchange(true))
    throw std::logic_error("ThreadTeam::for_each was called by a second thread while a call is running");
  std::size_t asleep = 0;
  {
    const std::lock_guard lock(mutex);
    work = &item_work;
    watch = item_watch;
    stop = stop_source();
    count = items;
    done.store(0, std::memory_order_relaxed);
    next.store(0, std::memory_order_relaxed);
    failed_item = kNoItem;
    failure = nullptr;
    open = true;
    asleep = sleepers;
    opened.fetch_add(1, std::memory_order_release);
  }
  // Waking more threads than there are items would only make them queue for the mutex.
  for (std::size_t i = 0; i < std::min(asleep, items - 1); ++i) wake.notify_one();
  drain(0);
  {
    std::unique_lock lock(mutex);
    open = false;
    lock.unlock();
    spin_until(spin_rounds, [&] { return inside.load(std::memory_order_acquire) == 0; });
    lock.lock();
    const auto all_left = [&] { return inside.load(std::memory_order_relaxed) == 0; };
    while (!empty.wait_for(lock, kLookInterval, all_left)) {
      lock.unlock();
      stop_wanted();  // only this thread can find out; the others then do
      lock.lock();
    }
  }
  const std::exception_ptr thrown = std::exchange(failure, nullptr);
  busy.store(false);
  if (thrown) std::rethrow_exception(thrown);
}

ThreadTeam::ThreadTeam(std::size_t threads) : threads_(threads) {
  if (threads == 0) throw InputError("the number of threads is 0, expected at least 1");
  if (threads == 1) return;
  arena_ = std::make_unique<Arena>();
  arena_->owner = this;
  try {
    arena_->start(threads - 1);
  } catch (const std::exception& error) {
    throw InputError(fmt::format("cannot start {} threads: {}", threads, error.what()));
  }
}

ThreadTeam::~ThreadTeam() = default;

void ThreadTeam::for_each(std::size_t count, const Work& work) {
  const Place* nested = place_in(this);
  if (arena_ && nested == nullptr && count > 1) {
    arena_->run(count, work, watch());
    return;
  }
  const std::size_t worker = nested != nullptr ? nested->worker : 0;
  const Within within(this, worker);
  for (std::size_t item = 0; item < count; ++item) {
    work(item, worker);
    if (nested == nullptr && watch() != nullptr && watch()->stop(item + 1, count)) throw Stopped();
  }
}

}  // namespace polystep
