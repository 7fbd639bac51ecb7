#include "data/benchmarks/shortest_path_data.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <ostream>
#include <utility>

#include "data/exact_solvers.hpp"
#include "data/published_files.hpp"
#include "methods/starts/least_squares.hpp"

namespace polystep {
namespace {

using testing::dot;
using testing::read_text;
using testing::shortest_path;
using testing::TemporaryDirectory;
using testing::write_text;

constexpr const char* kFile = "shortest_path/sp_base_f64.bin";

void expect_sizes(const Dataset& data, std::size_t edges) {
  const std::array<std::pair<const Split*, std::size_t>, 3> splits = {
      {{&data.training, 1000}, {&data.validation, 250}, {&data.test, 10000}}};
  for (const auto& [split, rows] : splits) {
    EXPECT_EQ(split->rows, rows);
    EXPECT_EQ(split->feature_columns, 5u);
    EXPECT_EQ(split->truth_columns, edges);
    EXPECT_EQ(split->features.size(), rows * 5);
    EXPECT_EQ(split->truth.size(), rows * edges);
  }
  EXPECT_EQ(data.feature_names, (std::vector<std::string>{"z1", "z2", "z3", "z4", "z5"}));
  EXPECT_TRUE(data.scaling.mean.empty());
}

double mean_optimum(const Split& split) {
  double sum = 0;
  for (std::size_t row = 0; row < split.rows; ++row) {
    sum += dot(shortest_path(split.truth_row(row), kPublishedGrid), split.truth_row(row));
  }
  return sum / static_cast<double>(split.rows);
}

TEST(ShortestPathCosts, FollowTheFormula) {
  const std::vector<double> mixing = {1, 0, 0, 1, 0, 0, 0, 0, 0, 0};  // [2 edges × 5]
  const std::vector<double> features = {1.5, 9, 9, -0.5, 9}, noise = {0.75, 1.25};
  std::vector<double> costs(2);
  shortest_path_costs(mixing, features, noise, 4, costs);
  EXPECT_NEAR(costs[0], (std::pow(1 / std::sqrt(5.0) + 3, 4) + 1) * 0.75, 1e-11);
  EXPECT_DOUBLE_EQ(costs[1], 82 * 1.25);
}

TEST(PublishedShortestPath, RawDrawsHaveThePublishedValues) {
  POLYSTEP_NEEDS_DATA();
  const std::string bytes = read_text(classical_file(find_data_directory(""), kFile));
  ASSERT_GE(bytes.size(), (200u + 5000u + 3u) * 8u);
  const auto value = [&bytes](std::size_t k) {
    double result;
    std::memcpy(&result, bytes.data() + 8 * k, 8);
    return result;
  };
  const std::string rows = "10000111101101110010";
  double sum = 0;
  for (std::size_t k = 0; k < 200; ++k) sum += value(k);
  EXPECT_EQ(sum, 104);
  for (std::size_t k = 0; k < rows.size(); ++k) EXPECT_EQ(value(k), rows[k] - '0');
  EXPECT_EQ(value(5200), 1.186000858288328);
  EXPECT_EQ(value(5201), 0.943377585153993);
  EXPECT_EQ(value(5202), 1.1781251542428441);
}

TEST(PublishedShortestPath, FirstInstanceIsBuiltFromTheRawDraws) {
  POLYSTEP_NEEDS_DATA();
  const Dataset data = published_shortest_path(find_data_directory(""), 1);
  expect_sizes(data, 40);
  const std::vector<double> z = {-1.6809888577095016, 0.4150832475580419, -0.4154451465106263,
                                 -0.09811986909658155, 0.8918229959261504};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(data.training.features[k], z[k]);
  const double mixed[] = {z[0], z[0] + z[1] + z[2] + z[3],
                          z[0] + z[1] + z[3] + z[4]};  // rows 10000 11110 11011
  const double noise[] = {1.186000858288328, 0.943377585153993, 1.1781251542428441};
  for (std::size_t edge = 0; edge < 3; ++edge) {
    EXPECT_NEAR(data.training.truth[edge], (mixed[edge] / std::sqrt(5.0) + 4) * noise[edge], 1e-13);
  }
}

struct GoldenDegree {
  int degree;
  double optimum[5];  // training instances 0..4
  double mean_training, mean_test;
  double regret;  // of least squares, on the test split

