// What holds for every registered kind of predictor, raw and with its outputs in fixed units.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/instances.hpp"
#include "predictors/tiles.hpp"
#include "runtime/run/model_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

struct Case {
  std::string name;
  PredictorShape shape;
  bool scaled = false;
};
void PrintTo(const Case& setting, std::ostream* out) { *out << setting.name; }

constexpr std::size_t kNodes = 5;
const std::vector<GraphEdge> kEdges = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 0}, {1, 3}};

std::shared_ptr<const Instances> graphs() {
  auto instances = std::make_shared<Instances>(InstanceShape{kEdges.size(), kEdges.size()});
  instances->set_edges({kEdges});
  return instances;
}

PredictorShape small_shape(const PredictorEntry& entry) {
  PredictorShape shape{entry.name, 4, 7};
  if (entry.entry == FeatureEntry::kPairs) shape = {entry.name, 4, 15, entry.lists_layers ? 0u : 6u, 3};
  if (entry.entry == FeatureEntry::kEdges) shape = {entry.name, 4, kEdges.size(), 0, kNodes};
  if (entry.entry == FeatureEntry::kLineGraph) shape = {entry.name, 4, kEdges.size()};
  if (entry.lists_layers) shape.layers = {6, 5};
  if (entry.lists_convolutions) shape.convolutions = {5, 3};
  return shape;
}

// All kinds; those that need no hidden layers also without.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const PredictorEntry& entry : predictor_entries()) {
    std::string name = entry.name;
    std::replace(name.begin(), name.end(), '-', '_');
    for (const bool scaled : {false, true}) {
      const std::string ending = scaled ? "_scaled" : "";
      all.push_back({name + ending, small_shape(entry), scaled});
      if (!entry.lists_layers || entry.least_layers != 0) continue;
      all.push_back({name + "_bare" + ending, small_shape(entry), scaled});
      all.back().shape.layers.clear();
    }
  }
  return all;
}

class EveryKind : public testing::TestWithParam<Case> {
 protected:
  EveryKind() {
    predictor = make_predictor(GetParam().shape, graphs());
    if (GetParam().scaled) {
      OutputScaling units{normals(predictor->outputs(), 7), normals(predictor->outputs(), 8)};
      for (double& deviation : units.deviation) deviation = 0.5 + std::abs(deviation);
      predictor = make_scaled(std::move(predictor), units);
    }
    theta = normals(predictor->parameters(), 1);
    features = normals(predictor->feature_columns() * kLanes, 2);
  }

  // The networks for sparse pairs and for line graphs predict in single precision; nothing else does.
  bool is_single() const { return GetParam().shape.kind == "pair-network" || is_graph_network(); }
  bool is_graph_network() const { return GetParam().shape.kind == "graph-network"; }
  bool is_composed() const {
    const std::set<std::string> special = {"linear", "shared-linear", "pair-network", "graph-network"};
    return special.count(GetParam().shape.kind) == 0;
  }

  std::unique_ptr<Predictor> predictor;
  std::vector<double> theta;
  std::vector<double> features;
};

TEST_P(EveryKind, StatesItsShape) {
  EXPECT_EQ(predictor->shape(), GetParam().shape);
  EXPECT_EQ(predictor->kind(), GetParam().shape.kind);
  EXPECT_EQ(predictor->facts().entry, find_predictor(predictor->kind(), "test").entry);
  EXPECT_EQ(predictor->outputs_of(tile_of(features)), predictor->outputs());
  EXPECT_EQ(predictor->feature_columns() % predictor->row_features(), 0u);
  const RowShape odd{predictor->feature_columns() + 1, 0};
  EXPECT_EQ(predictor->outputs_of(odd, 0), 0u);
}

