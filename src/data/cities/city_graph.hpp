// What solvers and networks see of a city: its graph with the depot, and seven features per edge.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "data/cities/city.hpp"
#include "solvers/spanning_tree/district_graph.hpp"

namespace polystep {

// The graph in the order of edges of district_graph.hpp, for districts of about `target` units.
solvers::DistrictGraph city_graph(const City& city, std::size_t target);

inline constexpr std::size_t kEdgeFeatures = 7;
inline constexpr std::size_t kDepotDistance = 3;  // among the features
inline constexpr std::size_t kCentreDistance = 6;
inline constexpr std::array<std::string_view, kEdgeFeatures> kEdgeFeatureNames = {
    "density", "population", "compactness", "depot_distance", "area", "perimeter", "centre_distance"};

// What the two distances among the features are measured in. The published features are thousandths of a
// degree, as if a degree of longitude were as long as one of latitude; kilometres put that right.
enum class DistanceUnit { kMillidegrees, kKilometres };

// Per edge the means of both ends' density, population, compactness (4 pi area / perimeter^2), distance to
// the depot, area and perimeter, all of which are 0 for the depot, and the distance between the ends.
// [edges × kEdgeFeatures]
std::vector<double> edge_features(const City& city, DistanceUnit unit);

// The standard deviation of each feature over all edges of some cities, about their mean and with n - 1:
// features are divided by it (and keep their mean). features: of each city, as above.
std::array<double, kEdgeFeatures> feature_deviations(std::span<const std::vector<double>> features);

}  // namespace polystep
