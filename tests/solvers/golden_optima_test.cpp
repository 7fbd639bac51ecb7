// Optimal values of the benchmark data that were computed by other solvers, found again by ours.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "polystep/tile.hpp"
#include "solvers/grid/grid_path.hpp"
#include "solvers/knapsack/knapsack.hpp"

namespace polystep::solvers {
namespace {

constexpr const char* kSkipped = "skipped: needs data, see docs/data.md";

std::filesystem::path classical_data() {
  const char* const given = std::getenv("POLYSTEPOR_DATA");
  return std::filesystem::path(given != nullptr ? given : "../shared/data") / "classical";
}

// Rows given one after the other become a tile; missing rows repeat the last one.
std::vector<double> as_tile(const std::vector<double>& rows, std::size_t columns, std::size_t first_row) {
  const std::size_t last_row = rows.size() / columns - 1;
  std::vector<double> tile(columns * kLanes);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const std::size_t row = std::min(first_row + lane, last_row);
    for (std::size_t column = 0; column < columns; ++column) {
      tile[column * kLanes + lane] = rows[row * columns + column];
    }
  }
  return tile;
}

// Optimal value per row, by the tile path.
template <class Solver>
std::vector<double> optima(const Solver& solver, const std::vector<double>& rows, std::size_t columns) {
  const std::size_t count = rows.size() / columns;
  std::vector<double> values;
  for (std::size_t first = 0; first < count; first += kLanes) {
    const auto tile = as_tile(rows, columns, first);
    TileOutcome outcome;
    solver.solve_tile(tile.data(), tile.data(), outcome.cost.data(), outcome.signature.data());
    for (std::size_t lane = 0; lane < kLanes && first + lane < count; ++lane)
      values.push_back(outcome.cost[lane]);
  }
  return values;
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::vector<int> read_weights(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<int> weights;
  for (std::string field; std::getline(in, field, ',');) weights.push_back(std::stoi(field));
  return weights;
}

// The last column of every row after the header.
std::vector<double> read_values(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<double> values;
  while (std::getline(in, line)) values.push_back(std::stod(line.substr(line.rfind(',') + 1)));
  return values;
}

struct KnapsackGolden {
  int capacity;
  double days[5];
  double mean;
};

constexpr KnapsackGolden kKnapsackGolden[] = {
    {60, {5457.99136761, 5698.04440755, 9338.66460867, 6004.21528325, 8035.45012383}, 6000.24486054},
    {120, {8742.00943080, 9005.36374684, 12325.88745108, 9064.51057861, 11413.04341843}, 9883.75854988},
    {180, {11582.51678909, 11800.46992815, 14949.21178358, 11815.34735380, 14446.88065943}, 13001.83260094},
};

TEST(GoldenOptima, KnapsackOfAllDays) {
  const auto values_file = classical_data() / "energy" / "energy.csv";
  const auto weights_file = classical_data() / "knapsack" / "weights.csv";
  if (!std::filesystem::exists(values_file) || !std::filesystem::exists(weights_file))
    GTEST_SKIP() << kSkipped;
  const auto weights = read_weights(weights_file);
  const auto values = read_values(values_file);
  ASSERT_EQ(weights.size(), 48u);
  ASSERT_EQ(values.size(), 789u * 48u);
  for (const KnapsackGolden& golden : kKnapsackGolden) {
    const Knapsack knapsack(weights, golden.capacity);
    const auto found = optima(knapsack, values, weights.size());
    for (std::size_t day = 0; day < 5; ++day) EXPECT_NEAR(found[day], golden.days[day], 1e-8);
    EXPECT_NEAR(mean(found), golden.mean, 1e-8);

    std::vector<double> take(weights.size());
    for (std::size_t day = 0; day < 789; ++day) {
      ASSERT_NEAR(knapsack.solve(std::span(values).subspan(day * 48, 48), take), found[day], 1e-9);
    }
  }
}

constexpr std::size_t kFeatures = 5;
constexpr std::size_t kEdges = 40;

// True costs of one split: ((B z / sqrt(5) + 3)^degree + 1) xi, [rows × edges].
std::vector<double> true_costs(const double* matrix, const double* features, const double* noise,
                               std::size_t rows, int degree) {
  std::vector<double> costs(rows * kEdges);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t edge = 0; edge < kEdges; ++edge) {
      double product = 0.0;
      for (std::size_t k = 0; k < kFeatures; ++k) {
        product += matrix[edge * kFeatures + k] * features[row * kFeatures + k];
      }
      costs[row * kEdges + edge] =
          (std::pow(product / std::sqrt(5.0) + 3.0, degree) + 1.0) * noise[row * kEdges + edge];
    }
  }
  return costs;
}

struct PathGolden {
  int degree;
  double training[5];
  double training_mean;
  double test_mean;
};

constexpr PathGolden kPathGolden[] = {
    {1, {24.8420726, 20.2381284, 27.4569917, 26.9337222, 29.5115274}, 25.4108228, 25.5201737},
    {2, {48.8294353, 30.0078867, 68.3728367, 77.5237391, 90.6191994}, 61.6977301, 62.3683068},
    {4, {249.150218, 95.2781061, 482.537721, 789.029379, 1018.74611}, 518.502918, 531.895853},
    {6, {1474.32449, 458.364049, 3879.04821, 8936.74147, 12450.5437}, 5388.19107, 5609.94165},
    {8, {9197.37432, 2821.15709, 33517.4198, 105172.408, 160429.76}, 63180.0377, 66785.2212},
};

TEST(GoldenOptima, ShortestPathsOfTrainingAndTest) {
  const auto file = classical_data() / "shortest_path" / "sp_base_f64.bin";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << kSkipped;
  std::vector<double> base(std::filesystem::file_size(file) / sizeof(double));
  std::ifstream(file, std::ios::binary)
      .read(reinterpret_cast<char*>(base.data()), static_cast<std::streamsize>(base.size() * sizeof(double)));
  ASSERT_EQ(base.size(), 506450u);
  const double* const matrix = base.data();
  const double* const training = matrix + kEdges * kFeatures;
  const double* const test = training + 1250 * (kFeatures + kEdges);
  const GridPath grid(5);
  constexpr double kDigits = 6e-9;  // the golden values carry nine
  for (const PathGolden& golden : kPathGolden) {
    const auto train_costs = true_costs(matrix, training, training + 1000 * kFeatures, 1000, golden.degree);
    const auto found = optima(grid, train_costs, kEdges);
    for (std::size_t row = 0; row < 5; ++row) {
      EXPECT_NEAR(found[row], golden.training[row], kDigits * golden.training[row]);
    }
    EXPECT_NEAR(mean(found), golden.training_mean, kDigits * golden.training_mean);
    const auto test_costs = true_costs(matrix, test, test + 10000 * kFeatures, 10000, golden.degree);
    EXPECT_NEAR(mean(optima(grid, test_costs, kEdges)), golden.test_mean, kDigits * golden.test_mean);
  }
}

}  // namespace
}  // namespace polystep::solvers
