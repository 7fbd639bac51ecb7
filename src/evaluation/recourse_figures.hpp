// Figures of problems whose decisions can turn out infeasible: what regret is where they do not, and both as
// the published runs on alloys report them.
#pragma once

#include <optional>
#include <span>

#include "evaluation/evaluator.hpp"
#include "polystep/train.hpp"

namespace polystep {

// Mean relative regret of the decisions that broke no constraint; `optimal` is not a number where a row has
// no reference. Nothing where there is no such decision: a share of none has no mean.
std::optional<double> conditional_regret(const Evaluation& decided, std::span<const double> optimal);

inline constexpr std::size_t kPublishedBatch = 64;  // test rows

// See BatchFigures; `surcharge` is that of each row.
BatchFigures batch_figures(const Evaluation& decided, std::span<const double> optimal,
                           std::span<const double> surcharge, std::size_t batch = kPublishedBatch);

// The mean surcharge of each row's instance, where the problem has surcharges; else empty.
std::vector<double> surcharges_of(const Problem& problem, const TiledRows& rows);

}  // namespace polystep
