#include "runtime/run/averaged_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polystep/aligned.hpp"
#include "polystep/error.hpp"

namespace polystep {

double output_deviation(const Task& task, std::span<const double> theta, const TiledRows& rows) {
  const std::unique_ptr<Predictor> centred =
      make_averaged(task.predictor->clone(), {1.0}, task.problem->instances());
  AlignedDoubles prediction;
  double sum = 0, squares = 0, count = 0;
  const auto for_outputs = [&](const auto& visit) {
    for (std::size_t number = 0; number < rows.tiles(); ++number) {
      const Tile& tile = rows.tile(number);
      const std::size_t outputs = centred->outputs_of(tile);
      prediction.resize(outputs * tile.width);
      centred->predict(theta, tile, prediction.data());
      for (std::size_t o = 0; o < outputs; ++o)
        for (std::size_t lane = 0; lane < tile.lanes; ++lane) visit(prediction[o * tile.width + lane]);
    }
  };
  for_outputs([&](double value) { sum += value, count += 1; });
  for_outputs([&](double value) { squares += (value - sum / count) * (value - sum / count); });
  const double deviation = count > 0 ? std::sqrt(squares / count) : 0;
  return deviation > 0 ? deviation : 1;
}

SavedModel average_models(const Task& task, std::span<const SavedModel> members) {
  if (members.empty()) throw InputError("average of models: found none, expected at least one");
  SavedModel average = members.front();
  average.parameters.clear();
  average.member_deviations.clear();
  const TiledRows rows(task.data.training);
  for (std::size_t m = 0; m < members.size(); ++m) {
    const SavedModel& member = members[m];
    if (!member.member_deviations.empty() || !member.output_scaling.mean.empty())
      throw InputError(fmt::format(
          "average of models: model {} has outputs in units of its own, expected a single predictor with "
          "raw outputs",
          m + 1));
    if (member.predictor != task.predictor->shape() ||
        member.parameters.size() != task.predictor->parameters())
      throw InputError(fmt::format(
          "average of models: model {} is a {} predictor with {} parameters, expected a {} predictor with {}",
          m + 1, member.predictor.kind, member.parameters.size(), task.predictor->kind(),
          task.predictor->parameters()));
    if (member.feature_names != average.feature_names || member.scaling.mean != average.scaling.mean ||
        member.scaling.deviation != average.scaling.deviation)
      throw InputError(fmt::format(
          "average of models: model {} knows other features than the first, expected the same", m + 1));
    average.parameters.insert(average.parameters.end(), member.parameters.begin(), member.parameters.end());
    average.member_deviations.push_back(output_deviation(task, member.parameters, rows));
    average.failure_cost = std::max(average.failure_cost, member.failure_cost);
  }
  return average;
}

}  // namespace polystep
