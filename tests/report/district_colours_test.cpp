// Colours of districts: neighbours differ, few are needed, and everybody can tell them apart.
#include "report/district_colours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>

#include "brick_districting.hpp"

namespace polystep {
namespace {

DistrictGraph from_edges(std::size_t count, const std::set<std::pair<std::uint32_t, std::uint32_t>>& edges) {
  DistrictGraph graph(count);
  for (const auto& [a, b] : edges) {
    graph[a].push_back(b);
    graph[b].push_back(a);
  }
  for (auto& around : graph) std::sort(around.begin(), around.end());
  return graph;
}

std::size_t expect_proper(const DistrictGraph& graph, const std::vector<std::uint32_t>& colours) {
  EXPECT_EQ(colours.size(), graph.size());
  for (std::size_t d = 0; d < graph.size(); ++d)
    for (const std::uint32_t other : graph[d]) EXPECT_NE(colours[d], colours[other]) << d << " and " << other;
  return colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end()) + std::size_t{1};
}

TEST(DistrictColours, OfTheDistrictGraph) {
  const DistrictingFile file = brick_districting();
  const DistrictGraph graph = district_graph(file.city.adjacent, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, 4);
  EXPECT_EQ(graph, (DistrictGraph{{1}, {0, 2}, {1, 3}, {2}}));
  EXPECT_TRUE(colour_districts({}).empty());
  EXPECT_EQ(colour_districts({{}}), std::vector<std::uint32_t>{0});
}

// Random districts on brick cities: planar graphs, so the palette is always enough.
TEST(DistrictColours, PaletteIsEnoughForRandomDistrictsOfACity) {
  std::mt19937 draw(1);
  for (int round = 0; round < 400; ++round) {
    const auto columns = static_cast<std::uint32_t>(2 + draw() % 12),
               rows = static_cast<std::uint32_t>(2 + draw() % 12);
    const City city = brick_city(columns, rows);
    const std::uint32_t units = columns * rows, districts = 1 + draw() % units;
    std::vector<std::uint32_t> district_of(units, districts);
    // Regions grow from random seeds along random edges, so that each is connected and the graph stays
    // planar.
    for (std::uint32_t d = 0; d < districts; ++d) {
      std::uint32_t seed = draw() % units;
      while (district_of[seed] != districts) seed = (seed + 1) % units;
      district_of[seed] = d;
    }
    for (bool changed = true; changed;) {
      changed = false;
      auto edges = city.adjacent;
      std::shuffle(edges.begin(), edges.end(), draw);
      for (const auto& [a, b] : edges) {
        if ((district_of[a] == districts) == (district_of[b] == districts)) continue;
        (district_of[a] == districts ? district_of[a] : district_of[b]) =
            std::min(district_of[a], district_of[b]);
        changed = true;
      }
    }
    const DistrictGraph graph = district_graph(city.adjacent, district_of, districts);
    EXPECT_LE(expect_proper(graph, colour_districts(graph)), kLightFills.size());
  }
}

// Stacked triangulations: planar with as many edges as can be, and vertices of any degree. Wishes of all
// kinds, most of them impossible, must not cost more than the palette.
TEST(DistrictColours, PaletteIsEnoughForCrowdedPlanarGraphsWhateverTheWishes) {
  std::mt19937 draw(2);
  for (int round = 0; round < 300; ++round) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges = {{0, 1}, {0, 2}, {1, 2}};
    std::vector<std::array<std::uint32_t, 3>> faces = {{0, 1, 2}, {0, 1, 2}};
    const std::uint32_t count = 3 + draw() % 80;
    for (std::uint32_t v = 3; v < count; ++v) {
      // Half of the rounds always split the newest face, which makes wheels and long chains.
      const std::size_t k = round % 2 == 0 ? draw() % faces.size() : faces.size() - 1 - draw() % 2;
      const auto [a, b, c] = faces[k];
      faces[k] = {a, b, v};
      faces.push_back({a, c, v});
      faces.push_back({b, c, v});
      edges.insert({a, v});
      edges.insert({b, v});
      edges.insert({c, v});
    }
    const DistrictGraph graph = from_edges(count, edges);
    std::vector<int> wishes(count);
    for (int& wish : wishes) wish = static_cast<int>(draw() % 9) - 1;
    EXPECT_LE(expect_proper(graph, colour_districts(graph)), kLightFills.size());
    EXPECT_LE(expect_proper(graph, colour_districts(graph, wishes)), kLightFills.size());
    EXPECT_LE(expect_proper(graph, colour_districts(graph, std::vector<int>(count, 0))), kLightFills.size());
  }
}

