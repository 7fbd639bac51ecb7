// The alloy stand-in against golden figures of its recipe, and the reader of the published layout on files
// that the test writes.
#include "data/benchmarks/alloy_data.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/published_files.hpp"

namespace polystep {
namespace {

using Numbers = std::vector<double>;

double sum(const Numbers& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

TEST(AlloyStandIn, DrawsTheGoldenInstances) {
  const AlloyInstances drawn = draw_alloy_instances(kAlloySeed, 0, 500, 0.5);
  EXPECT_EQ(Numbers(drawn.prices.begin(), drawn.prices.begin() + 10),
            (Numbers{10, 19, 23, 45, 25, 31, 44, 32, 31, 24}));
  EXPECT_EQ(Numbers(drawn.contents.begin(), drawn.contents.begin() + 20),
            (Numbers{33, 23, 35, 15, 28, 26, 21, 22, 19, 18, 15, 30, 35, 29, 19, 27, 30, 16, 29, 25}));
  EXPECT_NEAR(drawn.penalties[0], .50021847, 1e-8);
  EXPECT_NEAR(drawn.penalties[1], .48649797, 1e-8);
  EXPECT_NEAR(drawn.penalties[2], .50615879, 1e-8);
  EXPECT_EQ(sum(drawn.prices), 138050);
  EXPECT_EQ(sum(drawn.contents), 250836);
  EXPECT_NEAR(sum(drawn.penalties), 2499.0841928, 1e-7);
  const Numbers training(drawn.contents.begin(), drawn.contents.begin() + 7000);
  const double mean = sum(training) / 7000;
  double squares = 0;
  for (const double content : training) squares += (content - mean) * (content - mean);
  EXPECT_NEAR(mean, 25.079714, 5e-7);
  EXPECT_NEAR(std::sqrt(squares / 7000), 6.118958, 5e-7);
}

TEST(AlloyStandIn, AnyInstanceCanBeDrawnByItself) {
  const AlloyInstances all = draw_alloy_instances(kAlloySeed, 0, 20, 0.5);
  const AlloyInstances some = draw_alloy_instances(kAlloySeed, 7, 3, 0.5);
  EXPECT_TRUE(std::equal(some.prices.begin(), some.prices.end(), all.prices.begin() + 70));
  EXPECT_TRUE(std::equal(some.contents.begin(), some.contents.end(), all.contents.begin() + 140));
  AlloyStandIn stand_in;
  stand_in.features = 32;
  const std::vector<float> whole = draw_alloy_features(stand_in, kAlloySeed, 0, 20, all.contents);
  const std::vector<float> part = draw_alloy_features(stand_in, kAlloySeed, 7, 3, some.contents);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 7 * 20 * 32));
}

struct GoldenFeatures {
  const char* profile;
  double first[4];            // X[0, 0, 0, 0..3]
  double inner;               // X[0, 1, 3, 17]
  double last;                // X[499, 1, 9, 4095]
  double sum, squares, norm;  // over all rows; the mean length of a row
};

class GoldenProfile : public ::testing::TestWithParam<GoldenFeatures> {};

TEST_P(GoldenProfile, HasTheFeaturesOfTheRecipe) {
  const GoldenFeatures& golden = GetParam();
  AlloyStandIn stand_in;
  stand_in.profile = find_alloy_profile(golden.profile);
  const AlloyInstances drawn = draw_alloy_instances(kAlloySeed, 0, 500, 0.5);
  const std::vector<float> features = draw_alloy_features(stand_in, kAlloySeed, 0, 500, drawn.contents);
  for (std::size_t f = 0; f < 4; ++f) EXPECT_NEAR(features[f], golden.first[f], 6e-9);
  EXPECT_NEAR(features[13 * 4096 + 17], golden.inner, 6e-10);
  EXPECT_NEAR(features.back(), golden.last, 6e-10);
  double total = 0, squares = 0, norms = 0;
  for (std::size_t row = 0; row < 10000; ++row) {
    double own = 0;
    for (std::size_t f = 0; f < 4096; ++f) {
      const double feature = features[row * 4096 + f];
      total += feature;
      own += feature * feature;
    }
    squares += own;
    norms += std::sqrt(own);
  }
  EXPECT_NEAR(total, golden.sum, 2e-5);
  EXPECT_NEAR(squares, golden.squares, 6e-5);
  EXPECT_NEAR(norms / 10000, golden.norm, 6e-7);
}

INSTANTIATE_TEST_SUITE_P(AlloyStandIn, GoldenProfile,
                         ::testing::Values(GoldenFeatures{"blind",
                                                          {.03383933, -.0176734, .00891065, .01617763},
                                                          .0069490504,
                                                          .0094583407,
                                                          355272.861351,
                                                          9940.1430,
                                                          .996959},
                                           GoldenFeatures{"line",
                                                          {.03356323, -.01676716, .01002712, .01553908},
                                                          .0068739764,
                                                          .0094849421,
                                                          355266.868519,
                                                          9950.2226,
                                                          .997464},
                                           GoldenFeatures{"arc",
                                                          {.03376154, -.01706874, .00995167, .01540654},
                                                          .0071362187,
                                                          .010289822,
                                                          355243.017629,
                                                          9956.8348,
                                                          .997796}),
                         [](const auto& info) { return std::string(info.param.profile); });

TEST(AlloyStandIn, IsDealtInOrder) {
  AlloyStandIn stand_in;
  stand_in.features = 3;
  const AlloyData data = generated_alloy(stand_in);
  EXPECT_EQ(data.data.training.rows, 350u);
  EXPECT_EQ(data.data.validation.rows, 50u);
  EXPECT_EQ(data.data.test.rows, 100u);
  EXPECT_EQ(data.data.test.instance(99), 499u);
  EXPECT_EQ(data.data.test.feature_columns, 60u);
  EXPECT_EQ(data.prices.size(), 5000u);
  const AlloyInstances drawn = draw_alloy_instances(kAlloySeed, 400, 1, 0.5);
  EXPECT_TRUE(std::equal(drawn.contents.begin(), drawn.contents.end(), data.data.test.truth_row(0).begin()));
}

TEST(AlloyStandIn, FreshRowsShareWhatFeaturesHaveInCommon) {
  AlloyStandIn stand_in;
  stand_in.features = 5;
  const AlloyData fresh = fresh_alloy(stand_in, 77, 10, 4), more = fresh_alloy(stand_in, 77, 8, 6);
  EXPECT_EQ(fresh.data.test.rows, 4u);
  EXPECT_EQ(fresh.data.training.rows, 0u);
  EXPECT_TRUE(std::ranges::equal(fresh.data.test.feature_row(0), more.data.test.feature_row(2)));
  EXPECT_TRUE(std::ranges::equal(fresh.data.test.truth_row(3), more.data.test.truth_row(5)));
  EXPECT_EQ(fresh.prices[0], more.prices[20]);
  stand_in.seed = 4711;  // other means and templates, the same instances
  const AlloyData other = fresh_alloy(stand_in, 77, 10, 4);
  EXPECT_TRUE(std::ranges::equal(fresh.data.test.truth_row(0), other.data.test.truth_row(0)));
  EXPECT_FALSE(std::ranges::equal(fresh.data.test.feature_row(0), other.data.test.feature_row(0)));
}

TEST(AlloyStandIn, KnowsItsProfiles) {
  EXPECT_INPUT_ERROR(find_alloy_profile("arcc"), "unknown profile 'arcc'", "did you mean 'arc'");
}

// Three features a content; 2 training instances, 1 to validate, 1 to test.
class PublishedAlloy : public ::testing::Test {
 protected:
  void write(const std::string& part, std::size_t instances) {
    const std::string suffix = part == "test" ? "(0)_n.txt" : "(0).txt";
    std::string features, weights, prices, penalties;
    for (std::size_t row = 0; row < instances * 20; ++row) {
      features += fmt::format("{:e} {:e} {:e}\n", 0.5 + static_cast<double>(row), 0.1, -3.0);
      weights += fmt::format("{:.18e}\n", 15.0 + static_cast<double>(row % 21));
    }
    for (std::size_t row = 0; row < instances * 10; ++row) {
      prices += fmt::format("{}\n", 10 + row);
      penalties += fmt::format("{}\n", 0.5 + 0.001 * static_cast<double>(row));
    }
    const auto put = [&](const std::string& folder, const std::string& name, const std::string& text) {
      testing::write_text(root() / (part + "_" + folder) / (part + "_" + name + suffix), text);
    };
    put("features", "features", features);
    put("weights", "weights", weights);
    put("prices", "prices", prices);
    put("penalty0.5", "penalty", penalties);
  }
  void write_all() {
    write("train", 2);
    write("val", 1);
    write("test", 1);
  }
  std::filesystem::path root() const { return directory.path() / "alloy" / "brass"; }

