#include "solvers/milp/small_programme.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace polystep::solvers {
namespace {

constexpr std::size_t kLargestTable = 20000;       // entries of a linear programme
constexpr std::size_t kLargestSearchTable = 5000;  // and of one with whole numbers
constexpr std::size_t kMostIntegers = 200;
constexpr double kMostWork = 1e8;         // table entries in a search: about a tenth of a second
constexpr double kWorkPerSecond = 5e8;    // at least, where there is a limit in seconds
constexpr double kOffBy = 1e-8;           // what an answer may be off by, relative to its terms
constexpr double kOfRounding = 1e-8;      // bounds that cross by less are taken to meet
constexpr double kSmallestSingle = 1e-6;  // coefficient of a row that becomes a bound
constexpr double kWholeBound = 1e-9;      // a bound this close to a whole number is one

}  // namespace

SmallProgramme::SmallProgramme(const MilpModel& model, SmallShape shape)
    : sign_(model.sense == Sense::kMinimise ? 1.0 : -1.0), model_columns_(model.columns.size()) {
  std::vector<std::size_t> place(model_columns_, kNone);
  for (std::size_t column = 0; column < model_columns_; ++column) {
    const bool whole = model.columns[column].integer;
    if (!shape.given.empty() && shape.given[column] != 0) {
      given_.push_back(column);
      if (whole) given_integers_.push_back(column);
      continue;
    }
    place[column] = kept_.size();
    if (whole) integers_.push_back(kept_.size());
    kept_.push_back(column);
  }
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> moving;
  for (std::size_t k = 0; k < shape.entries.size(); ++k) moving.emplace(shape.entries[k], k);
  suits_ = fits(rows_to_keep(model, place));
  if (!suits_) return;  // nothing of its size is built

  std::size_t dense_rows = 0;
  std::vector<std::size_t> term_of(kept_.size(), kNone);  // of the present row
  for (std::size_t number = 0; number < model.rows.size(); ++number) {
    Row row;
    row.number = number;
    bool changes = false;
    const std::vector<MilpEntry>& entries = model.rows[number].entries;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const auto known = moving.find({number, e});
      const std::size_t entry = known == moving.end() ? kNone : known->second;
      const std::size_t column = place[entries[e].column];
      if (column == kNone) {
        row.given.push_back({entries[e].column, entries[e].coefficient, entry});
      } else if (term_of[column] != kNone) {  // entries of one column add up; no such entry changes
        row.kept[term_of[column]].coefficient += entries[e].coefficient;
      } else {
        term_of[column] = row.kept.size();
        row.kept.push_back({column, entries[e].coefficient, entry});
        changes |= entry != kNone;
      }
    }
    for (const Term& term : row.kept) term_of[term.column] = kNone;
    std::erase_if(row.kept, [](const Term& term) { return term.coefficient == 0 && term.entry == kNone; });
    const bool single =
        row.kept.size() == 1 && !changes && std::abs(row.kept.front().coefficient) > kSmallestSingle;
    if (!row.kept.empty() && !single) row.dense = dense_rows++;
    matrix_changes_ |= changes;
    rows_.push_back(std::move(row));
  }
  suits_ = fits(dense_rows);
  if (!suits_) return;
  dense_.resize(kept_.size(), dense_rows);
  for (const std::size_t column : integers_) dense_.integer[column] = 1;
  for (const Row& row : rows_)
    if (row.dense != kNone)
      for (const Term& term : row.kept) dense_.row(row.dense)[term.column] = term.coefficient;
  wanted_.assign(dense_.variables(), 0);
  high_.assign(dense_.variables(), 0);
  chosen_.assign(dense_.stride, 0.0);
  prices_.resize(dense_.rows);
  reduced_.resize(dense_.stride);
}

// Rows of several kept columns; those of one may come to them.
std::size_t SmallProgramme::rows_to_keep(const MilpModel& model, std::span<const std::size_t> place) const {
  std::size_t count = 0;
  for (const MilpRow& row : model.rows) {
    std::size_t first = kNone;
    for (const MilpEntry& entry : row.entries) {
      const std::size_t column = place[entry.column];
      if (column == kNone || column == first) continue;
      if (first != kNone) {
        ++count;
        break;
      }
      first = column;
    }
  }
  return count;
}

