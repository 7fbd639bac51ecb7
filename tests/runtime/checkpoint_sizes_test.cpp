// State of another size is refused before anything uses it, whatever a checkpoint says of itself.
#include <gtest/gtest.h>

#include <cstring>

#include "input_error.hpp"
#include "methods/constraint_tasks.hpp"
#include "methods/gradient/solution_cache.hpp"
#include "methods/polystepor/decision_pool.hpp"
#include "polystep/train.hpp"
#include "prepared.hpp"
#include "runtime/run/training_loop.hpp"

namespace polystep {
namespace {

struct Side {
  Task task;
  ThreadTeam team{1};
  Evaluator evaluator{task, team};
  Options options{OptionTable()};
  std::unique_ptr<Learner> learner;

  Side(const char* problem, const char* name) : task(constraint_task(problem)) {
    const MethodEntry& method = find_method(name, "test");
    options = Options(method.options, name);
    learner = make_prepared(method, {evaluator, options, 1});
  }
};

class LearnerState : public testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};

// Archives of one method have the same order of fields on every problem, but other sizes.
TEST_P(LearnerState, OfAnotherSizeIsRefused) {
  const auto [method, problem, other_problem] = GetParam();
  const Side one(problem, method);
  Side other(other_problem, method);
  ArchiveWriter writer;
  one.learner->save(writer);
  const std::string sentence = input_error([&] {
    ArchiveReader reader(writer.bytes(), "checkpoint.bin");
    other.learner->load(reader);
  });
  EXPECT_TRUE(sentence.starts_with("checkpoint")) << sentence;
}

INSTANTIATE_TEST_SUITE_P(Methods, LearnerState,
                         testing::Values(std::tuple("mse", "shortest-path", "knapsack"),
                                         std::tuple("spo+", "shortest-path", "knapsack"),
                                         std::tuple("listwise", "shortest-path", "knapsack"),
                                         std::tuple("polystepor", "shortest-path", "knapsack"),
                                         std::tuple("polystepor-output", "shortest-path", "knapsack")));

TEST(CheckpointSizes, LoopsCheckTheirOwnPart) {
  Side one("shortest-path", "mse"), other("knapsack", "mse");
  TrainingLoop loop(*one.learner, one.evaluator), target(*other.learner, other.evaluator);
  loop.start();
  ArchiveWriter writer;
  loop.save(writer);
  std::vector<std::byte> bytes = writer.bytes();
  EXPECT_NE(input_error([&] {
              ArchiveReader reader(bytes, "checkpoint.bin");
              target.load(reader);
            }).find(" numbers for the best parameters, expected "),
            std::string::npos);
  const std::uint64_t step = ~std::uint64_t{0};
  std::memcpy(bytes.data(), &step, sizeof(step));
  EXPECT_NE(input_error([&] {
              ArchiveReader reader(bytes, "checkpoint.bin");
              loop.load(reader);
            }).find("after step 18446744073709551615, expected at most "),
            std::string::npos);
}

TEST(CheckpointSizes, RememberedDecisionsHaveTheProblemsSize) {
  Side side("shortest-path", "mse");
  DecisionPool pool(side.evaluator, side.task.data.training);
  SolutionCache cache(side.evaluator, "listwise", CacheGrowth(0.1, CacheGrowth::Draw::kStreams, 1));
  const std::size_t size = side.task.problem->decision_size();
  const std::vector<double> decision(size - 1, 1.0);
  ArchiveWriter pooled, cached;
  pooled.put<std::uint64_t>(std::uint64_t{1} << 60);
  pooled.put(decision);
  cached.put<std::uint64_t>(1);  // group
  cached.put<std::uint64_t>(0);
  cached.put<std::uint64_t>(std::uint64_t{1} << 60);
  cached.put(decision);
  const std::string expected = "checkpoint.bin: it holds " + std::to_string(size - 1) +
                               " numbers for a remembered decision, expected " + std::to_string(size);
  EXPECT_EQ(input_error([&] {
              ArchiveReader reader(pooled.bytes(), "checkpoint.bin");
              pool.load(reader);
            }),
            expected);
  EXPECT_EQ(input_error([&] {
              ArchiveReader reader(cached.bytes(), "checkpoint.bin");
              cache.load(reader);
            }),
            expected);
}

}  // namespace
}  // namespace polystep
