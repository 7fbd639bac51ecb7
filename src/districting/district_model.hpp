// Trained models of problem `districting`, used on cities they were not trained on.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/cities/city.hpp"
#include "data/cities/city_graph.hpp"
#include "data/cities/edge_inputs.hpp"
#include "polystep/task.hpp"
#include "runtime/run/model_file.hpp"

namespace polystep {

struct DistrictModel {
  std::string name;   // of the method that trained it
  std::string label;  // of one among several: its seed, or how many were averaged
  SavedModel model;
  EdgeInputs inputs;        // its features
  std::string fingerprint;  // of parameters and scaling: equal models have equal ones
};

// A run directory or the model.bin in one; the configuration beside it says what the features are. Throws
// InputError for anything else, for unfinished runs and for models of other problems.
DistrictModel load_district_model(const std::string& place, const ProblemRegistry& problems);

// One model out of several runs by the rule of averaged_model.hpp, which needs the first run's training
// cities: `data` says where they are, if not the run itself. A single place is that model.
DistrictModel load_averaged_model(std::span<const std::string> places, const std::optional<std::string>& data,
                                  const ProblemRegistry& problems);

// Weights of the spanning-tree surrogate, [edges].
std::vector<double> model_weights(const DistrictModel& model, const City& city,
                                  const solvers::DistrictGraph& graph);

// What one would take without learning: the distances between centres, and from them to the depot, km.
std::vector<double> centre_distance_weights(const City& city);

}  // namespace polystep
