#include "solvers/spanning_tree/set_partition_model.hpp"

#include <utility>

namespace polystep::solvers {

MilpModel set_partition_model(const DistrictGraph& graph, const ConnectedSets& sets) {
  MilpModel model;
  std::vector<std::vector<MilpEntry>> holding(graph.units());
  std::vector<MilpEntry> all;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const std::size_t column = model.add_binary(0.0);
    for (const std::uint32_t unit : sets.units(set)) holding[unit].push_back({column, 1.0});
    all.push_back({column, 1.0});
  }
  for (auto& entries : holding) model.add_row(std::move(entries), 1.0, 1.0);
  const auto count = static_cast<double>(graph.sizes().count);
  model.add_row(std::move(all), count, count);
  return model;
}

}  // namespace polystep::solvers
