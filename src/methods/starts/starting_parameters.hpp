// The option `start`: where the parameters of a predictor start from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "polystep/predictor.hpp"

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

}  // namespace polystep
