#include "base/sobol.hpp"

#include <array>
#include <bit>
#include <string>

#include "base/pcg.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kBits = 30;  // of a coordinate, as there
constexpr std::size_t kHighestDegree = 7;

// A primitive polynomial of this degree with these inner coefficients, and the numbers its recursion starts
// from.
struct Direction {
  std::uint32_t degree;
  std::uint32_t coefficients;
  std::array<std::uint32_t, kHighestDegree> first;
};

// Joe and Kuo, "Constructing Sobol sequences with better two-dimensional projections" (2008), table
// new-joe-kuo-6, from the second dimension on.
constexpr std::array<Direction, Sobol::kMostDimensions - 1> kDirections = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
}};

// Columns of a generator matrix, the first digit after the point highest.
std::vector<std::uint32_t> generator_columns(std::size_t dimension) {
  std::vector<std::uint32_t> numbers(kBits, 1);
  if (dimension > 0) {
    const Direction& direction = kDirections[dimension - 1];
    const std::size_t degree = direction.degree;
    for (std::size_t k = 0; k < kBits; ++k) {
      if (k < degree) {
        numbers[k] = direction.first[k];
        continue;
      }
      numbers[k] = numbers[k - degree] ^ (numbers[k - degree] << degree);
      for (std::size_t i = 1; i < degree; ++i)
        if ((direction.coefficients >> (degree - 1 - i)) & 1) numbers[k] ^= numbers[k - i] << i;
    }
  }
  for (std::size_t k = 0; k < kBits; ++k) numbers[k] <<= kBits - 1 - k;
  return numbers;
}

std::uint32_t parity(std::uint32_t word) { return static_cast<std::uint32_t>(std::popcount(word)) & 1; }

}  // namespace

Sobol::Sobol(std::size_t dimensions, std::optional<std::uint64_t> seed) : point_(dimensions) {
  if (dimensions == 0 || dimensions > kMostDimensions)
    throw InputError("Sobol points: found " + std::to_string(dimensions) + " dimensions, expected 1 to " +
                     std::to_string(kMostDimensions));
  for (std::size_t d = 0; d < dimensions; ++d) columns_.push_back(generator_columns(d));
  if (seed) scramble(*seed);
}

// All shifts are drawn before the first matrix, and of every matrix all entries, also those not used.
void Sobol::scramble(std::uint64_t seed) {
  Pcg draws(seed);
  for (std::uint32_t& shift : point_)
    for (std::size_t bit = 0; bit < kBits; ++bit) shift |= static_cast<std::uint32_t>(draws.coin()) << bit;
  for (std::vector<std::uint32_t>& columns : columns_) {
    std::array<std::uint32_t, kBits> lower{};  // rows, the first digit highest
    for (std::size_t row = 0; row < kBits; ++row)
      for (std::size_t column = 0; column < kBits; ++column) {
        const bool drawn = draws.coin();
        if (column == row || (column < row && drawn)) lower[row] |= std::uint32_t{1} << (kBits - 1 - column);
      }
    for (std::uint32_t& column : columns) {
      std::uint32_t product = 0;
      for (std::size_t row = 0; row < kBits; ++row)
        product |= parity(lower[row] & column) << (kBits - 1 - row);
      column = product;
    }
  }
}

// In the order of the Gray code: the next point differs by one column.
std::vector<double> Sobol::next() {
  if (drawn_ >> kBits != 0) throw InputError("Sobol points: all 2^30 points are drawn, expected fewer");
  std::vector<double> values(point_.size());
  for (std::size_t d = 0; d < point_.size(); ++d)
    values[d] = static_cast<double>(point_[d]) / static_cast<double>(std::uint32_t{1} << kBits);
  const auto column = static_cast<std::size_t>(std::countr_one(drawn_));
  if (column < kBits)
    for (std::size_t d = 0; d < point_.size(); ++d) point_[d] ^= columns_[d][column];
  ++drawn_;
  return values;
}

}  // namespace polystep
