#include "solvers/scheduling/scheduling.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

constexpr int kPriceBits = 52;  // of the sum of all prices, in grid steps
constexpr int kCostBits = 46;   // of the sum of all tasks' costs, in grid steps
constexpr int kDelayBits = 12;  // of the sum of all tasks' delays: 64 tasks, 63 slots
constexpr int kSmallestExponent = -900;

// Adding and subtracting this rounds a number below 2^51 to a whole one; in between, its bits count in ones.
constexpr double kRounder = 6755399441055744.0;  // 1.5 * 2^52

// The smallest e with |value| <= 2^e, for a value other than 0.
int exponent_of(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

int slot_bits(int slots) { return static_cast<int>(std::bit_width(static_cast<unsigned>(slots))); }

// The largest sum of some of the tasks' resource uses that is no more than `capacity`.
int largest_filling(const std::vector<SchedulingTask>& tasks, int capacity) {
  std::vector<char> reachable(static_cast<std::size_t>(capacity) + 1, 0);
  reachable[0] = 1;
  int largest = 0;
  for (const SchedulingTask& task : tasks) {
    for (int sum = std::min(largest, capacity - task.resource); sum >= 0; --sum) {
      if (!reachable[static_cast<std::size_t>(sum)]) continue;
      reachable[static_cast<std::size_t>(sum + task.resource)] = 1;
      largest = std::max(largest, sum + task.resource);
    }
  }
  return largest;
}

void check_task(const SchedulingTask& task, std::size_t number, int slots) {
  if (task.duration < 1 || task.earliest < 0 || task.latest_end > slots ||
      task.duration > task.latest_end - task.earliest)
    throw InputError(fmt::format(
        "scheduling: task {} runs {} slots between {} and {}, expected at least one, within its window and "
        "the {} slots of the day",
        number, task.duration, task.earliest, task.latest_end, slots));
  if (task.resource < 0 || task.resource > Scheduling::kMostResource)
    throw InputError(fmt::format("scheduling: task {} uses {} of the resource, expected 0 to {}", number,
                                 task.resource, Scheduling::kMostResource));
  if (!(task.power >= 0) || !(task.power <= 1e12))
    throw InputError(fmt::format("scheduling: task {} has power {}, expected 0 to 1e12", number, task.power));
}

}  // namespace

Scheduling::Scheduling(SchedulingInstance instance) : instance_(std::move(instance)) {
  check();
  const std::vector<SchedulingTask>& tasks = instance_.tasks;
  double most_energy = 0;
  for (const SchedulingTask& task : tasks) most_energy += task.power * instance_.slot_hours;
  const double step = most_energy > 0 ? std::ldexp(1.0, exponent_of(most_energy) - kPriceBits) : 1.0;
  for (const SchedulingTask& task : tasks)
    energies_.push_back(std::nearbyint(task.power * instance_.slot_hours / step) * step);
  list_jobs();
  for (const int capacity : instance_.capacities) usable_capacity_ += largest_filling(tasks, capacity);
}

void Scheduling::check() const {
  if (instance_.slots < 1 || instance_.slots > kMostSlots)
    throw InputError(
        fmt::format("scheduling: found {} slots, expected 1 to {}", instance_.slots, kMostSlots));
  if (!(instance_.slot_hours > 0) || !(instance_.slot_hours <= 24))
    throw InputError(fmt::format("scheduling: found slots of {} hours, expected more than 0 and at most 24",
                                 instance_.slot_hours));
  if (instance_.capacities.empty() || instance_.capacities.size() > kMostMachines)
    throw InputError(fmt::format("scheduling: found {} machines, expected 1 to {}",
                                 instance_.capacities.size(), kMostMachines));
  for (std::size_t machine = 0; machine < instance_.capacities.size(); ++machine)
    if (instance_.capacities[machine] < 0 || instance_.capacities[machine] > kMostResource)
      throw InputError(fmt::format("scheduling: machine {} has capacity {}, expected 0 to {}", machine,
                                   instance_.capacities[machine], kMostResource));
  if (instance_.tasks.empty() || instance_.tasks.size() > kMostTasks)
    throw InputError(
        fmt::format("scheduling: found {} tasks, expected 1 to {}", instance_.tasks.size(), kMostTasks));
  for (std::size_t number = 0; number < instance_.tasks.size(); ++number)
    check_task(instance_.tasks[number], number, instance_.slots);
}

