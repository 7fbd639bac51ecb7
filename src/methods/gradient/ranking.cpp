#include "methods/gradient/ranking.hpp"

#include <cmath>
#include <unordered_set>

#include "methods/gradient/baseline_entry.hpp"
#include "methods/gradient/solution_cache.hpp"

namespace polystep {
namespace {

// One row's view of the cache: objective values of all members under truth and prediction.
struct Ranking {
  Eigen::VectorXd truth;       // t [members]
  Eigen::VectorXd prediction;  // q [members]
  double sense;                // m
};

CacheGrowth growth_of(const LearnerContext& context) {
  const bool twister = context.options.text("growth-draws") == "twister";
  return {context.options.number("growth"),
          twister ? CacheGrowth::Draw::kTwister : CacheGrowth::Draw::kStreams, context.seed};
}

// Turns the derivative with respect to each member's q into the gradient of the predictions.
class RankingLoss : public BatchLoss {
 public:
  RankingLoss(const LearnerContext& context, const std::string& method)
      : cache_(context.evaluator, method, growth_of(context)),
        extra_division_(context.options.flag("extra-division")) {}

  void prepare(Preparation& preparation, SolveCounts& references) override {
    cache_.prepare(preparation, references);
  }

  void gradient(const Minibatch& batch, std::span<double> gradient, LearnerReport& report) override {
    cache_.update(batch, report);
    for (const SolutionCache::Choice& choice : cache_.choices(batch)) rank(batch, choice, gradient);
    report.figures.emplace_back("cached_decisions", static_cast<double>(cache_.size()));
  }

  void save(ArchiveWriter& archive) const override { cache_.save(archive); }
  void load(ArchiveReader& archive) override { cache_.load(archive); }

 protected:
  // Derivative of the row's loss with respect to q, [members].
  virtual Eigen::VectorXd slope(const Ranking& ranking) const = 0;

 private:
  // The rows of one group, all at once.
  void rank(const Minibatch& batch, const SolutionCache::Choice& choice, std::span<double> gradient) const {
    const auto rows = static_cast<Eigen::Index>(choice.places.size());
    const Eigen::Index outputs = choice.members.cols();
    Eigen::MatrixXd predicted(rows, outputs), actual(rows, outputs);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const std::size_t place = choice.places[static_cast<std::size_t>(i)];
      const std::span<const double> truth = batch.training.truth_row(batch.rows[place]);
      for (Eigen::Index o = 0; o < outputs; ++o) {
        predicted(i, o) = batch.prediction(place)[static_cast<std::size_t>(o)];
        actual(i, o) = truth[static_cast<std::size_t>(o)];
      }
    }
    // Objective values of all members, [rows × members].
    const Eigen::MatrixXd prediction = predicted * choice.members.transpose();
    const Eigen::MatrixXd truth = actual * choice.members.transpose();
    Eigen::MatrixXd slopes(prediction.rows(), prediction.cols());
    for (Eigen::Index i = 0; i < rows; ++i)
      slopes.row(i) = slope({truth.row(i), prediction.row(i), cache_.oracle().sense()});
    double divisor = static_cast<double>(batch.rows.size());
    if (extra_division_) divisor *= divisor;
    const Eigen::MatrixXd result = slopes * choice.members / divisor;
    for (Eigen::Index i = 0; i < rows; ++i) {
      const std::span<double> row = batch.layout.row(gradient, choice.places[static_cast<std::size_t>(i)]);
      for (Eigen::Index o = 0; o < outputs; ++o) row[static_cast<std::size_t>(o)] = result(i, o);
    }
  }

  SolutionCache cache_;
  bool extra_division_;
};

Eigen::VectorXd softmax(const Eigen::VectorXd& scores) {
  const Eigen::VectorXd exponentials = (scores.array() - scores.maxCoeff()).exp();
  return exponentials / exponentials.sum();
}

class Listwise final : public RankingLoss {
 public:
  explicit Listwise(const LearnerContext& context)
      : RankingLoss(context, "listwise"), tau_(context.options.number("tau")) {}

 private:
  Eigen::VectorXd slope(const Ranking& ranking) const override {
    const double scale = -ranking.sense / tau_;
    const Eigen::VectorXd target = softmax(scale * ranking.truth);
    const Eigen::VectorXd current = softmax(scale * ranking.prediction);
    return scale * (current - target) / static_cast<double>(target.size());
  }

