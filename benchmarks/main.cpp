// Runs the benchmarks and closes with the ratios the documentation speaks of, each measured in this one run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace {

class RatioReporter final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      // Of several repetitions the fastest counts: the others were held up by whatever else the machine did.
      const double seconds = run.real_accumulated_time / static_cast<double>(run.iterations);
      const auto [known, added] = seconds_.emplace(run.benchmark_name(), seconds);
      known->second = std::min(known->second, seconds);
      for (const auto& [name, counter] : run.counters) counters_[run.benchmark_name()][name] = counter.value;
    }
  }

  void Finalize() override {
    fmt::print("\nRatios measured in this run\n");
    rate_ratio("batched path solver / plain scalar", best_tile(), "GridScalarPlain");
    rate_ratio("batched path solver / its roof on this machine", best_tile(), "GridTileRoof");
    rate_ratio("batched path solver / scalar without backtracking", best_tile(), "GridScalarCarried");
    rate_ratio("batched knapsack (capacity 60) / dynamic programme", "KnapsackTileAvx512/60",
               "KnapsackDynamicProgramme/60");
    counter("shortest-path paper run, times fewer core-seconds than published",
            "ShortestPathPaperRun/min_time:1.000");
    counter("knapsack paper run, times fewer core-seconds than published", "KnapsackPaperRun/min_time:1.000");
    counter("portfolio paper run, times fewer core-seconds than published",
            "PortfolioPaperRun/min_time:1.000");
    counter("energy paper run (load 1), times fewer core-seconds than published",
            "EnergyPaperRun/min_time:1.000");
    for (const auto& [setting, name] : {std::pair("knapsack-capacity", "KnapsackCapacityPaperRun"),
                                        {"knapsack-weight", "KnapsackWeightPaperRun"},
                                        {"set-cover 10x50", "SetCoverPaperRun"},
                                        {"set-cover 5x25", "SmallSetCoverPaperRun"}})
      counter(fmt::format("{} paper run, times fewer core-seconds than published", setting).c_str(),
              fmt::format("{}/iterations:1", name).c_str());
    rate_ratio("scheduling decision (load 2), from the pool / by the solver", "DecisionFromPool/2",
               "DecisionBySolver/2");
    rate_ratio("pair network scores, AVX-512 / plain loops", "PairScoresAvx512", "PairScoresPlain");
    rate_ratio("districts of 30 units, eight lanes / one weight vector", "SurrogateLanes", "SurrogateScalar");
    time_ratio("two threads / one thread, 9 x 9 grid, 1000 rows per step",
               "ShortestPathThreads/1/iterations:1/repeats:7/real_time",
               "ShortestPathThreads/2/iterations:1/repeats:7/real_time");
    exact_against_general();
    own_against_plain();
  }

 private:
  std::string best_tile() const {
    return seconds_.contains("GridTileAvx512") ? "GridTileAvx512" : "GridTileBaseline";
  }

  // Two benchmarks of the same solves, by different means.
  struct Pair {
    const char *what, *fast, *slow;
  };

  // One row for each pair of which both were run.
  template <std::size_t N>
  void compare(const Pair (&pairs)[N], const char* fast_name, const char* slow_name) const {
    bool first = true;
    for (const Pair& pair : pairs) {
      const double fast = counter_of(pair.fast, "items_per_second"),
                   slow = counter_of(pair.slow, "items_per_second");
      if (!(fast > 0 && slow > 0)) continue;
      if (std::exchange(first, false))
        fmt::print("\nSolves per core-second {:>37} {:>12} {:>10}\n", fast_name, slow_name, "ratio");
      fmt::print("  {:<48} {:10.0f} {:12.1f} {:10.0f}\n", pair.what, fast, slow, fast / slow);
    }
  }

  void exact_against_general() const {
    static constexpr Pair kPairs[] = {
        {"grid path, 5 x 5", "GridPathExact", "GridPathGeneral"},
        {"knapsack, capacity 60", "KnapsackExact/60", "KnapsackGeneral/60"},
        {"knapsack, capacity 120", "KnapsackExact/120", "KnapsackGeneral/120"},
        {"knapsack, capacity 180", "KnapsackExact/180", "KnapsackGeneral/180"},
        {"multi-knapsack, 20 items, 3 resources", "MultiKnapsackExact", "MultiKnapsackGeneral"},
        {"portfolio, 50 assets (against a barrier method)", "PortfolioExact", "PortfolioGeneral"},
        {"energy scheduling, load 1", "ScheduleWarm/1", "ScheduleByGeneralSolver/1"},
        {"energy scheduling, load 2", "ScheduleWarm/2", "ScheduleByGeneralSolver/2"},
        {"energy scheduling, load 3", "ScheduleWarm/3", "ScheduleByGeneralSolver/3"},
        {"diverse matching, whole", "WholeMatchingExact", "WholeMatchingGeneral"},
        {"diverse matching, relaxed", "RelaxedMatchingExact", "RelaxedMatchingGeneral"},
        {"districts of 30 units", "SurrogateLanes", "SurrogateGeneral"},
    };
    compare(kPairs, "exact", "general");
  }

  void own_against_plain() const {
    static constexpr Pair kPairs[] = {
        {"own model, grid path", "OwnGrid", "OwnGridPlain"},
        {"own model, grid path, whole numbers", "OwnGridWhole", "OwnGridWholePlain"},
        {"own model, orders and recourse", "OwnRecourse", "OwnRecoursePlain"},
        {"  against recourse by the general solver", "OwnRecourse", "OwnRecourseGeneral"},
        {"own model, knapsack, 16 items, 2 rows", "OwnKnapsack/16/2", "OwnKnapsackPlain/16/2"},
        {"own model, knapsack, 60 items, 5 rows", "OwnKnapsack/60/5", "OwnKnapsackPlain/60/5"},
    };
    compare(kPairs, "own model", "CLP or CBC");
  }

  void rate_ratio(const char* what, const std::string& fast, const std::string& slow) const {
    const auto fast_rate = counter_of(fast, "items_per_second"),
               slow_rate = counter_of(slow, "items_per_second");
    if (fast_rate > 0 && slow_rate > 0) fmt::print("  {:<68} {:10.2f}\n", what, fast_rate / slow_rate);
  }
  void time_ratio(const char* what, const std::string& slow, const std::string& fast) const {
    if (seconds_.contains(slow) && seconds_.contains(fast))
      fmt::print("  {:<68} {:10.2f}\n", what, seconds_.at(slow) / seconds_.at(fast));
  }
  void counter(const char* what, const std::string& name) const {
    if (const double value = counter_of(name, "times_fewer_than_published"); value > 0)
      fmt::print("  {:<68} {:10.0f}\n", what, value);
  }
  double counter_of(const std::string& benchmark, const std::string& name) const {
    const auto found = counters_.find(benchmark);
    if (found == counters_.end()) return 0;
    const auto value = found->second.find(name);
    return value == found->second.end() ? 0 : value->second;
  }

  std::map<std::string, double> seconds_;  // real time per iteration
  std::map<std::string, std::map<std::string, double>> counters_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  RatioReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return 0;
}
