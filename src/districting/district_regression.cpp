#include "districting/district_regression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "base/content_key.hpp"
#include "data/cities/city_files.hpp"
#include "data/cities/city_graph.hpp"
#include "data/data_directory.hpp"
#include "polystep/archive.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "runtime/run/sealed_file.hpp"

namespace polystep {
namespace {

constexpr const char* kRegressionMagic = "PSTEPREG";
constexpr std::uint32_t kRegressionVersion = 1;
constexpr std::size_t kTrainingCities = 100;

SetNetwork::Graph graph_of(const City& city, const DistrictRegression& scale) {
  SetNetwork::Graph graph;
  graph.nodes = city.units.size();
  const std::vector<double> numbers = unit_numbers(city);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    graph.numbers.push_back(
        static_cast<float>((numbers[i] - scale.mean[i % kUnitNumbers]) / scale.deviation[i % kUnitNumbers]));
  graph.neighbours = city.adjacent;
  return graph;
}

void standardise(const std::vector<City>& cities, DistrictRegression& regression) {
  regression.mean.assign(kUnitNumbers, 0.0);
  regression.deviation.assign(kUnitNumbers, 0.0);
  double units = 0;
  for (const City& city : cities) {
    const std::vector<double> numbers = unit_numbers(city);
    for (std::size_t i = 0; i < numbers.size(); ++i) regression.mean[i % kUnitNumbers] += numbers[i];
    units += static_cast<double>(city.units.size());
  }
  for (double& mean : regression.mean) mean /= units;
  for (const City& city : cities) {
    const std::vector<double> numbers = unit_numbers(city);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const double off = numbers[i] - regression.mean[i % kUnitNumbers];
      regression.deviation[i % kUnitNumbers] += off * off;
    }
  }
  for (double& deviation : regression.deviation) {
    deviation = std::sqrt(deviation / std::max(1.0, units - 1));
    if (!(deviation > 0)) deviation = 1;
  }
}

// The state of a fit: what Adam remembers, and how far it is.
struct Fit {
  DistrictRegression regression;
  std::vector<float> mean, square;  // [parameters]
  std::uint64_t epoch = 0, updates = 0;

  void save(const std::filesystem::path& file, const std::string& identity) const {
    ArchiveWriter archive;
    archive.put(identity);
    archive.put(epoch);
    archive.put(updates);
    archive.put(regression.error);
    archive.put(regression.mean);
    archive.put(regression.deviation);
    for (const std::vector<float>* numbers : {&regression.theta, &mean, &square})
      archive.put(std::span<const float>(*numbers));
    write_sealed(file, kRegressionMagic, kRegressionVersion, archive.bytes());
  }

  void load(const std::filesystem::path& file, const std::string& identity) {
    const std::string name = file.string();
    const auto payload = read_sealed(file, kRegressionMagic, kRegressionVersion, "a regression of districts");
    ArchiveReader archive(payload, name);
    if (archive.get_text() != identity)
      throw InputError(
          fmt::format("{} is a regression of other settings or data, expected: {}", name, identity));
    epoch = archive.get<std::uint64_t>();
    updates = archive.get<std::uint64_t>();
    regression.error = archive.get<double>();
    regression.mean = archive.get_doubles();
    regression.deviation = archive.get_doubles();
    const std::size_t parameters = regression.theta.size();
    for (std::vector<float>* numbers : {&regression.theta, &mean, &square}) *numbers = archive.get_floats();
    if (regression.mean.size() != kUnitNumbers || regression.deviation.size() != kUnitNumbers ||
        regression.theta.size() != parameters || mean.size() != parameters || square.size() != parameters ||
        !archive.exhausted())
      throw InputError(fmt::format("{} does not hold the numbers of a regression, expected {} parameters",
                                   name, parameters));
  }

  void update(std::span<const float> gradient, double rate) {
    constexpr float kFirst = 0.9f, kSecond = 0.999f, kTiny = 1e-8f;
    ++updates;
    const double first = 1 - std::pow(0.9, static_cast<double>(updates));
    const double second = 1 - std::pow(0.999, static_cast<double>(updates));
    const auto step = static_cast<float>(rate * std::sqrt(second) / first);
    const auto tiny = static_cast<float>(kTiny * std::sqrt(second));
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      mean[k] = kFirst * mean[k] + (1 - kFirst) * gradient[k];
      square[k] = kSecond * square[k] + (1 - kSecond) * gradient[k] * gradient[k];
      regression.theta[k] -= step * mean[k] / (std::sqrt(square[k]) + tiny);
    }
  }
};

std::string identity_of(const PricedSamples& priced, const RegressionSettings& settings) {
  ContentHash content;
  for (const City& city : priced.cities)
    for (const double number : unit_numbers(city)) content.add(std::bit_cast<std::uint64_t>(number));
  for (const SetNetwork::Sample& sample : priced.samples)
    content.add(std::bit_cast<std::uint32_t>(sample.target));
  return fmt::format("seed {}, {} samples in batches of {}, rate {}, data {:016x}", settings.seed,
                     settings.samples, settings.batch, settings.rate, content.key().first);
}

template <class Items>
void shuffle(Items& items, RandomStream random) {
  for (std::size_t k = items.size(); k > 1; --k) std::swap(items[k - 1], items[random.below(k)]);
}

