// Problems from model files: the same decisions as a native problem, and recourse worked out by hand.
#include "own/model_problem.hpp"

#include <gtest/gtest.h>

#include "data/model_text.hpp"
#include "data/tables/csv.hpp"
#include "input_error.hpp"
#include "own/model_worker.hpp"
#include "own/own_task.hpp"
#include "polystep/method.hpp"
#include "polystep/random.hpp"
#include "polystep/train.hpp"
#include "solvers/general_models.hpp"
#include "solvers/milp/highs_library.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

// Small enough to compare a whole training.
Task native_shortest_path() {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find("shortest-path", "test");
  Options options(entry.options, entry.name);
  options.set("source", std::string("generated"), "test");
  Task task = entry.make(options, {});
  const auto cut = [](Split& split, std::size_t rows) {
    split.rows = std::min(rows, split.rows);
    split.features.resize(split.rows * split.feature_columns);
    split.truth.resize(split.rows * split.truth_columns);
  };
  cut(task.data.training, 24);
  cut(task.data.validation, 8);
  cut(task.data.test, 16);
  return task;
}

// The same problem and data as files: a model of flows, tables, and a column that deals the rows.
void write_shortest_path(const TemporaryDirectory& directory, const Dataset& data) {
  LinearModel model;
  model.milp = solvers::grid_path_model(5);
  std::vector<std::string> features = {"part"}, edges;
  for (std::size_t c = 0; c < model.milp.columns.size(); ++c) {
    model.milp.columns[c].name = "edge_" + std::to_string(c);
    edges.push_back("cost_" + std::to_string(c));
  }
  for (std::size_t r = 0; r < model.milp.rows.size(); ++r) model.milp.rows[r].name = "n" + std::to_string(r);
  for (std::size_t f = 0; f < data.training.feature_columns; ++f) features.push_back("z" + std::to_string(f));
  std::vector<double> feature_values, truth_values;
  double part = 0;
  for (const Split* split : {&data.training, &data.validation, &data.test}) {
    for (std::size_t row = 0; row < split->rows; ++row) {
      feature_values.push_back(part);
      for (const double value : split->feature_row(row)) feature_values.push_back(value);
      for (const double value : split->truth_row(row)) truth_values.push_back(value);
    }
    ++part;
  }
  directory.file("grid.mps", mps_text(model));
  write_csv(directory / "features.csv", features, feature_values);
  write_csv(directory / "truth.csv", edges, truth_values);
}

Task own_shortest_path(const TemporaryDirectory& directory) {
  return make_own_task(parse_own_task("[data]\nfeatures = 'features.csv'\ntruth = 'truth.csv'\n"
                                      "split = 'column'\nsplit-column = 'part'\nstandardise = false\n"
                                      "[model]\nfile = 'grid.mps'\n"
                                      "[[predict]]\nobjective = 'edge_*'\ntruth = 'cost_*'\n",
                                      "path.toml"),
                       directory.path());
}

TEST(ModelProblem, ShortestPathAsAFileDecidesAsTheNativeProblem) {
  const Task native = native_shortest_path();
  TemporaryDirectory directory;
  write_shortest_path(directory, native.data);
  const Task own = own_shortest_path(directory);
  ASSERT_TRUE(own.problem->facts().linear_objective() == Sense::kMinimise);
  EXPECT_EQ(own.data.training.truth, native.data.training.truth);
  EXPECT_EQ(own.data.training.features, native.data.training.features);
  std::vector<double> prediction(native.problem->outputs()), ours(prediction.size()),
      theirs(prediction.size());
  for (std::uint64_t trial = 0; trial < 300; ++trial) {
    RandomStream stream(trial, Purpose::kTest);
    for (double& value : prediction) value = stream.uniform(0.1, 2.0);
    ASSERT_EQ(own.problem->decide(prediction, 0, ours), SolveStatus::kSolved);
    ASSERT_EQ(native.problem->decide(prediction, 0, theirs), SolveStatus::kSolved);
    ASSERT_EQ(ours, theirs) << trial;
    const auto truth = native.data.training.truth_row(trial % native.data.training.rows);
    ASSERT_EQ(own.problem->cost(ours, truth, 0), native.problem->cost(theirs, truth, 0));
  }
}

