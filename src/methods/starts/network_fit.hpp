// Least squares for perceptrons, which have no closed form: Adam on minibatches, the rate falling to 0 by
// half a cosine wave, outputs in units of the truth's spread. A fifth of the rows is held out and says where
// to stop. Nothing is solved. Same rows, same seed, same bits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// Perceptrons with linear outputs whose features are tables; the truth must be a parameter per output.
bool has_network_fit(const Predictor& predictor, const Split& split);

// Parameters fitted to the given rows, from the random ones of `seed`. Throws Stopped where it is to stop.
std::vector<double> network_fit(const Predictor& predictor, const Split& split,
                                std::span<const std::size_t> rows, std::uint64_t seed,
                                InitialDraw generator = InitialDraw::kStreams);

}  // namespace polystep
