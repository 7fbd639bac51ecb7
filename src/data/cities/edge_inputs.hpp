// Which features a network sees of a city's edges.
//
// The published seven carry absolute sizes, so that a network meets other numbers in a city whose units are
// smaller or emptier than those it was trained on. The relative seven are the same in units of the city
// itself: they do not change where a city is drawn to another scale or its inhabitants are multiplied. The
// geometric ones add what a person who estimates tours would look at. Where districts of several sizes are
// learned together, what an edge is worth depends on the size: the sized ones tell it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/cities/city.hpp"
#include "data/cities/city_graph.hpp"

namespace polystep {

enum class EdgeFeatureSet {
  kPublished,  // the seven of city_graph.hpp
  kRelative,   // those, each by its median over the city: of units, and of edges between units for distances
  kGeometric,  // those, whether the edge is the depot's, 18 terms of edges between units, 12 of depot edges
  kSized,      // geometric ones with the relative seven, and lengths in multiples of a district's width
};

// By the name that people type: "published", "relative", "geometric" or "sized".
EdgeFeatureSet edge_feature_set(const std::string& name);

struct EdgeInputs {
  EdgeFeatureSet set = EdgeFeatureSet::kPublished;
  DistanceUnit distances = DistanceUnit::kKilometres;  // of the published seven

  friend bool operator==(const EdgeInputs&, const EdgeInputs&) = default;
};

std::vector<std::string> edge_input_names(const EdgeInputs& inputs);
inline std::size_t edge_input_count(const EdgeInputs& inputs) { return edge_input_names(inputs).size(); }

// [edges × inputs], in the order of edges of district_graph.hpp. target: units of a district, which the sized
// features know of.
std::vector<double> edge_inputs(const City& city, const EdgeInputs& inputs, std::size_t target);

// What is taken off and divided by over the edges of training cities. The published and the relative features
// keep their means, as published; the others, most of which are 0 on half of the edges, do not. A
// feature that does not vary is divided by 1.
struct EdgeInputScale {
  std::vector<double> mean, deviation;
};
EdgeInputScale scale_edge_inputs(const EdgeInputs& inputs, const std::vector<std::vector<double>>& cities,
                                 std::size_t training);

}  // namespace polystep