TEST(ModelProblem, ATrainingOnTheFileIsTheNativeTrainingToTheBit) {
  const Task native = native_shortest_path();
  TemporaryDirectory directory;
  write_shortest_path(directory, native.data);
  const Task own = own_shortest_path(directory);
  const MethodEntry& method = find_method("polystepor", "test");
  Options options(method.options, method.name);
  options.set("steps", std::int64_t{2}, "test");
  options.set("batch", std::int64_t{8}, "test");
  const TrainingResult theirs = train(native, method, options, {.seed = 3});
  const TrainingResult one = train(own, method, options, {.seed = 3});
  const TrainingResult two = train(own, method, options, {.seed = 3, .threads = 2});
  EXPECT_EQ(one.parameters, theirs.parameters);
  EXPECT_EQ(one.test_cost, theirs.test_cost);
  EXPECT_EQ(two.parameters, one.parameters);
  EXPECT_EQ(one.solves.failed, 0u);
}

// A random model with anything predicted, penalties and free columns.
ModelSetup random_setup(RandomStream& random) {
  ModelSetup setup;
  solvers::MilpModel& model = setup.model.milp;
  model.sense = random.below(2) == 0 ? solvers::Sense::kMinimise : solvers::Sense::kMaximise;
  const double sign = model.sense == solvers::Sense::kMinimise ? 1 : -1;
  const std::size_t columns = 2 + random.below(6), rows = 1 + random.below(4);
  const auto predict = [&](SlotKind kind, std::size_t index, std::size_t entry = 0) {
    setup.predicted.slots.push_back({kind, index, entry, 1.0, setup.predicted.columns.size()});
    setup.predicted.columns.push_back(setup.predicted.columns.size());
  };
  for (std::size_t c = 0; c < columns; ++c) {
    const double lower = random.below(4) == 0 ? 1.0 : 0.0;
    const double upper = random.below(5) == 0 ? lower : 4.0 + static_cast<double>(random.below(4));
    model.columns.push_back({.lower = lower,
                             .upper = upper,
                             .objective = sign * random.uniform(0.5, 2),
                             .integer = random.below(3) == 0});
    if (random.below(2) == 0) predict(SlotKind::kObjective, c);
    if (random.below(6) == 0) predict(SlotKind::kColumnUpper, c);
    if (random.below(2) == 0) setup.free_columns.push_back(c);
    if (random.below(5) == 0) setup.penalties.push_back({.index = c, .row = false, .below = 3, .above = 4});
  }
  for (std::size_t r = 0; r < rows; ++r) {
    std::vector<solvers::MilpEntry> entries;
    for (std::size_t c = 0; c < columns; ++c)
      if (random.below(3) != 0) entries.push_back({c, 1.0 + static_cast<double>(random.below(3))});
    const bool at_least = random.below(2) == 0;
    model.add_row(entries, at_least ? 3.0 : -solvers::kUnbounded, at_least ? solvers::kUnbounded : 9.0);
    if (random.below(3) != 0) predict(SlotKind::kRightSide, r);
    if (!entries.empty() && random.below(3) == 0) predict(SlotKind::kEntry, r, random.below(entries.size()));
    if (random.below(2) == 0) setup.penalties.push_back({.index = r, .row = true, .below = 6, .above = 7});
  }
  if (setup.predicted.slots.empty()) predict(SlotKind::kRightSide, 0);
  return setup;
}

