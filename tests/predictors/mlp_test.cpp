// Multilayer perceptrons: against a plain evaluation, finite differences, and a round trip through a model
// file.
#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "polystep/predictor.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "runtime/run/model_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

std::vector<double> normals(std::size_t count, std::uint64_t index) {
  std::vector<double> values(count);
  RandomStream(4, Purpose::kTest, index).fill_normal(values);
  return values;
}

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
    std::vector<double> prediction(2 * kLanes);
    mlp->predict(theta, features.data(), prediction.data());
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      std::vector<double> own(4);
      for (std::size_t f = 0; f < 4; ++f) own[f] = features[f * kLanes + lane];
      const std::vector<double> expected = plain(widths, theta, own);
      for (std::size_t o = 0; o < 2; ++o) EXPECT_NEAR(prediction[o * kLanes + lane], expected[o], 1e-12);
    }
  }
}

TEST(Mlp, GradientsMatchFiniteDifferences) {
  const auto mlp = make_scaled(make_mlp(3, {5, 4}, 2), {{1, 2}, {3, 0.5}});
  std::vector<double> theta = normals(mlp->parameters(), 1);
  const std::vector<double> features = normals(3 * kLanes, 2), direction = normals(2 * kLanes, 3);
  const auto value = [&] {
    std::vector<double> prediction(2 * kLanes);
    mlp->predict(theta, features.data(), prediction.data());
    double sum = 0;
    for (std::size_t i = 0; i < prediction.size(); ++i) sum += prediction[i] * direction[i];
    return sum;
  };
  std::vector<double> gradient(theta.size(), 0.25);  // what is there is added to
  mlp->add_gradient(theta, features.data(), direction.data(), gradient);
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
  std::vector<double> before(2 * kLanes), after(2 * kLanes);
  mlp->predict(model.parameters, features.data(), before.data());
  model.make_predictor()->predict(model.parameters, features.data(), after.data());
  EXPECT_EQ(before, after);
}

TEST(Mlp, NeedsUnits) {
  const char* sentence =
      "mlp predictor: found no hidden layer or one without units, expected at least one unit in each";
  EXPECT_EQ(input_error([] { make_mlp(3, {}, 2); }), sentence);
  EXPECT_EQ(input_error([] { make_mlp(3, {4, 0}, 2); }), sentence);
}

}  // namespace
}  // namespace polystep
