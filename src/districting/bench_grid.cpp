#include "districting/bench_grid.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>

#include "data/cities/city_graph.hpp"
#include "districting/city_choice.hpp"
#include "districting/published_pace.hpp"

namespace polystep {
namespace {

class StopWatch final : public Watch {
 public:
  explicit StopWatch(const std::function<bool()>& stop) : stop_(stop) {}
  bool stop(std::size_t, std::size_t) override { return wanted(); }
  bool wanted() const noexcept override { return stop_ && stop_(); }  // in the middle of a tour

 private:
  const std::function<bool()>& stop_;
};

std::size_t iterations_of(const BenchMethod& method, const BenchSettings& settings) {
  if (const auto own = settings.iterations_for.find(method.name); own != settings.iterations_for.end())
    return own->second;
  return method.regression ? settings.iterations / kRegressionIterations : settings.iterations;
}

DistrictingRecord asked(const BenchProblem& problem, const BenchMethod& method,
                        const BenchSettings& settings) {
  DistrictingRecord record;
  record.group = problem.group;
  record.city = problem.city;
  record.units = problem.units;
  record.target = problem.target;
  record.method = method.name;
  record.seed = method.label();
  record.model = method.fingerprint();
  record.iterations = settings.published_limit ? 0 : iterations_of(method, settings);
  record.chains = settings.chains;
  record.published_limit = settings.published_limit.value_or(0);
  record.search_seed = settings.seed;
  record.scenarios = settings.routing.demand.scenarios;
  record.scenario_seed = settings.routing.demand.seed;
  record.published_tours = settings.routing.published_tours;
  record.perturbations = record.published_tours ? 0 : settings.routing.perturbations;
  return record;
}

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

// A city with its scenarios, which all methods share.
struct Ground {
  Ground(const BenchProblem& problem, const BenchSettings& settings, NumberMemory& memory)
      : city(choose_city(problem.city, problem.units, settings.data_directory)),
        graph(city_graph(city, problem.target)),
        routing(city, routing_settings(problem, settings), memory) {}

  static RoutingSettings routing_settings(const BenchProblem& problem, const BenchSettings& settings) {
    RoutingSettings routing = settings.routing;
    routing.demand.probability = demand_probability(problem.target);
    return routing;
  }

  City city;
  solvers::DistrictGraph graph;
  RoutingCosts routing;
};

// Draws all demand, which may take a while. False where it was stopped.
bool prepare(const BenchProblem& problem, const BenchSettings& settings, NumberMemory& memory,
             const std::function<bool()>& stop, std::optional<Ground>& ground) {
  const StopWatch watch(stop);
  const StoppedBy stopped_by(&watch);
  try {
    ground.emplace(problem, settings, memory);
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

// False where it was stopped.
bool price(Ground& ground, const BenchProblem& problem, const BenchMethod& method,
           const BenchSettings& settings, Team& team, const std::function<bool()>& stop,
           DistrictingRecord& record) {
  const auto start = std::chrono::steady_clock::now();
  const MethodValue value = bench_value(method, ground.city, ground.graph, ground.routing);
  DivisionSettings division_settings;
  division_settings.iterations = iterations_of(method, settings);
  division_settings.chains = settings.chains;
  division_settings.seed = settings.seed;
  division_settings.stop = stop;
  if (settings.published_limit)
    division_settings.published =
        PublishedLimit{static_cast<double>(*settings.published_limit), published_pace(method, problem)};
  const Division division = divide_city(ground.graph, value, division_settings, team);
  if (division.stopped) return false;
  const auto searched = std::chrono::steady_clock::now();
  StopWatch watch(stop);
  const Watching watching(team, &watch);
  try {
    const std::vector<double> costs = ground.routing.costs(division.districts, team);
    record.cost = std::accumulate(costs.begin(), costs.end(), 0.0);
  } catch (const Stopped&) {
    return false;
  }
  record.districts = division.districts.size();
  record.feasible = division.feasible;
  record.search_seconds = seconds_between(start, searched);
  record.tour_seconds = seconds_between(searched, std::chrono::steady_clock::now());
  return true;
}

}  // namespace

MethodValue bench_value(const BenchMethod& method, const City& city, const solvers::DistrictGraph& graph,
                        const RoutingCosts& routing) {
  if (method.model) return model_value(*method.model, city, graph);
  if (method.regression) return {regression_value(*method.regression, city), {}};
  return untrained_value(method.name, city, graph, routing);
}

std::vector<BenchProblem> bench_cities() {
  std::vector<BenchProblem> problems;
  for (const char* city : {"London", "Leeds", "Manchester", "Paris", "Marseille"})
    for (const std::size_t target : {3, 6, 12, 20, 30}) problems.push_back({"cities", city, 120, target});
  return problems;
}

std::vector<BenchProblem> bench_drawn(std::size_t cities) {
  std::vector<BenchProblem> problems;
  for (std::size_t city = 1; city <= cities; ++city)
    for (const std::size_t target : {3, 6, 12, 20, 30})
      problems.push_back({"drawn", fmt::format("drawn:{}", city), 120, target});
  return problems;
}

std::vector<BenchProblem> bench_sizes() {
  std::vector<BenchProblem> problems;
  for (const std::size_t units : {90, 150, 190, 240, 290}) problems.push_back({"sizes", "Leeds", units, 20});
  for (std::size_t units = 100; units <= 900; units += 100)
    problems.push_back({"sizes", "London", units, 20});
  return problems;
}

std::vector<BenchProblem> bench_large() { return {{"large", "Synth2000", 2000, 20}}; }

bool is_asked(const DistrictingRecord& record, const std::vector<BenchProblem>& problems,
              const std::vector<BenchMethod>& methods, const BenchSettings& settings) {
  for (const BenchProblem& problem : problems)
    for (const BenchMethod& method : methods)
      if (same_question(record, asked(problem, method, settings))) return true;
  return false;
}

BenchOutcome run_districting_bench(const std::vector<BenchProblem>& problems,
                                   const std::vector<BenchMethod>& methods, const BenchSettings& settings,
                                   DistrictingResults& results, NumberMemory& memory, Team& team,
                                   const std::function<bool()>& stop,
                                   const std::function<void(std::size_t done)>& done) {
  BenchOutcome outcome;
  for (const BenchProblem& problem : problems) {
    std::optional<Ground> ground;  // made when first needed
    for (const BenchMethod& method : methods) {
      if (stop && stop()) {
        outcome.stopped = true;
        return outcome;
      }
      DistrictingRecord record = asked(problem, method, settings);
      if (results.holds(record)) {
        ++outcome.found;
      } else {
        if (!ground && !prepare(problem, settings, memory, stop, ground)) {
          outcome.stopped = true;
          return outcome;
        }
        if (!price(*ground, problem, method, settings, team, stop, record)) {
          outcome.stopped = true;
          return outcome;
        }
        results.append(record);
        ++outcome.priced;
      }
      if (done) done(outcome.priced + outcome.found);
    }
  }
  return outcome;
}

}  // namespace polystep
