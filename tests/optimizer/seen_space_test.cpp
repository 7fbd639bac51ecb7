// The moving space whose random columns are drawn as they are seen: their distribution, the step that is
// taken, what is remembered.
#include <gtest/gtest.h>

#include <cmath>

#include "input_error.hpp"
#include "optimizer/moving_options.hpp"
#include "polystep/random.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

constexpr SeenMatrix kMatrix{.units = 32, .inputs = 50};
constexpr std::size_t kRest = 65;  // bias, output weights and output bias
constexpr std::size_t kParameters = kMatrix.units * kMatrix.inputs + kRest;

std::vector<double> start() {
  std::vector<double> theta(kParameters);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = 0.01 * static_cast<double>(i % 17);
  return theta;
}

// Rows that point roughly the same way, as features do.
std::vector<float> draw_rows(std::size_t count, std::uint64_t number) {
  RandomStream stream(61, Purpose::kTest, number);
  std::vector<float> rows(count * kMatrix.inputs);
  for (float& entry : rows) entry = static_cast<float>(0.5 + stream.normal());
  return rows;
}

std::unique_ptr<SearchSpace> space_of(std::size_t dimension, ParallelFor parallel = {}) {
  return make_seen_space(start(), {.dimension = dimension, .horizon = 220}, kMatrix, 7, std::move(parallel));
}

void draw_all(SearchSpace& space) {
  for (std::size_t k = 0; k < space.dimension(); ++k) space.seen()->draw(k);
}

double dot(const float* a, const float* b, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

// Products of rows with the matrix part of a step, [rows × units].
std::vector<double> products(const std::vector<float>& rows, std::span<const double> step) {
  std::vector<double> all;
  for (std::size_t r = 0; r < rows.size(); r += kMatrix.inputs)
    for (std::size_t u = 0; u < kMatrix.units; ++u) {
      double sum = 0;
      for (std::size_t i = 0; i < kMatrix.inputs; ++i) sum += rows[r + i] * step[u * kMatrix.inputs + i];
      all.push_back(sum);
    }
  return all;
}

std::vector<double> step_to(const SearchSpace& space, std::span<const double> y) {
  std::vector<double> theta(kParameters);
  space.place(y, theta);
  for (std::size_t i = 0; i < theta.size(); ++i) theta[i] -= space.origin()[i];
  return theta;
}

TEST(SeenSpace, ProductsHaveTheCovarianceOfTheRows) {
  constexpr std::size_t kRows = 5, kColumns = 512;
  const std::vector<float> rows = draw_rows(kRows, 1);
  const auto space = space_of(kColumns);
  space->seen()->show(rows);
  draw_all(*space);
  double covariance[kRows][kRows] = {}, rest = 0;
  for (std::size_t k = 0; k < kColumns; ++k) {
    const std::span<const float> change = space->seen()->change(k);
    ASSERT_EQ(change.size(), kRows * kMatrix.units);
    for (std::size_t a = 0; a < kRows; ++a)
      for (std::size_t b = 0; b < kRows; ++b)
        covariance[a][b] += dot(&change[a * kMatrix.units], &change[b * kMatrix.units], kMatrix.units);
    rest += dot(space->seen()->rest(k).data(), space->seen()->rest(k).data(), kRest);
  }
  // 16384 draws: relative deviations of about 0.01.
  for (std::size_t a = 0; a < kRows; ++a)
    for (std::size_t b = 0; b < kRows; ++b) {
      const double expected =
          dot(&rows[a * kMatrix.inputs], &rows[b * kMatrix.inputs], kMatrix.inputs) / kParameters;
      const double size =
          dot(&rows[a * kMatrix.inputs], &rows[a * kMatrix.inputs], kMatrix.inputs) / kParameters;
      EXPECT_NEAR(covariance[a][b] / (kColumns * kMatrix.units), expected, 0.04 * size);
    }
  EXPECT_NEAR(rest / kColumns, static_cast<double>(kRest) / kParameters, 0.02 * kRest / kParameters);
}

class ShownRowsOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ShownRowsOf, TheStepHasTheProductsThatWereSeenAndTheLengthOfItsCoordinates) {
  const std::vector<float> rows = draw_rows(GetParam(), 2);
  const auto space = space_of(16);
  space->seen()->show(rows);
  draw_all(*space);
  std::vector<double> y(16);
  RandomStream stream(62, Purpose::kTest);
  double squares = 0;
  for (double& coordinate : y) {
    coordinate = stream.normal();
    squares += coordinate * coordinate;
  }
  const std::vector<double> step = step_to(*space, y);
  const std::vector<double> found = products(rows, step);
  double worst = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    double seen = 0;
    for (std::size_t k = 0; k < 16; ++k) seen += y[k] * space->seen()->change(k)[i];
    worst = std::max(worst, std::abs(seen - found[i]));
    size = std::max(size, std::abs(seen));
  }
  EXPECT_LT(worst, 1e-3 * size);
  for (std::size_t i = 0; i < kRest; ++i) {
    double seen = 0;
    for (std::size_t k = 0; k < 16; ++k) seen += y[k] * space->seen()->rest(k)[i];
    EXPECT_NEAR(step[kMatrix.size() + i], seen, 1e-5);
  }
  double length = 0;
  for (const double entry : step) length += entry * entry;
  EXPECT_NEAR(length / squares, 1, 0.15);  // columns are orthonormal to 1 / sqrt(1665) each
}

