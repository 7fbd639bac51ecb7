// model.bin: a trained predictor with all that is needed to use it on new rows. Equal results give equal
// bytes.
#pragma once

#include <memory>
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
  OutputScaling output_scaling;  // both empty: outputs are raw
  double failure_cost = 1;
  std::vector<double> member_deviations = {};  // [members], of an average of predictors; else empty

  // `instances`: whose outputs are predicted, for predictors of edges.
  std::unique_ptr<Predictor> make_predictor(std::shared_ptr<const Instances> instances = nullptr) const;
};

SavedModel describe_model(const Predictor& predictor, const Dataset& data, std::vector<double> parameters,
                          double failure_cost);
void write_model(const std::string& path, const SavedModel& model);
SavedModel read_model(const std::string& path);

}  // namespace polystep
