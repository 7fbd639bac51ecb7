// Lessons on recourse: they know roughly what predictions would cost, with the gradient of that, and know
// where they know nothing.
#include "methods/frugal/recourse_lessons.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "constraint_tasks.hpp"
#include "data/tables/split_rows.hpp"
#include "methods/starts/initial_fit.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

// A task, its rows, and answers to some noisy predictions of a least-squares fit.
class Taught {
 public:
  Taught(const std::string& problem, std::size_t questions)
      : task(constraint_task(problem, {{"rho", "10"}})),
        evaluator(task, team),
        options(method_options("polystepor", "best", problem)),
        data(prepare_data(task, true, false)),
        rows(take_rows(data.training, numbered(80))),
        all(numbered(rows.rows)),
        unseen(*task.predictor, rows, std::vector<std::vector<std::size_t>>{all}),
        lessons({evaluator, options, 3}, rows),
        start(*least_squares_start(*task.predictor, rows, all)) {
    lessons.begin(start);
    const RowLayout places(*task.problem, rows, all);
    for (std::size_t question = 0; question < questions; ++question) {
      std::vector<double> decisions(places.total()), solved(rows.rows, 1.0);
      for (const std::size_t row : all) {
        const std::vector<double> asked = prediction(row, question);
        if (task.problem->decide(asked, rows.instance(row), places.row(decisions, row)) !=
            SolveStatus::kSolved)
          solved[row] = 0;
      }
      lessons.remember(all, places, decisions, solved, false, team);
    }
    study();
  }

  void study() { lessons.study(unseen, unseen.of({&start, 1}, team), 0, team); }

  std::vector<double> prediction(std::size_t row, std::size_t question) {
    const std::vector<double> predictions = unseen.of({&start, 1}, team);
    const std::span<const double> plain = unseen.layout().row(predictions, row);
    RandomStream stream(9, Purpose::kPerturbation, question, row);
    std::vector<double> moved(plain.begin(), plain.end());
    for (std::size_t o = 0; o < moved.size(); ++o) moved[o] += lessons.noise()[o] * stream.normal();
    return moved;
  }

  static std::vector<std::size_t> numbered(std::size_t count) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    return numbers;
  }

  Task task;
  ThreadTeam team{1};
  Evaluator evaluator;
  Options options;
  PreparedData data;
  Split rows;
  std::vector<std::size_t> all;
  UnseenPredictions unseen;
  RecourseLessons lessons;
  std::vector<double> start;
};

class LessonsOn : public testing::TestWithParam<const char*> {};

TEST_P(LessonsOn, KnowRoughlyWhatPredictionsCost) {
  Taught taught(GetParam(), 3);
  double expected = 0, real = 0;
  std::vector<double> decision(taught.task.problem->decision_size());
  for (const std::size_t row : taught.all) {
    const std::vector<double> asked = taught.prediction(row, 100);
    const std::size_t instance = taught.rows.instance(row);
    ASSERT_EQ(taught.task.problem->decide(asked, instance, decision), SolveStatus::kSolved);
    real +=
        taught.task.problem->cost(decision, taught.rows.truth_row(row), instance) / taught.lessons.unit(row);
    expected += taught.lessons.expected_cost(row, asked);
  }
  EXPECT_NEAR(expected, real, 0.35 * std::abs(real));
}

TEST_P(LessonsOn, HaveTheGradientTheySay) {
  constexpr double kNoise = 3e-5;  // relaxed decisions are found to so many digits
  Taught taught(GetParam(), 3);
  double all_said = 0;
  std::size_t bends = 0;
  for (const std::size_t row : {0, 5, 17}) {
    const std::vector<double> asked = taught.prediction(row, 100);
    std::vector<double> gradient(asked.size(), 0.0);
    const double cost = taught.lessons.expected_cost(row, asked, gradient);
    for (std::size_t o = 0; o < asked.size(); ++o) {
      const double step = 1e-3 * taught.lessons.noise()[o];
      std::vector<double> above = asked, below = asked;
      above[o] += step;
      below[o] -= step;
      const double higher = taught.lessons.expected_cost(row, above);
      const double lower = taught.lessons.expected_cost(row, below), difference = higher - lower;
      const double said = 2 * step * gradient[o], bend = higher + lower - 2 * cost;
      all_said += std::abs(said);
      if (std::abs(bend) > kNoise + 0.1 * std::abs(difference)) {  // between two prices
        ++bends;
        continue;
      }
      EXPECT_NEAR(said, difference, kNoise + 0.1 * std::abs(said)) << row << " " << o;
    }
  }
  EXPECT_GT(all_said, 20 * kNoise);
  EXPECT_LE(bends, taught.task.problem->outputs());  // of three times as many
}

TEST_P(LessonsOn, LowerWhatTheyExpect) {
  Taught taught(GetParam(), 3);
  const auto expected = [&](const std::vector<double>& theta) {
    const std::vector<double> predictions = taught.unseen.of({&theta, 1}, taught.team);
    double sum = 0;
    for (const std::size_t row : taught.all)
      sum += taught.lessons.expected_cost(row, taught.unseen.layout().row(predictions, row));
    return sum;
  };
  const TiledRows tiles(taught.rows);
  const std::vector<double> trained =
      taught.lessons.train(tiles, taught.start, taught.lessons.ways()[0], false);
  EXPECT_LT(expected(trained), expected(taught.start));
  EXPECT_EQ(trained, taught.lessons.train(tiles, taught.start, taught.lessons.ways()[0], false));
}

TEST_P(LessonsOn, AreTheSameAfterALoad) {
  Taught taught(GetParam(), 2), other(GetParam(), 0);
  ArchiveWriter writer;
  taught.lessons.save(writer);
  ArchiveReader reader(writer.bytes(), "test");
  other.lessons.load(reader);
  EXPECT_TRUE(reader.exhausted());
  other.study();
  for (const std::size_t row : taught.all) {
    EXPECT_EQ(other.lessons.unit(row), taught.lessons.unit(row));
    const std::vector<double> asked = taught.prediction(row, 100);
    EXPECT_EQ(other.lessons.expected_cost(row, asked), taught.lessons.expected_cost(row, asked));
  }
}

// No answer, or none that could be carried out: nothing moves.
TEST_P(LessonsOn, TeachNothingWithoutAnswers) {
  Taught taught(GetParam(), 0);
  const RowLayout places(*taught.task.problem, taught.rows, taught.all);
  const std::vector<double> none(places.total(), 0.0), failed(taught.rows.rows, 0.0);
  for (const RealisedAnswer& answer :
       taught.lessons.remember(taught.all, places, none, failed, false, taught.team))
    EXPECT_TRUE(std::isnan(answer.cost));
  taught.study();
  EXPECT_EQ(taught.lessons.train(TiledRows(taught.rows), taught.start, {.rate = 0.1}, false), taught.start);
}

INSTANTIATE_TEST_SUITE_P(Problems, LessonsOn,
                         testing::Values("knapsack-weight", "set-cover", "multi-knapsack"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

TEST(RecourseLessons, ServeProblemsThatShowTheirRows) {
  for (const char* problem : {"knapsack-weight", "set-cover", "multi-knapsack"})
    EXPECT_TRUE(RecourseLessons::serve(constraint_task(problem))) << problem;
  for (const char* problem : {"knapsack-capacity", "knapsack", "shortest-path"})
    EXPECT_FALSE(RecourseLessons::serve(constraint_task(problem))) << problem;
}

}  // namespace
}  // namespace polystep
