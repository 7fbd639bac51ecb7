// A growing set of decisions that ranking losses compare instead of solving anew.
//
// It starts from the distinct optimal decisions of the training rows. Before an update, with a small
// probability, the whole batch is solved at its predictions and new decisions join.
#pragma once

#include <Eigen/Core>
#include <set>
#include <vector>

#include "methods/decision_oracle.hpp"
#include "methods/gradient_learner.hpp"

namespace polystep {

class SolutionCache {
 public:
  SolutionCache(Evaluator& evaluator, const std::string& method, double growth, std::uint64_t seed);

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
  double growth_;  // probability of solving a batch
  std::uint64_t seed_;
  bool filled_ = false;
  std::set<std::vector<float>> order_;  // members told apart in single precision, as the published code does
  Eigen::MatrixXd members_;
};

// Predictions and true parameters of a batch as matrices [rows × outputs].
Eigen::MatrixXd prediction_matrix(const Minibatch& batch);
Eigen::MatrixXd truth_matrix(const Minibatch& batch, const Split& training);

}  // namespace polystep
