// The benchmark on large cities: which problems, which methods, and their districtings one after the other.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "districting/bench_results.hpp"
#include "districting/city_division.hpp"
#include "districting/district_model.hpp"
#include "districting/district_regression.hpp"
#include "polystep/team.hpp"
#include "problems/districting/routing_costs.hpp"

namespace polystep {

struct BenchProblem {
  std::string group;  // "cities", "drawn", "sizes" or "large"
  std::string city;
  std::size_t units = 0;
  std::size_t target = 0;
};

// Five cities of 120 units for target sizes 3, 6, 12, 20 and 30.
std::vector<BenchProblem> bench_cities();
// The same target sizes on drawn cities of 120 units.
std::vector<BenchProblem> bench_drawn(std::size_t cities);
// Leeds with 90 to 290 units and London with 100 to 900, for target size 20.
std::vector<BenchProblem> bench_sizes();
// Synth2000 for target size 20, in the place of a published city that is not at hand.
std::vector<BenchProblem> bench_large();

// One that needs no training, or a model or regression and the name that its seeds share.
struct BenchMethod {
  std::string name;
  std::optional<DistrictModel> model = {};
  std::shared_ptr<const DistrictRegression> regression = {};
  std::string seed = "-";  // of a regression

  std::string label() const { return model ? model->label : seed; }
  std::string fingerprint() const {
    return model ? model->fingerprint : regression ? regression->fingerprint() : "-";
  }
};

// A regression takes longer to say what a district is worth, so it gets so many times fewer iterations of the
// search where nothing else is said.
inline constexpr std::size_t kRegressionIterations = 20;

struct BenchSettings {
  std::size_t iterations = 2000;
  std::map<std::string, std::size_t> iterations_for = {};  // methods by name, where they get others
  std::size_t chains = 1;
  // The published search in the place of ours, with this limit in seconds as it counts them; then one chain,
  // and iterations are not asked for.
  std::optional<std::uint64_t> published_limit = {};
  std::uint64_t seed = 0;   // of searches
  RoutingSettings routing;  // its probability is that of each problem's target size
  std::string data_directory;
};

// What districts are worth to a method. City, graph and routing must outlive the value.
MethodValue bench_value(const BenchMethod& method, const City& city, const solvers::DistrictGraph& graph,
                        const RoutingCosts& routing);

// Whether a record answers one of these questions.
bool is_asked(const DistrictingRecord& record, const std::vector<BenchProblem>& problems,
              const std::vector<BenchMethod>& methods, const BenchSettings& settings);

struct BenchOutcome {
  std::size_t priced = 0, found = 0;
  bool stopped = false;
};

// Runs what the results do not hold yet. `stop` is asked often, possibly from several threads, and ends the
// grid with whole lines alone; done(count) is called after every districting, found ones included.
BenchOutcome run_districting_bench(const std::vector<BenchProblem>& problems,
                                   const std::vector<BenchMethod>& methods, const BenchSettings& settings,
                                   DistrictingResults& results, NumberMemory& memory, Team& team,
                                   const std::function<bool()>& stop,
                                   const std::function<void(std::size_t done)>& done);

}  // namespace polystep
