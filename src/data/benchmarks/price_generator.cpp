#include "data/benchmarks/price_generator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "data/benchmarks/market_calendar.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using SlotValues = std::array<double, kSlotsPerDay>;

// What a random stream of the market drives. Numbers are part of the data of a seed: append, never renumber.
enum class Source : std::uint64_t {
  kWind = 0,
  kLoadLevel = 1,
  kWindError = 2,
  kLoadError = 3,
  kOutage = 4,
  kFuel = 5,
  kCarbon = 6,
  kForecastError = 7,
  kPriceError = 8,
  kSpike = 9,
  kItemNoise = 10,
};

RandomStream stream_of(std::uint64_t seed, Source source, std::size_t day) {
  return RandomStream(seed, Purpose::kDataNoise, static_cast<std::uint64_t>(source), day);
}

// A stationary process with standard normal values: next = persistence * value + sqrt(1 - persistence^2) *
// normal.
class Drift {
 public:
  Drift(std::uint64_t seed, Source source, double persistence)
      : seed_(seed),
        source_(source),
        persistence_(persistence),
        value_(stream_of(seed, source, kDays).normal()) {}

  double next_day(std::size_t day) {
    RandomStream stream = stream_of(seed_, source_, day);
    return advance(stream);
  }
  SlotValues next_slots(std::size_t day) {
    RandomStream stream = stream_of(seed_, source_, day);
    SlotValues values;
    for (double& value : values) value = advance(stream);
    return values;
  }

 private:
  double advance(RandomStream& stream) {
    value_ = persistence_ * value_ + std::sqrt(1 - persistence_ * persistence_) * stream.normal();
    return value_;
  }

  std::uint64_t seed_;
  Source source_;
  double persistence_;
  double value_;
};

