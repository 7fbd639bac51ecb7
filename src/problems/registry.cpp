// The problems the program comes with: one line each. Tasks of one's own join them in own/.
#include "problems/registry.hpp"

#include "polystep/error.hpp"
#include "polystep/task.hpp"
#include "problems/alloy.hpp"
#include "problems/districting/districting.hpp"
#include "problems/energy_scheduling.hpp"
#include "problems/knapsack.hpp"
#include "problems/knapsack_capacity.hpp"
#include "problems/knapsack_weight.hpp"
#include "problems/matching.hpp"
#include "problems/multi_knapsack.hpp"
#include "problems/portfolio.hpp"
#include "problems/set_cover.hpp"
#include "problems/shortest_path.hpp"

namespace polystep {

ProblemRegistry benchmark_problems() {
  ProblemRegistry registry;
  registry.add(shortest_path_entry());
  registry.add(knapsack_entry());
  registry.add(portfolio_entry());
  registry.add(energy_scheduling_entry());
  registry.add(matching_entry());
  registry.add(knapsack_capacity_entry());
  registry.add(knapsack_weight_entry());
  registry.add(set_cover_entry());
  registry.add(multi_knapsack_entry());
  registry.add(alloy_entry());
  registry.add(districting_entry());
  return registry;
}

ProblemRegistry& ProblemRegistry::add(ProblemEntry entry) {
  entries_.push_back(std::move(entry));
  return *this;
}

const ProblemEntry& ProblemRegistry::find(const std::string& name, const std::string& where) const {
  std::vector<std::string> names;
  for (const ProblemEntry& entry : entries_) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown_name(where, "problem", name, names);
}

}  // namespace polystep
