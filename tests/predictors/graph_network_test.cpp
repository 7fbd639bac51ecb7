// The graph network: against a plain evaluation by definition in double precision, and against the published
// golden values of network districting.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/cities/city_files.hpp"
#include "data/cities/city_graph.hpp"
#include "data/published_files.hpp"
#include "input_error.hpp"
#include "polystep/instances.hpp"
#include "predictors/tiles.hpp"
#include "simd/row_products.hpp"

namespace polystep {
namespace {

using Row = std::vector<double>;
using Rows = std::vector<Row>;

struct Net {
  std::size_t features;
  std::vector<std::size_t> convolutions;
  std::vector<std::size_t> dense;
};

// Straight from the definition: neighbours are looked for edge by edge.
struct Plain {
  const Net& net;
  const std::vector<double>& theta;
  const std::vector<GraphEdge>& edges;
  std::size_t at = 0;  // next parameter

  Row mean_of_neighbours(const Rows& rows, std::size_t e) const {
    Row mean(rows[e].size(), 0.0);
    double count = 0;
    for (std::size_t other = 0; other < edges.size(); ++other) {
      if (other == e) continue;
      for (const std::uint32_t end : {edges[e].from, edges[e].to})
        if (edges[other].from == end || edges[other].to == end) {
          count += 1;
          for (std::size_t u = 0; u < mean.size(); ++u) mean[u] += rows[other][u];
        }
    }
    for (double& value : mean) value = count > 0 ? value / count : 0.0;
    return mean;
  }

  void layer(Rows& rows, std::size_t units, bool convolution, bool rectified) {
    const std::size_t inputs = rows.front().size(), matrix = units * inputs;
    const std::size_t bias = at + (convolution ? 2 : 1) * matrix;
    Rows next(rows.size(), Row(units));
    for (std::size_t e = 0; e < rows.size(); ++e) {
      const Row mean = convolution ? mean_of_neighbours(rows, e) : Row();
      for (std::size_t u = 0; u < units; ++u) {
        double sum = theta[bias + u];
        for (std::size_t i = 0; i < inputs; ++i) {
          sum += theta[at + u * inputs + i] * rows[e][i];
          if (convolution) sum += theta[at + matrix + u * inputs + i] * mean[i];
        }
        next[e][u] = rectified ? std::max(sum, 0.0) : sum;
      }
    }
    at = bias + units;
    rows = next;
  }

