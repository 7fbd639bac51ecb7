// Scheduling instances of every kind, the enumeration of all schedules, and the problem as a general model.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/milp/milp_model.hpp"
#include "solvers/scheduling/scheduling.hpp"

namespace polystep::solvers {

struct InstanceShape {
  int most_tasks = 4;
  int most_machines = 3;
  int most_slots = 9;
  int most_delay = 4;      // latest minus earliest start
  int least_capacity = 3;  // resource uses are 0 to 6, so a machine may be too small for some tasks
  int capacity_range = 8;
};

inline int draw_below(RandomStream& random, int bound) {
  return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
}

// Energies are whole numbers, so that whole-number prices give costs without rounding, and real ties.
inline SchedulingInstance draw_scheduling(RandomStream& random, const InstanceShape& shape) {
  SchedulingInstance instance;
  instance.slots = shape.most_slots - draw_below(random, 4);
  for (int machine = 1 + draw_below(random, shape.most_machines); machine > 0; --machine)
    instance.capacities.push_back(shape.least_capacity + draw_below(random, shape.capacity_range));
  for (int task = 1 + draw_below(random, shape.most_tasks); task > 0; --task) {
    SchedulingTask drawn;
    drawn.duration = 1 + draw_below(random, instance.slots / 2 + 1);
    drawn.earliest = draw_below(random, instance.slots - drawn.duration + 1);
    drawn.latest_end =
        std::min(instance.slots, drawn.earliest + drawn.duration + draw_below(random, shape.most_delay + 1));
    drawn.resource = draw_below(random, 7);
    drawn.power = 2.0 * draw_below(random, 10);
    instance.tasks.push_back(drawn);
  }
  return instance;
}

// Many tasks with wide windows on two machines. With prices that have one valley, all want the same slots.
inline SchedulingInstance draw_crowded(RandomStream& random, int tasks, int slots) {
  SchedulingInstance instance;
  instance.slots = slots;
  instance.capacities = {7 + draw_below(random, 3), 8};
  for (int task = 0; task < tasks; ++task) {
    SchedulingTask drawn;
    drawn.duration = 2 + draw_below(random, 4);
    drawn.earliest = draw_below(random, slots / 4);
    drawn.latest_end = slots - draw_below(random, slots / 4);
    drawn.resource = 2 + draw_below(random, 4);
    drawn.power = random.uniform(1.0, 9.0);
    instance.tasks.push_back(drawn);
  }
  return instance;
}

inline std::vector<double> draw_valley(RandomStream& random, int slots) {
  std::vector<double> prices;
  for (int slot = 0; slot < slots; ++slot)
    prices.push_back(2.0 * std::abs(slot - slots / 2) + random.uniform(0.0, 8.0));
  return prices;
}

enum class Prices { kReal, kMixedSigns, kNegative, kFewIntegers, kSignedIntegers, kAllEqual, kAllZero };
constexpr Prices kAllPrices[] = {Prices::kReal,        Prices::kMixedSigns,     Prices::kNegative,
                                 Prices::kFewIntegers, Prices::kSignedIntegers, Prices::kAllEqual,
                                 Prices::kAllZero};

inline bool is_whole(Prices kind) { return kind >= Prices::kFewIntegers; }

inline double draw_price(RandomStream& random, Prices kind) {
  switch (kind) {
    case Prices::kReal:
      return random.uniform(20.0, 90.0);
    case Prices::kMixedSigns:
      return random.uniform(-30.0, 60.0);
    case Prices::kNegative:
      return -random.uniform(1.0, 9.0);
    case Prices::kFewIntegers:
      return static_cast<double>(random.below(3));
    case Prices::kSignedIntegers:
      return static_cast<double>(random.below(5)) - 2.0;
    case Prices::kAllEqual:
      return 7.0;
    case Prices::kAllZero:
      return 0.0;
  }
  return 0.0;
}

inline std::vector<double> draw_prices(RandomStream& random, Prices kind, int slots) {
  std::vector<double> prices(static_cast<std::size_t>(slots));
  for (double& price : prices) price = draw_price(random, kind);
  return prices;
}

// Whether tasks from `task` on fit onto the machines, given what the tasks before use. loads: [machines ×
// slots]
inline bool pack_by_trying(const SchedulingInstance& instance, const std::vector<int>& starts,
                           std::vector<std::vector<int>>& loads, std::size_t task = 0) {
  if (task == starts.size()) return true;
  const SchedulingTask& placed = instance.tasks[task];
  for (std::size_t machine = 0; machine < loads.size(); ++machine) {
    bool fits = true;
    for (int slot = starts[task]; slot < starts[task] + placed.duration; ++slot) {
      loads[machine][static_cast<std::size_t>(slot)] += placed.resource;
      fits &= loads[machine][static_cast<std::size_t>(slot)] <= instance.capacities[machine];
    }
    fits = fits && pack_by_trying(instance, starts, loads, task + 1);
    for (int slot = starts[task]; slot < starts[task] + placed.duration; ++slot)
      loads[machine][static_cast<std::size_t>(slot)] -= placed.resource;
    if (fits) return true;
  }
  return false;
}

inline bool is_feasible(const SchedulingInstance& instance, const std::vector<int>& starts) {
  for (std::size_t task = 0; task < starts.size(); ++task)
    if (starts[task] < instance.tasks[task].earliest ||
        starts[task] + instance.tasks[task].duration > instance.tasks[task].latest_end)
      return false;
  std::vector<std::vector<int>> loads(instance.capacities.size(),
                                      std::vector<int>(static_cast<std::size_t>(instance.slots), 0));
  return pack_by_trying(instance, starts, loads);
}

inline double plain_cost(const SchedulingInstance& instance, const std::vector<int>& starts,
                         const std::vector<double>& prices) {
  double cost = 0;
  for (std::size_t task = 0; task < starts.size(); ++task)
    for (int slot = 0; slot < instance.tasks[task].duration; ++slot)
      cost += instance.tasks[task].power * instance.slot_hours *
              prices[static_cast<std::size_t>(starts[task] + slot)];
  return cost;
}

struct Enumerated {
  std::vector<int> starts;
  double cost;
};

// The best schedule by looking at all: cheapest, then smallest sum of starts, then earliest task by task.
inline std::optional<Enumerated> enumerate_schedules(const SchedulingInstance& instance,
                                                     const std::vector<double>& prices) {
  std::optional<Enumerated> best;
  std::vector<int> starts;
  for (const SchedulingTask& task : instance.tasks) starts.push_back(task.earliest);
  const auto sum = [](const std::vector<int>& all) {
    int total = 0;
    for (const int start : all) total += start;
    return total;
  };
  while (true) {
    const double cost = plain_cost(instance, starts, prices);
    const bool better = !best || cost < best->cost ||
                        (cost == best->cost && (sum(starts) < sum(best->starts) ||
                                                (sum(starts) == sum(best->starts) && starts < best->starts)));
    if (better && is_feasible(instance, starts)) best = {starts, cost};
    std::size_t task = 0;
    while (task < starts.size() &&
           ++starts[task] + instance.tasks[task].duration > instance.tasks[task].latest_end) {
      starts[task] = instance.tasks[task].earliest;
      ++task;
    }
    if (task == starts.size()) return best;
  }
}

// The cost of the best schedule by a plain depth-first search that shares nothing with the engine's: tasks in
// file order, every start, no deeper than the cheapest starts of the rest allow.
inline double best_cost_by_bounding(const SchedulingInstance& instance, const std::vector<double>& prices,
                                    std::vector<int> starts = {}, double spent = 0, double best = 1e300) {
  if (starts.size() == instance.tasks.size()) return std::min(best, spent);
  const auto cost_at = [&](std::size_t task, int start) {
    double price = 0;
    for (int slot = start; slot < start + instance.tasks[task].duration; ++slot)
      price += prices[static_cast<std::size_t>(slot)];
    return instance.tasks[task].power * instance.slot_hours * price;
  };
  const auto last_start = [&](std::size_t task) {
    return instance.tasks[task].latest_end - instance.tasks[task].duration;
  };
  double rest = 0;  // cheapest starts of the tasks after this one
  for (std::size_t task = starts.size() + 1; task < instance.tasks.size(); ++task) {
    double cheapest = 1e300;
    for (int start = instance.tasks[task].earliest; start <= last_start(task); ++start)
      cheapest = std::min(cheapest, cost_at(task, start));
    rest += cheapest;
  }
  SchedulingInstance decided = instance;
  decided.tasks.resize(starts.size() + 1);
  const std::size_t task = starts.size();
  starts.push_back(0);
  for (int start = instance.tasks[task].earliest; start <= last_start(task); ++start) {
    starts.back() = start;
    const double now = spent + cost_at(task, start);
    if (now + rest >= best || !is_feasible(decided, starts)) continue;
    best = best_cost_by_bounding(instance, prices, starts, now, best);
  }
  return best;
}

// Binary columns task × machine × start, each task once, capacity per machine and slot.
inline MilpModel scheduling_model(const SchedulingInstance& instance, const std::vector<double>& prices) {
  MilpModel model;
  const std::size_t machines = instance.capacities.size();
  const auto slots = static_cast<std::size_t>(instance.slots);
  std::vector<std::vector<MilpEntry>> use(machines * slots);
  std::vector<std::vector<MilpEntry>> once(instance.tasks.size());
  for (std::size_t number = 0; number < instance.tasks.size(); ++number) {
    const SchedulingTask& task = instance.tasks[number];
    for (int start = task.earliest; start + task.duration <= task.latest_end; ++start) {
      double price = 0;
      for (int slot = start; slot < start + task.duration; ++slot)
        price += prices[static_cast<std::size_t>(slot)];
      for (std::size_t machine = 0; machine < machines; ++machine) {
        const std::size_t column = model.add_binary(task.power * instance.slot_hours * price);
        once[number].push_back({column, 1.0});
        for (int slot = start; slot < start + task.duration; ++slot)
          use[machine * slots + static_cast<std::size_t>(slot)].push_back(
              {column, static_cast<double>(task.resource)});
      }
    }
  }
  for (auto& entries : once) model.add_row(std::move(entries), 1.0, 1.0);
  for (std::size_t machine = 0; machine < machines; ++machine)
    for (std::size_t slot = 0; slot < slots; ++slot)
      if (!use[machine * slots + slot].empty())
        model.add_row(std::move(use[machine * slots + slot]), -kUnbounded, instance.capacities[machine]);
  return model;
}

}  // namespace polystep::solvers