void Scheduling::list_jobs() {
  double day_energy = 0;  // of all tasks over their whole runs
  for (std::size_t task = 0; task < tasks(); ++task)
    day_energy += energies_[task] * instance_.tasks[task].duration;
  // A scaled price is at most 2^(kPriceBits - slot bits), so this keeps the sum of costs within kCostBits.
  const int exponent =
      kCostBits - kPriceBits + slot_bits(instance_.slots) - (day_energy > 0 ? exponent_of(day_energy) : 0);
  for (std::size_t number = 0; number < tasks(); ++number) {
    const SchedulingTask& task = instance_.tasks[number];
    const auto options = static_cast<std::size_t>(task.latest_end - task.earliest - task.duration + 1);
    jobs_.push_back({options_, options, task.earliest, task.duration, task.resource,
                     std::ldexp(energies_[number], exponent)});
    options_ += options;
  }
}

std::vector<std::size_t> Scheduling::jobs_by_size() const {
  std::vector<std::size_t> order(jobs_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return jobs_[a].resource > jobs_[b].resource; });
  return order;
}

std::uint64_t Job::options_covering(SlotRange range) const {
  const int first = std::max(0, range.first + range.length - duration - earliest);
  const int last = std::min(static_cast<int>(options) - 1, range.first - earliest);
  return first > last ? 0 : (~std::uint64_t{0} >> (63 - last + first)) << first;
}

bool Scheduling::option_costs(std::span<const double> prices, std::span<std::int64_t> costs) const {
  double largest = 0;
  bool finite = true;
  for (const double price : prices) {
    finite &= std::isfinite(price);
    largest = std::max(largest, std::abs(price));
  }
  if (!finite) return false;
  // Prices that are all tiny (below 2^-900) lose digits here rather than overflow the factor.
  const int exponent = largest > 0 ? std::max(exponent_of(largest), kSmallestExponent) : 0;
  const double scale = std::ldexp(1.0, kPriceBits - slot_bits(instance_.slots) - exponent);
  std::array<double, kMostSlots + 1> before;  // sum of scaled prices before a slot
  before[0] = 0;
  for (std::size_t slot = 0; slot < prices.size(); ++slot)
    before[slot + 1] = before[slot] + (prices[slot] * scale + kRounder - kRounder);
  for (const Job& job : jobs_) {
    const double* first = before.data() + job.earliest;
    const double* end = first + job.duration;
    std::int64_t* cost = costs.data() + job.first_option;
    for (std::size_t option = 0; option < job.options; ++option)
      cost[option] =
          (std::bit_cast<std::int64_t>(job.scaled_energy * (end[option] - first[option]) + kRounder) -
           std::bit_cast<std::int64_t>(kRounder)) *
              (std::int64_t{1} << kDelayBits) +
          static_cast<std::int64_t>(option);
  }
  return true;
}

void Scheduling::profile(std::span<const int> starts, std::span<double> profile) const {
  // Energies lie on a grid fine enough that no sum rounds: changes may be added up in any order.
  std::array<double, kMostSlots + 1> change{};
  for (std::size_t task = 0; task < starts.size(); ++task) {
    change[static_cast<std::size_t>(starts[task])] += energies_[task];
    change[static_cast<std::size_t>(starts[task] + instance_.tasks[task].duration)] -= energies_[task];
  }
  double level = 0;
  for (std::size_t slot = 0; slot < profile.size(); ++slot) profile[slot] = level += change[slot];
}

double energy_cost(std::span<const double> profile, std::span<const double> prices) {
  double sum = 0;
  for (std::size_t slot = 0; slot < profile.size(); ++slot) sum += profile[slot] * prices[slot];
  return sum;
}

}  // namespace polystep::solvers
