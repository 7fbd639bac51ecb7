// Instances that differ in size: cheapest paths across grids of 4 to 9 nodes a side, all in one task.
// Every edge has three features; one linear predictor serves all edges of all grids: ragged_paths train paths
#include <cmath>
#include <numeric>

#include "polystep/command_line.hpp"
#include "polystep/random.hpp"

using namespace polystep;

struct GridPaths final : Problem {
  GridPaths(std::vector<InstanceShape> shapes, std::vector<std::size_t> grid_sides)
      : Problem(std::make_shared<const Instances>(std::move(shapes), grid_sides)), sides(grid_sides) {}
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    const std::size_t side = sides[instance], nodes = side * side;
    std::vector<double> cost(nodes, INFINITY);
    std::vector<std::size_t> from(nodes), by(nodes);
    std::size_t edge = 0;  // node by node: first to the right, then down
    const auto relax = [&](std::size_t node, std::size_t next) {
      const double through = cost[node] + prediction[edge++];
      if (through < cost[next]) cost[next] = through, from[next] = node, by[next] = edge - 1;
    };
    cost[0] = 0;
    for (std::size_t node = 0; node < nodes; ++node) {
      if (node % side + 1 < side) relax(node, node + 1);
      if (node + side < nodes) relax(node, node + side);
    }
    std::ranges::fill(decision, 0.0);
    for (std::size_t node = nodes - 1; node != 0; node = from[node]) decision[by[node]] = 1;
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return std::inner_product(decision.begin(), decision.end(), truth.begin(), 0.0);
  }
  std::vector<std::size_t> sides;  // [instances]; grids of one side have the same paths
};

Task make_paths(const Options&, const TaskContext&) {
  RandomStream random(7, Purpose::kDataFeatures);
  std::vector<std::size_t> sides;
  std::vector<InstanceShape> shapes;
  Split rows;
  for (std::size_t instance = 0; instance < 360; ++instance) {
    const std::size_t side = sides.emplace_back(4 + random.below(6)), edges = 2 * side * (side - 1);
    shapes.push_back({.outputs = edges, .decision = edges});
    std::vector<double> features(3 * edges), truth(edges);
    random.fill_normal(features);
    for (std::size_t e = 0; e < edges; ++e)
      truth[e] = std::exp(features[3 * e] - 0.5 * features[3 * e + 1]) * random.uniform(0.5, 1.5);
    rows.add_row(features, truth, instance);
  }
  return {"sides=4..9", std::make_unique<GridPaths>(shapes, sides), make_shared_linear(3, 0),
          split_at_random(rows, 0.25, 0.25, 1)};
}

int main(int argc, char** argv) {
  return run_command_line(argc, argv, builtin_problems().add({"paths", "many grids", {}, make_paths}));
}