// Workers without usual parameters have the general solver alone.
void expect_small_answers_of(solvers::MilpEngine engine) {
  std::size_t decided = 0, failed = 0, recourse = 0, infeasible = 0, impossible = 0;
  for (std::uint64_t number = 0; number < 400; ++number) {
    RandomStream random(number, Purpose::kTest, 91);
    ModelSetup drawn = random_setup(random);
    drawn.engine = engine;
    const auto setup = std::make_shared<const ModelSetup>(std::move(drawn));
    const std::size_t outputs = setup->predicted.columns.size(), columns = setup->model.milp.columns.size();
    const auto draw = [&] {
      std::vector<double> parameters;
      for (const ModelSlot& slot : setup->predicted.slots)
        parameters.push_back(slot.kind == SlotKind::kObjective ? random.uniform(-1, 2)
                                                               : random.uniform(0.5, 8));
      return parameters;
    };
    ModelWorker small(setup, std::vector<double>(outputs, 3.0)), general(setup, {});
    const double sign = setup->model.milp.sense == solvers::Sense::kMinimise ? 1 : -1;
    std::vector<double> ours(columns), theirs(columns);
    for (int trial = 0; trial < 6; ++trial) {
      SCOPED_TRACE(number * 10 + static_cast<std::uint64_t>(trial));
      const std::vector<double> prediction = draw(), truth = draw();
      const solvers::MilpStatus status = small.decide(prediction, 0, ours);
      ASSERT_EQ(status, general.decide(prediction, 0, theirs));
      if (status != solvers::MilpStatus::kOptimal) {
        ++failed;
        continue;
      }
      ++decided;
      solvers::MilpModel model = setup->model.milp;
      for (const ModelSlot& slot : setup->predicted.slots)
        if (slot.kind == SlotKind::kObjective) model.columns[slot.index].objective = prediction[slot.source];
      const double expected = model.objective_of(theirs);
      EXPECT_NEAR(model.objective_of(ours) * sign, expected * sign, 1e-6 * std::max(1.0, std::abs(expected)));
      const Realisation one = small.realise(theirs, truth, 0), two = general.realise(theirs, truth, 0);
      ASSERT_EQ(std::isfinite(one.cost), std::isfinite(two.cost));
      EXPECT_EQ(one.recourse.infeasible, two.recourse.infeasible);
      infeasible += two.recourse.infeasible ? 1 : 0;
      if (!std::isfinite(two.cost)) {
        ++impossible;
        continue;
      }
      recourse += setup->free_columns.empty() ? 0 : 1;
      EXPECT_NEAR(one.cost, two.cost, 1e-6 * std::max(1.0, std::abs(two.cost)));
      EXPECT_EQ(small.realise(theirs, truth, 0).cost, one.cost);  // to the bit
    }
  }
  EXPECT_GT(decided, 1000u);
  EXPECT_GT(failed, 100u);
  EXPECT_GT(recourse, 400u);
  EXPECT_GT(infeasible, 300u);
  EXPECT_GT(impossible, 200u);
}

TEST(ModelProblem, SmallModelsAnswerAsTheGeneralSolver) {
  expect_small_answers_of(solvers::MilpEngine::kCoin);
}

TEST(ModelProblem, SmallModelsAnswerAsHighs) {
  if (!solvers::HighsLibrary::present())
    GTEST_SKIP() << "skipped: needs the library of HiGHS, see docs/own-problem.md";
  expect_small_answers_of(solvers::MilpEngine::kHighs);
}

// min 2 make + 5 buy, make + buy >= demand, make <= 10; make is decided before the demand is known.
class Bakery : public testing::Test {
 protected:
  Bakery() {
    directory_.file("bakery.lp",
                    "min\n 2 make + 5 buy + 1\nst\n demand: make + buy >= 6\nbounds\n make <= 10\nend\n");
    std::string features = "z\n", truth = "d\n", known = "oven\n";
    for (int row = 0; row < 10; ++row) {
      features += std::to_string(row) + "\n";
      truth += std::to_string(row + 1) + "\n";
      known += std::to_string(row) + "\n";
    }
    directory_.file("z.csv", features);
    directory_.file("d.csv", truth);
    directory_.file("k.csv", known);
  }
  Task make(const std::string& rest, const std::string& data = "", const std::string& model = "") const {
    return make_own_task(parse_own_task("[data]\nfeatures = 'z.csv'\ntruth = 'd.csv'\n" + data +
                                            "[model]\nfile = 'bakery.lp'\n" + model +
                                            "[[predict]]\nrhs = 'demand'\ntruth = 'd'\n" + rest,
                                        "bakery.toml"),
                         directory_.path());
  }
  std::string error(const std::string& rest, const std::string& data = "",
                    const std::string& model = "") const {
    return input_error([&] { make(rest, data, model); });
  }
  static std::vector<double> decide(const Task& task, double prediction, std::size_t instance = 0) {
    std::vector<double> decision(2, -1);
    const bool solved =
        task.problem->decide(std::vector{prediction}, instance, decision) == SolveStatus::kSolved;
    return solved ? decision : std::vector<double>{};
  }
  static double cost(const Task& task, std::vector<double> decision, double truth) {
    return task.problem->cost(decision, std::vector{truth}, 0);
  }
  TemporaryDirectory directory_;
};

