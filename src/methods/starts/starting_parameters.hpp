// The option `start`: where the parameters of a predictor start from.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "polystep/predictor.hpp"
#include "polystep/random.hpp"

namespace polystep {

inline constexpr const char* kStartHelp =
    "generator of the starting parameters; twister: the draws of the published classical runs, twister-0: "
    "those "
    "of the published runs with predicted constraints, the same for every seed";

inline std::vector<std::string> start_choices() { return {"streams", "twister", "twister-0"}; }

inline std::vector<double> starting_parameters(const Predictor& predictor, const std::string& start,
                                               std::uint64_t seed) {
  if (start == "streams") return predictor.initial_parameters(seed);
  return predictor.initial_parameters(start == "twister" ? seed : 0, InitialDraw::kTwister);
}

// Weights uniform up to sqrt(6 / (fan-in + fan-out)), biases 0: what published knapsacks with several
// resources started from, drawn from the program's own streams.
inline std::vector<double> xavier_parameters(const Predictor& predictor, std::uint64_t seed) {
  std::vector<double> theta;
  std::uint64_t number = 0;
  for (const TensorShape& tensor : predictor.tensors()) {
    RandomStream stream(seed, Purpose::kInitialParameters, number++);
    const bool weights = tensor.dimensions.size() >= 2;
    const std::size_t out = tensor.dimensions.front(), in = tensor.size() / out;
    const double bound = weights ? std::sqrt(6.0 / static_cast<double>(in + out)) : 0.0;
    for (std::size_t i = 0; i < tensor.size(); ++i)
      theta.push_back(weights ? stream.uniform(-bound, bound) : 0.0);
  }
  return theta;
}

}  // namespace polystep
