// Least squares for perceptrons: as good as can be expected, repeatable, and what training starts from.
#include "methods/starts/network_fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "evaluation/evaluator.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"

namespace polystep {
namespace {

// Truth is 100 + 20 |z_o| in one output and small in the other: no line fits it.
Split bent_rows(std::size_t rows, std::uint64_t seed) {
  Split split;
  split.rows = rows;
  split.feature_columns = split.truth_columns = 2;
  RandomStream random(seed, Purpose::kTest);
  for (std::size_t row = 0; row < rows; ++row) {
    const double a = random.normal(), b = random.normal();
    split.features.insert(split.features.end(), {a, b});
    split.truth.insert(split.truth.end(), {100 + 20 * std::abs(a) + random.normal(), 0.01 * std::abs(b)});
  }
  return split;
}

std::vector<std::size_t> all_of(const Split& split) {
  std::vector<std::size_t> rows(split.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

// Mean squared error of each output.
std::vector<double> errors(const Predictor& predictor, std::span<const double> theta, const Split& split) {
  std::vector<double> sums(predictor.outputs());
  const TiledRows rows(split);
  AlignedDoubles prediction(predictor.outputs() * kLanes);
  for (std::size_t number = 0; number < rows.tiles(); ++number) {
    const Tile& tile = rows.tile(number);
    predictor.predict(theta, tile, prediction.data());
    for (std::size_t o = 0; o < sums.size(); ++o)
      for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
        const double error = prediction[o * kLanes + lane] - tile.truth[o * kLanes + lane];
        sums[o] += error * error / static_cast<double>(split.rows);
      }
  }
  return sums;
}

TEST(NetworkFit, BendsWhereALineCannot) {
  const Split training = bent_rows(400, 1), fresh = bent_rows(400, 2);
  const auto network = make_mlp(2, {16}, 2), line = make_linear(2, 2);
  ASSERT_TRUE(has_network_fit(*network, training));
  EXPECT_FALSE(has_network_fit(*line, training));
  const std::vector<double> theta = network_fit(*network, training, all_of(training), 3);
  const std::vector<double> straight = *least_squares_start(*line, training, all_of(training));
  const auto by_network = errors(*network, theta, fresh), by_line = errors(*line, straight, fresh);
  for (std::size_t o = 0; o < 2; ++o) EXPECT_LT(by_network[o], 0.3 * by_line[o]) << o;
  EXPECT_EQ(network_fit(*network, training, all_of(training), 3), theta);
  EXPECT_NE(network_fit(*network, training, all_of(training), 4), theta);
}

// Fixed units of the outputs are the network's own business.
TEST(NetworkFit, TakesPredictorsInUnits) {
  const Split training = bent_rows(200, 1);
  const auto network = make_scaled(make_mlp(2, {8}, 2), {{110, 0}, {20, 1}});
  const std::vector<double> theta = network_fit(*network, training, all_of(training), 3);
  EXPECT_LT(errors(*network, theta, training)[0], 60);  // the spread is about 150
}

// Items with a feature of their own share one network.
Split shared_rows(std::size_t rows) {
  Split split;
  split.rows = rows;
  split.feature_columns = split.truth_columns = 4;
  RandomStream random(1, Purpose::kTest);
  for (std::size_t i = 0; i < 4 * rows; ++i) {
    split.features.push_back(random.normal());
    split.truth.push_back(5 + std::abs(split.features.back()));
  }
  return split;
}

TEST(NetworkFit, SharesWeightsBetweenOutputs) {
  const Split training = shared_rows(100);
  const auto network = make_shared_mlp(1, {8}, 4);
  ASSERT_TRUE(has_network_fit(*network, training));
  const std::vector<double> theta = network_fit(*network, training, all_of(training), 0);
  for (const double error : errors(*network, theta, training)) EXPECT_LT(error, 0.05);
}

// Orders a quantity before demand is known: too little costs nine times as much as too much.
class Newsvendor final : public Problem {
 public:
  Newsvendor() : Problem(1, 1) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    decision[0] = prediction[0];
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    const double short_of = truth[0] - decision[0];
    return short_of > 0 ? 9 * short_of : -short_of;
  }
};

Task newsvendor(std::unique_ptr<Predictor> predictor) {
  Task task;
  task.setting = "newsvendor";
  task.problem = std::make_unique<Newsvendor>();
  task.predictor = std::move(predictor);
  task.metric = RegretMetric::kAbsolute;
  std::uint64_t seed = 1;
  for (Split* split : {&task.data.training, &task.data.validation, &task.data.test}) {
    *split = bent_rows(200, seed++);
    Split one;
    one.rows = split->rows;
    one.feature_columns = 2;
    one.truth_columns = 1;
    one.features = split->features;
    for (std::size_t row = 0; row < one.rows; ++row) one.truth.push_back(split->truth[2 * row]);
    *split = std::move(one);
  }
  task.data.feature_names = {"a", "b"};
  return task;
}

TrainingResult train_by(const Task& task, const std::string& method,
                        std::vector<std::pair<std::string, std::string>> given = {}) {
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options, method);
  const Options none(OptionTable{});
  for (const auto& [name, value] : entry.presets.front().values({task.problem->facts(), "", none}))
    options.set(name, value, "preset");
  for (const auto& [name, text] : given) options.set_text(name, text, "test");
  return train(task, entry, options, {.seed = 1});
}

// Where training finds nothing better, the fit is what comes back.
TEST(NetworkFit, TrainingNeverEndsWorseThanItsFit) {
  const Task task = newsvendor(make_mlp(2, {16}, 1));
  const TrainingResult fit = train_by(task, "mse");
  const TrainingResult line = train_by(newsvendor(make_linear(2, 1)), "mse");
  EXPECT_LT(fit.test_cost, 0.7 * line.test_cost);
  for (const char* method : {"polystepor", "polystepor-output"}) {
    SCOPED_TRACE(method);
    const TrainingResult trained = train_by(task, method, {{"steps", "8"}, {"batch", "50"}});
    EXPECT_LE(trained.validation_cost, 1.05 * fit.validation_cost);
  }
  // Steps that lead nowhere: the start is handed over, and said to be.
  const TrainingResult still =
      train_by(task, "polystepor", {{"steps", "2"}, {"batch", "50"}, {"step-start", "0"}, {"step-end", "0"}});
  EXPECT_TRUE(still.is_start);
  EXPECT_EQ(still.notes.front(), "training was not kept: the result is the start");
}

TEST(NetworkFit, MseWorksForEveryPredictor) {
  for (const bool deep : {false, true}) {
    const Task task =
        newsvendor(make_mlp(2, deep ? std::vector<std::size_t>{8, 8} : std::vector<std::size_t>{8}, 1));
    EXPECT_TRUE(std::isfinite(train_by(task, "mse").test_cost));
  }
}

}  // namespace
}  // namespace polystep
