// Weights of one block's vertices from its cost row alone. Rows come shifted: their cheapest entry is 0.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace polystep {

// exp(-cost / temperature), normalised.
void softmax_weights(std::span<const double> costs, double temperature, std::span<double> weights);

// All mass on the cheapest vertex.
void greedy_weights(std::span<const double> costs, std::span<double> weights);

// Equal mass on the `count` cheapest vertices. `order` is scratch space.
void top_weights(std::span<const double> costs, std::size_t count, std::vector<std::size_t>& order,
                 std::span<double> weights);

// Entropy as a share of the uniform weights' entropy; 1 for a single vertex.
double entropy_share(std::span<const double> weights);

}  // namespace polystep