  testing::TemporaryDirectory directory;
};

TEST_F(PublishedAlloy, IsReadInItsLayout) {
  EXPECT_FALSE(holds_alloy_data(directory.string()));
  write_all();
  EXPECT_TRUE(holds_alloy_data(directory.string()));
  EXPECT_TRUE(holds_alloy_data(root().string()));
  const AlloyData data = published_alloy(directory.string(), "0.5");
  EXPECT_EQ(data.data.training.rows, 2u);
  EXPECT_EQ(data.data.validation.rows, 1u);
  EXPECT_EQ(data.data.test.rows, 1u);
  EXPECT_EQ(data.data.feature_names.size(), 3u);
  EXPECT_EQ(data.data.training.feature_columns, 60u);
  EXPECT_EQ(data.data.training.feature_row(1)[0], 20.5);
  EXPECT_EQ(data.data.training.feature_row(1)[1], static_cast<double>(0.1f));  // single precision
  EXPECT_EQ(data.data.training.truth_row(1)[0], 15 + 20 % 21);
  EXPECT_EQ(data.data.test.instance(0), 3u);
  EXPECT_EQ(data.prices.size(), 40u);
  EXPECT_EQ(data.prices[30], 10);
  EXPECT_NEAR(data.penalties[11], 0.511, 1e-12);
}

TEST_F(PublishedAlloy, IsRefusedWhereItIsNotAsExpected) {
  write_all();
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "4"), "penalty4", "No such file");
  testing::write_text(root() / "val_prices" / "val_prices(0).txt", "1\n2\n");
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "0.5"), "val_prices(0).txt",
                     "found 2 numbers, expected 10");
  write_all();
  testing::write_text(root() / "test_features" / "test_features(0)_n.txt", "1 2 3\n1 2\n");
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "0.5"), "line 2", "found 2 numbers, expected 3");
  testing::write_text(root() / "test_features" / "test_features(0)_n.txt", "1 2 3\n1 2 3\n");
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "0.5"), "found 2 lines", "expected 20");
  testing::write_text(root() / "test_features" / "test_features(0)_n.txt", "1 2 3\n1 nan 3\n");
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "0.5"), "line 2", "found 'nan'");
  write_all();
  testing::write_text(root() / "train_prices" / "train_prices(0).txt",
                      std::string(40, '0').replace(1, 1, " "));
  EXPECT_INPUT_ERROR(published_alloy(directory.string(), "0.5"), "train_prices", "expected 20");
}

}  // namespace
}  // namespace polystep
