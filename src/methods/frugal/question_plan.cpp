#include "methods/frugal/question_plan.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr double kStartShare = 0.3;     // of the calls before anything is trained
constexpr double kLeastStart = 2;       // calls per row before anything is trained
constexpr double kCallsPerRound = 2.5;  // per row, at least
constexpr std::size_t kMostRounds = 6;
constexpr double kStartNoise = 0.6, kRoundNoise = 0.5;
constexpr double kCallsForTruth = 10;  // per row, from which on one of them is spent on the truth

// Where questions judge: passes before anything is trained, rounds in between and the calls per row from
// which on each of them pays, passes of such a round; margins in the order in which they are tried.
constexpr std::size_t kPassesOfStart = 3, kPassesOfRound = 2;
constexpr double kCallsForRound[] = {6, 12};
constexpr double kMargins[] = {0, 0.2, 0.4, -0.2, 0.1, 0.3, 0.6, -0.1, -0.4, 0.5, 0.8};

// Passes for some questions of one round; only the first is at the predictions themselves. The others, where
// that is wanted, are at what would tempt them.
void add_passes(std::size_t questions, std::size_t rows, std::size_t round, double noise, bool tempts,
                std::vector<QuestionPass>& passes) {
  for (std::size_t number = 0; questions > 0; ++number) {
    const std::size_t now = std::min(questions, rows);
    passes.push_back({.round = round,
                      .begins_round = number == 0 && round > 0,
                      .tempting = tempts ? number : 0,
                      .noise = number == 0 ? 0 : noise,
                      .questions = now});
    questions -= now;
  }
}

}  // namespace

std::vector<QuestionPass> plan_questions(std::size_t calls, std::size_t rows) {
  const double per_row = static_cast<double>(calls) / static_cast<double>(rows);
  const double start = std::min(per_row, std::max(kLeastStart, kStartShare * per_row));
  const auto first =
      std::min(calls, static_cast<std::size_t>(std::llround(start * static_cast<double>(rows))));
  const std::size_t rounds =
      std::clamp<std::size_t>(static_cast<std::size_t>(per_row / kCallsPerRound), 1, kMostRounds);
  std::vector<QuestionPass> passes;
  add_passes(first, rows, 0, kStartNoise, false, passes);
  // As late as all rows can be asked: by then it is known whether decisions differ from row to row.
  for (std::size_t pass = passes.size(); per_row >= kCallsForTruth && pass-- > 1;) {
    if (passes[pass].questions < rows) continue;
    passes[pass].at_truth = true;
    break;
  }
  const std::size_t rest = calls - first;
  for (std::size_t round = 0; round < rounds; ++round)
    add_passes(rest * (round + 1) / rounds - rest * round / rounds, rows, round + 1, kRoundNoise, true,
               passes);
  return passes;
}

std::vector<QuestionPass> plan_judging_questions(std::size_t calls, std::size_t rows, bool margins) {
  const double per_row = static_cast<double>(calls) / static_cast<double>(rows);
  std::size_t left = calls;
  const auto granted = [&](std::size_t passes_wanted) {
    const std::size_t now = std::min(left, passes_wanted * rows);
    left -= now;
    return now;
  };
  // One pass at the start alone where there is hardly more: what is trained must be asked about too.
  const auto fewest = static_cast<std::size_t>(std::max(1.0, std::floor(per_row) - 1));
  std::vector<QuestionPass> passes;
  add_passes(granted(std::min(kPassesOfStart, fewest)), rows, 0, kStartNoise, false, passes);
  std::size_t round = 0;
  for (const double from : kCallsForRound)
    if (per_row >= from) add_passes(granted(kPassesOfRound), rows, ++round, kRoundNoise, false, passes);
  ++round;
  for (std::size_t k = 0; left > 0; ++k) {
    QuestionPass pass{.round = round, .begins_round = k == 0, .questions = granted(1), .judges = true};
    if (margins && k < std::size(kMargins))
      pass.margin = kMargins[k];
    else if (k > 0)
      pass.noise = kRoundNoise;
    passes.push_back(pass);
  }
  return passes;
}

std::vector<std::size_t> asked_rows(const QuestionPass& pass, std::size_t number, std::size_t rows,
                                    std::uint64_t seed) {
  std::vector<std::size_t> asked(rows);
  std::iota(asked.begin(), asked.end(), std::size_t{0});
  if (pass.questions >= rows) return asked;
  RandomStream stream(seed, Purpose::kMinibatch, number);
  for (std::size_t i = 0; i < pass.questions; ++i) std::swap(asked[i], asked[i + stream.below(rows - i)]);
  asked.resize(pass.questions);
  std::ranges::sort(asked);
  return asked;
}

}  // namespace polystep
