// Which questions a frugal training puts to the solver, and when.
//
// Questions come in passes, each at most one per row. The passes before anything is trained ask at the
// start's predictions and around them, from ten calls per row on one of them at the truth; those of each
// round at the predictions of what was trained before it, first as they are, then at what would tempt them.
// Where neither the truth nor what tempts teaches more (lessons.hpp), these are questions around the
// predictions too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polystep {

struct QuestionPass {
  std::size_t round = 0;      // 0: before anything is trained
  bool begins_round = false;  // what is known is learned from first
  bool at_truth = false;      // asks at the truth instead, where that teaches more
  std::size_t tempting = 0;   // likewise at 2 × prediction − truth: counts such passes of a round, from 1
  double noise = 0;           // deviation from the predictions, in units of their own
  std::size_t questions = 0;  // rows that are asked about
  bool judges = false;        // asks about what is to be handed over: nothing is trained afterwards
  double margin = 0;          // by which predictions are moved, all alike, in units of their own
};

// At most `calls` questions about `rows` rows; the first pass is at the start's own predictions.
std::vector<QuestionPass> plan_questions(std::size_t calls, std::size_t rows);

// The same where a few answers per row teach what there is to learn. The rest judge what was trained: as it
// is, and, where `margins` says so, moved by margins.
std::vector<QuestionPass> plan_judging_questions(std::size_t calls, std::size_t rows, bool margins);

// The rows of a pass, ascending: all of them, or as many as it asks about, drawn at random.
std::vector<std::size_t> asked_rows(const QuestionPass& pass, std::size_t number, std::size_t rows,
                                    std::uint64_t seed);

}  // namespace polystep
