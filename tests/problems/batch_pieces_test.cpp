// Batches of rows that take long are asked in pieces, between which work can be stopped; quick ones all at
// once.
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <thread>

#include "polystep/batch_problem.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

// Doubles its predictions, a row per so many milliseconds; remembers the sizes of the batches it was asked.
class Doubling final : public BatchProblem {
 public:
  explicit Doubling(int milliseconds) : BatchProblem(2, 2), milliseconds_(milliseconds) {}

  void decide_batch(std::span<const double> predictions, std::span<const std::size_t> instances,
                    std::span<double> decisions, std::span<SolveStatus> statuses) const override {
    const std::lock_guard lock(mutex_);
    sizes.push_back(instances.size());
    for (std::size_t i = 0; i < predictions.size(); ++i) decisions[i] = 2 * predictions[i];
    for (std::size_t row = 0; row < instances.size(); ++row)
      if (instances[row] % 5 == 3) statuses[row] = SolveStatus::kFailed;
    if (milliseconds_ != 0)
      std::this_thread::sleep_for(
          std::chrono::milliseconds(milliseconds_ * static_cast<int>(instances.size())));
  }
  void cost_batch(std::span<const double>, std::span<const double>, std::span<const std::size_t> instances,
                  std::span<double> costs) const override {
    std::fill_n(costs.begin(), instances.size(), 0.0);
  }

  mutable std::vector<std::size_t> sizes;

 private:
  int milliseconds_;
  mutable std::mutex mutex_;
};

struct Answers {
  std::vector<double> decisions;
  std::vector<SolveStatus> statuses;
  friend bool operator==(const Answers&, const Answers&) = default;
};

Answers ask(const Doubling& problem, std::size_t rows) {
  std::vector<double> predictions(2 * rows);
  std::vector<std::size_t> instances(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    instances[row] = row + 7;
    predictions[2 * row] = static_cast<double>(row);
    predictions[2 * row + 1] = -0.5 * static_cast<double>(row);
  }
  Answers answers{std::vector<double>(2 * rows), std::vector<SolveStatus>(rows, SolveStatus::kSolved)};
  problem.decide_rows(predictions, instances, answers.decisions, answers.statuses);
  return answers;
}

TEST(BatchPieces, PiecesAnswerAsOneBatchDoes) {
  Doubling quick(0), slow(5);
  const Answers expected = ask(quick, 150);
  EXPECT_EQ(ask(slow, 150), expected);
  EXPECT_GT(slow.sizes.size(), 2u);  // at most 100 rows of 5 ms in half a second
  for (const std::size_t size : slow.sizes) EXPECT_LE(size, 100u);
}

// After the first row, which is timed, a quick problem sees what it was always shown.
TEST(BatchPieces, QuickOnesAreAskedAllAtOnce) {
  for (int again = 0; again < 20; ++again) {
    Doubling quick(0);
    ask(quick, 1000);
    ask(quick, 1000);
    if (quick.sizes != std::vector<std::size_t>{1, 1000, 1000}) continue;  // the machine paused for long
    SUCCEED();
    return;
  }
  FAIL() << "quick rows were asked in pieces twenty times in a row";
}

class After final : public StopSource {
 public:
  explicit After(const std::vector<std::size_t>& sizes, std::size_t batches)
      : sizes_(sizes), batches_(batches) {}
  bool wanted() const noexcept override { return sizes_.size() >= batches_; }

 private:
  const std::vector<std::size_t>& sizes_;
  std::size_t batches_;
};

TEST(BatchPieces, CanBeStoppedBetweenThem) {
  const Doubling slow(200);
  const After after(slow.sizes, 2);
  const StoppedBy stopped_by(&after);
  EXPECT_THROW(ask(slow, 50), Stopped);
  EXPECT_EQ(slow.sizes.size(), 2u);
}

}  // namespace
}  // namespace polystep