double bump(double distance, double width) { return std::exp(-(distance / width) * (distance / width)); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The load forecast in MW: a deep night, a winter evening peak, quieter weekends and holidays.
double load_shape(const CalendarDay& date, double hour) {
  const double from_night = std::min(std::abs(hour - 3.75), 24 - std::abs(hour - 3.75));
  const double level = 4650 + 400 * date.winter - 1900 * bump(from_night, 4.5) +
                       (500 + 450 * date.winter) * bump(hour - 18, 1.6);
  const double weekend = date.day_of_week == 5 ? 0.07 : date.day_of_week == 6 ? 0.11 : 0.0;
  return level * (1 - weekend - (date.holiday ? 0.06 : 0.0));
}

// How scarce supply is at a tightness (net load over available capacity): about 0 below 0.7, then steeply
// linear.
double scarcity(double tightness) { return std::log1p(std::exp((tightness - 0.74) / 0.035)); }

constexpr double kCapacity = 6300;  // MW available when nothing is out

// All that drifts through the market from slot to slot and from day to day.
struct Market {
  explicit Market(std::uint64_t seed) : seed(seed) {}

  std::uint64_t seed;
  Drift wind{seed, Source::kWind, 0.985};
  Drift load_level{seed, Source::kLoadLevel, 0.7};
  Drift wind_error{seed, Source::kWindError, 0.9};
  Drift load_error{seed, Source::kLoadError, 0.9};
  Drift outage{seed, Source::kOutage, 0.8};
  Drift fuel{seed, Source::kFuel, 0.97};
  Drift carbon{seed, Source::kCarbon, 0.98};
};

// One day: its eight features and the price of each slot.
struct MarketDay {
  std::array<std::array<double, kEnergyFeatures>, kSlotsPerDay> features;
  SlotValues price;
};

// The price that clears the market, in EUR/MWh, before chance: a fuel bill that grows with tightness, plus
// scarcity.
double clearing_price(double fuel_cost, double tightness, double scarcity_price) {
  return fuel_cost * (0.45 + 1.05 * tightness) + scarcity_price * scarcity(tightness);
}

// Tight supply sometimes breaks out in a spike with a Pareto tail; a glut of wind pushes the price to 0 and
// below.
double realised_price(double clearing, double tightness, double price_error, RandomStream& chance) {
  double price = clearing * std::exp(0.12 * price_error);
  const bool spikes = chance.uniform() < 0.3 * logistic((tightness - 0.76) / 0.03);
  // Drawn whether or not it is used: one spike more must not shift the draws of later slots.
  const double tail = std::pow(1 - chance.uniform(), -1 / 1.8) - 1;
  if (spikes) price += 70 * tail;
  price -= 400 * std::max(0.0, 0.24 - tightness);
  return std::clamp(price, -50.0, 1000.0);
}

MarketDay next_day(Market& market, std::size_t day) {
  const CalendarDay date = market_day(day);
  const SlotValues wind = market.wind.next_slots(day), wind_error = market.wind_error.next_slots(day);
  const SlotValues load_error = market.load_error.next_slots(day), carbon = market.carbon.next_slots(day);
  const double load_level = market.load_level.next_day(day);
  const double capacity = kCapacity - 350 * std::max(0.0, market.outage.next_day(day));
  const double fuel_cost = 48 * std::exp(0.15 * market.fuel.next_day(day));
  RandomStream forecast_errors = stream_of(market.seed, Source::kForecastError, day);
  RandomStream price_errors = stream_of(market.seed, Source::kPriceError, day);
  RandomStream chance = stream_of(market.seed, Source::kSpike, day);
  MarketDay result;
  for (std::size_t slot = 0; slot < kSlotsPerDay; ++slot) {
    const double load = load_shape(date, static_cast<double>(slot) / 2) + 90 * load_level;
    const double wind_power = 1700 * logistic(1.4 * wind[slot] - 1.1 + 0.3 * date.winter);
    const double expected = (load - wind_power) / kCapacity;
    const double net_load = load + 80 * load_error[slot] - std::max(0.0, wind_power + 130 * wind_error[slot]);
    const double tightness = net_load / capacity;
    const double forecast =
        clearing_price(fuel_cost, expected, 18) * std::exp(0.15 * forecast_errors.normal());
    const double carbon_intensity = 640 - 0.14 * wind_power - 0.02 * load + 55 * carbon[slot];
    result.features[slot] = {date.holiday ? 1.0 : 0.0,
                             static_cast<double>(date.day_of_week),
                             static_cast<double>(date.week_of_year),
                             static_cast<double>(date.month),
                             wind_power,
                             load,
                             forecast,
                             carbon_intensity};
    result.price[slot] =
        realised_price(clearing_price(fuel_cost, tightness, 30), tightness, price_errors.normal(), chance);
  }
  return result;
}

}  // namespace

EnergyDays generate_energy_days(std::uint64_t data_seed, EnergyTarget target) {
  const std::vector<int> weights = generated_knapsack_weights();
  Market market(data_seed);
  EnergyDays days;
  for (std::size_t day = 0; day < kDays; ++day) {
    const MarketDay today = next_day(market, day);
    RandomStream item_noise = stream_of(data_seed, Source::kItemNoise, day);
    for (std::size_t slot = 0; slot < kSlotsPerDay; ++slot) {
      days.features.insert(days.features.end(), today.features[slot].begin(), today.features[slot].end());
      const double item_value =
          std::max(today.price[slot], 0.0) * (weights[slot] + item_noise.uniform(-1, 1));
      days.target.push_back(target == EnergyTarget::kPrice ? today.price[slot] : item_value);
    }
  }
  return days;
}

Dataset generated_energy(std::uint64_t data_seed, std::uint64_t split_seed, EnergyTarget target) {
  const EnergyDays days = generate_energy_days(data_seed, target);
  return split_energy_days(days, fit_energy_scaling(days), split_seed);
}

Dataset generated_knapsack(std::uint64_t data_seed, std::uint64_t split_seed) {
  return generated_energy(data_seed, split_seed, EnergyTarget::kKnapsackValue);
}

std::vector<int> generated_knapsack_weights() {
  std::vector<int> weights;
  for (const int weight : {3, 5, 7}) weights.insert(weights.end(), kSlotsPerDay / 3, weight);
  RandomStream stream(0, Purpose::kDataMatrix);
  for (std::size_t last = weights.size() - 1; last > 0; --last) {
    std::swap(weights[last], weights[stream.below(last + 1)]);
  }
  return weights;
}

}  // namespace polystep
