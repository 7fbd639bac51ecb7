// Colours of districts on a map: neighbours differ, few colours are used, and people with the usual forms of
// colour blindness can tell them apart, on light and on dark ground.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

// Fills, light enough for dark ink and the other way round. A map rarely needs more than five.
inline constexpr std::array kLightFills = {"#91b9f4", "#f8eead", "#e9a88a", "#d2f5e5", "#c7c1db", "#d3afad"};
inline constexpr std::array kDarkFills = {"#294367", "#1d8b80", "#a1724b", "#4c4203", "#7e74b1", "#6a3038"};
static_assert(kLightFills.size() == kDarkFills.size());

// The first `count` fills; where the palettes end, further ones that differ from all before.
std::vector<std::string> light_fills(std::size_t count);
std::vector<std::string> dark_fills(std::size_t count);

// Which districts touch: for each, its neighbours ascending. `district_of` has an entry per unit.
using DistrictGraph = std::vector<std::vector<std::uint32_t>>;
DistrictGraph district_graph(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& adjacent_units,
                             const std::vector<std::uint32_t>& district_of, std::size_t districts);

// A colour number per district, different for neighbours. Districts with the most colours around them choose
// first (DSATUR). They take their wish where it is free, else the colour used least so far, so that the map
// is even. `wishes` is empty or has an entry per district, below 0 for none. Should that need more colours
// than the palette has, districts are coloured anew in smallest-last order, which needs at most six on any
// planar graph.
std::vector<std::uint32_t> colour_districts(const DistrictGraph& graph, const std::vector<int>& wishes = {});

// Wishes of a plan that stands beside another: each district wants the colour of the one it shares most units
// with, so that what stayed looks the same.
std::vector<int> colours_alike(const std::vector<std::uint32_t>& district_of, std::size_t districts,
                               const std::vector<std::uint32_t>& other_district_of,
                               const std::vector<std::uint32_t>& other_colours);

}  // namespace polystep
