#include <cmath>
#include <numeric>

#include "data/split_rows.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {

Split take_rows(const Split& all, std::span<const std::size_t> rows) {
  Split split;
  split.rows = rows.size();
  split.feature_columns = all.feature_columns;
  split.truth_columns = all.truth_columns;
  for (const std::size_t row : rows) {
    const auto features = all.feature_row(row);
    const auto truth = all.truth_row(row);
    split.features.insert(split.features.end(), features.begin(), features.end());
    split.truth.insert(split.truth.end(), truth.begin(), truth.end());
    split.instances.push_back(all.instance(row));
  }
  return split;
}

Dataset split_at_random(const Split& rows, double validation_share, double test_share, std::uint64_t seed) {
  const auto total = static_cast<double>(rows.rows);
  const auto validation = static_cast<std::size_t>(std::lround(validation_share * total));
  const auto test = static_cast<std::size_t>(std::lround(test_share * total));
  if (!(validation_share >= 0) || !(test_share >= 0) || validation == 0 || test == 0 ||
      validation + test >= rows.rows)
    throw InputError("a table of " + std::to_string(rows.rows) + " rows was to be split into " +
                     std::to_string(validation) + " for validation, " + std::to_string(test) +
                     " for test and the rest for training, expected at least one of each");
  std::vector<std::size_t> order(rows.rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(seed, Purpose::kSplit);
  for (std::size_t i = rows.rows - 1; i > 0; --i) std::swap(order[i], order[stream.below(i + 1)]);
  const std::span<const std::size_t> shuffled(order);
  Dataset data;
  data.validation = take_rows(rows, shuffled.first(validation));
  data.test = take_rows(rows, shuffled.subspan(validation, test));
  data.training = take_rows(rows, shuffled.subspan(validation + test));
  return data;
}

}  // namespace polystep