bool SmallProgramme::fits(std::size_t dense_rows) const {
  const std::size_t entries = kept_.size() * dense_rows;
  return integers_.empty() ? entries <= kLargestTable
                           : entries <= kLargestSearchTable && integers_.size() <= kMostIntegers;
}

void SmallProgramme::start_from(std::span<const BasisPlace> places) {
  if (!suits_) return;
  built_ = false;
  wanted_.assign(dense_.variables(), 0);
  high_.assign(dense_.variables(), 0);
  if (places.empty()) return;
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    wanted_[k] = places[kept_[k]] == BasisPlace::kBasic;
    high_[k] = places[kept_[k]] == BasisPlace::kUpper;
  }
  for (const Row& row : rows_) {
    if (row.dense == kNone) continue;
    wanted_[dense_.sum_of(row.dense)] = places[model_columns_ + row.number] == BasisPlace::kBasic;
    high_[dense_.sum_of(row.dense)] = places[model_columns_ + row.number] == BasisPlace::kUpper;
  }
}

void SmallProgramme::rebuild() {
  reference_.load_matrix(dense_);
  reference_.bring_in(wanted_);
  built_ = true;
}

bool SmallProgramme::load_columns(const ProgrammeNumbers& numbers) {
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    const std::size_t column = kept_[k];
    dense_.objective[k] = sign_ * numbers.objective[column];
    dense_.lower[k] = numbers.column_lower[column];
    dense_.upper[k] = numbers.column_upper[column];
    if (!(dense_.lower[k] <= dense_.upper[k]) || !std::isfinite(dense_.objective[k])) return false;
  }
  for (const std::size_t k : integers_) {
    dense_.lower[k] = std::ceil(dense_.lower[k]);
    dense_.upper[k] = std::floor(dense_.upper[k]);
  }
  return true;
}

// A row of one column is a bound of it.
SmallProgramme::Loaded SmallProgramme::tighten(const Term& term, double lower, double upper, double scale) {
  const std::size_t column = term.column;
  double low = lower / term.coefficient, high = upper / term.coefficient;
  if (term.coefficient < 0) std::swap(low, high);
  if (dense_.integer[column]) {
    low = std::ceil(low - kWholeBound * std::max(1.0, std::abs(low)));
    high = std::floor(high + kWholeBound * std::max(1.0, std::abs(high)));
  }
  low = std::max(low, dense_.lower[column]);
  high = std::min(high, dense_.upper[column]);
  if (low > high) {
    const double rounding = kOfRounding * scale / std::min(1.0, std::abs(term.coefficient));
    if (low - high > rounding) return low - high > 1e3 * rounding ? Loaded::kInfeasible : Loaded::kUnclear;
    low = high = std::clamp(low, dense_.lower[column], dense_.upper[column]);
  }
  dense_.lower[column] = low;
  dense_.upper[column] = high;
  return Loaded::kReady;
}

SmallProgramme::Loaded SmallProgramme::load_row(const Row& row, const ProgrammeNumbers& numbers) {
  double lower = numbers.row_lower[row.number], upper = numbers.row_upper[row.number];
  if (!(lower <= upper)) return Loaded::kUnclear;
  double given = 0, scale = 1;
  for (const Term& term : row.given) {
    const double part =
        (term.entry == kNone ? term.coefficient : numbers.entries[term.entry]) * numbers.given[term.column];
    given += part;
    scale = std::max(scale, std::abs(part));
  }
  for (const double bound : {lower, upper})
    if (std::isfinite(bound)) scale = std::max(scale, std::abs(bound));
  lower -= given;
  upper -= given;
  if (row.dense != kNone) {
    dense_.lower[dense_.sum_of(row.dense)] = lower;
    dense_.upper[dense_.sum_of(row.dense)] = upper;
    if (matrix_changes_)
      for (const Term& term : row.kept)
        if (term.entry != kNone) dense_.row(row.dense)[term.column] = numbers.entries[term.entry];
    return Loaded::kReady;
  }
  if (!row.kept.empty()) return tighten(row.kept.front(), lower, upper, scale);
  const double broken = std::max({lower, -upper, 0.0});
  if (broken <= kFeasibilityTolerance * scale) return Loaded::kReady;
  return broken > 10 * kFeasibilityTolerance * scale ? Loaded::kInfeasible : Loaded::kUnclear;
}

