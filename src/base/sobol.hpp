// Sobol points: quasi-random points that fill a cube evenly, with the direction numbers of Joe and Kuo.
//
// Scrambled, they are those of scipy.stats.qmc.Sobol(dimensions, seed = seed): every coordinate's generator
// matrix is multiplied by a random lower triangular one and its digits are shifted at random. Such points
// keep the even spread of the plain ones, but none of them is special; published designs drawn there can be
// drawn again here, number for number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace polystep {

class Sobol {
 public:
  static constexpr std::size_t kMostDimensions = 32;

  // Without a seed: the plain sequence, which starts at 0. More dimensions than there are direction numbers
  // for are an InputError.
  explicit Sobol(std::size_t dimensions, std::optional<std::uint64_t> seed = {});

  // The next point, each coordinate in [0, 1).
  std::vector<double> next();

 private:
  void scramble(std::uint64_t seed);

  std::vector<std::vector<std::uint32_t>> columns_;  // [dimensions × bits] of the generator matrices
  std::vector<std::uint32_t> point_;                 // [dimensions], as digits after the point
  std::uint64_t drawn_ = 0;
};

}  // namespace polystep
