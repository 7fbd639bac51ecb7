// The gradient of what rows choose of what they remember: that of the loss written down plainly, the same bits
// for every instruction set.
#include "methods/frugal/tile_choices.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kOutputs = 9;

class AnyDecision final : public Problem {
 public:
  explicit AnyDecision(Sense sense) : Problem(kOutputs, kOutputs), sense_(sense) {}
  ProblemFacts facts() const override { return linear_facts(sense_); }
  SolveStatus decide(std::span<const double>, std::size_t, std::span<double>) const override {
    return SolveStatus::kFailed;
  }
  double cost(std::span<const double>, std::span<const double>, std::size_t) const override { return 0; }

 private:
  Sense sense_;
};

// Thirteen rows, so that the second tile has lanes to spare; row 2 remembers one decision, row 5 none.
class Choosing : public ::testing::TestWithParam<Sense> {
 protected:
  Choosing() {
    RandomStream stream(4, Purpose::kTest);
    std::vector<std::vector<double>> drawn(12, std::vector<double>(kOutputs));
    for (std::vector<double>& decision : drawn)
      for (double& entry : decision) entry = static_cast<double>(stream.below(3)) / 2;
    for (std::size_t row = 0; row < rows.rows; ++row) {
      const std::size_t members = row == 5 ? 0 : row == 2 ? 1 : 3 + stream.below(6);
      for (std::size_t m = 0; m < members; ++m) decisions.remember(row, drawn[stream.below(drawn.size())]);
    }
  }

  static Split thirteen_rows() {
    Split rows;
    rows.rows = 13;
    rows.feature_columns = 1;
    rows.features.resize(13);
    rows.truth_columns = kOutputs;
    rows.truth.resize(13 * kOutputs);
    RandomStream(5, Purpose::kTest).fill_normal(std::span<double>(rows.truth));
    return rows;
  }

  // The loss of one row: the bound on its regret, and the expected cost of a soft choice.
  double loss_of(std::size_t row, std::span<const double> prediction, const ChoiceLoss& loss) const {
    const auto members = decisions.members(row);
    if (members.empty()) return 0;
    double bound = -INFINITY, total = 0, mean = 0;
    for (const auto& member : members) {
      const double worth = decisions.value(member.decision, prediction.data());
      bound = std::max(bound, member.cost - 2 * worth);
      total += std::exp(-worth / loss.temperature);
      mean += std::exp(-worth / loss.temperature) * member.cost;
    }
    const auto& best = members[decisions.cheapest(row)];
    // Half of it, for that is what training follows: the difference of two decisions.
    const double spo = (bound + 2 * decisions.value(best.decision, prediction.data()) - best.cost) / 2;
    return (1 - loss.soft_share) * spo + loss.soft_share * mean / total;
  }

  AnyDecision problem{GetParam()};
  Split rows = thirteen_rows();
  RememberedDecisions decisions{problem, rows};
};

TEST_P(Choosing, GradientIsThatOfTheLoss) {
  const TiledRows tiles(rows);
  for (const ChoiceLoss loss : {ChoiceLoss{0.5, 0.7}, ChoiceLoss{0, 1}, ChoiceLoss{1, 0.5}})
    for (std::size_t number = 0; number < tiles.tiles(); ++number) {
      AlignedDoubles prediction(kOutputs * kLanes), gradient(kOutputs * kLanes, 0.0), work;
      RandomStream(6, Purpose::kTest, number).fill_normal(std::span<double>(prediction.data(), prediction.size()));
      TileChoices(decisions, tiles, number).add_gradient(prediction.data(), loss, gradient.data(), work);
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        for (std::size_t o = 0; o < kOutputs; ++o) {
          const std::size_t row = number * kLanes + lane;
          if (row >= rows.rows) {
            EXPECT_EQ(gradient[o * kLanes + lane], 0);
            continue;
          }
          std::vector<double> here(kOutputs);
          for (std::size_t k = 0; k < kOutputs; ++k) here[k] = prediction[k * kLanes + lane];
          constexpr double kAway = 1e-5;
          here[o] += kAway;
          const double above = loss_of(row, here, loss);
          here[o] -= 2 * kAway;
          const double below = loss_of(row, here, loss);
          EXPECT_NEAR(gradient[o * kLanes + lane], (above - below) / (2 * kAway), 1e-6)
              << "row " << row << ", output " << o << ", soft " << loss.soft_share;
        }
    }
}

TEST_P(Choosing, SameBitsForEveryInstructionSet) {
  if (!simd::is_supported(simd::InstructionSet::kAvx512)) GTEST_SKIP() << "one instruction set here";
  const TiledRows tiles(rows);
  for (std::size_t number = 0; number < tiles.tiles(); ++number) {
    AlignedDoubles prediction(kOutputs * kLanes), four(kOutputs * kLanes, 0.0), eight = four, work;
    RandomStream(7, Purpose::kTest, number).fill_normal(std::span<double>(prediction.data(), prediction.size()));
    const TileChoices choices(decisions, tiles, number);
    choices.add_gradient(prediction.data(), {}, four.data(), work, simd::InstructionSet::kBaseline);
    choices.add_gradient(prediction.data(), {}, eight.data(), work, simd::InstructionSet::kAvx512);
    EXPECT_EQ(four, eight);
  }
}

INSTANTIATE_TEST_SUITE_P(BothSenses, Choosing, ::testing::Values(Sense::kMinimise, Sense::kMaximise));

}  // namespace
}  // namespace polystep