// Fewer rows than inputs, and more.
INSTANTIATE_TEST_SUITE_P(Rows, ShownRowsOf, ::testing::Values(1, 20, 49, 50, 130));

// What the shown rows do not see is random as well: other rows see a step of the right size.
TEST(SeenSpace, WhatNobodySawIsDrawnToo) {
  const std::vector<float> shown = draw_rows(10, 3), others = draw_rows(200, 4);
  double seen = 0, expected = 0;
  const auto space = space_of(8);
  for (int draw = 0; draw < 20; ++draw) {
    space->seen()->show(shown);
    draw_all(*space);
    std::vector<double> y(8, 0.0);
    y[7] = 2;  // never one of the remembered
    for (const double product : products(others, step_to(*space, y))) seen += product * product;
    for (std::size_t r = 0; r < others.size(); r += kMatrix.inputs)
      expected += kMatrix.units * dot(&others[r], &others[r], kMatrix.inputs) * 4 / kParameters;
    space->finish_step(y, y);
  }
  EXPECT_NEAR(seen / expected, 1, 0.1);
}

TEST(SeenSpace, RemembersStepsAsTheFirstColumns) {
  const std::vector<float> rows = draw_rows(12, 5);
  const auto space = space_of(16);
  space->seen()->show(rows);
  draw_all(*space);
  std::vector<double> y(16, 0.5);
  const std::vector<double> step = step_to(*space, y);
  ASSERT_TRUE(space->finish_step(y, y));
  for (std::size_t i = 0; i < step.size(); ++i) EXPECT_NEAR(space->origin()[i], start()[i] + step[i], 1e-6);
  double length = 0;
  for (const double entry : step) length += entry * entry;
  length = std::sqrt(length);
  const std::vector<float> next = draw_rows(9, 6);
  space->seen()->show(next);
  draw_all(*space);
  const std::vector<double> expected = products(next, step);
  double sign = 0;  // of a main direction
  for (std::size_t i = 0; i < expected.size(); ++i) sign += space->seen()->change(0)[i] * expected[i];
  sign = sign > 0 ? 1 : -1;
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(sign * space->seen()->change(0)[i], expected[i] / length, 1e-4);
  for (std::size_t i = 0; i < kRest; ++i)
    EXPECT_NEAR(sign * space->seen()->rest(0)[i], step[kMatrix.size() + i] / length, 1e-5);
}

TEST(SeenSpace, KeepsAsManyDirectionsAsReleased) {
  const MovingSpaceOptions options{.dimension = 128, .horizon = 220};
  const auto kept = [&](std::size_t step) {
    return directions_to_keep(options, step, std::min<std::size_t>(step, 5));
  };
  for (std::size_t step = 1; step <= 220; ++step)
    EXPECT_EQ(kept(step), step < 7 ? 1u : step < 11 ? 2u : step < 14 ? 3u : step < 18 ? 4u : 5u) << step;
}

// Three steps, the same bits whoever computes them and whether or not they are interrupted.
TEST(SeenSpace, GoesOnToTheSameBits) {
  const auto move = [](SearchSpace& space, std::uint64_t number) {
    space.seen()->show(draw_rows(11, number));
    for (std::size_t k = space.dimension(); k-- > 0;) space.seen()->draw(k);
    std::vector<double> y(space.dimension());
    for (std::size_t k = 0; k < y.size(); ++k) y[k] = static_cast<double>(k % 3) - 1;
    space.finish_step(y, y);
  };
  const auto whole = space_of(16), backwards = space_of(16, [](std::size_t slots, const auto&work) {
                                     for (std::size_t slot = slots; slot-- > 0;) work(slot);
                                   });
  auto resumed = space_of(16);
  for (std::uint64_t number = 10; number < 13; ++number) {
    move(*whole, number);
    move(*backwards, number);
    move(*resumed, number);
    ArchiveWriter saved;
    resumed->save(saved);
    resumed = space_of(16);
    ArchiveReader reader(saved.bytes(), "test");
    resumed->load(reader);
  }
  EXPECT_TRUE(std::ranges::equal(whole->origin(), backwards->origin()));
  EXPECT_TRUE(std::ranges::equal(whole->origin(), resumed->origin()));
}

TEST(SeenSpace, RepeatedRowsAndNoStepAtAllAreFine) {
  std::vector<float> rows = draw_rows(4, 8);
  rows.insert(rows.end(), rows.begin(), rows.end());
  const auto space = space_of(8);
  space->seen()->show(rows);
  draw_all(*space);
  const std::vector<double> y(8, 1.0), none(8, 0.0);
  for (const double entry : step_to(*space, y)) ASSERT_TRUE(std::isfinite(entry));
  space->finish_step(none, none);
  EXPECT_TRUE(std::ranges::equal(space->origin(), start()));
}

TEST(SeenSpace, RefusesWhatItCannotSee) {
  EXPECT_NE(input_error([] {
              make_seen_space(start(), {.dimension = 8, .interval = 2}, kMatrix, 0);
            }).find("interval is 2, expected 1"),
            std::string::npos);
  EXPECT_NE(input_error([] {
              make_seen_space(start(), {.dimension = 8}, {.units = 40, .inputs = 50}, 0);
            }).find("a matrix of 40 units and 50 inputs among 1665 parameters"),
            std::string::npos);
}

}  // namespace
}  // namespace polystep
