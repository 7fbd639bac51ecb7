#include "methods/inputs/reduced_rows.hpp"

#include "methods/fits/output_layer.hpp"
#include "polystep/error.hpp"

namespace polystep {

ReducedRows::ReducedRows(const Task& task) : task_(task) {
  const Predictor& predictor = *task.predictor;
  if (!can_reduce_inputs(predictor) || !ends_in_affine_layer(predictor))
    throw InputError("inputs is reduced, but the predictor '" + predictor.kind() +
                     "' does not begin with a layer over rows of features and end in an affine one, expected "
                     "inputs = all");
}

void ReducedRows::prepare(Preparation& preparation, Team& team) {
  const Predictor& whole = *task_.predictor;
  const Found& found = preparation.part("directions of the inputs", [&]() -> Found {
    return {InputReduction::find(whole, task_.data.training, true, team).numbers(), {}};
  });
  reduction_ = InputReduction::from_numbers(found.numbers);
  training_ = reduction_.training(task_.data.training);
  predictor_ = reduction_.small_predictor(whole);
}

std::vector<double> ReducedRows::centred(std::span<const double> theta) const {
  const std::vector<double> mean = truth_units(*predictor_, training_).mean;
  return with_output_map(*predictor_, theta, {std::vector<double>(mean.size(), 1.0), mean});
}

std::vector<double> ReducedRows::fold(std::span<const double> theta) const {
  return reduction_.fold(*task_.predictor, theta);
}

}  // namespace polystep
