#include "runtime/run/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "polystep/archive.hpp"
#include "polystep/error.hpp"
#include "runtime/run/sealed_file.hpp"

namespace polystep {
namespace {

constexpr const char* kMagic = "PSTEPMDL";
constexpr std::uint32_t kVersionOfFormat = 2;
constexpr const char* kTooLong = "it has more content than a model, expected its end";

// Only some kinds have a list of layers in their file, so that models of the others stay readable as they
// are.
template <class Lists>
bool any_kind(const PredictorShape& shape, const Lists& lists) {
  const std::vector<PredictorEntry>& kinds = predictor_entries();
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const PredictorEntry& entry) { return entry.name == shape.kind && lists(entry); });
}
bool has_layers(const PredictorShape& shape) {
  return any_kind(shape, [](const PredictorEntry& entry) { return entry.lists_layers; });
}
bool has_convolutions(const PredictorShape& shape) {
  return any_kind(shape, [](const PredictorEntry& entry) { return entry.lists_convolutions; });
}

void put_sizes(const std::vector<std::size_t>& sizes, ArchiveWriter& archive) {
  archive.put<std::uint64_t>(sizes.size());
  for (const std::size_t size : sizes) archive.put<std::uint64_t>(size);
}
std::vector<std::size_t> get_sizes(ArchiveReader& archive) {
  std::vector<std::size_t> sizes;
  const auto count = archive.get<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(archive.get<std::uint64_t>());
  return sizes;
}

// Far above any predictor there is, and low enough that no product of two sizes overflows.
constexpr std::size_t kLargestSize = std::size_t{1} << 26;

void check_sizes(const PredictorShape& shape, const ArchiveReader& archive) {
  std::vector<std::pair<const char*, std::size_t>> sizes = {{"features", shape.features},
                                                            {"outputs", shape.outputs},
                                                            {"hidden units", shape.hidden},
                                                            {"left rows", shape.left}};
  for (const std::size_t units : shape.layers) sizes.emplace_back("units in a layer", units);
  for (const std::size_t units : shape.convolutions) sizes.emplace_back("units in a convolution", units);
  for (const auto& [what, size] : sizes)
    if (size > kLargestSize)
      archive.refuse(fmt::format("the predictor has {} {}, expected at most {}", size, what, kLargestSize));
}

void check_scaling(std::span<const double> mean, std::span<const double> deviation, std::size_t expected,
                   const char* what, const ArchiveReader& archive) {
  if (mean.empty() && deviation.empty()) return;
  if (mean.size() != expected || deviation.size() != expected)
    archive.refuse(fmt::format("the scaling of {} has {} means and {} deviations, expected {} of each", what,
                               mean.size(), deviation.size(), expected));
  for (std::size_t k = 0; k < expected; ++k)
    if (!std::isfinite(mean[k]) || !std::isfinite(deviation[k]) || !(deviation[k] > 0))
      archive.refuse(fmt::format(
          "the scaling of {} has mean {} and deviation {}, expected finite numbers and a deviation above 0",
          what, mean[k], deviation[k]));
}

// What a checksum cannot tell: whether the parts of a file that someone put together fit each other.
void check_model(const SavedModel& model, const ArchiveReader& archive) {
  check_sizes(model.predictor, archive);
  const std::unique_ptr<Predictor> predictor = make_predictor(model.predictor);
  const std::size_t members = std::max<std::size_t>(1, model.member_deviations.size());
  if (model.parameters.size() != members * predictor->parameters())
    archive.refuse(
        fmt::format("it holds {} parameters, expected {} for a {} predictor of {} features and {} outputs{}",
                    model.parameters.size(), members * predictor->parameters(), model.predictor.kind,
                    model.predictor.features, model.predictor.outputs,
                    members == 1 ? "" : fmt::format(" ({} of them, averaged)", members)));
  for (const double deviation : model.member_deviations)
    if (!std::isfinite(deviation) || !(deviation > 0))
      archive.refuse(fmt::format(
          "the outputs of a member have deviation {}, expected a finite number above 0", deviation));
  if (!model.member_deviations.empty() && !model.output_scaling.mean.empty())
    archive.refuse("it is an average of predictors with outputs in fixed units, expected raw outputs");
  for (const double parameter : model.parameters)
    if (!std::isfinite(parameter))
      archive.refuse(fmt::format("a parameter is {}, expected a finite number", parameter));
  const std::size_t features = predictor->row_features();
  if (!model.feature_names.empty() && model.feature_names.size() != features)
    archive.refuse(
        fmt::format("it holds {} feature names, expected {} or none", model.feature_names.size(), features));
  check_scaling(model.scaling.mean, model.scaling.deviation, features, "features", archive);
  // One mean and deviation serve all outputs where instances differ in how many they have.
  const std::size_t outputs = std::max<std::size_t>(1, predictor->outputs());
  check_scaling(model.output_scaling.mean, model.output_scaling.deviation, outputs, "outputs", archive);
  if (!std::isfinite(model.failure_cost))
    archive.refuse(fmt::format("the failure cost is {}, expected a finite number", model.failure_cost));
  if (!archive.exhausted()) archive.refuse(kTooLong);
}

}  // namespace

