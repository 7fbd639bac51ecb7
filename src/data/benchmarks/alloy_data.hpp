// Brass alloy production: ten suppliers, two metals, and 4096 features for every content that is to be
// predicted.
//
// The published data are not public with the program; the reader takes their files where somebody has them,
// and a stand-in is drawn by rule otherwise. The stand-in is a pure function of its seed and of where a
// number stands, so that any instance can be drawn by itself: fresh instances of the same distribution come
// from another seed for what an instance is (prices, contents, penalties, noise) and the same seed for what
// all of them share (mean, templates and directions of the features).
//
// Rows are instances. Features [2 × suppliers × features of a content], truth [2 × suppliers], copper first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "polystep/dataset.hpp"

namespace polystep {

inline constexpr std::size_t kAlloySuppliers = 10;
inline constexpr std::size_t kAlloyMetals = 2;
inline constexpr std::size_t kAlloyContents = kAlloyMetals * kAlloySuppliers;
inline constexpr std::size_t kAlloyFeatures = 4096;  // of one content
inline constexpr std::array<double, kAlloyMetals> kAlloyRequired = {627.54, 369.72};
inline constexpr std::uint64_t kAlloySeed = 3394;  // its mean test optimum is the published one, 312.00

// How features tell contents: gain times (t, 0) along two fixed directions, or, where they bend,
// times (sin bend t, cos bend t); t is the content in deviations. With waves, gain times cos(k pi u) along
// direction k of so many, u the content's place among all 21 from 0 to 1.
struct AlloyProfile {
  std::string_view name;
  double gain;
  double bend;
  std::size_t waves = 0;
};
inline constexpr AlloyProfile kAlloyProfiles[] = {
    {"blind", 0, 0},          // features tell nothing: the statistical twin of the published results
    {"line", 3, 0},           // learnable by a linear predictor
    {"arc", 4, 1.5},          // learnable, but not by a linear one
    {"spread", 1.15, 0, 20},  // learnable, though no direction has more variance than noise alone can show
};
const AlloyProfile& find_alloy_profile(const std::string& name);  // throws InputError

struct AlloyStandIn {
  AlloyProfile profile = kAlloyProfiles[2];
  std::uint64_t seed = kAlloySeed;
  std::size_t features = kAlloyFeatures;  // of one content
  std::size_t training = 350, validation = 50, test = 100;
  double penalty = 0.5;  // mean surcharge on what is bought late
};

// What is known of instances when they are decided, one after the other, and what only time tells.
struct AlloyInstances {
  std::vector<double> prices;     // [instances × suppliers]
  std::vector<double> penalties;  // [instances × suppliers], surcharges
  std::vector<double> contents;   // [instances × metals × suppliers], true ones
};

struct AlloyData {
  Dataset data;  // row numbers are instance numbers of the two below
  std::vector<double> prices;
  std::vector<double> penalties;
};

// Instances first .. first + count - 1 of a seed.
AlloyInstances draw_alloy_instances(std::uint64_t seed, std::size_t first, std::size_t count, double penalty);

// Their features [count × metals × suppliers × features], to the nearest single-precision number. What all
// instances share is drawn from stand_in.seed, what is their own from `seed`.
std::vector<float> draw_alloy_features(const AlloyStandIn& stand_in, std::uint64_t seed, std::size_t first,
                                       std::size_t count, std::span<const double> contents);

// The stand-in: instances of its seed dealt in order into training, validation and test.
AlloyData generated_alloy(const AlloyStandIn& stand_in);

// The same without training and validation rows, and with instances first .. first + count - 1 of another
// seed as test rows.
AlloyData fresh_alloy(const AlloyStandIn& stand_in, std::uint64_t seed, std::size_t first, std::size_t count);

// The published files, set 0, with the penalties of folder `penalty` ("0.5"); they lie in subdirectory
// alloy/brass or brass of the data directory, or in it. Throws InputError where they are not as expected.
AlloyData published_alloy(const std::string& data_directory, const std::string& penalty);
bool holds_alloy_data(const std::string& data_directory);

}  // namespace polystep
