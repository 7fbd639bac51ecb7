#include "districting/district_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>

#include "base/content_key.hpp"
#include "evaluation/tiled_rows.hpp"
#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "problems/districting/districting.hpp"
#include "runtime/run/averaged_model.hpp"
#include "runtime/run/run_directory.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProblem = "districting";

fs::path run_of(const std::string& place) {
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) return place;
  if (!fs::exists(place, ignored))
    throw InputError(
        fmt::format("{}: there is no such file, expected a run directory or its model.bin", place));
  const fs::path parent = fs::path(place).parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

RunRequest request_of(const std::string& place, const ProblemRegistry& problems) {
  const fs::path run = run_of(place);
  std::error_code ignored;
  if (!fs::exists(run / "config.toml", ignored))
    throw InputError(fmt::format(
        "{}: found no config.toml beside the model, expected it: it says what its features are", place));
  const RunDirectory files = RunDirectory::open_to_read(run);
  if (run_state(run) != RunState::kFinished)
    throw InputError(fmt::format("{} holds no finished run, expected one of problem {}", place, kProblem));
  RunRequest request = resolve_run(problems, read_config(files.config()), files.config().string(), {});
  if (request.problem->name != kProblem)
    throw InputError(
        fmt::format("{} is a run of problem {}, expected {}", place, request.problem->name, kProblem));
  return request;
}

std::string fingerprint_of(const SavedModel& model, const EdgeInputs& inputs) {
  ContentHash content;
  for (const std::vector<double>* numbers :
       {&model.parameters, &model.scaling.mean, &model.scaling.deviation, &model.output_scaling.mean,
        &model.output_scaling.deviation, &model.member_deviations}) {
    content.add(numbers->size());
    for (const double number : *numbers) content.add(std::bit_cast<std::uint64_t>(number));
  }
  content.add(static_cast<std::uint64_t>(inputs.distances));
  if (inputs.set != EdgeFeatureSet::kPublished) content.add(static_cast<std::uint64_t>(inputs.set));
  return fmt::format("{:016x}", content.key().first);
}

}  // namespace

DistrictModel load_district_model(const std::string& place, const ProblemRegistry& problems) {
  const RunRequest request = request_of(place, problems);
  std::error_code ignored;
  const bool directory = fs::is_directory(place, ignored);
  DistrictModel loaded;
  loaded.model = read_model(directory ? (fs::path(place) / "model.bin").string() : place);
  loaded.inputs.set = edge_feature_set(request.problem_options.text("features"));
  loaded.inputs.distances = request.problem_options.text("distances") == "kilometres"
                                ? DistanceUnit::kKilometres
                                : DistanceUnit::kMillidegrees;
  const std::size_t features = edge_input_count(loaded.inputs);
  if (loaded.model.predictor.features != features || loaded.model.scaling.mean.size() != features ||
      loaded.model.scaling.deviation.size() != features)
    throw InputError(fmt::format("{}: the model takes {} features per edge, expected {}", place,
                                 loaded.model.predictor.features, features));
  loaded.name = request.method->name;
  const std::size_t members = loaded.model.member_deviations.size();
  loaded.label = members > 0 ? fmt::format("mean of {}", members) : std::to_string(request.seed);
  loaded.fingerprint = fingerprint_of(loaded.model, loaded.inputs);
  return loaded;
}

DistrictModel load_averaged_model(std::span<const std::string> places, const std::optional<std::string>& data,
                                  const ProblemRegistry& problems) {
  if (places.empty()) throw InputError("average of models: found none, expected at least one");
  DistrictModel first = load_district_model(places.front(), problems);
  if (places.size() == 1) return first;
  std::vector<SavedModel> members = {first.model};
  for (const std::string& place : places.subspan(1)) {
    const DistrictModel other = load_district_model(place, problems);
    if (other.inputs != first.inputs)
      throw InputError(
          fmt::format("{} knows other features or measures distances in another unit than {}, expected the "
                      "same",
                      place, places.front()));
    members.push_back(other.model);
  }
  RunRequest request = request_of(places.front(), problems);
  if (data) request.data = data;
  const Task task = make_task(request);
  first.model = average_models(task, members);
  first.label = fmt::format("mean of {}", members.size());
  first.fingerprint = fingerprint_of(first.model, first.inputs);
  return first;
}

std::vector<double> model_weights(const DistrictModel& model, const City& city,
                                  const solvers::DistrictGraph& graph) {
  // The one city as a problem, for the shape of its graph alone: nothing is priced.
  DistrictingProblem::Cities cities;
  cities.push_back(std::make_unique<DistrictingInstance>(
      graph, std::vector<double>(), [](const solvers::ConnectedSets*) { return nullptr; }));
  const DistrictingProblem problem(std::move(cities));
  std::vector<double> features = edge_inputs(city, model.inputs, graph.sizes().target);
  const FeatureScaling& scaling = model.model.scaling;
  const std::size_t columns = scaling.mean.size();
  for (std::size_t i = 0; i < features.size(); ++i)
    features[i] = (features[i] - scaling.mean[i % columns]) / scaling.deviation[i % columns];
  Split row;
  row.add_row(features, {}, 0);
  row.allow_any_shape();
  const TiledRows rows(row);
  const std::unique_ptr<Predictor> predictor = model.model.make_predictor(problem.instances());
  AlignedDoubles prediction(graph.edges());
  predictor->predict(model.model.parameters, rows.tile(0), prediction.data());
  std::vector<double> weights(prediction.begin(), prediction.end());
  for (double& weight : weights) {
    weight = -weight;  // the largest sum of predictions is the lightest tree
    if (!std::isfinite(weight))
      throw InputError(fmt::format("the model of {} predicts {} for an edge of {}, expected finite numbers",
                                   model.name, weight, city.name));
  }
  return weights;
}

std::vector<double> centre_distance_weights(const City& city) {
  const std::vector<double> features = edge_features(city, DistanceUnit::kKilometres);
  std::vector<double> weights(features.size() / kEdgeFeatures);
  for (std::size_t e = 0; e < weights.size(); ++e) weights[e] = features[e * kEdgeFeatures + kCentreDistance];
  return weights;
}

}  // namespace polystep
