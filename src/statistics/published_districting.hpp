// What the published methods' districts cost on the large cities, to be shown beside ours.
//
// Their tours are far from shortest and their scenarios are not known, so that costs of equal districts are 2
// to 14 % lower here: compare ratios, not kilometres.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace polystep {

inline constexpr std::array<std::string_view, 5> kPublishedDistrictingMethods = {"BD", "FIG", "PredGNN",
                                                                                 "AvgTSP", "DistrictNet"};

struct PublishedDistricting {
  std::string_view city;
  std::size_t units = 0;
  std::size_t target = 0;
  std::array<double, 5> cost{};  // km, in the order of the methods
};

std::span<const PublishedDistricting> published_districtings();
const PublishedDistricting* find_published_districting(std::string_view city, std::size_t units,
                                                       std::size_t target);  // nullptr: none

}  // namespace polystep
