#include "districting/city_division.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "base/option_value.hpp"
#include "districting/district_estimates.hpp"
#include "polystep/error.hpp"
#include "solvers/spanning_tree/connected_sets.hpp"
#include "solvers/spanning_tree/district_search.hpp"
#include "solvers/spanning_tree/partition_program.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"

namespace polystep {
namespace {

using solvers::DistrictGraph;

// What is built in about a second; beyond it the search is sooner done.
constexpr std::size_t kMostSets = 10'000;
constexpr std::size_t kMostArcs = 5'000'000;

std::vector<District> in_order(std::size_t count, std::span<const std::uint32_t> district_of) {
  std::vector<District> districts(count);
  for (std::uint32_t unit = 0; unit < district_of.size(); ++unit)
    districts[district_of[unit]].push_back(unit);
  std::erase_if(districts, [](const District& district) { return district.empty(); });
  std::ranges::sort(districts);
  return districts;
}

}  // namespace

MethodValue untrained_value(const std::string& method, const City& city, const DistrictGraph& graph,
                            const RoutingCosts& routing) {
  if (method == kCentreDistanceMethod) {
    std::vector<double> weights = centre_distance_weights(city);
    auto value = std::make_unique<solvers::TreeDistrictValue>(graph, weights);
    return {std::move(value), std::move(weights)};
  }
  if (method == "bd") return {make_estimate(Estimate::kBd, city, routing), {}};
  if (method == "fig") return {make_estimate(Estimate::kFig, city, routing), {}};
  if (method == "avgtsp") return {make_estimate(Estimate::kAvgTsp, city, routing), {}};
  throw_unknown_name("districting", "method", method,
                     {std::begin(kUntrainedMethods), std::end(kUntrainedMethods)});
}

MethodValue model_value(const DistrictModel& model, const City& city, const DistrictGraph& graph) {
  std::vector<double> weights = model_weights(model, city, graph);
  auto value = std::make_unique<solvers::TreeDistrictValue>(graph, weights);
  return {std::move(value), std::move(weights)};
}

std::optional<Division> divide_exactly(const DistrictGraph& graph, const MethodValue& method) {
  if (graph.units() > solvers::PartitionProgram::kMostUnits) return {};
  std::optional<solvers::ConnectedSets> sets;
  try {
    sets.emplace(graph, kMostSets);
  } catch (const InputError&) {  // too many to list
    return {};
  }
  if (sets->size() == 0)
    throw InputError(fmt::format("no connected set has {} to {} units, expected at least one",
                                 graph.sizes().lower, graph.sizes().upper));
  const auto program = solvers::PartitionProgram::build(
      graph, *sets, {.most_arcs = kMostArcs, .orders = 4, .reinsertions = 4});
  if (program == nullptr) return {};
  std::vector<double> costs(sets->size());
  for (std::size_t set = 0; set < costs.size(); ++set) costs[set] = method.value->value(sets->units(set));
  solvers::PartitionProgram::Workspace work;
  std::vector<std::uint32_t> chosen(graph.sizes().count);
  Division division;
  division.value = program->solve(costs, work, chosen);
  if (!std::isfinite(division.value)) return {};
  for (const std::uint32_t set : chosen)
    division.districts.emplace_back(sets->units(set).begin(), sets->units(set).end());
  std::ranges::sort(division.districts);
  division.exact = division.feasible = true;
  return division;
}

Division divide_by_search(const DistrictGraph& graph, const MethodValue& method,
                          const DivisionSettings& settings, Team& team) {
  std::atomic<std::size_t> iterations = 0;
  std::mutex shown;
  solvers::DistrictSearchOptions options;
  options.iterations = settings.iterations;
  options.seed = settings.seed;
  options.chains = settings.chains;
  options.iterated = [&] { iterations.fetch_add(1, std::memory_order_relaxed); };
  options.stop = [&] {
    if (settings.progress) {
      const std::unique_lock one_at_a_time(shown, std::try_to_lock);
      if (one_at_a_time.owns_lock())
        settings.progress(iterations.load(std::memory_order_relaxed), settings.iterations * settings.chains);
    }
    return settings.stop && settings.stop();
  };
  options.parallel = [&](std::size_t slots, const std::function<void(std::size_t)>& work) {
    team.for_each(slots, [&](std::size_t slot, std::size_t) { work(slot); });
  };
  const std::vector<double> random =
      method.start_weights.empty() ? random_start_weights(graph, settings.seed) : std::vector<double>();
  const std::vector<double>& start = random.empty() ? method.start_weights : random;
  const solvers::DistrictSearchResult found =
      settings.published ? search_as_published(graph, *method.value, method.start_weights,
                                               {.limit = settings.published->seconds,
                                                .pace = settings.published->pace,
                                                .seed = settings.seed,
                                                .stop = options.stop})
                         : search_districts(graph, *method.value, start, options);
  return {.districts = in_order(graph.sizes().count, found.district_of),
          .value = found.value,
          .exact = false,
          .feasible = found.feasible,
          .stopped = found.stopped,
          .iterations = found.iterations};
}

Division divide_city(const DistrictGraph& graph, const MethodValue& method, const DivisionSettings& settings,
                     Team& team) {
  if (settings.published) return divide_by_search(graph, method, settings, team);
  if (std::optional<Division> exact = divide_exactly(graph, method)) return *std::move(exact);
  return divide_by_search(graph, method, settings, team);
}

}  // namespace polystep
