// A problem of your own: how many trays to bake for each of three breads, before the day's demand is known.
#include <algorithm>
#include <cmath>

#include "polystep/command_line.hpp"
#include "polystep/random.hpp"

using namespace polystep;

struct Bakery final : Problem {
  Bakery() : Problem(3, 3) {}  // three demands are predicted in trays, three numbers of trays decided
  SolveStatus decide(std::span<const double> demand, std::size_t, std::span<double> trays) const override {
    for (int i = 0; i < 3; ++i) trays[i] = std::clamp(std::round(demand[i]), 0.0, 10.0);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> trays, std::span<const double> demand, std::size_t) const override {
    double cost = 0;  // a tray costs 12 to bake and sells for 48, as far as there is demand
    for (int i = 0; i < 3; ++i) cost += 12 * trays[i] - 48 * std::min(trays[i], demand[i]);
    return cost;
  }
};

Task make_bakery(const Options&, const TaskContext&) {
  Split days{600, 2, 3, {}, {}, {}};  // 600 days with two features and three demands each
  RandomStream random(1, Purpose::kDataNoise);
  for (std::size_t day = 0; day < days.rows; ++day) {
    const double weekend = day % 7 >= 5, sun = random.uniform();
    days.features.insert(days.features.end(), {weekend, sun});
    for (const double size : {3.5, 2.0, 1.0})
      days.truth.push_back(size * (1 + weekend * sun) * std::exp(0.5 * random.normal()));
  }
  return {"", std::make_unique<Bakery>(), make_linear(2, 3), split_at_random(days, 0.2, 0.3, 1),
          RegretMetric::kAbsolute};
}

int main(int argc, char** argv) {
  ProblemRegistry problems = builtin_problems();
  problems.add({"bakery", "trays of bread to bake before demand is known", {}, make_bakery});
  return run_command_line(argc, argv, problems);
}
