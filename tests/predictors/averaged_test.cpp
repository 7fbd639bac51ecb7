// An average of predictors: what it predicts by definition, its gradient, and its way through a model file.
#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "polystep/dataset.hpp"
#include "polystep/instances.hpp"
#include "predictors/tiles.hpp"
#include "runtime/run/averaged_model.hpp"
#include "runtime/run/model_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

const std::vector<double> kDeviations = {0.5, 2.0, 3.0};
const std::vector<std::uint8_t> kGroups = {0, 1, 0, 0, 1};
constexpr std::size_t kOutputs = 5, kFeatures = 3;

std::shared_ptr<const Instances> grouped() {
  auto instances = std::make_shared<Instances>(InstanceShape{kOutputs, kOutputs});
  instances->set_output_groups({kGroups});
  return instances;
}

std::unique_ptr<Predictor> average(std::shared_ptr<const Instances> instances) {
  return make_averaged(make_shared_mlp(kFeatures, {4}, kOutputs), kDeviations, std::move(instances));
}

std::vector<double> expected_average(const std::vector<double>& theta, const Tile& tile, bool centred) {
  const auto member = make_shared_mlp(kFeatures, {4}, kOutputs);
  std::vector<double> mean(kOutputs * tile.width);
  for (std::size_t m = 0; m < kDeviations.size(); ++m) {
    const auto first = theta.begin() + static_cast<std::ptrdiff_t>(m * member->parameters());
    const std::vector<double> own(first, first + static_cast<std::ptrdiff_t>(member->parameters()));
    std::vector<double> outputs = predict(*member, own, tile);
    for (std::size_t lane = 0; centred && lane < tile.width; ++lane)
      for (const std::uint8_t group : {0, 1}) {
        double sum = 0, count = 0;
        for (std::size_t o = 0; o < kOutputs; ++o)
          if (kGroups[o] == group) sum += outputs[o * tile.width + lane], count += 1;
        for (std::size_t o = 0; o < kOutputs; ++o)
          if (kGroups[o] == group) outputs[o * tile.width + lane] -= sum / count;
      }
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += outputs[i] / kDeviations[m] / 3;
  }
  return mean;
}

TEST(Averaged, PredictsByDefinition) {
  for (const bool centred : {true, false})
    for (const std::size_t width : {kLanes, std::size_t{1}}) {
      const auto predictor =
          average(centred ? grouped() : std::make_shared<const Instances>(InstanceShape{kOutputs, kOutputs}));
      const std::vector<double> theta = normals(predictor->parameters(), 1);
      const std::vector<double> features = normals(kOutputs * kFeatures * width, 2);
      const Tile tile = tile_of(features, width);
      const std::vector<double> found = predict(*predictor, theta, tile);
      const std::vector<double> expected = expected_average(theta, tile, centred);
      ASSERT_EQ(found.size(), expected.size());
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
      const auto copy = predictor->clone();
      EXPECT_EQ(predict(*copy, theta, tile), found);
      EXPECT_FALSE(predictor->affine());
    }
}

TEST(Averaged, PullsGradientsBackLikeFiniteDifferences) {
  const auto predictor = average(grouped());
  const std::vector<double> theta = normals(predictor->parameters(), 1);
  const std::vector<double> features = normals(kOutputs * kFeatures, 2), weights = normals(kOutputs, 3);
  const auto value = [&](const std::vector<double>& at) {
    const std::vector<double> prediction = predict(*predictor, at, tile_of(features, 1));
    double sum = 0;
    for (std::size_t i = 0; i < prediction.size(); ++i) sum += weights[i] * prediction[i];
    return sum;
  };
  std::vector<double> gradient(theta.size(), 0.25);
  predictor->add_gradient(theta, tile_of(features, 1), weights.data(), gradient);
  for (std::size_t p = 0; p < theta.size(); ++p) {
    std::vector<double> above = theta, below = theta;
    above[p] += 1e-6;
    below[p] -= 1e-6;
    EXPECT_NEAR(gradient[p] - 0.25, (value(above) - value(below)) / 2e-6, 1e-6) << p;
  }
}

