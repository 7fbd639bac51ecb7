// Network districting: divide a city's units into connected districts of about equal size, so that the tours
// that serve them are short.
//
// What is predicted are weights of the edges of a surrogate, a capacitated spanning tree with the depot as
// its root: a prediction y per edge, and the solver finds the districts whose trees and depot edges have the
// largest sum (weights are -y). A decision marks these edges; what it costs is what the tours of its
// districts cost. Small cities with small districts are solved exactly, others by local search.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "data/cities/city.hpp"
#include "polystep/task.hpp"
#include "problems/districting/district_prices.hpp"
#include "solvers/spanning_tree/tree_district_value.hpp"
#include "solvers/spanning_tree/tree_surrogate.hpp"

namespace polystep {

// One city to divide. The surrogate's programme takes a while to build, and is built when first needed.
class DistrictingInstance {
 public:
  // Of the surrogate's sets; nullptr where there are too many to list.
  using Pricing = std::function<std::unique_ptr<DistrictPrices>(const solvers::ConnectedSets*)>;

  // prior: what one would predict without learning, [edges]. iterations: of the search that takes the place
  // of the exact solver, where it is not 0.
  DistrictingInstance(solvers::DistrictGraph graph, std::vector<double> prior, Pricing pricing,
                      std::size_t iterations = 0)
      : graph_(std::move(graph)),
        prior_(std::move(prior)),
        pricing_(std::move(pricing)),
        iterations_(iterations) {}

  const solvers::DistrictGraph& graph() const { return graph_; }
  bool is_searched() const { return iterations_ > 0; }
  // The districts that a search finds, each with its units ascending. Throws Stopped where it is to stop.
  std::vector<std::vector<std::uint32_t>> search(solvers::TreeDistrictValue& value,
                                                 std::span<const double> weights) const;
  std::span<const double> prior() const { return prior_; }
  const solvers::TreeSurrogate& surrogate() const {
    build();
    return *surrogate_;
  }
  const DistrictPrices& prices() const {
    build();
    return *prices_;
  }

 private:
  void build() const;

  solvers::DistrictGraph graph_;
  std::vector<double> prior_;
  Pricing pricing_;
  std::size_t iterations_;
  mutable std::once_flag built_;
  mutable std::unique_ptr<solvers::TreeSurrogate> surrogate_;
  mutable std::unique_ptr<DistrictPrices> prices_;
};

class DistrictingProblem final : public Problem {
 public:
  using Cities = std::vector<std::unique_ptr<DistrictingInstance>>;

  explicit DistrictingProblem(Cities cities);

  static ProblemFacts stated_facts();
  ProblemFacts facts() const override { return stated_facts(); }

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  void decide_several(std::span<const double> predictions, std::size_t instance, std::span<double> decisions,
                      std::span<SolveStatus> statuses) const override;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override;

  // The cheapest districts by true prices. Of the many trees that span them, the reference has the lightest
  // by the prior; the average is over the trees of random weights, a depot edge of every unit included. Where
  // cities are searched nobody knows the cheapest, and the reference is what the prior leads to.
  SolveStatus reference(std::size_t instance, std::span<const double> truth,
                        std::span<double> decision) const override;
  SolveStatus averaged_reference(std::size_t instance, std::span<const double> truth,
                                 std::span<double> decision) const override;
  void prior(std::size_t instance, std::span<double> prediction) const override;

  std::unique_ptr<TileSolver> make_tile_solver() const override;
  std::string decision_name(std::size_t component) const override;

  const DistrictingInstance& city(std::size_t instance) const { return *cities_.at(instance); }

 private:
  std::vector<std::uint32_t> cheapest(std::size_t instance) const;  // sets
  SolveStatus decide_by_search(std::span<const double> prediction, std::size_t instance,
                               std::span<double> decision) const;

  Cities cities_;
};

// The mean, over independent uniform weights, of which edges within a set of units its lightest spanning tree
// has, and which depot edge is its lightest: added to decision [edges].
void add_average_tree(const solvers::DistrictGraph& graph, std::span<const std::uint32_t> units,
                      std::span<double> decision);

ProblemEntry districting_entry();

}  // namespace polystep
