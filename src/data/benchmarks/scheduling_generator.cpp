// The stand-in for the published scheduling loads. Tasks are planted into a schedule that fits, one by one,
// so a schedule always exists.
#include <algorithm>
#include <cmath>
#include <vector>

#include "data/benchmarks/energy_days.hpp"
#include "data/benchmarks/scheduling_load.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

using solvers::SchedulingInstance;
using solvers::SchedulingTask;

constexpr int kSlots = static_cast<int>(kSlotsPerDay);
constexpr double kResourcePerPower = 5.54;  // as in the published loads
constexpr double kShrink = 0.95;            // of the power with each failed try to plant a task

struct Shape {
  int machines;
  int tasks;
};
constexpr Shape kShapes[kLoads] = {{3, 10}, {3, 15}, {5, 20}};  // the published ones

using Loads = std::vector<std::vector<int>>;  // [machines × slots]

// A task with a planted start: its window reaches a random number of slots to either side.
SchedulingTask draw_task(RandomStream& random, int& start, double shrink) {
  SchedulingTask task;
  task.duration = 1 + static_cast<int>(random.below(26));
  start = static_cast<int>(random.below(static_cast<std::uint64_t>(kSlots - task.duration + 1)));
  task.earliest = std::max(0, start - static_cast<int>(random.below(16)));
  task.latest_end = std::min(kSlots, start + task.duration + static_cast<int>(random.below(16)));
  const double share = random.uniform();
  task.power = std::round(75000 * shrink * share * std::sqrt(share) + 300 * shrink) / 100;
  task.resource = static_cast<int>(task.power * kResourcePerPower);
  return task;
}

bool plant(const SchedulingTask& task, int start, const std::vector<int>& capacities, Loads& loads) {
  for (std::size_t machine = 0; machine < loads.size(); ++machine) {
    const auto first = loads[machine].begin() + start;
    const auto end = first + task.duration;
    if (*std::max_element(first, end) + task.resource > capacities[machine]) continue;
    std::for_each(first, end, [&](int& load) { load += task.resource; });
    return true;
  }
  return false;
}

}  // namespace

SchedulingInstance generated_scheduling_load(int load, std::uint64_t data_seed) {
  const Shape shape = kShapes[load - 1];
  RandomStream random(data_seed, Purpose::kDataMatrix, static_cast<std::uint64_t>(load));
  SchedulingInstance instance;
  instance.slots = kSlots;
  for (int machine = 0; machine < shape.machines; ++machine)
    instance.capacities.push_back(5400 + static_cast<int>(random.below(300)));
  Loads loads(instance.capacities.size(), std::vector<int>(kSlotsPerDay, 0));
  for (int number = 0; number < shape.tasks; ++number) {
    int start = 0;
    double shrink = 1;
    SchedulingTask task = draw_task(random, start, shrink);
    while (!plant(task, start, instance.capacities, loads))
      task = draw_task(random, start, shrink *= kShrink);
    instance.tasks.push_back(task);
  }
  return instance;
}

}  // namespace polystep