  friend std::ostream& operator<<(std::ostream& out, const GoldenDegree& golden) {
    return out << "degree " << golden.degree;
  }
};

class PublishedShortestPathDegree : public ::testing::TestWithParam<GoldenDegree> {};

// Golden values carry nine significant digits; half a unit of the last one is the tolerance.
double printed_tolerance(double value, int digits) {
  return 0.5000001 * std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
}

TEST_P(PublishedShortestPathDegree, OptimaMatchThePublishedValues) {
  POLYSTEP_NEEDS_DATA();
  const GoldenDegree& golden = GetParam();
  const Dataset data = published_shortest_path(find_data_directory(""), golden.degree);
  for (std::size_t row = 0; row < 5; ++row) {
    const auto truth = data.training.truth_row(row);
    EXPECT_NEAR(dot(shortest_path(truth, 5), truth), golden.optimum[row],
                printed_tolerance(golden.optimum[row], 9));
  }
  EXPECT_NEAR(mean_optimum(data.training), golden.mean_training, printed_tolerance(golden.mean_training, 9));
  EXPECT_NEAR(mean_optimum(data.test), golden.mean_test, printed_tolerance(golden.mean_test, 9));
}

TEST_P(PublishedShortestPathDegree, LeastSquaresRegretMatchesThePublishedValue) {
  POLYSTEP_NEEDS_DATA();
  const Dataset data = published_shortest_path(find_data_directory(""), GetParam().degree);
  const std::vector<double> theta = least_squares_linear(data.training);
  EXPECT_NEAR(testing::shortest_path_regret(data.test, theta, 5), GetParam().regret, 0.5000001e-7);
}

INSTANTIATE_TEST_SUITE_P(
    Degrees, PublishedShortestPathDegree,
    ::testing::Values(GoldenDegree{1,
                                   {24.8420726, 20.2381284, 27.4569917, 26.9337222, 29.5115274},
                                   25.4108228,
                                   25.5201737,
                                   0.1528034},
                      GoldenDegree{2,
                                   {48.8294353, 30.0078867, 68.3728367, 77.5237391, 90.6191994},
                                   61.6977301,
                                   62.3683068,
                                   0.1008642},
                      GoldenDegree{4,
                                   {249.150218, 95.2781061, 482.537721, 789.029379, 1018.74611},
                                   518.502918,
                                   531.895853,
                                   0.0970128},
                      GoldenDegree{6,
                                   {1474.32449, 458.364049, 3879.04821, 8936.74147, 12450.5437},
                                   5388.19107,
                                   5609.94165,
                                   0.2111287},
                      GoldenDegree{8,
                                   {9197.37432, 2821.15709, 33517.4198, 105172.408, 160429.76},
                                   63180.0377,
                                   66785.2212,
                                   0.4887623}),
    [](const auto& golden) { return "Degree" + std::to_string(golden.param.degree); });

TEST(PublishedShortestPathFile, MustExist) {
  const TemporaryDirectory place;
  EXPECT_INPUT_ERROR(published_shortest_path(place.string(), 1), kFile, "No such file");
}

TEST(PublishedShortestPathFile, MustNotBeADirectory) {
  const TemporaryDirectory place;
  std::filesystem::create_directories(place.path() / kFile);
  EXPECT_INPUT_ERROR(published_shortest_path(place.string(), 1), kFile, "is a directory");
}

TEST(PublishedShortestPathFile, MustHaveTheExactSize) {
  const TemporaryDirectory place;
  for (const std::size_t size : {0, 4051599, 4051608}) {
    write_text(place.path() / kFile, std::string(size, '\0'));
    EXPECT_INPUT_ERROR(published_shortest_path(place.string(), 1), std::to_string(size) + " bytes",
                       "expected 4051600");
  }
}

TEST(PublishedShortestPathFile, MustBeFinite) {
  const TemporaryDirectory place;
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    std::string bytes(4051600, '\0');
    std::memcpy(bytes.data() + 8 * 777, &bad, 8);
    write_text(place.path() / kFile, bytes);
    EXPECT_INPUT_ERROR(published_shortest_path(place.string(), 1), kFile, "double number 777");
  }
}

TEST(GeneratedShortestPath, IsAPureFunctionOfItsSeed) {
  const Dataset first = generated_shortest_path(4, 3, 0.5, 7), again = generated_shortest_path(4, 3, 0.5, 7);
  expect_sizes(first, 24);
  EXPECT_EQ(first.test.features, again.test.features);
  EXPECT_EQ(first.test.truth, again.test.truth);
  EXPECT_NE(first.test.truth, generated_shortest_path(4, 3, 0.5, 8).test.truth);
  EXPECT_NE(first.training.features, first.test.features);
}

TEST(GeneratedShortestPath, DrawsOfASeedNeverChange) {
  // Saved results name their data by seed alone. The tolerance is for other mathematical libraries.
  const Dataset data = generated_shortest_path(5, 2, 0.5, 0);
  EXPECT_NEAR(data.training.features[0], 0.41782198329357428, 1e-12);
  EXPECT_NEAR(data.training.truth[0], 8.5218159144892578, 1e-11);
  EXPECT_NEAR(data.test.truth.back(), 12.259628244310209, 1e-11);
}

TEST(GeneratedShortestPath, DegreesShareFeaturesAndNoise) {
  const Dataset one = generated_shortest_path(3, 1, 0.5, 11), two = generated_shortest_path(3, 2, 0.5, 11);
  const Dataset one_calm = generated_shortest_path(3, 1, 0.0, 11),
                two_calm = generated_shortest_path(3, 2, 0.0, 11);
  EXPECT_EQ(one.training.features, two.training.features);
  for (std::size_t k = 0; k < one.training.truth.size(); ++k) {
    const double base = one_calm.training.truth[k] - 1;
    ASSERT_NEAR(two_calm.training.truth[k], base * base + 1, 1e-9);
    const double noise =
        one.training.truth[k] / one_calm.training.truth[k];  // xi, where the cost is not near 0
    if (std::abs(one_calm.training.truth[k]) > 1e-3) {
      ASSERT_NEAR(two.training.truth[k], two_calm.training.truth[k] * noise,
                  1e-9 * two_calm.training.truth[k]);
    }
  }
}

TEST(GeneratedShortestPath, NoiseLevelsShareTheirUniforms) {
  const Dataset calm = generated_shortest_path(3, 2, 0.0, 5), half = generated_shortest_path(3, 2, 0.25, 5),
                full = generated_shortest_path(3, 2, 0.5, 5);
  EXPECT_EQ(calm.training.features, full.training.features);
  for (std::size_t k = 0; k < calm.training.truth.size(); ++k) {
    ASSERT_NEAR(full.training.truth[k] - calm.training.truth[k],
                2 * (half.training.truth[k] - calm.training.truth[k]), 1e-12 * calm.training.truth[k]);
  }
}

TEST(GeneratedShortestPath, DrawsHaveTheRightMoments) {
  const Dataset data = generated_shortest_path(5, 2, 0.5, 3), calm = generated_shortest_path(5, 2, 0.0, 3);
  double sum = 0, squares = 0;
  for (const double z : data.test.features) sum += z, squares += z * z;
  const auto count = static_cast<double>(data.test.features.size());
  EXPECT_NEAR(sum / count, 0, 0.02);  // 50000 draws: four standard errors
  EXPECT_NEAR(squares / count, 1, 0.03);
  double noise_sum = 0, noise_squares = 0;
  for (std::size_t k = 0; k < data.test.truth.size(); ++k) {
    const double xi = data.test.truth[k] / calm.test.truth[k];
    ASSERT_GE(xi, 0.5 - 1e-12);
    ASSERT_LE(xi, 1.5 + 1e-12);
    noise_sum += xi, noise_squares += (xi - 1) * (xi - 1);
  }
  const auto edges = static_cast<double>(data.test.truth.size());
  EXPECT_NEAR(noise_sum / edges, 1, 0.002);
  EXPECT_NEAR(noise_squares / edges, 1.0 / 12, 0.001);
}

TEST(GeneratedShortestPath, LinearPredictorsSufferFromTheDegree) {
  const auto regret = [](int degree) {
    const Dataset data = generated_shortest_path(5, degree, 0.5, 1);
    return testing::shortest_path_regret(data.validation, least_squares_linear(data.training), 5);
  };
  const double straight = regret(1), bent = regret(8);
  EXPECT_GT(straight, 0.08);  // the noise alone costs this much
  EXPECT_LT(straight, 0.25);
  EXPECT_GT(bent, 1.5 * straight);
}

TEST(GeneratedShortestPath, RejectsBadSettings) {
  EXPECT_INPUT_ERROR(generated_shortest_path(1, 1, 0.5, 0), "found 1 nodes", "expected 2 to");
  EXPECT_INPUT_ERROR(generated_shortest_path(5, 0, 0.5, 0), "found degree 0", "expected 1 to 100");
  EXPECT_INPUT_ERROR(generated_shortest_path(5, 1, -0.1, 0), "found noise -0.1", "expected 0 to 1");
  EXPECT_INPUT_ERROR(generated_shortest_path(5, 1, std::nan(""), 0), "found noise nan", "expected 0 to 1");
  EXPECT_INPUT_ERROR(published_shortest_path("", 101), "found degree 101", "expected 1 to 100");
}

}  // namespace
}  // namespace polystep
