#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "data/benchmarks/alloy_data.hpp"
#include "polystep/options.hpp"

namespace polystep {
namespace {

// What a stream of numbers is for; part of the stand-in's definition.
enum AlloyStream : std::uint64_t {
  kPrices = 1,
  kContents = 2,
  kPenalties = 3,
  kMean = 4,
  kDirection = 5,
  kTemplates = 6,
  kWhichTemplate = 7,
  kNoise = 8,
  kSecondDirection = 9,
  kFirstWave = 10,  // the others follow
};

constexpr std::size_t kTemplateCount = 12;
constexpr double kLeastContent = 15, kContentLevels = 21;
constexpr double kFeatureNoise = 0.0106, kTemplateSize = 0.004;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Number i of a stream is a function of seed, stream and i alone.
class CounterStream {
 public:
  CounterStream(std::uint64_t seed, AlloyStream stream)
      : key_(mix(seed + static_cast<std::uint64_t>(stream) * 0xD1B54A32D192ED03u)) {}

  std::uint64_t bits(std::uint64_t i) const { return mix(key_ + (i + 1) * 0x9E3779B97F4A7C15u); }
  double whole(std::uint64_t i, std::uint64_t below) const {
    return static_cast<double>(((bits(i) >> 32) * below) >> 32);
  }
  double unit(std::uint64_t i) const { return static_cast<double>(bits(i) >> 11) * 0x1p-53; }
  // Near normal, of unit variance: the sum of four 16-bit numbers.
  double bell(std::uint64_t i) const {
    static const double scale = std::sqrt((65536.0 * 65536.0 - 1) / 3);
    const std::uint64_t h = bits(i);
    const std::uint64_t sum = (h & 0xFFFF) + ((h >> 16) & 0xFFFF) + ((h >> 32) & 0xFFFF) + (h >> 48);
    return (static_cast<double>(sum) - 131070) / scale;
  }

 private:
  std::uint64_t key_;
};

std::vector<double> unit_direction(std::uint64_t seed, AlloyStream stream, std::size_t features) {
  const CounterStream draws(seed, stream);
  std::vector<double> direction(features);
  double squares = 0;
  for (std::size_t f = 0; f < features; ++f) {
    direction[f] = draws.bell(f);
    squares += direction[f] * direction[f];
  }
  for (double& entry : direction) entry /= std::sqrt(squares);
  return direction;
}

void append_alloy_rows(Split& split, const AlloyStandIn& stand_in, std::uint64_t seed, std::size_t first,
                       std::size_t count, const AlloyInstances& instances) {
  split.rows = count;
  split.feature_columns = kAlloyContents * stand_in.features;
  split.truth_columns = kAlloyContents;
  split.truth = instances.contents;
  const std::vector<float> features = draw_alloy_features(stand_in, seed, first, count, instances.contents);
  split.features.assign(features.begin(), features.end());
}

std::vector<std::string> alloy_feature_names(std::size_t features) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < features; ++f) names.push_back(fmt::format("z{}", f + 1));
  return names;
}

}  // namespace

const AlloyProfile& find_alloy_profile(const std::string& name) {
  std::vector<std::string> names;
  for (const AlloyProfile& profile : kAlloyProfiles) {
    if (profile.name == name) return profile;
    names.emplace_back(profile.name);
  }
  throw_unknown_name("alloy", "profile", name, names);
}

AlloyInstances draw_alloy_instances(std::uint64_t seed, std::size_t first, std::size_t count,
                                    double penalty) {
  const CounterStream prices(seed, kPrices), contents(seed, kContents), penalties(seed, kPenalties);
  AlloyInstances drawn;
  for (std::size_t i = first * kAlloySuppliers; i < (first + count) * kAlloySuppliers; ++i) {
    drawn.prices.push_back(10 + prices.whole(i, 36));
    drawn.penalties.push_back(penalty + 0.03 * (penalties.unit(i) - 0.5));
  }
  for (std::size_t i = first * kAlloyContents; i < (first + count) * kAlloyContents; ++i)
    drawn.contents.push_back(15 + contents.whole(i, 21));
  return drawn;
}

