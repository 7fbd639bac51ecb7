// All rows of features of a split as one table in single precision: centred, and in units in which noise is
// about 1.
//
// Where columns are about alike, as those of an embedding, they share a unit, so that a direction keeps its
// length; where they differ by far, each has its own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polystep/aligned.hpp"
#include "polystep/dataset.hpp"
#include "polystep/team.hpp"

namespace polystep {

struct TableRows {
  std::size_t rows = 0;
  std::size_t columns = 0;
  AlignedFloats values;                // [rows × columns], (raw - mean) / deviation
  FeatureScaling scaling;              // [columns]
  std::vector<std::size_t> split_row;  // [rows]: whose row of features it is
  double variance = 0;                 // sum over columns

  const float* row(std::size_t number) const { return values.data() + number * columns; }
};

// `row_features`: of one table row; a row of the split holds one or several of them.
TableRows table_rows(const Split& split, std::size_t row_features, Team& team);

// Columns that one slot of work takes: many enough for whole cache lines, few enough for sums in a cache.
inline constexpr std::size_t kColumnsPerSlot = 256;

// work(first, count) for consecutive slots of columns, by any thread.
template <class Work>
void for_each_column_slot(std::size_t columns, Team& team, const Work& work) {
  team.for_each((columns + kColumnsPerSlot - 1) / kColumnsPerSlot, [&](std::size_t slot, std::size_t) {
    const std::size_t first = slot * kColumnsPerSlot;
    work(first, std::min(kColumnsPerSlot, columns - first));
  });
}

// Scores of the table rows of a split along directions [count × columns] of the units above: a split whose
// rows hold `count` features for every `columns` before; all else stays.
Split projected(const Split& split, const FeatureScaling& scaling, std::span<const double> directions,
                std::size_t count, Team& team);

// The same rows with other features, `count` for every `columns` before.
Split with_scores(const Split& split, std::size_t columns, std::size_t count, std::vector<double> scores);

}  // namespace polystep
