// Task files and tables: what they become, and how a run remembers them.
#include "own/own_task.hpp"

#include <gtest/gtest.h>

#include "input_error.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Orders what is predicted and pays for what is short or left over.
class Orders final : public Problem {
 public:
  explicit Orders(std::size_t outputs) : Problem(outputs, outputs) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    std::copy(prediction.begin(), prediction.end(), decision.begin());
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 1;
    for (std::size_t i = 0; i < truth.size(); ++i)
      sum += decision[i] < truth[i] ? 3 * (truth[i] - decision[i]) : decision[i] - truth[i];
    return sum;
  }
};

class OrdersKind final : public OwnKind {
 public:
  explicit OrdersKind(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  std::vector<std::string> files() const override { return {}; }
  ProblemFacts facts() const override { return {}; }
  OwnProblem make(const OwnTables& tables, const std::filesystem::path&) const override {
    OwnProblem own;
    own.problem = std::make_unique<Orders>(columns_.size());
    for (const std::string& column : columns_) own.truth_columns.push_back(tables.truth.column(column));
    return own;
  }

 private:
  std::vector<std::string> columns_;
};

const std::vector<OwnKindEntry>& test_kinds() {
  static const std::vector<OwnKindEntry> kinds = {
      {"orders",
       [](const TaskSection& root) -> std::unique_ptr<OwnKind> {
         const TaskSection section = root.section("orders");
         const std::vector<std::string> columns = section.texts("columns");
         section.refuse_unknown();
         return std::make_unique<OrdersKind>(columns);
       }},
      {"other", [](const TaskSection&) -> std::unique_ptr<OwnKind> { return nullptr; }},
  };
  return kinds;
}

constexpr const char* kData = "[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n";
constexpr const char* kOrders = "[orders]\ncolumns = ['bread', 'cake']\n";

class OwnTask : public testing::Test {
 protected:
  OwnTask() {
    std::string features = "sun,day\n", truth = "cake,bread\n", parts = "sun,part\n";
    for (int row = 0; row < 20; ++row) {
      features += std::to_string(row) + ",7\n";
      truth += std::to_string(100 + row) + "," + std::to_string(row) + "\n";
      parts += std::to_string(row) + "," + std::to_string(row % 3) + "\n";
    }
    directory_.file("features.csv", features);
    directory_.file("truth.csv", truth);
    directory_.file("parts.csv", parts);
  }
  Task make(const std::string& toml) const {
    return make_own_task(parse_own_task(toml, "my.toml", test_kinds()), directory_.path());
  }
  std::string error(const std::string& toml) const {
    return input_error([&] { make(toml); });
  }
  TemporaryDirectory directory_;
};

TEST_F(OwnTask, OutputsHaveTheTruthColumnsAskedFor) {
  const Task task = make(std::string(kData) + "split = 'in-order'\nstandardise = false\n" + kOrders);
  ASSERT_EQ(task.data.training.rows, 12u);
  EXPECT_EQ(task.data.validation.rows, 4u);
  EXPECT_EQ(task.data.test.rows, 4u);
  EXPECT_EQ(task.data.training.truth_row(3)[0], 3);    // bread
  EXPECT_EQ(task.data.training.truth_row(3)[1], 103);  // cake
  EXPECT_EQ(task.data.test.feature_row(0)[0], 16);
  EXPECT_EQ(task.data.test.instance(0), 16u);
  EXPECT_EQ(task.setting, "task=my");
  EXPECT_EQ(task.predictor->kind(), "linear");
  EXPECT_EQ(task.predictor->outputs(), 2u);
}

TEST_F(OwnTask, FeaturesAreStandardisedByTheTrainingRows) {
  const Task task = make(std::string(kData) + "split = 'in-order'\n" + kOrders);
  double sum = 0, squares = 0;
  for (std::size_t row = 0; row < 12; ++row) {
    sum += task.data.training.feature_row(row)[0];
    squares += task.data.training.feature_row(row)[0] * task.data.training.feature_row(row)[0];
  }
  EXPECT_NEAR(sum, 0, 1e-12);
  EXPECT_NEAR(squares, 12, 1e-12);
  EXPECT_EQ(task.data.training.feature_row(0)[1], 7);  // a constant keeps its units
  EXPECT_EQ(task.data.scaling.mean[0], 5.5);
}

TEST_F(OwnTask, AColumnCanDealTheRows) {
  const Task task =
      make("[data]\nfeatures = 'parts.csv'\ntruth = 'truth.csv'\nsplit = 'column'\nsplit-column = 'part'\n" +
           std::string(kOrders));
  EXPECT_EQ(task.data.feature_names, std::vector<std::string>{"sun"});
  EXPECT_EQ(task.data.training.rows, 7u);
  EXPECT_EQ(task.data.validation.instances, (std::vector<std::size_t>{1, 4, 7, 10, 13, 16, 19}));
}

TEST_F(OwnTask, TheRandomSplitDependsOnItsSeedAlone) {
  const std::string toml = std::string(kData) + kOrders;
  EXPECT_EQ(make(toml).data.test.instances, make(toml).data.test.instances);
  const std::string other = std::string(kData) + "split-seed = 1\n" + kOrders;
  EXPECT_NE(make(toml).data.test.instances, make(other).data.test.instances);
}

TEST_F(OwnTask, SharedPredictorsTakeOneRowPerOutput) {
  std::string slots = "sun\n";
  for (int row = 0; row < 40; ++row) slots += std::to_string(row) + "\n";
  directory_.file("slots.csv", slots);
  const Task task = make("[data]\nfeatures = 'slots.csv'\ntruth = 'truth.csv'\nsplit = 'in-order'\n" +
                         std::string(kOrders) + "[predictor]\nkind = 'shared-linear'\n");
  EXPECT_EQ(task.predictor->feature_columns(), 2u);
  EXPECT_EQ(task.predictor->row_features(), 1u);
  EXPECT_EQ(task.data.training.feature_columns, 2u);
}

TEST_F(OwnTask, SharedPerceptronsTakeOneRowPerOutputAndHaveTheUsualLayer) {
  std::string slots = "sun\n";
  for (int row = 0; row < 40; ++row) slots += std::to_string(row) + "\n";
  directory_.file("slots.csv", slots);
  const Task task = make("[data]\nfeatures = 'slots.csv'\ntruth = 'truth.csv'\n" + std::string(kOrders) +
                         "[predictor]\nkind = 'shared-mlp'\n");
  EXPECT_EQ(task.predictor->feature_columns(), 2u);
  EXPECT_EQ(task.predictor->shape().layers, std::vector<std::size_t>{32});
}

TEST_F(OwnTask, MultilayerPerceptronsHaveTheLayersAskedFor) {
  const Task task = make(std::string(kData) + kOrders + "[predictor]\nkind = 'mlp'\nhidden = [4, 3]\n");
  EXPECT_EQ(task.predictor->shape().layers, (std::vector<std::size_t>{4, 3}));
  EXPECT_EQ(task.predictor->parameters(), 4u * 2 + 4 + 3 * 4 + 3 + 2 * 3 + 2);
}

TEST_F(OwnTask, ErrorsNameTheirPlace) {
  const std::string all = std::string(kData) + kOrders;
  const auto expect = [&](const std::string& toml, const std::string& sentence) {
    EXPECT_EQ(error(toml), sentence) << toml;
  };
  expect("", "my.toml: section [data] has no 'features', expected one");
  expect("[data]\nfeatures = 3\n", "my.toml line 2, column 1: 'features' is 3, expected a text");
  expect("[data]\nfeatures = ''\n", "my.toml line 2, column 1: 'features' is '', expected a text");
  expect("[data]\nfeatures = 'a'\n", "my.toml line 1, column 1: section [data] has no 'truth', expected one");
  expect("data = 3\n", "my.toml line 1, column 1: 'data' is 3, expected a section [data]");
  expect(kData, "my.toml: no section says what a decision is, expected [orders] or [other]");
  expect(all + "[other]\n",
         "my.toml line 6, column 2: there are sections [orders] and [other], expected one of them");
  expect(all + "colums = 3\n", "my.toml line 6, column 1: unknown key 'colums'; did you mean 'columns'?");
  expect("metrik = 'absolute'\n" + all,
         "my.toml line 1, column 1: unknown key 'metrik'; did you mean 'metric'?");
  expect("metric = 'squared'\n" + all,
         "my.toml line 1, column 1: 'metric' is 'squared', expected one of relative, absolute");
  expect(std::string(kData) + "validation = 0.5\ntest = 0.5\n" + kOrders,
         "my.toml line 1, column 1: validation is 0.5 and test 0.5, expected less than 1 together");
  expect(std::string(kData) + "test = 2\n" + kOrders,
         "my.toml line 4, column 1: 'test' is 2, expected a number from 0 to 1");
  expect(std::string(kData) + "split = 'column'\n" + kOrders,
         "my.toml line 1, column 1: section [data] has no 'split-column', expected one");
  expect(
      all + "[predictor]\nkind = 'tree'\n",
      "my.toml line 7, column 1: 'kind' is 'tree', expected one of linear, shared-linear, mlp, shared-mlp");
  expect(
      all + "[predictor]\nhidden = [3]\n",
      "my.toml line 7, column 1: 'hidden' is given for a linear predictor, expected it for kind = \"mlp\" or "
      "\"shared-mlp\"");
  expect(all + "[predictor]\nkind = 'mlp'\nhidden = [3, 0]\n",
         "my.toml line 8, column 1: 'hidden' is 0, expected a whole number from 1 to 100000");
  expect(all + "[predictor]\nkind = 'mlp'\nhidden = [100000, 100000]\n",
         "my.toml line 8, column 1: the predictor has 10000600002 parameters, expected at most 1000000000");
  EXPECT_TRUE(error("[data\n").starts_with("my.toml line 1, column 6: "));
  const std::string odd = error("ws=i\nws=2\n");  // the library's own message has a line end in it
  EXPECT_TRUE(odd.starts_with("my.toml line 1, column ")) << odd;
  EXPECT_EQ(odd.find('\n'), std::string::npos) << odd;
}

TEST_F(OwnTask, TablesMustFitTogether) {
  directory_.file("short.csv", "cake,bread\n1,2\n");
  const std::string folder = directory_.path().string();
  EXPECT_EQ(
      error("[data]\nfeatures = 'features.csv'\ntruth = 'short.csv'\n" + std::string(kOrders)),
      folder + "/features.csv has 20 rows, expected 1: 1 for each of the 1 rows of " + folder + "/short.csv");
  EXPECT_EQ(error(std::string(kData) + "known = 'short.csv'\n" + kOrders),
            folder + "/short.csv has 1 rows, expected 20 as in " + folder + "/truth.csv");
  EXPECT_EQ(error(std::string(kData) + "[orders]\ncolumns = ['breat']\n"),
            folder + "/truth.csv has no column 'breat'; the nearest is 'bread'");
  EXPECT_EQ(error("[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\nsplit = 'column'\nsplit-column = "
                  "'sun'\n" +
                  std::string(kOrders)),
            folder +
                "/features.csv line 5: column 'sun' is 3, expected 0 for training, 1 for validation or 2 "
                "for test");
}

TEST_F(OwnTask, ARunRemembersTheTaskAndNoticesChangedFiles) {
  const ProblemEntry entry = own_entry(test_kinds());
  const std::string file = directory_.file("my.toml", std::string(kData) + kOrders).string();
  Options options(entry.options, entry.name);
  options.set("task-file", file, "test");
  entry.settle(options, {});
  EXPECT_EQ(options.text("task-text"), std::string(kData) + kOrders);
  const auto before = entry.make(options, {}).data.test.instances;

  directory_.file("my.toml", "no longer a task");  // the run goes by what it remembers
  entry.settle(options, {});
  EXPECT_EQ(entry.make(options, {}).data.test.instances, before);

  directory_.file("truth.csv", TemporaryDirectory::contents(directory_ / "truth.csv") + "1,2\n");
  const std::string sentence = input_error([&] { entry.settle(options, {}); });
  EXPECT_NE(sentence.find("have changed since this run was made"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace polystep