TEST_F(Bakery, ShortageIsPaidAtItsPenalty) {
  const Task task = make("[[penalty]]\nrows = 'demand'\nbelow = 9.0\n");
  EXPECT_EQ(decide(task, 7), (std::vector<double>{7, 0}));
  EXPECT_EQ(decide(task, 12), (std::vector<double>{10, 2}));
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 5), 15);
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 9), 15 + 2 * 9);
  const Recourse fine = task.problem->realise(std::vector{7.0, 0.0}, std::vector{5.0}, 0).recourse;
  const Recourse broken = task.problem->realise(std::vector{7.0, 0.0}, std::vector{9.0}, 0).recourse;
  EXPECT_FALSE(fine.infeasible || fine.changed);
  EXPECT_TRUE(broken.infeasible && broken.changed);
}

TEST_F(Bakery, WithoutAPriceABrokenRowCannotBeCarriedOut) {
  const Task task = make("");
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 7), 15);
  EXPECT_FALSE(std::isfinite(cost(task, {7, 0}, 7.1)));
  EXPECT_TRUE(task.problem->facts().has_recourse);
}

TEST_F(Bakery, FreeColumnsAreChosenAgain) {
  const Task task = make("[recourse]\nfree = 'buy'\n");
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 9), 15 + 2 * 5);
  EXPECT_DOUBLE_EQ(cost(task, {10, 2}, 9), 21);  // what was to be bought is not
  const Recourse late = task.problem->realise(std::vector{10.0, 2.0}, std::vector{9.0}, 0).recourse;
  EXPECT_FALSE(late.infeasible);
  EXPECT_TRUE(late.changed);
}

TEST_F(Bakery, FreeColumnsAndPenaltiesCompete) {
  const Task task = make("[recourse]\nfree = 'buy'\n[[penalty]]\nrows = 'demand'\nbelow = 3.0\n");
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 9), 15 + 2 * 3);  // cheaper than buying at 5
}

TEST_F(Bakery, KnownDataOverrideTheModelPerInstance) {
  const Task task = make("[[known]]\nupper = 'make'\ncolumn = 'oven'\n", "known = 'k.csv'\n");
  EXPECT_EQ(decide(task, 7, 3), (std::vector<double>{3, 4}));
  EXPECT_EQ(decide(task, 7, 9), (std::vector<double>{7, 0}));
  EXPECT_EQ(decide(task, 7, 3), (std::vector<double>{3, 4}));  // nothing of other instances is left
}

TEST_F(Bakery, FailedSolvesCanFallBackToTheUsualDecision) {
  directory_.file(
      "bakery.lp",
      "min\n 2 make + 5 buy\nst\n demand: make + buy >= 6\nbounds\n make <= 10\n buy <= 1\nend\n");
  EXPECT_TRUE(decide(make(""), 12).empty());
  const Task task = make("", "", "on-failure = 'usual-decision'\n");
  EXPECT_FALSE(decide(task, 12).empty());
  const auto& problem = dynamic_cast<const ModelProblem&>(*task.problem);
  std::vector<double> decision(2);
  const ModelAnswer answer = problem.answer(std::vector{12.0}, 0, decision);
  EXPECT_EQ(answer.status, solvers::MilpStatus::kInfeasible);
  EXPECT_TRUE(answer.fallback);
  EXPECT_TRUE(decide(make(""), std::nan("")).empty());
}

TEST_F(Bakery, HighsDecidesToo) {
  if (!solvers::HighsLibrary::present())
    GTEST_SKIP() << "skipped: needs the library of HiGHS, see docs/own-problem.md";
  const Task task = make("[recourse]\nfree = 'buy'\n", "", "backend = 'highs'\n");
  EXPECT_EQ(decide(task, 12), (std::vector<double>{10, 2}));
  EXPECT_DOUBLE_EQ(cost(task, {7, 0}, 9), 15 + 2 * 5);
}

TEST_F(Bakery, HighsIsMissedBeforeAnythingIsSolved) {
  if (solvers::HighsLibrary::present()) GTEST_SKIP() << "skipped: this machine has HiGHS";
  const std::string sentence = error("", "", "backend = 'highs'\n");
  EXPECT_TRUE(sentence.starts_with("HiGHS: looked for ")) << sentence;
  EXPECT_NE(sentence.find("expected a library of version 1.7 or newer"), std::string::npos) << sentence;
}

