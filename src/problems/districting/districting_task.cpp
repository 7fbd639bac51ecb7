// The task of network districting: which cities, which inputs, which prices.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "data/cities/city_files.hpp"
#include "data/cities/city_generator.hpp"
#include "data/cities/city_graph.hpp"
#include "data/cities/edge_inputs.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"
#include "problems/data_source.hpp"
#include "problems/districting/districting.hpp"

namespace polystep {
namespace {

constexpr std::size_t kUnits = 30, kTarget = 3;  // of the small cities and their districts
constexpr std::size_t kPublishedTraining = 100;
// For weights that serve districts of any size: the published cities for small ones, drawn ones for large.
constexpr const char* kMixedSizes = "30:3,30:6,30:3,84:12,30:10,30:3,100:20,60:6,30:3,120:30";

std::string routing_memory(const Options& options) {
  const std::string& named = options.text("routing-memory");
  if (named != "auto") return named == "none" ? "" : named;
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != '\0')
    return (std::filesystem::path(cache) / "polystepor" / "routing.bin").string();
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return (std::filesystem::path(home) / ".cache" / "polystepor" / "routing.bin").string();
  return "";
}

// "30:3,120:30": units of a city and of its districts.
std::vector<CitySize> sizes_of(const Options& options) {
  std::vector<CitySize> sizes;
  const std::string text = options.text("sizes") == "mixed" ? kMixedSizes : options.text("sizes");
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view one = std::string_view(text).substr(at, end - at);
    const std::size_t colon = one.find(':');
    CitySize size;
    const auto read = [&](std::string_view digits, std::size_t& number) {
      const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
      return error == std::errc() && stop == digits.data() + digits.size() && number > 0 && number <= 10000;
    };
    if (colon == std::string_view::npos || !read(one.substr(0, colon), size.units) ||
        !read(one.substr(colon + 1), size.target) || size.target > size.units)
      throw InputError(fmt::format(
          "districting: sizes is '{}', expected mixed or UNITS:TARGET,UNITS:TARGET such as 30:3,120:30",
          text));
    sizes.push_back(size);
    at = end + 1;
  }
  return sizes;
}

bool is_usual(const std::vector<CitySize>& sizes) {
  return sizes.size() == 1 && sizes[0].units == kUnits && sizes[0].target == kTarget;
}

// Small districts of small cities are few enough to list.
bool is_exact(const CitySize& size) { return size.units <= 40 && size.target <= kTarget; }

struct CitySet {
  std::vector<City> cities;
  std::vector<CitySize> sizes;          // [cities]
  std::vector<PricedDistricts> stored;  // [cities], or empty: tours are driven
  std::size_t training = 0;             // the first ones

  // The stored costs are those of the benchmark's own cities and sizes.
  bool is_stored(std::size_t k) const {
    return !stored.empty() && sizes[k].units == kUnits && sizes[k].target == kTarget;
  }
};

// Published cities have 30 units; larger ones are drawn.
CitySet take_published(const Options& options, const TaskContext& context,
                       const std::vector<CitySize>& sizes) {
  CitySet set;
  const bool tours = options.text("costs") == "tours";
  const bool driven = tours || std::ranges::any_of(sizes, [](const CitySize& size) {
                        return size.units != kUnits || size.target != kTarget;
                      });
  set.cities = published_small_cities(context.data_directory,
                                      driven ? CityPolygons::kSimplified : CityPolygons::kNone);
  set.training = kPublishedTraining;
  if (!tours) set.stored = read_district_costs(districting_file(context.data_directory, "small_costs.txt"));
  for (std::size_t k = 0; k < set.cities.size(); ++k) {
    const CitySize size = set.sizes.emplace_back(sizes[k % sizes.size()]);
    if (size.units != kUnits) set.cities[k] = drawn_city(k, data_seed(options), size);
  }
  return set;
}

