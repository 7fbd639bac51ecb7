// The last layer of a predictor: an affine map, which can take a change of level or unit into its weights.
//
// A network that ends in weights and biases predicts a + b p instead of p once both are multiplied by b and
// the biases moved by a. So whatever is done to predictions as a whole, such as putting them back into the
// data's units, or raising and stretching them, leaves an ordinary network of the same shape.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// Whether predictions are an affine map of what the layer before has, without a function behind it.
bool ends_in_affine_layer(const Predictor& predictor);

// Units of that layer: one per output, or a single one that all outputs share.
std::size_t last_units(const Predictor& predictor);

// Of an output of an instance.
inline std::size_t last_unit(std::size_t units, std::size_t output) { return units == 1 ? 0 : output; }

// What every unit's predictions become: slope * prediction + shift.
struct OutputMap {
  std::vector<double> slope;  // [last units]
  std::vector<double> shift;  // [last units]
};

// Parameters that predict what the map makes of the given ones' predictions.
std::vector<double> with_output_map(const Predictor& predictor, std::span<const double> theta,
                                    const OutputMap& map);

// Parameters that predict a constant, whatever comes in: level [last units].
std::vector<double> constant_parameters(const Predictor& predictor, std::span<const double> level);

// Mean and deviation of the true parameters that each unit of the last layer predicts, all positive: a unit
// whose truth never changes has deviation 1.
OutputScaling truth_units(const Predictor& predictor, const Split& split);

}  // namespace polystep