struct NoProblem final : Problem {
  using Problem::Problem;
  SolveStatus decide(std::span<const double>, std::size_t, std::span<double>) const override {
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double>, std::span<const double>, std::size_t) const override { return 0; }
};

Task small_task() {
  Task task;
  task.problem = std::make_unique<NoProblem>(grouped());
  task.predictor = make_shared_mlp(kFeatures, {4}, kOutputs);
  task.data.training = {6, kOutputs * kFeatures, 0, normals(6 * kOutputs * kFeatures, 4), {}, {}};
  return task;
}

TEST(Averaged, ModelsOfSeveralRunsBecomeOneFile) {
  const Task task = small_task();
  std::vector<SavedModel> members;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    std::vector<double> theta = task.predictor->initial_parameters(seed);
    for (double& parameter : theta) parameter *= static_cast<double>(1 + 10 * seed);
    members.push_back(describe_model(*task.predictor, task.data, theta, 7));
  }
  const SavedModel model = average_models(task, members);
  TemporaryDirectory directory;
  const std::string path = (directory / "model.bin").string();
  write_model(path, model);
  const SavedModel again = read_model(path);
  EXPECT_EQ(again.member_deviations, model.member_deviations);
  EXPECT_EQ(again.parameters, model.parameters);
  const auto predictor = again.make_predictor(task.problem->instances());
  // Every member has outputs of deviation 1 by itself, however large its own are.
  for (std::size_t m = 0; m < 3; ++m) {
    const auto one = make_averaged(task.predictor->clone(), {again.member_deviations[m]}, grouped());
    double squares = 0;
    const TiledRows rows(task.data.training);
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const std::vector<double> outputs = predict(*one, members[m].parameters, rows.tile(number));
      for (std::size_t o = 0; o < kOutputs; ++o)
        for (std::size_t lane = 0; lane < rows.tile(number).lanes; ++lane)
          squares += outputs[o * kLanes + lane] * outputs[o * kLanes + lane];
    }
    EXPECT_NEAR(squares / (6 * kOutputs), 1, 1e-12);
  }
  const std::vector<double> features = normals(kOutputs * kFeatures, 2);
  EXPECT_EQ(predict(*predictor, again.parameters, tile_of(features, 1)).size(), kOutputs);
  // And what comes out describes itself the same way.
  const SavedModel third = describe_model(*predictor, task.data, again.parameters, again.failure_cost);
  EXPECT_EQ(third.member_deviations, model.member_deviations);
  EXPECT_EQ(third.predictor, model.predictor);
}

TEST(Averaged, RefusesWhatMakesNoSense) {
  const auto refusal = [](std::vector<double> deviations) {
    return input_error([&] { make_averaged(make_shared_linear(2, 3), std::move(deviations), nullptr); });
  };
  EXPECT_EQ(refusal({}), "average of predictors: found no deviations, expected one per member");
  EXPECT_EQ(refusal({1, 0}), "average of predictors: found deviation 0, expected a finite number above 0");
  EXPECT_NE(input_error([&] {
              make_averaged(make_scaled(make_shared_linear(2, 3), {{1}, {2}}), {1.0}, nullptr);
            }).find("outputs in units of their own"),
            std::string::npos);
  Instances instances(InstanceShape{3, 3});
  EXPECT_NE(input_error([&] {
              instances.set_output_groups({{0, 1}});
            }).find("expected 3, all of them"),
            std::string::npos);
  const Task task = small_task();
  SavedModel other = describe_model(*make_shared_mlp(kFeatures, {5}, kOutputs), task.data, {}, 1);
  EXPECT_NE(input_error([&] {
              average_models(task, {&other, 1});
            }).find("model 1 is a shared-mlp"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