CitySet take_cities(const Options& options, const TaskContext& context) {
  const std::vector<CitySize> sizes = sizes_of(options);
  if (wants_published("districting", options, context)) return take_published(options, context, sizes);
  if (options.is_set("costs") && options.text("costs") != "tours")
    throw InputError("districting: costs is stored, expected tours: generated cities have no stored costs");
  CitySet set;
  const auto count = static_cast<std::size_t>(options.integer("cities"));
  set.cities = is_usual(sizes) ? small_synthetic_cities(2 * count, data_seed(options))
                               : drawn_cities(2 * count, data_seed(options), sizes);
  set.training = count;
  for (std::size_t k = 0; k < set.cities.size(); ++k) set.sizes.push_back(sizes[k % sizes.size()]);
  return set;
}

RoutingSettings routing_settings(const Options& options, std::size_t target) {
  RoutingSettings settings;
  settings.demand.scenarios = static_cast<std::size_t>(options.integer("scenarios"));
  settings.demand.seed = static_cast<std::uint32_t>(options.integer("scenario-seed"));
  settings.demand.probability = demand_probability(target);
  settings.perturbations = static_cast<std::size_t>(options.integer("perturbations"));
  return settings;
}

EdgeInputs inputs_of(const Options& options) {
  EdgeInputs inputs;
  inputs.set = edge_feature_set(options.text("features"));
  inputs.distances =
      options.text("distances") == "kilometres" ? DistanceUnit::kKilometres : DistanceUnit::kMillidegrees;
  return inputs;
}

DistrictingProblem::Cities make_instances(const CitySet& set, const Options& options) {
  std::shared_ptr<SharedRouting> routing;
  bool driven = false;
  for (std::size_t k = 0; k < set.cities.size(); ++k) driven = driven || !set.is_stored(k);
  if (driven) {
    const std::string memory = routing_memory(options);
    routing = std::make_shared<SharedRouting>(memory.empty() ? NumberMemory() : NumberMemory(memory));
  }
  DistrictingProblem::Cities instances;
  for (std::size_t k = 0; k < set.cities.size(); ++k) {
    const CitySize size = set.sizes[k];
    solvers::DistrictGraph graph = city_graph(set.cities[k], size.target);
    const EdgeInputs inputs = inputs_of(options);
    // In the city's own measure where inputs are in it.
    const std::vector<double> features =
        inputs.set == EdgeFeatureSet::kSized
            ? edge_inputs(set.cities[k], {.set = EdgeFeatureSet::kRelative}, size.target)
            : edge_features(set.cities[k], inputs.distances);
    std::vector<double> prior(graph.edges());
    for (std::size_t e = 0; e < prior.size(); ++e) prior[e] = -features[e * kEdgeFeatures + kCentreDistance];
    DistrictingInstance::Pricing pricing;
    if (!set.is_stored(k))
      pricing = [city = set.cities[k], settings = routing_settings(options, size.target),
                 routing](const solvers::ConnectedSets* sets) {
        return tour_prices(sets != nullptr ? sets->size() : 0, city, settings, routing);
      };
    else
      pricing = [stored = set.stored[k]](const solvers::ConnectedSets* sets) {
        return stored_prices(*sets, stored);
      };
    instances.push_back(std::make_unique<DistrictingInstance>(
        std::move(graph), std::move(prior), std::move(pricing),
        is_exact(size) ? 0 : static_cast<std::size_t>(options.integer("search-iterations"))));
  }
  return instances;
}

std::unique_ptr<Predictor> make_network(const std::string& name, std::size_t features,
                                        std::shared_ptr<const Instances> instances) {
  if (name == "linear") return make_shared_linear(features, 0);
  if (name == "small") return make_graph_network(features, {16, 16}, {}, std::move(instances));
  return make_graph_network(features, {64, 64, 64}, {64, 64}, std::move(instances));
}

