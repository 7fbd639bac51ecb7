// Adam, and the schedule that lowers its rate when validation stalls; both as the published benchmark runs
// use them.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "polystep/archive.hpp"
#include "simd/adam_step.hpp"

namespace polystep {

class Adam {
 public:
  explicit Adam(std::size_t parameters) : first_(parameters), second_(parameters) {}

  // The gradient counts `factor` times.
  void step(std::span<double> theta, std::span<const double> gradient, double rate, double factor = 1) {
    ++count_;
    step_adam({.first_decay = kFirstDecay,
               .second_decay = kSecondDecay,
               .first_correction = 1 - std::pow(kFirstDecay, static_cast<double>(count_)),
               .second_correction = 1 - std::pow(kSecondDecay, static_cast<double>(count_)),
               .epsilon = kEpsilon,
               .rate = rate,
               .factor = factor},
              gradient.data(), theta.size(), theta.data(), first_.data(), second_.data());
  }

  void save(ArchiveWriter& archive) const {
    archive.put<std::uint64_t>(count_);
    archive.put(first_);
    archive.put(second_);
  }
  void load(ArchiveReader& archive) {
    count_ = archive.get<std::uint64_t>();
    first_ = archive.get_doubles(first_.size(), "Adam's mean gradient");
    second_ = archive.get_doubles(second_.size(), "Adam's mean squared gradient");
  }

 private:
  static constexpr double kFirstDecay = 0.9;
  static constexpr double kSecondDecay = 0.999;
  static constexpr double kEpsilon = 1e-8;

  std::uint64_t count_ = 0;
  std::vector<double> first_;   // decayed mean of gradients
  std::vector<double> second_;  // decayed mean of squared gradients
};

// Decoupled weight decay: to be taken off before a step of the given rate.
inline void decay_parameters(std::span<double> theta, double rate, double decay) {
  if (decay == 0) return;
  for (double& parameter : theta) parameter *= 1 - rate * decay;
}

// Multiplies the rate by 0.2 after more than `patience` observations without a relative improvement of 1e-4.
class PlateauSchedule {
 public:
  explicit PlateauSchedule(double rate) : rate_(rate) {}

  double rate() const { return rate_; }

  void observe(double figure) {
    if (!seen_ || figure < best_ * (1 - 1e-4)) {
      best_ = figure;
      stalled_ = 0;
      seen_ = true;
    } else if (++stalled_ > kPatience) {
      rate_ = std::max(rate_ * kFactor, kLowestRate);
      stalled_ = 0;
    }
  }

  void save(ArchiveWriter& archive) const {
    archive.put(rate_);
    archive.put(best_);
    archive.put<std::uint64_t>(stalled_);
    archive.put<std::uint8_t>(seen_);
  }
  void load(ArchiveReader& archive) {
    rate_ = archive.get<double>();
    best_ = archive.get<double>();
    stalled_ = archive.get<std::uint64_t>();
    seen_ = archive.get<std::uint8_t>() != 0;
  }

 private:
  static constexpr double kFactor = 0.2;
  static constexpr double kLowestRate = 1e-6;
  static constexpr std::uint64_t kPatience = 2;

  double rate_;
  double best_ = 0;
  std::uint64_t stalled_ = 0;
  bool seen_ = false;
};

}  // namespace polystep
