// Asking work under way to end, from inside the work: what solves that take long look at.
//
// Whoever watches some work (team.hpp) is known to every thread that does part of it. A solver that may take
// more than a moment asks `stop_wanted` now and then, gives up what it is at and throws Stopped; one that is
// short needs to know nothing of this, because teams ask between pieces of work. A solve that was given up
// has no outcome: it must not be taken for a failed one.
#pragma once

namespace polystep {

// Thrown by work that was asked to stop. Slots may be half filled then. Not a std::exception on purpose: code
// that takes an exception for a solver's failure must let this one through.
class Stopped {};

// Says whether work should end. Asked from any thread at any time, often: it must be cheap.
class StopSource {
 public:
  virtual ~StopSource() = default;
  virtual bool wanted() const noexcept { return false; }
};

namespace detail {
inline thread_local const StopSource* stop_source = nullptr;
}

// Whose word counts for the work of this thread; nullptr: nobody's.
inline const StopSource* stop_source() { return detail::stop_source; }

inline bool stop_wanted() noexcept { return detail::stop_source != nullptr && detail::stop_source->wanted(); }

inline void stop_if_wanted() {
  if (stop_wanted()) throw Stopped();
}

// Lets a source speak for the work of this thread for a while.
class StoppedBy {
 public:
  explicit StoppedBy(const StopSource* source) : before_(detail::stop_source) {
    detail::stop_source = source;
  }
  ~StoppedBy() { detail::stop_source = before_; }
  StoppedBy(const StoppedBy&) = delete;
  StoppedBy& operator=(const StoppedBy&) = delete;

 private:
  const StopSource* before_;
};

}  // namespace polystep