  double tau_;
};

// The members a pairwise loss compares: the best one, and the first of each other distinct value of t.
struct Pairs {
  Eigen::Index best = 0;
  std::vector<Eigen::Index> others;
};

Pairs distinct_pairs(const Ranking& ranking) {
  Pairs pairs;
  std::unordered_set<float> seen;
  std::vector<Eigen::Index> kept;
  for (Eigen::Index s = 0; s < ranking.truth.size(); ++s) {
    if (ranking.sense * ranking.truth[s] < ranking.sense * ranking.truth[pairs.best]) pairs.best = s;
    if (seen.insert(static_cast<float>(ranking.truth[s])).second) kept.push_back(s);
  }
  for (const Eigen::Index s : kept)
    if (static_cast<float>(ranking.truth[s]) != static_cast<float>(ranking.truth[pairs.best]))
      pairs.others.push_back(s);
  return pairs;
}

class Pairwise final : public RankingLoss {
 public:
  explicit Pairwise(const LearnerContext& context)
      : RankingLoss(context, "pairwise"), margin_(context.options.number("margin")) {}

 private:
  Eigen::VectorXd slope(const Ranking& ranking) const override {
    const Pairs pairs = distinct_pairs(ranking);
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(ranking.truth.size());
    const double share = ranking.sense / static_cast<double>(std::max<std::size_t>(1, pairs.others.size()));
    for (const Eigen::Index s : pairs.others) {
      const double violation =
          margin_ + ranking.sense * (ranking.prediction[pairs.best] - ranking.prediction[s]);
      if (violation <= 0) continue;
      slopes[pairs.best] += share;
      slopes[s] -= share;
    }
    return slopes;
  }

  double margin_;
};

class PairwiseDifference final : public RankingLoss {
 public:
  explicit PairwiseDifference(const LearnerContext& context) : RankingLoss(context, "pairwise-diff") {}

 private:
  Eigen::VectorXd slope(const Ranking& ranking) const override {
    const Pairs pairs = distinct_pairs(ranking);
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(ranking.truth.size());
    for (const Eigen::Index s : pairs.others) {
      const double error = (ranking.prediction[pairs.best] - ranking.prediction[s]) -
                           (ranking.truth[pairs.best] - ranking.truth[s]);
      const double share = 2 * error / static_cast<double>(pairs.others.size());
      slopes[pairs.best] += share;
      slopes[s] -= share;
    }
    return slopes;
  }
};

class MaximumAPosteriori final : public RankingLoss {
 public:
  explicit MaximumAPosteriori(const LearnerContext& context) : RankingLoss(context, "map") {}

 private:
  // x*(y) is a member with the lowest m t; of m (x* - s) . (p - y) only the part with s decides the maximum.
  Eigen::VectorXd slope(const Ranking& ranking) const override {
    Eigen::Index best = 0, rival = 0;
    double highest = -std::numeric_limits<double>::infinity();
    for (Eigen::Index s = 0; s < ranking.truth.size(); ++s) {
      if (ranking.sense * ranking.truth[s] < ranking.sense * ranking.truth[best]) best = s;
      const double value = -ranking.sense * (ranking.prediction[s] - ranking.truth[s]);
      if (value > highest) {
        highest = value;
        rival = s;
      }
    }
    Eigen::VectorXd slopes = Eigen::VectorXd::Zero(ranking.truth.size());
    slopes[best] += ranking.sense;
    slopes[rival] -= ranking.sense;
    return slopes;
  }
};

// The options of the cache, and the published runs' extra division.
template <class Loss>
MethodEntry ranking_entry(const std::string& name, const std::string& help) {
  MethodEntry entry = baseline_entry<Loss>(name, help);
  entry.options.number("growth", 0.05, 0.0, 1.0, "probability of solving a batch to enlarge the cache")
      .choice("growth-draws", "streams", {"streams", "twister"},
              "generator that decides when the cache grows; twister: the draws of the published runs")
      .flag("extra-division", false, "divide the batch loss once more by the batch size");
  const auto published = [name](const PresetContext& context) {
    OptionValues values = published_values(name, context);
    values.emplace_back("extra-division", published_protocol(context).extra_division);
    values.emplace_back("growth-draws", std::string("twister"));
    return values;
  };
  entry.presets.front().values = published;
  entry.presets.back() = helped_preset(published);
  return entry;
}

}  // namespace

MethodEntry listwise_method() {
  MethodEntry entry =
      ranking_entry<Listwise>("listwise", "ranks cached decisions as the truth does, all at once");
  entry.options.number("tau", 1.0, 1e-9, 1e9, "temperature of the ranking");
  return entry;
}

MethodEntry pairwise_method() {
  MethodEntry entry =
      ranking_entry<Pairwise>("pairwise", "ranks the best cached decision before each other one");
  entry.options.number("margin", 1.0, 0.0, 1e9, "by which the best decision should lead");
  return entry;
}

MethodEntry pairwise_diff_method() {
  return ranking_entry<PairwiseDifference>("pairwise-diff",
                                           "matches the cost differences of cached decisions");
}

MethodEntry map_method() {
  return ranking_entry<MaximumAPosteriori>("map",
                                           "contrasts the optimal decision with the worst cached rival");
}

}  // namespace polystep
