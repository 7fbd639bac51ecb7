// Random numbers that depend on what they are for, never on who asks first.
//
// A RandomStream is named by a seed, a purpose and up to two indices (say step and block). Equal names give
// equal numbers on any thread or rank and after any restart, because the generator (Philox, from Random123)
// is a pure function of its name and a counter: there is no state to share, save or race on.
#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <span>

namespace polystep {

// What a stream is for. Numbers are part of every saved result: append, never renumber.
enum class Purpose : std::uint64_t {
  kInitialParameters = 1,
  kBasis = 2,
  kRotation = 3,
  kRadiusJitter = 4,
  kMinibatch = 5,
  kDataMatrix = 6,
  kDataFeatures = 7,
  kDataNoise = 8,
  kSplit = 9,
  kPerturbation = 10,
  kCacheGrowth = 11,
  kSignFlip = 12,
  kBag = 13,
  kFlipDistance = 21,
  kDistrictSearch = 31,
  kCity = 32,
  kTours = 33,
  kTest = 1000,
};

class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0, std::uint64_t sub_index = 0);

  std::uint64_t bits();
  double uniform();                          // in [0, 1), 53 random bits
  double uniform(double low, double high);   // in [low, high)
  double normal();                           // standard normal
  double gumbel();                           // standard Gumbel
  double gamma(double shape);                // Gamma of unit rate
  std::uint64_t below(std::uint64_t bound);  // uniform in 0 .. bound-1, without modulo bias
  void fill_normal(std::span<double> out);
  void fill_normal(std::span<float> out);  // numbers of their own, several times as fast

 private:
  using Generator = r123::Philox4x64;

  Generator::key_type key_;
  Generator::ctr_type counter_;
  Generator::ctr_type block_;
  unsigned used_ = 4;        // words of block_ already handed out
  double spare_normal_ = 0;  // Box-Muller makes two at a time
  bool has_spare_ = false;
};

}  // namespace polystep
