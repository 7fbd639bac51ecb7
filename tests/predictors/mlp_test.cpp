// Multilayer perceptrons: against a plain evaluation, finite differences, and a round trip through a model
// file.
#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/tile.hpp"
#include "predictors/tiles.hpp"
#include "runtime/run/model_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// One instance at a time, straight from the definition.
std::vector<double> plain(const std::vector<std::size_t>& widths, const std::vector<double>& theta,
                          std::vector<double> inputs) {
  std::size_t at = 0;
  for (std::size_t layer = 1; layer < widths.size(); ++layer) {
    std::vector<double> units(widths[layer]);
    const std::size_t bias = at + widths[layer] * widths[layer - 1];
    for (std::size_t u = 0; u < units.size(); ++u) {
      units[u] = theta[bias + u];
      for (std::size_t i = 0; i < inputs.size(); ++i)
        units[u] += theta[at + u * inputs.size() + i] * inputs[i];
      if (layer + 1 < widths.size()) units[u] = std::max(units[u], 0.0);
    }
    at = bias + units.size();
    inputs = units;
  }
  return inputs;
}

TEST(Mlp, PredictsAsDefined) {
  for (const std::vector<std::size_t>& hidden : {std::vector<std::size_t>{6}, {5, 4}, {3, 3, 3}}) {
    const auto mlp = make_mlp(4, hidden, 2);
    std::vector<std::size_t> widths = {4};
    widths.insert(widths.end(), hidden.begin(), hidden.end());
    widths.push_back(2);
    const std::vector<double> theta = normals(mlp->parameters(), hidden.size());
    const std::vector<double> features = normals(4 * kLanes, 9);
    const std::vector<double> prediction = predict(*mlp, theta, tile_of(features));
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const std::vector<double> expected = plain(widths, theta, lane_of(features, lane));
      for (std::size_t o = 0; o < 2; ++o) EXPECT_NEAR(prediction[o * kLanes + lane], expected[o], 1e-12);
    }
  }
}

// Sums are cut into pieces of 240 terms: here are three.
TEST(Mlp, LongSumsAreWhole) {
  const auto mlp = make_mlp(500, {300}, 2);
  const std::vector<double> theta = normals(mlp->parameters(), 5), features = normals(500 * kLanes, 6);
  const std::vector<double> prediction = predict(*mlp, theta, tile_of(features));
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::vector<double> expected = plain({500, 300, 2}, theta, lane_of(features, lane));
    for (std::size_t o = 0; o < 2; ++o) EXPECT_NEAR(prediction[o * kLanes + lane], expected[o], 1e-9);
  }
}

TEST(Mlp, GradientsMatchFiniteDifferences) {
  const auto mlp = make_scaled(make_mlp(3, {5, 4}, 2), {{1, 2}, {3, 0.5}});
  std::vector<double> theta = normals(mlp->parameters(), 1);
  const std::vector<double> features = normals(3 * kLanes, 2), direction = normals(2 * kLanes, 3);
  const auto value = [&] {
    const std::vector<double> prediction = predict(*mlp, theta, tile_of(features));
    double sum = 0;
    for (std::size_t i = 0; i < prediction.size(); ++i) sum += prediction[i] * direction[i];
    return sum;
  };
  std::vector<double> gradient(theta.size(), 0.25);  // what is there is added to
  mlp->add_gradient(theta, tile_of(features), direction.data(), gradient);
  constexpr double kStep = 1e-6;
  for (std::size_t p = 0; p < theta.size(); ++p) {
    const double kept = theta[p];
    theta[p] = kept + kStep;
    const double above = value();
    theta[p] = kept - kStep;
    const double below = value();
    theta[p] = kept;
    EXPECT_NEAR(gradient[p] - 0.25, (above - below) / (2 * kStep), 1e-5) << p;
  }
}

TEST(Mlp, SurvivesAModelFile) {
  TemporaryDirectory directory;
  const auto mlp = make_scaled(make_mlp(3, {5, 4}, 2), {{1, 2}, {3, 0.5}});
  Dataset data;
  data.feature_names = {"a", "b", "c"};
  const std::string path = (directory / "model.bin").string();
  write_model(path, describe_model(*mlp, data, normals(mlp->parameters(), 1), 7));
  const SavedModel model = read_model(path);
  EXPECT_EQ(model.predictor, mlp->shape());
  const std::vector<double> features = normals(3 * kLanes, 2);
  EXPECT_EQ(predict(*mlp, model.parameters, tile_of(features)),
            predict(*model.make_predictor(), model.parameters, tile_of(features)));
}

TEST(Mlp, NeedsUnits) {
  const char* sentence =
      "mlp predictor: found no hidden layer or one without units, expected at least one unit in each";
  EXPECT_EQ(input_error([] { make_mlp(3, {}, 2); }), sentence);
  EXPECT_EQ(input_error([] { make_mlp(3, {4, 0}, 2); }), sentence);
}

}  // namespace
}  // namespace polystep