  Row predict(const std::vector<double>& features) {
    at = 0;
    Rows rows;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto first = features.begin() + static_cast<std::ptrdiff_t>(e * net.features);
      rows.emplace_back(first, first + static_cast<std::ptrdiff_t>(net.features));
    }
    for (std::size_t l = 0; l < net.convolutions.size(); ++l)
      layer(rows, net.convolutions[l], true, l + 1 < net.convolutions.size() || net.dense.empty());
    for (std::size_t l = 0; l < net.dense.size(); ++l)
      layer(rows, net.dense[l], false, l + 1 < net.dense.size() || l == 0);
    layer(rows, 1, false, false);
    Row outputs;
    for (const Row& row : rows) outputs.push_back(row.front());
    return outputs;
  }
};

// A path, a star with two edges side by side, a lone edge, and a graph of several parts.
const std::vector<std::vector<GraphEdge>> kGraphs = {
    {{0, 1}, {1, 2}, {2, 3}, {3, 4}},
    {{0, 3}, {1, 3}, {2, 3}, {0, 3}, {3, 4}, {5, 3}, {0, 1}},
    {{0, 1}},
    {{0, 1}, {1, 2}, {0, 2}, {7, 8}, {4, 5}, {5, 6}},
};

std::shared_ptr<const Instances> ragged(const std::vector<std::vector<GraphEdge>>& graphs = kGraphs) {
  std::vector<InstanceShape> shapes;
  for (const auto& edges : graphs) shapes.push_back({edges.size(), edges.size()});
  auto instances = std::make_shared<Instances>(shapes);
  instances->set_edges(graphs);
  return instances;
}

Tile tile_of_instance(const std::vector<double>& features, std::size_t instance) {
  Tile tile = tile_of(features, 1);
  tile.instance.fill(instance);
  return tile;
}

// Widths on either side of what the products compute at once, and every rule about rectified units.
const std::vector<Net> kNets = {
    {7, {64, 64, 64}, {64, 64}}, {3, {16, 16}, {}}, {2, {5}, {}},       {4, {9}, {17}},
    {1, {20, 3}, {1, 70, 2}},    {40, {1}, {2, 2}}, {7, {33, 80}, {4}},
};

TEST(GraphNetwork, PredictsByDefinition) {
  for (const Net& net : kNets) {
    const auto predictor = make_graph_network(net.features, net.convolutions, net.dense, ragged());
    std::vector<double> theta = normals(predictor->parameters(), 1);
    for (double& parameter : theta) parameter *= 0.3;
    for (std::size_t instance = 0; instance < kGraphs.size(); ++instance) {
      const std::vector<double> features = normals(kGraphs[instance].size() * net.features, 2 + instance);
      const Row expected = Plain{net, theta, kGraphs[instance]}.predict(features);
      const Row found = predict(*predictor, theta, tile_of_instance(features, instance));
      ASSERT_EQ(found.size(), expected.size());
      double size = 1;
      for (const double value : expected) size = std::max(size, std::abs(value));
      for (std::size_t e = 0; e < found.size(); ++e) EXPECT_NEAR(found[e], expected[e], 3e-5 * size);
    }
  }
}

// Against differences of the definition, which has double precision as the gradient does.
TEST(GraphNetwork, PullsGradientsBackExactly) {
  for (const Net& net : {Net{3, {6, 5, 4}, {7, 3}}, Net{2, {5, 18}, {}}, Net{2, {4}, {3}}}) {
    const auto predictor = make_graph_network(net.features, net.convolutions, net.dense, ragged());
    const std::vector<double> theta = normals(predictor->parameters(), 1);
    for (std::size_t instance = 0; instance < kGraphs.size(); ++instance) {
      const std::vector<double> features = normals(kGraphs[instance].size() * net.features, 2 + instance);
      const std::vector<double> weights = normals(kGraphs[instance].size(), 9);
      const auto value = [&](const std::vector<double>& at) {
        const Row outputs = Plain{net, at, kGraphs[instance]}.predict(features);
        return std::inner_product(outputs.begin(), outputs.end(), weights.begin(), 0.0);
      };
      std::vector<double> gradient(theta.size(), 0.25);  // what is there is added to
      predictor->add_gradient(theta, tile_of_instance(features, instance), weights.data(), gradient);
      for (std::size_t p = 0; p < theta.size(); ++p) {
        std::vector<double> above = theta, below = theta;
        above[p] += 1e-6;
        below[p] -= 1e-6;
        const double slope = (value(above) - value(below)) / 2e-6;
        EXPECT_NEAR(gradient[p] - 0.25, slope, 2e-6 * (1 + std::abs(slope))) << p;
      }
    }
  }
}

TEST(GraphNetwork, TilesTogetherAndAloneHaveTheSameBits) {
  const Net& net = kNets.front();
  const auto predictor = make_graph_network(net.features, net.convolutions, net.dense, ragged());
  const std::vector<double> theta = predictor->initial_parameters(5);
  std::vector<std::vector<double>> features;
  std::vector<Tile> tiles;
  for (std::size_t instance = 0; instance < kGraphs.size(); ++instance)
    features.push_back(normals(kGraphs[instance].size() * net.features, instance));
  Row alone;
  for (std::size_t instance = 0; instance < kGraphs.size(); ++instance) {
    tiles.push_back(tile_of_instance(features[instance], instance));
    const Row own = predict(*predictor, theta, tiles.back());
    alone.insert(alone.end(), own.begin(), own.end());
  }
  Row together(alone.size());
  predictor->predict_tiles(theta, tiles, together.data());
  EXPECT_EQ(together, alone);
}

TEST(GraphNetwork, StartsAsPublished) {
  const auto predictor = make_graph_network(7, {64, 64, 64}, {64, 64}, ragged());
  EXPECT_EQ(predictor->parameters(), 25857u);
  const std::vector<double> theta = predictor->initial_parameters(3);
  EXPECT_EQ(theta, predictor->initial_parameters(3));
  EXPECT_NE(theta, predictor->initial_parameters(4));
  EXPECT_EQ(theta, predictor->initial_parameters(3, InitialDraw::kGlorot));
  auto value = theta.begin();
  for (const TensorShape& tensor : predictor->tensors()) {
    double largest = 0;
    for (std::size_t i = 0; i < tensor.size(); ++i) largest = std::max(largest, std::abs(*value++));
    const double bound =
        tensor.dimensions.size() == 1
            ? 0
            : std::sqrt(6.0 / static_cast<double>(tensor.dimensions[0] + tensor.dimensions[1]));
    EXPECT_LE(largest, bound) << tensor.name;
    if (bound > 0) {
      EXPECT_GT(largest, 0.9 * bound) << tensor.name;
    }
  }
}

TEST(GraphNetwork, RefusesWhatMakesNoSense) {
  EXPECT_NE(input_error([&] {
              make_graph_network(0, {4}, {}, ragged());
            }).find("found 0 features, expected at least 1"),
            std::string::npos);
  EXPECT_NE(input_error([&] { make_graph_network(2, {}, {3}, ragged()); }).find("found no convolutions"),
            std::string::npos);
  EXPECT_NE(input_error([&] {
              make_graph_network(2, {4, 0}, {3}, ragged());
            }).find("found a layer of 0 units"),
            std::string::npos);
  const auto lost = make_graph_network(2, {4}, {}, nullptr);
  const std::vector<double> features(6, 1.0), theta = lost->initial_parameters(0);
  std::vector<double> prediction(3);
  EXPECT_NE(input_error([&] {
              lost->predict(theta, tile_of(features, 1), prediction.data());
            }).find("found no graph"),
            std::string::npos);
  const auto predictor = make_graph_network(2, {4}, {}, ragged());
  EXPECT_EQ(predictor->outputs_of({8, 0}, 0), 4u);
  EXPECT_EQ(predictor->outputs_of({7, 0}, 0), 0u);
  EXPECT_EQ(predictor->outputs_of({10, 0}, 0), 0u);  // not as many rows as the graph has edges
}

// Whatever the processor has, and however rows and units fall into blocks.
TEST(RowProducts, HaveTheBitsOfPlainSums) {
  for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 7, 12, 13})
    for (const std::size_t units : {16, 32, 64, 80, 144})
      for (const std::size_t inputs : {1, 7, 64})
        for (const int start_from : {0, 1, 2}) {  // nothing, the bias, what is there
          const bool bias = start_from == 1;
          const auto floats = [](std::size_t count, std::uint64_t index) {
            const std::vector<double> values = normals(count, index);
            return std::vector<float>(values.begin(), values.end());
          };
          const std::vector<float> values = floats(rows * (inputs + 3), 1),
                                   weight = floats(inputs * units, 2), start = floats(units, 3);
          std::vector<float> sums(rows * (units + 5), 9), plain = sums;
          RowProduct product{values.data(),
                             rows,
                             inputs,
                             inputs + 3,
                             weight.data(),
                             units,
                             bias ? start.data() : nullptr,
                             bias,
                             sums.data(),
                             units + 5,
                             start_from == 2};
          for (const auto set : {simd::InstructionSet::kBaseline, simd::InstructionSet::kAvx512}) {
            if (!simd::is_supported(set)) continue;
            std::ranges::fill(sums, 9.0f);
            std::ranges::fill(plain, 9.0f);
            product.sums = sums.data();
            multiply_rows(product, set);
            product.sums = plain.data();
            multiply_rows_plainly(product);
            ASSERT_EQ(sums, plain) << rows << " rows, " << inputs << " inputs, " << units << " units";
          }
        }
}