TEST_F(Bakery, EntriesBoundsAndFactorsCanBePredicted) {
  const auto with = [&](const std::string& rule) {
    return make_own_task(
        parse_own_task(
            "[data]\nfeatures = 'z.csv'\ntruth = 'd.csv'\n[model]\nfile = 'bakery.lp'\n[[predict]]\n" + rule,
            "b.toml"),
        directory_.path());
  };
  EXPECT_EQ(decide(with("entry = ['demand', 'make']\ntruth = 'd'\n"), 2), (std::vector<double>{3, 0}));
  EXPECT_EQ(decide(with("upper = 'make'\ntruth = 'd'\nfactor = 0.5\n"), 4), (std::vector<double>{2, 4}));
  EXPECT_EQ(decide(with("lower = 'buy'\ntruth = 'd'\n"), 4), (std::vector<double>{2, 4}));
  EXPECT_EQ(decide(with("objective = '*'\ntruth = 'd'\n"), 4)[0] +
                decide(with("objective = '*'\ntruth = 'd'\n"), 4)[1],
            6);                                                            // one number for both columns
  EXPECT_TRUE(decide(with("upper = 'make'\ntruth = 'd'\n"), -4).empty());  // bounds cross
}

TEST_F(Bakery, ErrorsNameTheirPlace) {
  const std::string lp = (directory_ / "bakery.lp").string(), csv = (directory_ / "d.csv").string();
  EXPECT_EQ(error("[[penalty]]\nrows = 'demands'\nbelow = 1\n"),
            "bakery.toml line 9, column 1: 'demands' matches no row of " + lp +
                ", expected at least one; the nearest is 'demand'");
  EXPECT_EQ(error("[[penalty]]\nrows = 'demand'\n"),
            "bakery.toml line 9, column 1: the penalty has no price, expected 'below' or 'above' over 0");
  EXPECT_EQ(
      error("[[penalty]]\nbelow = 2\n"),
      "bakery.toml line 9, column 1: section [[penalty]] has neither 'rows' and 'columns', expected one of "
      "them");
  EXPECT_EQ(
      error("[[predict]]\nrhs = 'demand'\ntruth = 'd'\n"),
      "bakery.toml line 10, column 1: rhs = \"demand\" of 'demand' is filled in twice, expected one section "
      "to name it");
  EXPECT_EQ(error("[[predict]]\nobjective = 'make'\n"),
            "bakery.toml line 10, column 1: " + csv + " has no column 'make'");
  EXPECT_EQ(error("[[predict]]\nobjective = 'm*'\ntruth = '**'\n"),
            "bakery.toml line 11, column 1: '**' has 2 stars, expected none or 1 as in what is matched");
  EXPECT_EQ(
      error("[[predict]]\nobjective = 'make'\nupper = 'make'\n"),
      "bakery.toml line 11, column 1: there are 'objective' and 'upper' in one section, expected one of "
      "them");
  EXPECT_EQ(
      error("[[predict]]\ntruth = 'd'\n"),
      "bakery.toml line 9, column 1: nothing says where the numbers go, expected one of objective, rhs, "
      "row-lower, row-upper, lower, upper and entry");
  EXPECT_EQ(error("[[predict]]\nentry = ['demand']\n"),
            "bakery.toml line 10, column 1: 'entry' has 1 patterns, expected two: of rows and of columns");
  EXPECT_EQ(
      error("[[known]]\nupper = 'make'\ncolumn = 'oven'\n"),
      "bakery.toml line 10, column 1: there is a section [[known]] and no table of known data, expected "
      "known = \"...\" in section [data]");
  EXPECT_EQ(error("[recourse]\nfree = 'sell'\n"),
            "bakery.toml line 10, column 1: 'sell' matches no column of " + lp + ", expected at least one");
  EXPECT_EQ(error("", "", "format = 'sif'\n"),
            "bakery.toml line 6, column 1: 'format' is 'sif', expected one of mps, fixed-mps, lp");
  EXPECT_EQ(error("", "", "seconds = 0\n"),
            "bakery.toml line 6, column 1: 'seconds' is 0, expected a number from 0.001 to 1000000000");
  EXPECT_TRUE(error("", "", "format = 'mps'\n").starts_with(lp + " line 1, column 1: found 'min', expected"));
}

}  // namespace
}  // namespace polystep
