#include "problems/districting/districting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "polystep/stop.hpp"
#include "solvers/spanning_tree/district_search.hpp"
#include "solvers/spanning_tree/districting.hpp"

namespace polystep {
namespace {

using solvers::DistrictGraph;
using solvers::TreeSurrogate;

// Sets as their numbers. Costs add up in this order everywhere, so that equal districts cost equal bits.
double price_of(const DistrictingInstance& city, std::span<const std::uint32_t> sets) {
  double total = 0;
  for (const std::uint32_t set : sets) total += city.prices().price(set, city.surrogate().sets().units(set));
  return total;
}

std::uint64_t hash_sets(std::span<const std::uint32_t> sets) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint32_t set : sets) {
    hash = (hash ^ set) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Of a decision as marks, each 0 or 1 up to rounding.
std::uint64_t hash_marks(std::span<const double> decision) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const double marked : decision) {
    hash = (hash ^ (marked > 0.5 ? 1u : 0u)) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Several solves of one city, eight weight vectors at a time.
class SurrogateBatch {
 public:
  explicit SurrogateBatch(const TreeSurrogate& surrogate)
      : surrogate_(surrogate),
        work_(surrogate),
        weights_(surrogate.graph().edges() * kLanes),
        chosen_(kLanes * surrogate.districts()) {}

  // prediction(i): where the i-th begins; then done(i, objective, sets).
  template <class Prediction, class Done>
  void solve(std::size_t count, const Prediction& prediction, const Done& done) {
    const std::size_t edges = surrogate_.graph().edges(), districts = surrogate_.districts();
    for (std::size_t first = 0; first < count; first += kLanes) {
      const std::size_t lanes = std::min(kLanes, count - first);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double* y = prediction(first + std::min(lane, lanes - 1));
        for (std::size_t e = 0; e < edges; ++e) weights_[e * kLanes + lane] = -y[e];
      }
      surrogate_.solve_tile(weights_.data(), work_, objective_.data(), chosen_.data());
      for (std::size_t lane = 0; lane < lanes; ++lane)
        done(first + lane, objective_[lane],
             std::span<const std::uint32_t>(chosen_).subspan(lane * districts, districts));
    }
  }

 private:
  const TreeSurrogate& surrogate_;
  TreeSurrogate::Workspace work_;
  AlignedDoubles weights_;                  // [edges × kLanes]
  std::vector<std::uint32_t> chosen_;       // [kLanes × districts]
  std::array<double, kLanes> objective_{};  // not finite: failed
};

// Jobs of one city go together, so that probes of it share the sweep of the programme.
class DistrictingTileSolver final : public TileSolver {
 public:
  explicit DistrictingTileSolver(const DistrictingProblem& problem, std::size_t cities)
      : problem_(problem), batches_(cities) {}

  bool takes_any_width() const override { return true; }
  std::size_t jobs_at_once() const override { return 8 * kLanes; }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    const TileJob job{tile, prediction, &outcome};
    solve_all(std::span(&job, 1));
  }

