// Diverse bipartite matching: pair articles that cite one another, with enough pairs of one field and enough
// across fields. Whether a pair is joined by a citation is predicted from the words of both articles.
//
// The decision is one number per pair, 50 i + j for left article i and right article j: 0 or 1, or in between
// where the linear relaxation is solved. Which pairs share a field is known, and differs by instance.
#pragma once

#include <vector>

#include "polystep/task.hpp"
#include "solvers/matching/diverse_matching.hpp"

namespace polystep {

enum class MatchingModel { kIntegral, kRelaxed };

class Matching final : public Problem {
 public:
  // One solver per instance of the data set, all of the same size.
  Matching(std::vector<solvers::DiverseMatching> instances, MatchingModel model);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return stated_facts(model_); }
  static ProblemFacts stated_facts(MatchingModel model) {
    ProblemFacts facts = linear_facts(Sense::kMaximise);
    facts.binary_decisions = model == MatchingModel::kIntegral;
    return facts;
  }
  std::string decision_name(std::size_t component) const override;

 private:
  std::vector<solvers::DiverseMatching> instances_;
  MatchingModel model_;
};

ProblemEntry matching_entry();

}  // namespace polystep