class RegressionValue final : public solvers::DistrictValue {
 public:
  RegressionValue(const DistrictRegression& regression, const City& city)
      : estimator_(SetNetwork(kUnitNumbers + 1), regression.theta, graph_of(city, regression)) {}

  double value(std::span<const std::uint32_t> units) override { return estimator_.estimate(units); }
  std::unique_ptr<solvers::DistrictValue> clone() const override {
    return std::make_unique<RegressionValue>(*this);
  }

 private:
  SetNetwork::Estimator estimator_;
};

}  // namespace

std::string DistrictRegression::fingerprint() const {
  ContentHash content;
  for (const float number : theta) content.add(std::bit_cast<std::uint32_t>(number));
  return fmt::format("{:016x}", content.key().first);
}

std::vector<double> unit_numbers(const City& city) {
  const std::vector<double> features = edge_features(city, DistanceUnit::kMillidegrees);
  std::vector<double> numbers;
  std::size_t edge = 0;
  auto pair = city.adjacent.begin();
  for (std::size_t u = 0; u < city.units.size(); ++u, ++edge) {
    for (; pair != city.adjacent.end() && pair->first == u; ++pair) ++edge;  // then comes the depot's
    const CityUnit& unit = city.units[u];
    numbers.insert(numbers.end(), {unit.density, unit.population, unit.area, unit.perimeter,
                                   features[edge * kEdgeFeatures + kCentreDistance], std::sqrt(unit.area),
                                   std::sqrt(unit.population)});
  }
  return numbers;
}

PricedSamples published_samples(const std::string& data_directory) {
  PricedSamples priced;
  priced.cities = published_small_cities(data_directory, CityPolygons::kNone);
  const std::vector<PricedDistricts> stored =
      read_district_costs(districting_file(data_directory, "small_costs.txt"));
  if (priced.cities.size() < kTrainingCities || stored.size() < kTrainingCities)
    throw InputError(fmt::format("districting: found {} cities with costs, expected at least {}",
                                 stored.size(), kTrainingCities));
  priced.cities.resize(kTrainingCities);
  for (std::uint32_t city = 0; city < kTrainingCities; ++city)
    for (std::size_t d = 0; d < stored[city].districts.size(); ++d)
      priced.samples.push_back({city, stored[city].districts[d], static_cast<float>(stored[city].costs[d])});
  return priced;
}

std::optional<DistrictRegression> fit_regression(
    const PricedSamples& priced, const RegressionSettings& settings, const std::filesystem::path& file,
    const std::function<bool()>& stop,
    const std::function<void(std::size_t done, std::size_t of)>& progress) {
  if (priced.samples.empty() || settings.batch == 0 || settings.samples == 0)
    throw InputError("regression of districts: found no districts to fit to, expected some");
  const SetNetwork network(kUnitNumbers + 1);
  const std::string identity = identity_of(priced, settings);
  Fit fit;
  fit.regression.theta = network.initial_parameters(settings.seed);
  fit.mean.assign(network.parameters(), 0.0f);
  fit.square.assign(network.parameters(), 0.0f);
  standardise(priced.cities, fit.regression);
  if (std::filesystem::exists(file)) fit.load(file, identity);
  if (fit.epoch > settings.epochs)
    throw InputError(fmt::format("{} is fitted for {} epochs already, expected at most the {} asked for",
                                 file.string(), fit.epoch, settings.epochs));

  std::vector<SetNetwork::Graph> graphs;
  for (const City& city : priced.cities) graphs.push_back(graph_of(city, fit.regression));
  std::vector<std::uint32_t> drawn(priced.samples.size());
  std::iota(drawn.begin(), drawn.end(), 0u);
  shuffle(drawn, RandomStream(settings.seed, Purpose::kSplit));
  drawn.resize(std::min(drawn.size(), settings.samples));
  const std::size_t batches = (drawn.size() + settings.batch - 1) / settings.batch;
  std::vector<float> gradient(network.parameters());
  std::vector<SetNetwork::Sample> batch;
  for (; fit.epoch < settings.epochs; ++fit.epoch) {
    std::vector<std::uint32_t> order = drawn;
    shuffle(order, RandomStream(settings.seed, Purpose::kMinibatch, fit.epoch));
    const Fit before = fit;  // what a stop within the epoch goes back to
    double errors = 0;
    for (std::size_t b = 0; b < batches; ++b) {
      if (progress) progress(fit.epoch * batches + b, settings.epochs * batches);
      if (stop && stop()) {
        before.save(file, identity);
        return {};
      }
      batch.clear();
      for (std::size_t k = b * settings.batch; k < std::min(order.size(), (b + 1) * settings.batch); ++k)
        batch.push_back(priced.samples[order[k]]);
      errors +=
          network.error(fit.regression.theta, graphs, batch, gradient) * static_cast<double>(batch.size());
      fit.update(gradient, settings.rate);
    }
    fit.regression.error = errors / static_cast<double>(order.size());
    Fit done = fit;
    ++done.epoch;
    done.save(file, identity);
  }
  return fit.regression;
}

std::unique_ptr<solvers::DistrictValue> regression_value(const DistrictRegression& regression,
                                                         const City& city) {
  return std::make_unique<RegressionValue>(regression, city);
}

}  // namespace polystep