  void solve_all(std::span<const TileJob> jobs) override {
    order_.resize(jobs.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return jobs[i].tile.instance[0]; });
    for (std::size_t first = 0; first < order_.size();) {
      const std::size_t instance = jobs[order_[first]].tile.instance[0];
      std::size_t last = first;
      while (last < order_.size() && jobs[order_[last]].tile.instance[0] == instance) ++last;
      solve_city(jobs, std::span(order_).subspan(first, last - first), instance);
      first = last;
    }
  }

 private:
  void solve_city(std::span<const TileJob> jobs, std::span<const std::size_t> which, std::size_t instance) {
    const DistrictingInstance& city = problem_.city(instance);
    if (city.is_searched()) {
      decision_.resize(city.graph().edges());
      for (const std::size_t job : which) {
        TileOutcome& outcome = *jobs[job].outcome;
        const SolveStatus status =
            problem_.decide({jobs[job].prediction, city.graph().edges()}, instance, decision_);
        outcome.cost[0] = status == SolveStatus::kSolved ? problem_.cost(decision_, {}, instance) : INFINITY;
        outcome.failed = std::isfinite(outcome.cost[0]) ? 0 : 1;
        outcome.infeasible = outcome.changed = 0;
        if (outcome.failed) outcome.cost[0] = 0;
        outcome.signature[0] = outcome.failed ? 0 : hash_marks(decision_);
      }
      return;
    }
    if (!batches_[instance]) batches_[instance].emplace(city.surrogate());
    batches_[instance]->solve(
        which.size(), [&](std::size_t i) { return jobs[which[i]].prediction; },
        [&](std::size_t i, double objective, std::span<const std::uint32_t> sets) {
          TileOutcome& outcome = *jobs[which[i]].outcome;
          outcome.failed = std::isfinite(objective) ? 0 : 1;
          outcome.infeasible = outcome.changed = 0;
          outcome.cost[0] = outcome.failed ? 0 : price_of(city, sets);
          outcome.signature[0] = outcome.failed ? 0 : hash_sets(sets);
        });
  }

  const DistrictingProblem& problem_;
  std::vector<std::optional<SurrogateBatch>> batches_;  // [cities], made when first needed
  std::vector<std::size_t> order_;
  std::vector<double> decision_;
};

std::shared_ptr<const Instances> describe(const DistrictingProblem::Cities& cities) {
  std::vector<InstanceShape> shapes;
  std::vector<std::vector<GraphEdge>> edges;
  std::vector<std::vector<std::uint8_t>> kinds;  // unit edges, depot edges
  for (const auto& city : cities) {
    const DistrictGraph& graph = city->graph();
    shapes.push_back({.outputs = graph.edges(), .decision = graph.edges()});
    std::vector<GraphEdge>& ends = edges.emplace_back();
    std::vector<std::uint8_t>& kind = kinds.emplace_back();
    for (std::size_t e = 0; e < graph.edges(); ++e) {
      ends.push_back({graph.edge_ends()[e].unit, graph.edge_ends()[e].other});
      kind.push_back(graph.is_depot_edge(e));
    }
  }
  auto instances = std::make_shared<Instances>(std::move(shapes));
  instances->set_edges(std::move(edges));
  instances->set_output_groups(std::move(kinds));
  return instances;
}

}  // namespace

void DistrictingInstance::build() const {
  std::call_once(built_, [&] {
    if (!is_searched()) surrogate_ = std::make_unique<TreeSurrogate>(graph_);
    prices_ = pricing_(surrogate_ ? &surrogate_->sets() : nullptr);
  });
}

std::vector<std::vector<std::uint32_t>> DistrictingInstance::search(solvers::TreeDistrictValue& value,
                                                                    std::span<const double> weights) const {
  const solvers::DistrictSearchResult found =
      search_districts(graph_, value, weights, {.iterations = iterations_, .stop = stop_wanted});
  if (found.stopped) throw Stopped();  // what was found so far depends on the clock
  std::vector<std::vector<std::uint32_t>> districts(graph_.sizes().count);
  for (std::uint32_t unit = 0; unit < graph_.units(); ++unit)
    districts[found.district_of[unit]].push_back(unit);
  return districts;
}

DistrictingProblem::DistrictingProblem(Cities cities)
    : Problem(describe(cities)), cities_(std::move(cities)) {}

ProblemFacts DistrictingProblem::stated_facts() {
  return {.optimises_prediction = Sense::kMaximise,
          .binary_decisions = true,
          .has_references = true,
          .has_prior = true,
          .needs_instance_data = true};
}

SolveStatus DistrictingProblem::decide(std::span<const double> prediction, std::size_t instance,
                                       std::span<double> decision) const {
  SolveStatus status = SolveStatus::kSolved;
  decide_several(prediction, instance, decision, std::span(&status, 1));
  return status;
}