SmallProgramme::Loaded SmallProgramme::load(const ProgrammeNumbers& numbers) {
  if (!load_columns(numbers)) return Loaded::kUnclear;
  for (const std::size_t column : given_integers_)
    if (numbers.given[column] != std::round(numbers.given[column])) return Loaded::kUnclear;
  Loaded loaded = Loaded::kReady;
  for (const Row& row : rows_) {
    const Loaded part = load_row(row, numbers);
    if (part == Loaded::kUnclear) return part;
    if (part == Loaded::kInfeasible) loaded = part;
  }
  for (const std::size_t column : integers_)
    if (dense_.lower[column] > dense_.upper[column]) return Loaded::kInfeasible;
  if (loaded == Loaded::kReady && (matrix_changes_ || !built_)) rebuild();
  return loaded;
}

// The relaxation, from the reference basis: by the dual simplex where the start suits it, by the primal one
// where that does, and else first to any solution.
SimplexEnd SmallProgramme::relax() {
  node_ = reference_;
  node_.load_numbers(dense_);
  node_.price(dense_);
  if (node_.place_for_prices()) return node_.run_dual();
  node_.place(high_);
  if (!node_.within_bounds()) {
    node_.price_nothing();
    const SimplexEnd end = node_.run_dual();
    if (end != SimplexEnd::kOptimal) return end;
    node_.price(dense_);
  }
  return node_.run_primal();
}

// A solution and a bound that meet.
bool SmallProgramme::verified(std::span<const double> solution) {
  if (dense_.violation_of(solution) > kOffBy) return false;
  double size = dense_.largest_cost();
  for (std::size_t k = 0; k < dense_.columns; ++k)
    size = std::max(size, std::abs(dense_.objective[k] * solution[k]));
  node_.read_prices(prices_);
  const double bound = dual_bound(dense_, {dense_.lower.data(), dense_.upper.data()}, prices_, true,
                                  node_.dual_tolerance(), reduced_);
  return dense_.objective_of(solution) - bound <= kOffBy * size;
}

std::optional<MilpStatus> SmallProgramme::solve(const ProgrammeNumbers& numbers, const MilpLimits& limits,
                                                std::span<double> solution) {
  nodes_ = 0;
  switch (load(numbers)) {
    case Loaded::kReady:
      break;
    case Loaded::kInfeasible:
      return MilpStatus::kInfeasible;
    default:
      return std::nullopt;
  }
  const SimplexEnd end = relax();
  if (end == SimplexEnd::kNoSolution && proves_no_solution(dense_, node_, prices_, reduced_))
    return MilpStatus::kInfeasible;
  if (end != SimplexEnd::kOptimal) return std::nullopt;
  if (integers_.empty()) {
    for (std::size_t k = 0; k < kept_.size(); ++k)
      chosen_[k] = std::clamp(node_.value(k), dense_.lower[k], dense_.upper[k]);
    if (!verified(chosen_)) return std::nullopt;
  } else {
    node_.take_work();
    const double work = std::min(kMostWork, limits.seconds * kWorkPerSecond);
    const DenseSearch::End found = search_.run(dense_, node_,
                                               {.relative_gap = limits.relative_gap,
                                                .nodes = limits.nodes,
                                                .work = static_cast<std::uint64_t>(std::max(work, 0.0))},
                                               chosen_);
    nodes_ = search_.nodes();
    if (found == DenseSearch::End::kUnsure) return std::nullopt;
    if (found == DenseSearch::End::kInfeasible) return MilpStatus::kInfeasible;
  }
  for (std::size_t k = 0; k < kept_.size(); ++k) solution[kept_[k]] = chosen_[k];
  for (const std::size_t column : given_) solution[column] = numbers.given[column];
  return MilpStatus::kOptimal;
}

}  // namespace polystep::solvers