std::vector<float> draw_alloy_features(const AlloyStandIn& stand_in, std::uint64_t seed, std::size_t first,
                                       std::size_t count, std::span<const double> contents) {
  const std::size_t features = stand_in.features;
  const CounterStream mean_draws(stand_in.seed, kMean), template_draws(stand_in.seed, kTemplates);
  const CounterStream which(seed, kWhichTemplate), noise(seed, kNoise);
  const std::vector<double> direction = unit_direction(stand_in.seed, kDirection, features);
  const std::vector<double> second = unit_direction(stand_in.seed, kSecondDirection, features);
  std::vector<double> mean(features), templates(kTemplateCount * features);
  for (std::size_t f = 0; f < features; ++f) mean[f] = kFeatureNoise * std::abs(mean_draws.bell(f));
  for (std::size_t i = 0; i < templates.size(); ++i) templates[i] = kTemplateSize * template_draws.bell(i);

  const auto [name, gain, bend, waves] = stand_in.profile;
  std::vector<std::vector<double>> wave_directions;
  for (std::size_t k = 0; k < waves; ++k)
    wave_directions.push_back(
        unit_direction(stand_in.seed, static_cast<AlloyStream>(kFirstWave + k), features));
  std::vector<double> spread(features, 0.0);
  std::vector<float> drawn(count * kAlloyContents * features);
  float* out = drawn.data();
  for (std::size_t row = 0; row < count * kAlloyContents; ++row) {
    const std::size_t number = first * kAlloyContents + row;
    const double t = (contents[row] - 25) / std::sqrt(110.0 / 3);
    const double along = bend == 0 ? t : std::sin(bend * t), across = bend == 0 ? 0 : std::cos(bend * t);
    const auto used = static_cast<std::size_t>(which.whole(number, kTemplateCount));
    const double* own_template = templates.data() + used * features;
    if (waves != 0) {
      const double place = (contents[row] - kLeastContent + 0.5) / kContentLevels;
      std::fill(spread.begin(), spread.end(), 0.0);
      for (std::size_t k = 0; k < waves; ++k) {
        const double height = gain * std::cos(std::numbers::pi * static_cast<double>(k + 1) * place);
        for (std::size_t f = 0; f < features; ++f) spread[f] += height * wave_directions[k][f];
      }
    }
    for (std::size_t f = 0; f < features; ++f) {
      const double signal = waves != 0 ? spread[f] : gain * (along * direction[f] + across * second[f]);
      *out++ = static_cast<float>(mean[f] + own_template[f] +
                                  kFeatureNoise * (noise.bell(number * features + f) + signal));
    }
  }
  return drawn;
}

AlloyData generated_alloy(const AlloyStandIn& stand_in) {
  AlloyData dealt;
  std::size_t first = 0;
  const auto deal = [&](Split& split, std::size_t count) {
    const AlloyInstances drawn = draw_alloy_instances(stand_in.seed, first, count, stand_in.penalty);
    append_alloy_rows(split, stand_in, stand_in.seed, first, count, drawn);
    for (std::size_t i = 0; i < count; ++i) split.instances.push_back(first + i);
    dealt.prices.insert(dealt.prices.end(), drawn.prices.begin(), drawn.prices.end());
    dealt.penalties.insert(dealt.penalties.end(), drawn.penalties.begin(), drawn.penalties.end());
    first += count;
  };
  deal(dealt.data.training, stand_in.training);
  deal(dealt.data.validation, stand_in.validation);
  deal(dealt.data.test, stand_in.test);
  dealt.data.feature_names = alloy_feature_names(stand_in.features);
  return dealt;
}

AlloyData fresh_alloy(const AlloyStandIn& stand_in, std::uint64_t seed, std::size_t first,
                      std::size_t count) {
  AlloyData fresh;
  AlloyInstances drawn = draw_alloy_instances(seed, first, count, stand_in.penalty);
  for (Split* none : {&fresh.data.training, &fresh.data.validation}) {
    none->feature_columns = kAlloyContents * stand_in.features;
    none->truth_columns = kAlloyContents;
  }
  append_alloy_rows(fresh.data.test, stand_in, seed, first, count, drawn);
  fresh.prices = std::move(drawn.prices);
  fresh.penalties = std::move(drawn.penalties);
  fresh.data.feature_names = alloy_feature_names(stand_in.features);
  return fresh;
}

}  // namespace polystep
