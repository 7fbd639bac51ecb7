// Every gradient baseline against central differences of its loss, written plainly and evaluated by
// enumeration.
//
// The problem is to pick two of five things, so that all ten decisions can be listed. The gradient that a
// learner used is read from its checkpoint: after one update, Adam's first moment is a tenth of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "evaluation/evaluator.hpp"
#include "methods/gradient/solution_cache.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"

namespace polystep {
namespace {

constexpr std::size_t kThings = 5, kFeatures = 3, kRows = 12;
constexpr std::uint64_t kSeed = 3;
using Vector = std::vector<double>;

const std::vector<Vector>& all_picks() {
  static const std::vector<Vector> picks = [] {
    std::vector<Vector> all;
    for (std::size_t a = 0; a < kThings; ++a)
      for (std::size_t b = a + 1; b < kThings; ++b) {
        all.emplace_back(kThings, 0.0);
        all.back()[a] = all.back()[b] = 1.0;
      }
    return all;
  }();
  return picks;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

Vector best_pick(std::span<const double> value, double sense) {
  return *std::min_element(all_picks().begin(), all_picks().end(), [&](const Vector& a, const Vector& b) {
    return sense * dot(a, value) < sense * dot(b, value);
  });
}

class Pick final : public Problem {
 public:
  explicit Pick(Sense sense) : Problem(kThings, kThings), sense_(sense) {}
  SolveStatus decide(std::span<const double> value, std::size_t, std::span<double> decision) const override {
    std::ranges::copy(best_pick(value, static_cast<int>(sense_)), decision.begin());
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    return static_cast<int>(sense_) * dot(decision, truth);
  }
  ProblemFacts facts() const override { return linear_facts(sense_); }

 private:
  Sense sense_;
};

Task make_task(Sense sense) {
  Task task;
  task.problem = std::make_unique<Pick>(sense);
  task.predictor = make_linear(kFeatures, kThings);
  Split& training = task.data.training;
  training = {kRows, kFeatures, kThings, Vector(kRows * kFeatures), Vector(kRows * kThings), {}};
  RandomStream random(1, Purpose::kTest);
  random.fill_normal(training.features);
  for (double& value : training.truth) value = 2 + random.normal();
  return task;
}

// One row as a loss sees it.
struct Row {
  std::size_t number;
  Vector truth;       // y
  Vector prediction;  // p
  double sense;       // m

  double least(const Vector& value) const { return dot(best_pick(value, sense), value); }
  double optimal_at_truth() const { return dot(best_pick(truth, sense), prediction); }  // x*(y) . p
  Vector moved(double prediction_scale, double truth_scale, const std::function<double()>& noise) const {
    Vector value(kThings);
    for (std::size_t o = 0; o < kThings; ++o)
      value[o] = prediction_scale * prediction[o] + truth_scale * truth[o] + noise();
    return value;
  }
};

using Cache = std::set<Vector>;  // distinct optimal decisions of all rows
using RowLoss = std::function<double(const Row&, const Cache&)>;

double no_noise() { return 0.0; }

double squared_error(const Row& row, const Cache&) {
  double sum = 0;
  for (std::size_t o = 0; o < kThings; ++o) sum += std::pow(row.prediction[o] - row.truth[o], 2);
  return sum / (kRows * kThings);
}

double spo_plus(const Row& row, const Cache&) {
  return row.sense * (row.optimal_at_truth() - row.least(row.moved(2, -1, no_noise)) / 2);
}

constexpr double kLambda = 30, kBeta = 25, kNoiseScale = 0.7, kSigma = 0.8, kTau = 0.6, kMargin = 1.5;

double black_box(const Row& row, const Cache&) {
  return row.sense * (row.least(row.moved(1, kLambda / kRows, no_noise)) - row.least(row.prediction)) /
         kLambda;
}

double implicit_likelihood(const Row& row, const Cache&) {
  const auto value = [&](double truth_scale) {
    RandomStream random(kSeed, Purpose::kPerturbation, 0, row.number);
    return row.least(row.moved(1, truth_scale, [&] { return -row.sense * kNoiseScale * random.gamma(0.2); }));
  };
  return row.sense * (value(kBeta / kRows) - value(0));
}

double fenchel_young(const Row& row, const Cache&) {
  RandomStream random(kSeed, Purpose::kPerturbation, 0, row.number);
  const double perturbed = row.least(row.moved(1, 0, [&] { return kSigma * random.gumbel(); }));
  return row.sense * (row.optimal_at_truth() - perturbed) / kRows;
}

double log_share(const Row& row, const Cache& cache, const Vector& value, const Vector& member) {
  double total = 0;
  for (const Vector& other : cache)
    total += std::exp(-row.sense * (dot(other, value) - dot(member, value)) / kTau);
  return -std::log(total);
}

double listwise(const Row& row, const Cache& cache) {
  double sum = 0;
  for (const Vector& member : cache)
    sum += std::exp(log_share(row, cache, row.truth, member)) * log_share(row, cache, row.prediction, member);
  return -sum / static_cast<double>(cache.size()) / kRows;
}

// The mean over members other than the best of f(best, member): every member is held against all others to
// find the best and to keep the first of those with one value.
double over_pairs(const Row& row, const Cache& cache,
                  const std::function<double(const Vector&, const Vector&)>& f) {
  const auto value = [&](const Vector& member) { return static_cast<float>(dot(member, row.truth)); };
  double sum = 0;
  int pairs = 0;
  for (auto best = cache.begin(); best != cache.end(); ++best) {
    const bool is_best = std::all_of(cache.begin(), cache.end(), [&](const Vector& other) {
      return row.sense * dot(*best, row.truth) <= row.sense * dot(other, row.truth);
    });
    if (!is_best) continue;
    for (auto member = cache.begin(); member != cache.end(); ++member) {
      bool is_first = value(*member) != value(*best);
      for (auto earlier = cache.begin(); earlier != member; ++earlier)
        is_first &= value(*earlier) != value(*member);
      if (!is_first) continue;
      sum += f(*best, *member);
      ++pairs;
    }
    break;
  }
  return sum / std::max(1, pairs) / kRows;
}

double pairwise(const Row& row, const Cache& cache) {
  return over_pairs(row, cache, [&](const Vector& best, const Vector& member) {
    return std::max(0.0, kMargin + row.sense * (dot(best, row.prediction) - dot(member, row.prediction)));
  });
}

double pairwise_difference(const Row& row, const Cache& cache) {
  return over_pairs(row, cache, [&](const Vector& best, const Vector& member) {
    const double predicted = dot(best, row.prediction) - dot(member, row.prediction);
    return std::pow(predicted - (dot(best, row.truth) - dot(member, row.truth)), 2);
  });
}

double maximum_a_posteriori(const Row& row, const Cache& cache) {
  const Vector optimal = best_pick(row.truth, row.sense);
  double highest = -INFINITY;
  for (const Vector& member : cache) {
    double value = 0;
    for (std::size_t o = 0; o < kThings; ++o)
      value += row.sense * (optimal[o] - member[o]) * (row.prediction[o] - row.truth[o]);
    highest = std::max(highest, value);
  }
  return highest / kRows;
}

struct Baseline {
  const char* method;
  RowLoss loss;
  std::map<std::string, std::string> options;
};

const std::vector<Baseline>& baselines() {
  static const std::vector<Baseline> all = {
      {"mse", squared_error, {{"fit", "adam"}}},
      {"spo+", spo_plus, {}},
      {"dbb", black_box, {{"lambda", "30"}}},
      {"imle", implicit_likelihood, {{"beta", "25"}, {"noise-scale", "0.7"}}},
      {"fenchel-young", fenchel_young, {{"sigma", "0.8"}}},
      {"listwise", listwise, {{"tau", "0.6"}, {"growth", "0"}}},
      {"pairwise", pairwise, {{"margin", "1.5"}, {"growth", "0"}}},
      {"pairwise-diff", pairwise_difference, {{"growth", "0"}}},
      {"map", maximum_a_posteriori, {{"growth", "0"}}},
  };
  return all;
}

// The batch loss of all training rows at parameters theta: weights [things × features], then biases [things].
double batch_loss(const Task& task, const RowLoss& loss, const Vector& theta) {
  const double sense = static_cast<int>(*task.problem->facts().linear_objective());
  Cache cache;
  for (std::size_t row = 0; row < kRows; ++row)
    cache.insert(best_pick(task.data.training.truth_row(row), sense));
  double sum = 0;
  for (std::size_t number = 0; number < kRows; ++number) {
    const auto truth = task.data.training.truth_row(number),
               features = task.data.training.feature_row(number);
    Row row{number, Vector(truth.begin(), truth.end()), Vector(kThings), sense};
    for (std::size_t o = 0; o < kThings; ++o)
      row.prediction[o] =
          theta[kThings * kFeatures + o] + dot(std::span(theta).subspan(o * kFeatures, kFeatures), features);
    sum += loss(row, cache);
  }
  return sum;
}

struct Update {
  Vector before;    // parameters
  Vector gradient;  // used by the update
};

Update first_update(const Task& task, const Baseline& baseline) {
  const MethodEntry& method = find_method(baseline.method, "test");
  Options options(method.options, method.name);
  options.set_text("batch", std::to_string(kRows), "test");
  for (const auto& [key, value] : baseline.options) options.set_text(key, value, "test");
  ThreadTeam team(1);
  Evaluator evaluator(task, team);
  const auto learner = make_prepared(method, {evaluator, options, kSeed});
  Update update;
  update.before.assign(learner->parameters().begin(), learner->parameters().end());
  learner->step();
  ArchiveWriter writer;
  learner->save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  EXPECT_EQ(reader.get<std::uint64_t>(), 1u);  // updates
  reader.get_doubles();                        // parameters
  EXPECT_EQ(reader.get<std::uint64_t>(), 1u);  // Adam's steps
  update.gradient = reader.get_doubles();
  for (double& moment : update.gradient) moment /= 1 - 0.9;
  return update;
}

TEST(Gradients, OfEveryBaselineMatchDifferencesOfItsLoss) {
  constexpr double kStep = 1e-6;
  for (const Sense sense : {Sense::kMinimise, Sense::kMaximise}) {
    const Task task = make_task(sense);
    for (const Baseline& baseline : baselines()) {
      const Update update = first_update(task, baseline);
      double largest = 0;
      for (std::size_t k = 0; k < update.before.size(); ++k) {
        Vector above = update.before, below = update.before;
        above[k] += kStep;
        below[k] -= kStep;
        const double difference =
            (batch_loss(task, baseline.loss, above) - batch_loss(task, baseline.loss, below)) / (2 * kStep);
        EXPECT_NEAR(update.gradient[k], difference, 1e-6 * (1 + std::abs(difference)))
            << baseline.method << ", sense " << static_cast<int>(sense) << ", parameter " << k;
        largest = std::max(largest, std::abs(difference));
      }
      EXPECT_GT(largest, 1e-3) << baseline.method;  // or the comparison would show nothing
    }
  }
}

// numpy.random.seed(seed), then numpy.random.random().
TEST(CacheGrowth, DrawsTheNumbersOfThePublishedRuns) {
  const CacheGrowth zero(0.55, CacheGrowth::Draw::kTwister, 0), one(0.55, CacheGrowth::Draw::kTwister, 42);
  EXPECT_EQ(zero.number(0), 0.5488135039273248);
  EXPECT_EQ(zero.number(1), 0.7151893663724195);
  EXPECT_EQ(zero.number(2), 0.6027633760716439);
  EXPECT_EQ(one.number(0), 0.3745401188473625);
  EXPECT_TRUE(zero.before(0));
  EXPECT_FALSE(zero.before(1));
}

}  // namespace
}  // namespace polystep
