// What problems state of themselves, to presets before their data are read and to methods afterwards.
#include <gtest/gtest.h>

#include "methods/constraints/charged_task.hpp"
#include "polystep/batch_problem.hpp"
#include "polystep/method.hpp"
#include "polystep/task.hpp"
#include "problems/recourse.hpp"
#include "problems/registry.hpp"

namespace polystep {
namespace {

TEST(Facts, OfEveryProblemAreWhatItsEntrySays) {
  const ProblemRegistry problems = benchmark_problems();
  EXPECT_GE(problems.entries().size(), 9u);
  for (const ProblemEntry& entry : problems.entries()) {
    SCOPED_TRACE(entry.name);
    Options options(entry.options);
    if (entry.options.find("source") != nullptr) options.set_text("source", "generated", "test");
    const Task task = entry.make(options, {});
    EXPECT_EQ(entry.stated_facts(options), task.problem->facts());
    EXPECT_EQ(task.problem->facts().predicts_constraints, task.problem->facts().has_recourse);
    EXPECT_NE(task.problem->facts().predicts_constraints,
              task.problem->facts().optimises_prediction.has_value());
  }
}

// Presets know a problem by its facts alone: any problem whose predictions enter constraints gets the same.
TEST(Facts, DecideWhatPresetBestIs) {
  const MethodEntry& method = find_method("polystepor", "test");
  const Options none{OptionTable()};
  const auto steps = [&](const ProblemFacts& facts) {
    for (const auto& [key, value] : method.preset("best", "test").values({facts, "", none}))
      if (key == "steps") return std::get<std::int64_t>(value);
    return std::int64_t{0};
  };
  EXPECT_EQ(steps({}), 30);
  EXPECT_EQ(steps(linear_facts(Sense::kMaximise)), 30);
  EXPECT_EQ(steps({.predicts_constraints = true}), 40);
  EXPECT_EQ(steps(constraint_facts(true)), 40);
}

TEST(Facts, LinearObjectivesAreLinearInTheSameSense) {
  EXPECT_EQ(linear_facts(Sense::kMinimise).linear_objective(), Sense::kMinimise);
  ProblemFacts facts;
  facts.optimises_prediction = Sense::kMinimise;
  EXPECT_EQ(facts.linear_objective(), std::nullopt);
  facts.cost_is_truth_times_decision = Sense::kMaximise;
  EXPECT_EQ(facts.linear_objective(), std::nullopt);
}

// Buys what is predicted; what is missing costs twice as much. Counts how it is asked.
class Stock final : public BatchProblem {
 public:
  Stock() : BatchProblem(1, 1) {}
  ProblemFacts facts() const override { return constraint_facts(false); }
  void decide_batch(std::span<const double> predictions, std::span<const std::size_t>,
                    std::span<double> decisions, std::span<SolveStatus>) const override {
    largest_batch = std::max(largest_batch, decisions.size());
    std::copy(predictions.begin(), predictions.end(), decisions.begin());
  }
  void cost_batch(std::span<const double>, std::span<const double>, std::span<const std::size_t>,
                  std::span<double>) const override {
    ADD_FAILURE() << "a problem with recourse is asked for cost and recourse together";
  }
  void realise_batch(std::span<const double> decisions, std::span<const double> truth,
                     std::span<const std::size_t>, std::span<Realisation> realisations) const override {
    for (std::size_t row = 0; row < decisions.size(); ++row)
      realisations[row] =
          pay_shortage(decisions[row], truth.subspan(row, 1), decisions.subspan(row, 1), std::vector{2.0});
    realised += decisions.size();
  }
  mutable std::size_t largest_batch = 0, realised = 0;
};

TEST(Recourse, IsFoundWithTheCostInOneCallAndInWholeBatchesUnderAPriceToo) {
  Task task{"", std::make_unique<Stock>(), make_linear(1, 1), {}};
  for (std::size_t row = 0; row < 100; ++row) {
    const double value = 1 + static_cast<double>(row % 7);
    task.data.training.add_row(std::vector{value}, std::vector{value}, row);
  }
  task.data.validation = task.data.test = task.data.training;
  const Stock& stock = static_cast<const Stock&>(*task.problem);
  ThreadTeam team(1);
  Evaluator plain(task, team);
  PreparedData data = prepare_data(task, false, false);
  Preparation preparation;
  ChargedTask charged(plain, data, true, preparation);
  charged.set_price(10);
  Evaluator evaluator(charged.task(), team);
  stock.largest_batch = stock.realised = 0;
  const Evaluation found = evaluator.evaluate(std::vector{0.5, 0.0}, TiledRows(data.training));
  EXPECT_EQ(stock.largest_batch, 100u);
  EXPECT_EQ(stock.realised, 100u);
  EXPECT_EQ(found.infeasible, 100u);
  // Half bought, half short at twice the price, in units of the optimal cost; and the price.
  for (const double cost : found.costs) EXPECT_DOUBLE_EQ(cost, 0.5 + 1 + 10);
}

}  // namespace
}  // namespace polystep