void DistrictingProblem::decide_several(std::span<const double> predictions, std::size_t instance,
                                        std::span<double> decisions, std::span<SolveStatus> statuses) const {
  if (city(instance).is_searched()) {
    const std::size_t edges = city(instance).graph().edges();
    for (std::size_t i = 0; i < statuses.size(); ++i)
      statuses[i] = decide_by_search(predictions.subspan(i * edges, edges), instance,
                                     decisions.subspan(i * edges, edges));
    return;
  }
  const TreeSurrogate& surrogate = city(instance).surrogate();
  const std::size_t edges = surrogate.graph().edges();
  SurrogateBatch batch(surrogate);
  std::vector<double> weights(edges);
  batch.solve(
      statuses.size(), [&](std::size_t i) { return predictions.data() + i * edges; },
      [&](std::size_t i, double objective, std::span<const std::uint32_t> sets) {
        statuses[i] = std::isfinite(objective) ? SolveStatus::kSolved : SolveStatus::kFailed;
        if (statuses[i] != SolveStatus::kSolved) return;
        for (std::size_t e = 0; e < edges; ++e) weights[e] = -predictions[i * edges + e];
        surrogate.mark_edges(weights, sets, decisions.subspan(i * edges, edges));
      });
}

SolveStatus DistrictingProblem::decide_by_search(std::span<const double> prediction, std::size_t instance,
                                                 std::span<double> decision) const {
  if (!std::ranges::all_of(prediction, [](double y) { return std::isfinite(y); }))
    return SolveStatus::kFailed;
  const DistrictingInstance& place = city(instance);
  std::vector<double> weights(prediction.begin(), prediction.end());
  for (double& weight : weights) weight = -weight;
  solvers::TreeDistrictValue value(place.graph(), weights);
  std::ranges::fill(decision, 0.0);
  for (const auto& units : place.search(value, weights))
    value.for_each_edge(units, [&](std::uint32_t edge) { decision[edge] = 1; });
  return SolveStatus::kSolved;
}

// Districts are what hangs together by the marked edges between units.
double DistrictingProblem::cost(std::span<const double> decision, std::span<const double>,
                                std::size_t instance) const {
  const DistrictingInstance& place = city(instance);
  const DistrictGraph& graph = place.graph();
  std::vector<solvers::UnitPair> joined;
  for (std::size_t e = 0; e < graph.edges(); ++e)
    if (decision[e] > 0.5 && !graph.is_depot_edge(e))
      joined.emplace_back(graph.edge_ends()[e].unit, graph.edge_ends()[e].other);
  const std::vector<std::uint32_t> part = solvers::components_of(graph.units(), joined);
  std::vector<std::vector<std::uint32_t>> districts(graph.units());  // by their smallest unit
  for (std::uint32_t unit = 0; unit < graph.units(); ++unit) districts[part[unit]].push_back(unit);
  std::vector<std::uint32_t> sets;
  if (place.is_searched()) {
    double total = 0;
    for (const auto& units : districts) {
      if (units.empty()) continue;
      if (solvers::size_violation(units.size(), graph.sizes()) > 0) return INFINITY;
      total += place.prices().price(DistrictPrices::kUnlisted, units);
    }
    return total;
  }
  for (const auto& units : districts) {
    if (units.empty()) continue;
    const std::optional<std::size_t> set = place.surrogate().sets().find(units);
    if (!set) return INFINITY;  // not a district that may be
    sets.push_back(static_cast<std::uint32_t>(*set));
  }
  std::ranges::sort(sets);
  return price_of(place, sets);
}

std::vector<std::uint32_t> DistrictingProblem::cheapest(std::size_t instance) const {
  const TreeSurrogate& surrogate = city(instance).surrogate();
  TreeSurrogate::Workspace work(surrogate);
  std::vector<std::uint32_t> chosen(surrogate.districts());
  const double cost = surrogate.solve_costs(city(instance).prices().all(surrogate.sets()), work, chosen);
  if (!std::isfinite(cost)) chosen.clear();
  return chosen;
}

