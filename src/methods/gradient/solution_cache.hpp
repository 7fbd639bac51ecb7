// A growing set of decisions that ranking losses compare instead of solving anew.
//
// It starts from the distinct optimal decisions of the training rows. Before an update, with a small
// probability, the whole batch is solved at its predictions and new decisions join.
#pragma once

#include <Eigen/Core>
#include <map>
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

  const DecisionOracle& oracle() const { return oracle_; }
  std::size_t size() const;  // members of all groups

  // Fills the cache with the reference decisions.
  void prepare(Preparation& preparation, SolveCounts& references);

  // To be called once per update, before choices(): lets the cache grow.
  void update(const Minibatch& batch, LearnerReport& report);

  // The members that the given batch rows may choose from, rows of one group together. Rows of a group of
  // which nothing was ever solved are left out.
  struct Choice {
    const Eigen::MatrixXd& members;   // [members × outputs], in lexicographic order
    std::vector<std::size_t> places;  // in the batch, of the rows
  };
  std::vector<Choice> choices(const Minibatch& batch) const;

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  // Instances of one group have the same feasible decisions; where all instances are alike there is one
  // group.
  struct Group {
    std::set<std::vector<float>> order;  // members told apart in single precision, as the published code does
    Eigen::MatrixXd members;             // the same, [members × outputs]
    bool grown = false;                  // since members were last written
  };

  std::size_t group_of(std::size_t row) const;  // of a training row
  void insert(std::size_t group, std::span<const double> decision);
  void rebuild();

  DecisionOracle oracle_;
  CacheGrowth growth_;
  std::map<std::size_t, Group> groups_;
};

}  // namespace polystep
