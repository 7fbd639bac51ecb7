#include "report/district_colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace polystep {
namespace {

constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);
constexpr std::size_t kPalette = kLightFills.size();

std::size_t colours_in(const std::vector<std::uint32_t>& colours) {
  return colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end()) + std::size_t{1};
}

// Which colours the neighbours of a district have; as long as the largest needs.
std::vector<bool> taken_around(const DistrictGraph& graph, const std::vector<std::uint32_t>& colours,
                               std::size_t d) {
  std::vector<bool> taken(std::max(kPalette, graph[d].size() + 1));
  for (const std::uint32_t other : graph[d])
    if (colours[other] < taken.size()) taken[colours[other]] = true;
  return taken;
}

std::uint32_t least_used(const std::vector<bool>& taken, const std::vector<std::size_t>& uses) {
  std::uint32_t best = kNone;
  for (std::uint32_t c = 0; c < kPalette; ++c)
    if (!taken[c] && (best == kNone || uses[c] < uses[best])) best = c;
  if (best != kNone) return best;
  return static_cast<std::uint32_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
}

std::vector<std::uint32_t> by_saturation(const DistrictGraph& graph, const std::vector<int>& wishes) {
  std::vector<std::uint32_t> colours(graph.size(), kNone);
  std::vector<std::set<std::uint32_t>> around(graph.size());  // colours of the neighbours
  std::vector<std::size_t> uses(kPalette);
  for (std::size_t step = 0; step < graph.size(); ++step) {
    std::size_t next = graph.size();
    for (std::size_t d = 0; d < graph.size(); ++d) {
      if (colours[d] != kNone) continue;
      if (next == graph.size() || around[d].size() > around[next].size() ||
          (around[d].size() == around[next].size() && graph[d].size() > graph[next].size()))
        next = d;
    }
    const std::vector<bool> taken = taken_around(graph, colours, next);
    const int wish = wishes.empty() ? -1 : wishes[next];
    const bool granted =
        wish >= 0 && static_cast<std::size_t>(wish) < kPalette && !taken[static_cast<std::size_t>(wish)];
    colours[next] = granted ? static_cast<std::uint32_t>(wish) : least_used(taken, uses);
    if (colours[next] < kPalette) ++uses[colours[next]];
    for (const std::uint32_t other : graph[next]) around[other].insert(colours[next]);
  }
  return colours;
}

std::vector<std::uint32_t> smallest_last(const DistrictGraph& graph) {
  std::vector<std::size_t> degree(graph.size());
  for (std::size_t d = 0; d < graph.size(); ++d) degree[d] = graph[d].size();
  std::vector<bool> removed(graph.size());
  std::vector<std::size_t> order;
  for (std::size_t step = 0; step < graph.size(); ++step) {
    std::size_t next = graph.size();
    for (std::size_t d = 0; d < graph.size(); ++d)
      if (!removed[d] && (next == graph.size() || degree[d] < degree[next])) next = d;
    removed[next] = true;
    order.push_back(next);
    for (const std::uint32_t other : graph[next]) --degree[other];
  }
  std::vector<std::uint32_t> colours(graph.size(), kNone);
  for (auto next = order.rbegin(); next != order.rend(); ++next) {
    const std::vector<bool> taken = taken_around(graph, colours, *next);
    colours[*next] = static_cast<std::uint32_t>(std::find(taken.begin(), taken.end(), false) - taken.begin());
  }
  return colours;
}

// Beyond the palette, hues a golden angle apart, in rings of falling lightness: never twice the same.
std::vector<std::string> fills(const std::array<const char*, kPalette>& palette, std::size_t count,
                               double lightest, double darkest) {
  std::vector<std::string> colours(palette.begin(), palette.begin() + std::min(count, kPalette));
  std::set<std::string> known(palette.begin(), palette.end());
  for (std::size_t k = 0; colours.size() < count; ++k) {
    const double hue = static_cast<double>(k * 137508 % 360000) / 60000;  // in sixths of a turn
    const double level = lightest + (darkest - lightest) * (static_cast<double>(k * 5 % 13) / 12);
    const auto channel = [&](double shift) {
      double place = hue + shift;
      if (place >= 6) place -= 6;
      const double full = place < 1 ? place : place < 3 ? 1 : place < 4 ? 4 - place : 0;
      const double chroma = 0.35 + 0.1 * static_cast<double>(k / 13 % 3);
      return std::clamp(static_cast<int>(255 * level * (1 - chroma + chroma * full)), 0, 255);
    };
    std::string colour = fmt::format("#{:02x}{:02x}{:02x}", channel(2), channel(0), channel(4));
    if (known.insert(colour).second) colours.push_back(std::move(colour));
  }
  return colours;
}

}  // namespace

std::vector<std::string> light_fills(std::size_t count) { return fills(kLightFills, count, 0.98, 0.72); }
std::vector<std::string> dark_fills(std::size_t count) { return fills(kDarkFills, count, 0.66, 0.34); }

DistrictGraph district_graph(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& adjacent_units,
                             const std::vector<std::uint32_t>& district_of, std::size_t districts) {
  std::vector<std::set<std::uint32_t>> neighbours(districts);
  for (const auto& [first, second] : adjacent_units) {
    const std::uint32_t a = district_of[first], b = district_of[second];
    if (a == b) continue;
    neighbours[a].insert(b);
    neighbours[b].insert(a);
  }
  DistrictGraph graph;
  for (const std::set<std::uint32_t>& around : neighbours) graph.emplace_back(around.begin(), around.end());
  return graph;
}

std::vector<std::uint32_t> colour_districts(const DistrictGraph& graph, const std::vector<int>& wishes) {
  std::vector<std::uint32_t> colours = by_saturation(graph, wishes);
  if (colours_in(colours) <= kPalette) return colours;
  std::vector<std::uint32_t> fewer = smallest_last(graph);
  return colours_in(fewer) < colours_in(colours) ? fewer : colours;
}

std::vector<int> colours_alike(const std::vector<std::uint32_t>& district_of, std::size_t districts,
                               const std::vector<std::uint32_t>& other_district_of,
                               const std::vector<std::uint32_t>& other_colours) {
  std::vector<std::map<std::uint32_t, std::size_t>> shared(districts);
  for (std::size_t unit = 0; unit < district_of.size(); ++unit)
    ++shared[district_of[unit]][other_district_of[unit]];
  std::vector<int> wishes(districts, -1);
  for (std::size_t d = 0; d < districts; ++d) {
    std::size_t most = 0;
    for (const auto& [other, units] : shared[d])
      if (units > most) {
        most = units;
        wishes[d] = static_cast<int>(other_colours[other]);
      }
  }
  return wishes;
}

}  // namespace polystep