std::unique_ptr<Predictor> SavedModel::make_predictor(std::shared_ptr<const Instances> instances) const {
  std::unique_ptr<Predictor> made = polystep::make_predictor(predictor, instances);
  if (!output_scaling.mean.empty()) made = make_scaled(std::move(made), output_scaling);
  if (!member_deviations.empty())
    made = make_averaged(std::move(made), member_deviations, std::move(instances));
  return made;
}

SavedModel describe_model(const Predictor& predictor, const Dataset& data, std::vector<double> parameters,
                          double failure_cost) {
  SavedModel model;
  model.predictor = predictor.shape();
  model.parameters = std::move(parameters);
  model.feature_names = data.feature_names;
  model.scaling = data.scaling;
  model.failure_cost = failure_cost;
  if (predictor.output_scaling() != nullptr) model.output_scaling = *predictor.output_scaling();
  model.member_deviations.assign(predictor.member_deviations().begin(), predictor.member_deviations().end());
  return model;
}

void write_model(const std::string& path, const SavedModel& model) {
  ArchiveWriter archive;
  archive.put(model.predictor.kind);
  for (const std::size_t size :
       {model.predictor.features, model.predictor.outputs, model.predictor.hidden, model.predictor.left})
    archive.put<std::uint64_t>(size);
  if (has_layers(model.predictor)) put_sizes(model.predictor.layers, archive);
  if (has_convolutions(model.predictor)) put_sizes(model.predictor.convolutions, archive);
  archive.put(model.parameters);
  archive.put<std::uint64_t>(model.feature_names.size());
  for (const std::string& name : model.feature_names) archive.put(name);
  archive.put(model.scaling.mean);
  archive.put(model.scaling.deviation);
  archive.put(model.failure_cost);
  // Left out where there is none: models of old stay readable.
  const bool averaged = !model.member_deviations.empty();
  if (!model.output_scaling.mean.empty() || averaged) {
    archive.put(model.output_scaling.mean);
    archive.put(model.output_scaling.deviation);
  }
  if (averaged) archive.put(model.member_deviations);
  write_sealed(path, kMagic, kVersionOfFormat, archive.bytes());
}

SavedModel read_model(const std::string& path) {
  const std::vector<std::byte> payload = read_sealed(path, kMagic, kVersionOfFormat, "a model");
  ArchiveReader archive(payload, path);
  SavedModel model;
  model.predictor.kind = archive.get_text();
  find_predictor(model.predictor.kind, path);
  for (std::size_t* size :
       {&model.predictor.features, &model.predictor.outputs, &model.predictor.hidden, &model.predictor.left})
    *size = archive.get<std::uint64_t>();
  if (has_layers(model.predictor)) model.predictor.layers = get_sizes(archive);
  if (has_convolutions(model.predictor)) model.predictor.convolutions = get_sizes(archive);
  model.parameters = archive.get_doubles();
  const auto names = archive.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < names; ++n) model.feature_names.push_back(archive.get_text());
  model.scaling.mean = archive.get_doubles();
  model.scaling.deviation = archive.get_doubles();
  model.failure_cost = archive.get<double>();
  if (!archive.exhausted()) {
    model.output_scaling.mean = archive.get_doubles();
    model.output_scaling.deviation = archive.get_doubles();
  }
  if (!archive.exhausted()) {
    model.member_deviations = archive.get_doubles();
    if (model.member_deviations.empty()) archive.refuse(kTooLong);
  }
  check_model(model, archive);
  return model;
}

}  // namespace polystep