struct Golden {
  const char* city;
  std::vector<double> first;
  double last;
  double sum;
};

// Outputs published with the fact sheet of network districting, for parameters of a linear congruence.
TEST(GraphNetwork, HasThePublishedOutputsOnSmallCities) {
  POLYSTEP_NEEDS_DATA();
  const std::vector<City> cities = published_small_cities(find_data_directory(""), CityPolygons::kNone);
  std::vector<std::vector<double>> training;
  for (std::size_t c = 0; c < 100; ++c)
    training.push_back(edge_features(cities[c], DistanceUnit::kMillidegrees));
  const auto deviations = feature_deviations(training);
  const auto predictor_of = [](std::shared_ptr<const Instances> instances) {
    return make_graph_network(kEdgeFeatures, {64, 64, 64}, {64, 64}, std::move(instances));
  };
  std::vector<double> theta(25857);
  std::uint32_t state = 12345;
  for (double& parameter : theta) {
    state = 1664525u * state + 1013904223u;
    parameter = 0.5 * (state / 4294967296.0 - 0.5);
  }
  EXPECT_NEAR(theta.front(), -0.23979866, 1e-8);
  EXPECT_NEAR(theta.back(), -0.19846710, 1e-8);
  const std::vector<Golden> golden = {
      {"city1", {0.212273, 0.146114, 0.950292, 0.890496}, 0.234997, 54.525280},
      {"city2", {1.311624, 1.105623, 1.113559, 1.148756}, 0.252750, 76.278621},
      {"city101", {1.037324, 1.102026, 1.067303, 0.914897}, 0.275487, 66.534032}};
  for (const Golden& expected : golden) {
    const City& city = *std::find_if(cities.begin(), cities.end(),
                                     [&](const City& one) { return one.name == expected.city; });
    const solvers::DistrictGraph graph = city_graph(city, 3);
    std::vector<GraphEdge> edges;
    for (const auto& edge : graph.edge_ends()) edges.push_back({edge.unit, edge.other});
    std::vector<double> features = edge_features(city, DistanceUnit::kMillidegrees);
    for (std::size_t i = 0; i < features.size(); ++i) features[i] /= deviations[i % kEdgeFeatures];
    const Row outputs = predict(*predictor_of(ragged({edges})), theta, tile_of_instance(features, 0));
    for (std::size_t e = 0; e < 4; ++e) EXPECT_NEAR(outputs[e], expected.first[e], 1e-4) << expected.city;
    EXPECT_NEAR(outputs.back(), expected.last, 1e-4) << expected.city;
    EXPECT_NEAR(std::accumulate(outputs.begin(), outputs.end(), 0.0), expected.sum, 1e-3) << expected.city;
  }
}

}  // namespace
}  // namespace polystep
