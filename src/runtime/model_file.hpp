// model.bin: a trained predictor with all that is needed to use it on new rows. Equal results give equal
// bytes.
#pragma once

#include <string>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

struct SavedModel {
  PredictorShape predictor;
  std::vector<double> parameters;
  std::vector<std::string> feature_names;
  FeatureScaling scaling;
  double failure_cost = 1;
};

SavedModel describe_model(const Predictor& predictor, const Dataset& data, std::vector<double> parameters,
                          double failure_cost);
void write_model(const std::string& path, const SavedModel& model);
SavedModel read_model(const std::string& path);

}  // namespace polystep
