#include "solvers/spanning_tree/tree_exchanges.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace polystep::solvers {
namespace {

constexpr double kApart = std::numeric_limits<double>::infinity();

}  // namespace

TreeExchanges::TreeExchanges(const DistrictGraph& graph, std::span<const double> weights,
                             std::size_t districts)
    : graph_(graph),
      weights_(weights),
      rank_(weights.size()),
      by_rank_(weights.size()),
      district_of_(graph.units(), kNoUnit),
      place_(graph.units()),
      districts_(districts) {
  std::vector<std::uint32_t> order(weights.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t edge) { return weights[edge]; });
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) {
    rank_[order[rank]] = rank;
    by_rank_[rank] = weights[order[rank]];
  }
}

void TreeExchanges::set(std::uint32_t number, std::span<const std::uint32_t> units) {
  District& district = districts_[number];
  district.units.assign(units.begin(), units.end());
  district.listed = false;
  for (std::uint32_t place = 0; place < units.size(); ++place) {
    district_of_[units[place]] = number;
    place_[units[place]] = place;
  }
}

void TreeExchanges::list_edges(District& district, std::uint32_t number) {
  district.listed = true;
  district.edges.clear();
  if (district.forests.size() < district.units.size() + 1) district.forests.resize(district.units.size() + 1);
  for (Forest& forest : district.forests) forest.built = false;
  double lightest[2] = {kApart, kApart};
  for (std::uint32_t place = 0; place < district.units.size(); ++place) {
    const std::uint32_t unit = district.units[place];
    for (const UnitNeighbour& next : graph_.neighbours(unit)) {
      if (next.unit > unit && district_of_[next.unit] == number)
        district.edges.push_back({rank_[next.edge], place, place_[next.unit]});
    }
    if (const double weight = depot_weight(unit); weight < lightest[0]) {
      lightest[1] = lightest[0], district.nearest[1] = district.nearest[0];
      lightest[0] = weight, district.nearest[0] = unit;
    } else if (weight < lightest[1]) {
      lightest[1] = weight, district.nearest[1] = unit;
    }
  }
  std::ranges::sort(district.edges, {}, &InnerEdge::rank);
}

const TreeExchanges::Forest& TreeExchanges::forest(District& district, std::uint32_t without) {
  Forest& forest = district.forests[without];
  if (forest.built) return forest;
  const auto units = static_cast<std::uint32_t>(district.units.size());
  forest.built = true;
  forest.links.resize(units);
  size_.assign(units, 1);
  for (std::uint32_t place = 0; place < units; ++place) forest.links[place] = {place, kRoot};
  forest.weight = 0;
  forest.parts = units - (without < units ? 1 : 0);
  Link* const links = forest.links.data();
  for (const InnerEdge& edge : district.edges) {
    if (forest.parts <= 1) break;
    if (edge.one == without || edge.other == without) continue;
    std::uint32_t one = edge.one, other = edge.other;
    while (links[one].rank != kRoot) one = links[one].parent;
    while (links[other].rank != kRoot) other = links[other].parent;
    if (one == other) continue;
    if (size_[one] > size_[other]) std::swap(one, other);
    links[one] = {other, edge.rank};
    size_[other] += size_[one];
    forest.weight += by_rank_[edge.rank];
    --forest.parts;
  }
  return forest;
}

// Of the edges between two units, by rank; kRoot where nothing joins them.
std::uint32_t TreeExchanges::heaviest(const Forest& forest, std::uint32_t one, std::uint32_t other) const {
  const Link* const links = forest.links.data();
  std::uint32_t found = 0;
  while (one != other) {
    if (links[one].rank > links[other].rank) std::swap(one, other);
    found = links[one].rank;
    if (found == kRoot) return kRoot;
    one = links[one].parent;
  }
  return found;
}

// The heaviest edges between units beside the new one say how these hang together without it: with the new
// unit's edges put in, a lightest tree of this small graph takes the place of the one without them.
double TreeExchanges::joining(const Forest& forest) {
  const std::size_t count = beside_.size();
  if (count == 0) return kApart;
  if (count == 1) return forest.parts == 1 ? beside_[0].weight : kApart;
  const auto between = [&](std::size_t i, std::size_t j) {
    const std::uint32_t rank = heaviest(forest, beside_[i].place, beside_[j].place);
    return rank == kRoot ? kApart : by_rank_[rank];
  };
  if (count == 2) {
    const double old = between(0, 1), first = beside_[0].weight, second = beside_[1].weight;
    if (old == kApart) return forest.parts == 2 ? first + second : kApart;
    return forest.parts == 1 ? first + second - std::max({first, second, old}) : kApart;
  }
  // Prim twice: from the new unit, and from one unit after the other without it.
  double with = 0, before = 0;
  std::uint32_t parts = 0;
  for (Beside& one : beside_) one.reach = one.weight, one.in = false;
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t best = nearest_beside();
    with += beside_[best].reach;
    for (std::size_t k = 0; k < count; ++k)
      if (!beside_[k].in) beside_[k].reach = std::min(beside_[k].reach, between(best, k));
  }
  for (Beside& one : beside_) one.reach = kApart, one.in = false;
  for (std::size_t step = 0; step < count; ++step) {
    const std::size_t best = nearest_beside();
    if (beside_[best].reach == kApart)
      ++parts;
    else
      before += beside_[best].reach;
    for (std::size_t k = 0; k < count; ++k)
      if (!beside_[k].in) beside_[k].reach = std::min(beside_[k].reach, between(best, k));
  }
  return parts == forest.parts ? with - before : kApart;
}

std::size_t TreeExchanges::nearest_beside() {
  std::size_t best = beside_.size();
  for (std::size_t k = 0; k < beside_.size(); ++k)
    if (!beside_[k].in && (best == beside_.size() || beside_[k].reach < beside_[best].reach)) best = k;
  beside_[best].in = true;
  return best;
}

double TreeExchanges::value(std::uint32_t number, std::uint32_t without, std::uint32_t with) {
  District& district = districts_[number];
  if (!district.listed) list_edges(district, number);
  const auto units = static_cast<std::uint32_t>(district.units.size());
  const std::uint32_t gone = without == kNoUnit ? units : place_[without];
  const Forest& left = forest(district, gone);
  const std::uint32_t nearest = district.nearest[district.nearest[0] == without ? 1 : 0];
  const bool empty = units == (without == kNoUnit ? 0u : 1u);
  double depot = empty ? kApart : depot_weight(nearest);
  if (with == kNoUnit) return left.parts == 1 ? left.weight + depot : kApart;
  depot = std::min(depot, depot_weight(with));
  if (empty) return depot;
  beside_.clear();
  for (const UnitNeighbour& next : graph_.neighbours(with))
    if (district_of_[next.unit] == number && next.unit != without)
      beside_.push_back({weights_[next.edge], place_[next.unit]});
  return left.weight + joining(left) + depot;
}

}  // namespace polystep::solvers
