#include "optimizer/rotation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "black_box.hpp"

namespace polystep {
namespace {

using polystep::testing::dot;

double determinant(std::vector<double> a, std::size_t n) {
  double product = 1;
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(a[c * n + r]) > std::abs(a[c * n + pivot])) pivot = r;
    for (std::size_t k = 0; k < n; ++k) std::swap(a[k * n + c], a[k * n + pivot]);
    product *= (pivot == c ? 1 : -1) * a[c * n + c];
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = a[c * n + r] / a[c * n + c];
      for (std::size_t k = c; k < n; ++k) a[k * n + r] -= factor * a[k * n + c];
    }
  }
  return product;
}

class RotationOfSize : public ::testing::TestWithParam<std::size_t> {};

TEST_P(RotationOfSize, IsOrthogonalWithDeterminantOne) {
  const std::size_t q = GetParam();
  std::vector<double> rotation(q * q), reflector;
  for (std::uint64_t block = 0; block < 20; ++block) {
    RandomStream random(5, Purpose::kTest, block);
    draw_rotation(random, q, rotation, reflector);
    for (std::size_t a = 0; a < q; ++a)
      for (std::size_t b = 0; b < q; ++b)
        EXPECT_NEAR(dot(std::span(rotation).subspan(a * q, q), std::span(rotation).subspan(b * q, q)), a == b,
                    1e-13);
    EXPECT_NEAR(determinant(rotation, q), 1.0, 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, RotationOfSize, ::testing::Values(1, 2, 3, 4, 8, 17));

TEST(Rotation, OneDimensionalIsOne) {
  std::vector<double> rotation(1), reflector;
  for (std::uint64_t i = 0; i < 20; ++i) {
    RandomStream random(i, Purpose::kTest);
    draw_rotation(random, 1, rotation, reflector);
    EXPECT_EQ(rotation[0], 1.0);
  }
}

// Every entry of a Haar rotation has mean 0, variance 1/q and fourth moment 3/(q(q+2)), and any two are
// uncorrelated.
TEST(Rotation, EntriesHaveHaarMoments) {
  for (const std::size_t q : {2u, 3u, 8u}) {
    constexpr int kDraws = 20000;
    std::vector<double> rotation(q * q), reflector, mean(q * q), square(q * q), fourth(q * q);
    double trace_square = 0;
    for (int draw = 0; draw < kDraws; ++draw) {
      RandomStream random(11, Purpose::kTest, static_cast<std::uint64_t>(draw), q);
      draw_rotation(random, q, rotation, reflector);
      double trace = 0;
      for (std::size_t i = 0; i < q * q; ++i) {
        mean[i] += rotation[i] / kDraws;
        square[i] += rotation[i] * rotation[i] / kDraws;
        fourth[i] += std::pow(rotation[i], 4) / kDraws;
      }
      for (std::size_t i = 0; i < q; ++i) trace += rotation[i * q + i];
      trace_square += trace * trace / kDraws;
    }
    const double n = static_cast<double>(q);
    for (std::size_t i = 0; i < q * q; ++i) {
      EXPECT_NEAR(mean[i], 0.0, 5 / std::sqrt(n * kDraws));
      EXPECT_NEAR(square[i], 1 / n, 0.05 / n);
      EXPECT_NEAR(fourth[i], 3 / (n * (n + 2)), 0.12 * 3 / (n * (n + 2)));
    }
    EXPECT_NEAR(trace_square, q == 2 ? 2.0 : 1.0, 0.08);  // 2 on SO(2), 1 on every larger SO(q)
  }
}

}  // namespace
}  // namespace polystep