SolveStatus DistrictingProblem::reference(std::size_t instance, std::span<const double>,
                                          std::span<double> decision) const {
  if (city(instance).is_searched()) return decide(city(instance).prior(), instance, decision);
  const std::vector<std::uint32_t> chosen = cheapest(instance);
  if (chosen.empty()) return SolveStatus::kFailed;
  std::vector<double> weights(city(instance).prior().begin(), city(instance).prior().end());
  for (double& weight : weights) weight = -weight;
  city(instance).surrogate().mark_edges(weights, chosen, decision);
  return SolveStatus::kSolved;
}

SolveStatus DistrictingProblem::averaged_reference(std::size_t instance, std::span<const double>,
                                                   std::span<double> decision) const {
  if (city(instance).is_searched()) return SolveStatus::kFailed;  // there is nobody to imitate
  const std::vector<std::uint32_t> chosen = cheapest(instance);
  if (chosen.empty()) return SolveStatus::kFailed;
  const TreeSurrogate& surrogate = city(instance).surrogate();
  std::ranges::fill(decision, 0.0);
  for (const std::uint32_t set : chosen)
    add_average_tree(surrogate.graph(), surrogate.sets().units(set), decision);
  return SolveStatus::kSolved;
}

void DistrictingProblem::prior(std::size_t instance, std::span<double> prediction) const {
  std::ranges::copy(city(instance).prior(), prediction.begin());
}

std::unique_ptr<TileSolver> DistrictingProblem::make_tile_solver() const {
  return std::make_unique<DistrictingTileSolver>(*this, cities_.size());
}

std::string DistrictingProblem::decision_name(std::size_t component) const {
  return fmt::format("edge_{}", component);
}

// Equal weights have probability 0, so a tree depends on the order of the edges alone and all orders are
// equally likely. Up to seven edges every order is looked at, beyond that a fixed sample of them.
void add_average_tree(const DistrictGraph& graph, std::span<const std::uint32_t> units,
                      std::span<double> decision) {
  constexpr std::size_t kMostEnumerated = 7, kSampled = 5040;
  std::vector<std::uint32_t> edges;
  for (const std::uint32_t unit : units) {
    decision[graph.depot_edge(unit)] += 1 / static_cast<double>(units.size());
    for (const solvers::UnitNeighbour& next : graph.neighbours(unit))
      if (next.unit > unit && std::ranges::binary_search(units, next.unit)) edges.push_back(next.edge);
  }
  std::ranges::sort(edges);
  std::vector<double> used(graph.edges());
  std::vector<std::uint32_t> root(graph.units());
  const auto find = [&](std::uint32_t unit) {
    while (root[unit] != unit) unit = root[unit] = root[root[unit]];
    return unit;
  };
  double orders = 0;
  const auto add_tree = [&] {
    for (const std::uint32_t unit : units) root[unit] = unit;
    for (const std::uint32_t edge : edges) {
      const std::uint32_t a = find(graph.edge_ends()[edge].unit), b = find(graph.edge_ends()[edge].other);
      if (a == b) continue;
      root[a] = b;
      used[edge] += 1;
    }
    orders += 1;
  };
  if (edges.size() <= kMostEnumerated) {
    do add_tree();
    while (std::ranges::next_permutation(edges).found);
  } else {
    RandomStream random(0, Purpose::kPerturbation, units.front(), units.size());
    for (std::size_t sample = 0; sample < kSampled; ++sample) {
      for (std::size_t i = 0; i + 1 < edges.size(); ++i)
        std::swap(edges[i], edges[i + random.below(edges.size() - i)]);
      add_tree();
    }
  }
  for (const std::uint32_t edge : edges) decision[edge] += used[edge] / orders;
}

}  // namespace polystep
