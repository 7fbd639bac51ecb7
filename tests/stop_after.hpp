// Says stop when it is asked for the so-manieth time: what is stopped then depends on how often work asks,
// never on the clock.
#pragma once

#include <atomic>
#include <cstddef>

#include "polystep/team.hpp"

namespace polystep::testing {

class StopAfterAsks final : public Watch {
 public:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

  explicit StopAfterAsks(std::size_t asks) : most_(asks) {}

  bool wanted() const noexcept override { return ++asked_ > most_; }
  bool stop(std::size_t, std::size_t) override { return asked_ > most_; }
  std::size_t asked() const { return asked_; }

 private:
  std::size_t most_;
  mutable std::atomic<std::size_t> asked_{0};
};

}  // namespace polystep::testing