// graph_network_test.cpp has the graph network's: its kinks are too many for steps as long as single
// precision needs.
TEST_P(EveryKind, PullsGradientsBackLikeFiniteDifferences) {
  if (is_graph_network()) return;
  const std::vector<double> weights = normals(predictor->outputs() * kLanes, 3);
  const auto value = [&](const std::vector<double>& at) {
    const std::vector<double> prediction = predict(*predictor, at, tile_of(features));
    double sum = 0;
    for (std::size_t i = 0; i < prediction.size(); ++i) sum += weights[i] * prediction[i];
    return sum;
  };
  std::vector<double> gradient(theta.size(), 0.25);  // what is there is added to
  predictor->add_gradient(theta, tile_of(features), weights.data(), gradient);
  const double step = is_single() ? 2e-3 : 1e-6, tolerance = is_single() ? 2e-2 : 1e-6;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    std::vector<double> above = theta, below = theta;
    above[p] += step;
    below[p] -= step;
    const double slope = (value(above) - value(below)) / (2 * step);
    EXPECT_NEAR(gradient[p] - 0.25, slope, tolerance * (1 + std::abs(slope))) << p;
  }
}

TEST_P(EveryKind, ACloneIsTheSamePredictor) {
  predictor->start_from(theta);
  const std::unique_ptr<Predictor> copy = predictor->clone();
  EXPECT_EQ(copy->shape(), predictor->shape());
  EXPECT_EQ(copy->initial_parameters(0), theta);
  EXPECT_EQ(copy->output_scaling() != nullptr, GetParam().scaled);
  EXPECT_EQ(copy->staged() != nullptr, predictor->staged() != nullptr);
  EXPECT_EQ(predict(*copy, theta, tile_of(features)), predict(*predictor, theta, tile_of(features)));
}

TEST_P(EveryKind, PredictsOneLaneLikeEight) {
  const std::vector<double> together = predict(*predictor, theta, tile_of(features));
  const std::vector<double> weights = normals(together.size(), 4);
  std::vector<double> gradient(theta.size()), one_by_one(theta.size());
  predictor->add_gradient(theta, tile_of(features), weights.data(), gradient);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<double> own = lane_of(features, lane), own_weights = lane_of(weights, lane);
    const std::vector<double> alone = predict(*predictor, theta, tile_of(own, 1));
    predictor->add_gradient(theta, tile_of(own, 1), own_weights.data(), one_by_one);
    for (std::size_t o = 0; o < alone.size(); ++o) {
      const double expected = together[o * kLanes + lane];
      if (is_composed())
        EXPECT_NEAR(alone[o], expected, 1e-12 * (1 + std::abs(expected)));
      else
        EXPECT_EQ(alone[o], expected);
    }
  }
  for (std::size_t p = 0; p < theta.size(); ++p)
    EXPECT_NEAR(one_by_one[p], gradient[p], 1e-10 * (1 + std::abs(gradient[p])));
}

// Directions of a few parameters and of all, for one tile and for several.
TEST_P(EveryKind, ChangesAlongDirectionsWhereItIsAffine) {
  if (!predictor->affine()) return;  // these go in two stages
  constexpr std::size_t kTiles = 3;
  const std::size_t outputs = predictor->outputs();
  for (const std::size_t width : {kLanes, std::size_t{1}})
    for (const std::uint32_t every : {1u, 3u}) {
      const std::vector<double> many = normals(predictor->feature_columns() * width * kTiles, 5);
      Direction direction;
      std::vector<double> moved = theta;
      for (std::uint32_t p = 0; p < theta.size(); p += every) {
        direction.add(p, 0.1 * (p + 1));
        moved[p] += 0.1 * (p + 1);
      }
      const auto touched = predictor->touched_outputs(direction.parameters(), outputs);
      Tile tile = tile_of(many, width);
      tile.shape.features = predictor->feature_columns();
      std::vector<double> change(kTiles * touched.size() * width);
      predictor->predict_change(direction, touched, kTiles, tile, change.data());
      for (std::size_t t = 0; t < kTiles; ++t, tile.features += predictor->feature_columns() * width) {
        const std::vector<double> before = predict(*predictor, theta, tile);
        const std::vector<double> after = predict(*predictor, moved, tile);
        for (std::size_t k = 0; k < touched.size(); ++k)
          for (std::size_t lane = 0; lane < width; ++lane) {
            const std::size_t at = touched[k] * width + lane;
            EXPECT_NEAR(change[(t * touched.size() + k) * width + lane], after[at] - before[at], 1e-11);
          }
      }
    }
}

