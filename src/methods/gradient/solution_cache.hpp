// A growing set of decisions that ranking losses compare instead of solving anew.
//
// It starts from the distinct optimal decisions of the training rows. Before an update, with a small
// probability, the whole batch is solved at its predictions and new decisions join.
#pragma once

#include <Eigen/Core>
#include <set>
#include <vector>

#include "methods/gradient/decision_oracle.hpp"
#include "methods/gradient/gradient_learner.hpp"

namespace polystep {

// Whether the cache grows before an update, from a number in [0, 1) per update.
class CacheGrowth {
 public:
  enum class Draw {
    kStreams,  // the engine's own streams
    kTwister,  // numpy.random.seed(seed), then random() once per update: the draws of the published runs
  };
  CacheGrowth(double probability, Draw draw, std::uint64_t seed)
      : probability_(probability), draw_(draw), seed_(seed) {}

  bool before(std::uint64_t update) const { return number(update) < probability_; }
  double number(std::uint64_t update) const;

 private:
  double probability_;
  Draw draw_;
  std::uint64_t seed_;
};

class SolutionCache {
 public:
  SolutionCache(Evaluator& evaluator, const std::string& method, CacheGrowth growth);

  DecisionOracle& oracle() { return oracle_; }
  std::size_t size() const { return order_.size(); }

  // To be called once per update, before values(): fills the cache on first use and lets it grow.
  void update(const Minibatch& batch, LearnerReport& report);

  // Objective values coefficients . decision of all members, [rows × members], for coefficients [rows ×
  // outputs].
  Eigen::MatrixXd values(const Eigen::MatrixXd& coefficients) const {
    return coefficients * members_.transpose();
  }
  const Eigen::MatrixXd& members() const { return members_; }  // [members × outputs], in lexicographic order

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  bool insert(std::span<const double> decision);  // true if it is new
  void rebuild();

  DecisionOracle oracle_;
  CacheGrowth growth_;
  bool filled_ = false;
  std::set<std::vector<float>> order_;  // members told apart in single precision, as the published code does
  Eigen::MatrixXd members_;
};

// Predictions and true parameters of a batch as matrices [rows × outputs].
Eigen::MatrixXd prediction_matrix(const Minibatch& batch);
Eigen::MatrixXd truth_matrix(const Minibatch& batch, const Split& training);

}  // namespace polystep