Dataset make_data(const CitySet& set, const EdgeInputs& inputs) {
  std::vector<std::vector<double>> features;  // of each city
  for (std::size_t k = 0; k < set.cities.size(); ++k)
    features.push_back(edge_inputs(set.cities[k], inputs, set.sizes[k].target));
  Dataset data;
  EdgeInputScale scale = scale_edge_inputs(inputs, features, set.training);
  data.feature_names = edge_input_names(inputs);
  data.scaling.mean = std::move(scale.mean);
  data.scaling.deviation = std::move(scale.deviation);
  const std::size_t columns = data.feature_names.size();
  for (std::size_t k = 0; k < set.cities.size(); ++k) {
    std::vector<double>& row = features[k];
    for (std::size_t i = 0; i < row.size(); ++i)
      row[i] = (row[i] - data.scaling.mean[i % columns]) / data.scaling.deviation[i % columns];
    (k < set.training ? data.training : data.test).add_row(row, {}, k);
  }
  for (Split* split : {&data.training, &data.test}) split->allow_any_shape();
  data.validation = data.training;
  return data;
}

Task make(const Options& options, const TaskContext& context) {
  const CitySet set = take_cities(options, context);
  const EdgeInputs inputs = inputs_of(options);
  Task task;
  task.setting = fmt::format("distances={}", options.text("distances"));
  if (options.text("features") != "published") task.setting += " features=" + options.text("features");
  if (options.text("network") != "published") task.setting += " network=" + options.text("network");
  if (!is_usual(sizes_of(options)))
    task.setting += fmt::format(" sizes={} search-iterations={}", options.text("sizes"),
                                options.integer("search-iterations"));
  if (set.stored.empty() || !is_usual(sizes_of(options)))
    task.setting +=
        fmt::format(" costs={} scenarios={}", options.text("costs"), options.integer("scenarios"));
  if (options.text("source") != "published")
    task.setting += fmt::format(" cities={} data-seed={}", set.training, data_seed(options));
  task.data = make_data(set, inputs);
  task.problem = std::make_unique<DistrictingProblem>(make_instances(set, options));
  task.predictor = make_network(options.text("network"), edge_input_count(inputs), task.problem->instances());
  return task;
}

}  // namespace

ProblemEntry districting_entry() {
  ProblemEntry entry;
  entry.name = "districting";
  entry.help = "divide cities into districts with short tours, by predicted weights of a spanning tree";
  entry.options
      .choice("distances", "kilometres", {"kilometres", "degrees"},
              "unit of the two distances among the features; published runs have degrees")
      .choice(
          "features", "published", {"published", "relative", "geometric", "sized"},
          "what is known of edges: the published seven, the same in multiples of the city's own medians, "
          "those and 31 terms of lengths, depot distances and demand, or these in the city's own measure and "
          "the district's")
      .choice("network", "published", {"published", "small", "linear"},
              "three graph convolutions of 64 and two dense layers, two convolutions of 16, or none")
      .choice("costs", "stored", {"stored", "tours"},
              "prices of districts: the benchmark's, or nearly optimal tours driven when first asked for")
      .integer("scenarios", 10, 1, 100000, "of demand, for tours")
      .integer("scenario-seed", 3, 0, 4294967295, "of demand")
      .integer("perturbations", 20, 0, 1000000, "of every tour: more are nearer to the optimum")
      .text("routing-memory", "auto",
            "file that keeps prices of tours for later runs; auto: in the user's cache; none: nowhere")
      .integer("cities", 10, 2, 100000, "generated cities to train on, and as many to test on")
      .text("sizes", "30:3",
            "UNITS:TARGET of cities, one after the other: units of a city and of its districts; cities of "
            "other than 30 units are drawn, districts of more than three are found by search. mixed: "
            "districts of 3 to 30 units")
      .integer("search-iterations", 20, 1, 1000000,
               "of the search where the surrogate is not solved exactly");
  add_source_options(entry.options);
  entry.settle = [](Options& options, const TaskContext& context) {
    settle_source_where(options, holds_districting_data(context.data_directory));
    if (options.text("source") == "generated" && !options.is_set("costs"))
      options.set("costs", std::string("tours"), "costs");
  };
  entry.make = make;
  entry.facts = [](const Options&) { return DistrictingProblem::stated_facts(); };
  entry.published = "districting";
  return entry;
}

}  // namespace polystep