// Whatever is not affine goes in two stages, but for the graph network, which is hardly quicker for it.
TEST_P(EveryKind, PredictsInTwoStagesWhatItPredictsInOne) {
  const StagedPredictor* staged = predictor->staged();
  ASSERT_EQ(staged == nullptr, predictor->affine() || is_graph_network());
  if (staged == nullptr) return;
  std::vector<double> rows;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<double> own = lane_of(features, lane);
    rows.insert(rows.end(), own.begin(), own.end());
  }
  const std::vector<double> together = predict(*predictor, theta, tile_of(features));
  AlignedFloats states(kLanes * staged->state_size()), scratch(staged->scratch_size());
  staged->states(theta, rows, states.data());
  std::vector<float> prediction(predictor->outputs());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    staged->predict_from_state(std::span(theta).subspan(staged->head_begin()),
                               states.data() + lane * staged->state_size(), scratch.data(),
                               prediction.data());
    for (std::size_t o = 0; o < prediction.size(); ++o) {
      const double expected = together[o * kLanes + lane];
      EXPECT_NEAR(prediction[o], expected, 2e-5 * (1 + std::abs(expected)));
    }
  }
}

TEST_P(EveryKind, StatesMoveLinearlyAlongDirections) {
  const StagedPredictor* staged = predictor->staged();
  if (staged == nullptr) return;
  const std::vector<double> rows = normals(3 * predictor->feature_columns(), 6);
  for (const std::uint32_t every : {1u, 3u, 40u}) {  // all parameters, many, few
    Direction direction;
    std::vector<double> moved = theta;
    for (std::uint32_t p = 1; p < theta.size(); p += every) {
      const double value = p % 2 == 0 ? 0.5 : -0.25;
      direction.add(p, value);
      moved[p] += value;
    }
    AlignedFloats before(3 * staged->state_size()), after(before.size()), change(before.size());
    staged->states(theta, rows, before.data());
    staged->states(moved, rows, after.data());
    staged->state_changes(direction, rows, change.data());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(before[i] + change[i], after[i], 2e-5) << i;
  }
}

TEST_P(EveryKind, SurvivesAModelFile) {
  TemporaryDirectory directory;
  const std::string path = (directory / "model.bin").string();
  write_model(path, describe_model(*predictor, Dataset{}, theta, 7));
  const SavedModel model = read_model(path);
  EXPECT_EQ(model.predictor, predictor->shape());
  EXPECT_EQ(model.parameters, theta);
  std::unique_ptr<Predictor> again = make_predictor(model.predictor, graphs());
  if (GetParam().scaled) again = make_scaled(std::move(again), model.output_scaling);
  EXPECT_EQ(predict(*again, theta, tile_of(features)), predict(*predictor, theta, tile_of(features)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind, testing::ValuesIn(cases()),
                         [](const auto& info) { return info.param.name; });

TEST(PredictorRegistry, NamesAreDistinctAndFactsAreTrue) {
  std::set<std::string> names;
  for (const PredictorEntry& entry : predictor_entries()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.help.empty());
    const auto predictor = entry.make(small_shape(entry), graphs());
    EXPECT_EQ(predictor->kind(), entry.name);
    EXPECT_EQ(predictor->facts().entry, entry.entry);
    EXPECT_EQ(predictor->shape().layers.empty(), !entry.lists_layers);
  }
  EXPECT_TRUE(dense_predictor(true).lists_layers);
  EXPECT_FALSE(dense_predictor(false).lists_layers);
}

}  // namespace
}  // namespace polystep