// No map has these, yet neighbours must differ: cliques, which need every colour, crowns, which lead greedy
// rules astray, and random graphs.
TEST(DistrictColours, NeighboursDifferOnGraphsThatAreNoMaps) {
  for (std::uint32_t n = 1; n <= 24; ++n) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> clique, crown;
    for (std::uint32_t a = 0; a < n; ++a)
      for (std::uint32_t b = 0; b < n; ++b) {
        if (a < b) clique.insert({a, b});
        if (a != b) crown.insert({std::min(2 * a, 2 * b + 1), std::max(2 * a, 2 * b + 1)});
      }
    const DistrictGraph all = from_edges(n, clique), sides = from_edges(2 * n, crown);
    EXPECT_EQ(expect_proper(all, colour_districts(all)), n);
    EXPECT_LE(expect_proper(sides, colour_districts(sides)), kLightFills.size());
  }
  std::mt19937 draw(3);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t count = 1 + draw() % 60, share = draw() % 100;
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        if (draw() % 100 < share) edges.insert({a, b});
    const DistrictGraph graph = from_edges(count, edges);
    expect_proper(graph, colour_districts(graph));
  }
}

TEST(DistrictColours, WishesAreGrantedWhereNeighboursAllow) {
  const DistrictGraph path = {{1}, {0, 2}, {1}};
  EXPECT_EQ(colour_districts(path, {4, 5, 4}), (std::vector<std::uint32_t>{4, 5, 4}));
  // Plan 2 moved one unit from district 0 to district 1, and numbers its districts the other way round.
  EXPECT_EQ(colours_alike({1, 1, 0, 0, 0}, 2, {0, 0, 0, 1, 1}, {3, 5}), (std::vector<int>{5, 3}));
}

struct Lab {
  double l, a, b;
};

// How a colour looks to people with complete protanopia, deuteranopia or tritanopia (Machado, Oliveira and
// Fernandes 2009), in CIE Lab; kind 0 is usual sight.
Lab seen(const std::string& hex, int kind) {
  static constexpr double kSight[4][3][3] = {
      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
      {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
      {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
      {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
  double linear[3], sight[3];
  for (int k = 0; k < 3; ++k) {
    const double v = std::stoi(hex.substr(1 + 2 * static_cast<std::size_t>(k), 2), nullptr, 16) / 255.0;
    linear[k] = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  for (int k = 0; k < 3; ++k)
    sight[k] = std::clamp(
        kSight[kind][k][0] * linear[0] + kSight[kind][k][1] * linear[1] + kSight[kind][k][2] * linear[2], 0.0,
        1.0);
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((0.4124564 * sight[0] + 0.3575761 * sight[1] + 0.1804375 * sight[2]) / 0.95047);
  const double y = f(0.2126729 * sight[0] + 0.7151522 * sight[1] + 0.0721750 * sight[2]);
  const double z = f((0.0193339 * sight[0] + 0.1191920 * sight[1] + 0.9503041 * sight[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(DistrictColours, CanBeToldApartWithColourBlindness) {
  for (const auto& fills : {light_fills(kLightFills.size()), dark_fills(kDarkFills.size())})
    for (int kind = 0; kind < 4; ++kind)
      for (std::size_t a = 0; a < fills.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          const Lab p = seen(fills[a], kind), q = seen(fills[b], kind);
          EXPECT_GE(std::hypot(p.l - q.l, p.a - q.a, p.b - q.b), 15)
              << fills[a] << " and " << fills[b] << " with sight " << kind;
        }
}

TEST(DistrictColours, LeaveContrastForInk) {
  for (const std::string& fill : light_fills(kLightFills.size())) EXPECT_GE(seen(fill, 0).l, 70) << fill;
  for (const std::string& fill : dark_fills(kDarkFills.size())) EXPECT_LE(seen(fill, 0).l, 56) << fill;
}

TEST(DistrictColours, NeverEnd) {
  for (const auto& fills : {light_fills(200), dark_fills(200)}) {
    EXPECT_EQ(std::set<std::string>(fills.begin(), fills.end()).size(), 200u);
    for (const std::string& fill : fills) EXPECT_EQ(fill.size(), 7u) << fill;
  }
  EXPECT_EQ(light_fills(2), (std::vector<std::string>{kLightFills[0], kLightFills[1]}));
}

}  // namespace
}  // namespace polystep
