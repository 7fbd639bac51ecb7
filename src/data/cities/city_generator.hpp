// Synthetic cities, so that districting runs without data.
//
// The large one is a lattice of bent six-cornered cells, small in the middle and large at the edge. It is a
// function of its cells' numbers alone: with 2000 units and seed 0 it is "Synth2000" of the published data
// directory, digit for digit. Small cities are grown out of several such lattices as the benchmark's were out
// of real cities.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "data/cities/city.hpp"

namespace polystep {

// Units in order of distance from the centre, so that the first ones always form a disc. Up to 2000 units are
// the first of the same 2000; larger cities have lattices of their own.
City synthetic_city(std::size_t units = 2000, std::uint64_t seed = 0);

// Cities of `units` units that can be divided into connected districts of about `target` units. City k of a
// seed does not depend on how many are drawn.
std::vector<City> small_synthetic_cities(std::size_t count, std::uint64_t data_seed, std::size_t units = 30,
                                         std::size_t target = 3);

// How many units a city has, and a district of it.
struct CitySize {
  std::size_t units = 0, target = 0;
};

// Cities of any sizes, city k of the size k modulo their number: discs and grown shapes out of lattices of
// their own, whose units are narrower in some places than in others, and populations on several levels. City
// k of a seed does not depend on how many are drawn.
City drawn_city(std::size_t k, std::uint64_t data_seed, CitySize size);
std::vector<City> drawn_cities(std::size_t count, std::uint64_t data_seed,
                               const std::vector<CitySize>& sizes);

// The uniform number behind all of the lattice.
double lattice_uniform(std::uint64_t tag, std::uint64_t a, std::uint64_t b, std::uint64_t seed = 0);

}  // namespace polystep
