#include "own/own_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/files.hpp"
#include "data/tables/split_rows.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::array kPartNames = {"training", "validation", "test"};

DataSpec::Deal deal_of(const TaskSection& section) {
  const std::string text = section.choice("split", "random", {"random", "in-order", "column"});
  if (text == "in-order") return DataSpec::Deal::kInOrder;
  return text == "column" ? DataSpec::Deal::kColumn : DataSpec::Deal::kRandom;
}

// The column that deals the rows is no feature unless it is named as one.
void separate_parts(const DataSpec& spec, OwnTables& tables) {
  if (spec.deal != DataSpec::Deal::kColumn) return;
  tables.parts = tables.features.column_values(spec.split_column);
  for (std::size_t row = 0; row < tables.parts.size(); ++row)
    if (tables.parts[row] != 0 && tables.parts[row] != 1 && tables.parts[row] != 2)
      throw InputError(fmt::format(
          "{} line {}: column '{}' is {}, expected 0 for training, 1 for validation or 2 for test",
          tables.features.name, row + 2, spec.split_column, tables.parts[row]));
  const std::size_t dropped = tables.features.column(spec.split_column);
  CsvTable kept = tables.features;
  kept.columns.erase(kept.columns.begin() + static_cast<std::ptrdiff_t>(dropped));
  kept.values.clear();
  for (std::size_t row = 0; row < kept.rows; ++row)
    for (std::size_t column = 0; column < tables.features.columns.size(); ++column)
      if (column != dropped) kept.values.push_back(tables.features.row(row)[column]);
  tables.features = std::move(kept);
  if (tables.features.columns.empty())
    throw InputError(fmt::format("{} has no columns besides '{}', expected at least one feature",
                                 tables.features.name, spec.split_column));
}

Split all_rows(const OwnTables& tables, std::span<const std::size_t> truth_columns, std::size_t rows_each) {
  Split all;
  all.rows = tables.instances();
  all.feature_columns = tables.features.columns.size() * rows_each;
  all.truth_columns = truth_columns.size();
  all.features = tables.features.values;
  for (std::size_t row = 0; row < all.rows; ++row)
    for (const std::size_t column : truth_columns) all.truth.push_back(tables.truth.row(row)[column]);
  return all;
}

// Of tables in long format: each instance with as many rows as it has.
Split all_instances(const OwnTables& tables) {
  Split all;
  all.allow_any_shape();
  const std::size_t features = tables.features.columns.size();
  for (std::size_t instance = 0; instance < tables.instances(); ++instance) {
    const std::size_t begin = tables.begin[instance], rows = tables.begin[instance + 1] - begin;
    all.add_row(std::span(tables.features.values).subspan(begin * features, rows * features),
                std::span(tables.truth.values).subspan(begin, rows), instance);
  }
  return all;
}

Dataset deal_by_part(const Split& all, std::span<const std::size_t> parts, const std::string& where) {
  std::array<std::vector<std::size_t>, 3> rows;
  for (std::size_t row = 0; row < all.rows; ++row) rows[parts[row]].push_back(row);
  for (std::size_t part = 0; part < rows.size(); ++part)
    if (rows[part].empty())
      throw InputError(fmt::format("{}: no row is for {}, expected at least one", where, kPartNames[part]));
  Dataset data;
  data.training = take_rows(all, rows[0]);
  data.validation = take_rows(all, rows[1]);
  data.test = take_rows(all, rows[2]);
  return data;
}

// Rows in their order: training first, then validation, then test, as a forecast is used.
std::vector<std::size_t> parts_in_order(const DataSpec& spec, std::size_t rows) {
  const auto share = [&](double part) {
    return static_cast<std::size_t>(std::lround(part * static_cast<double>(rows)));
  };
  const std::size_t test = std::min(rows, share(spec.test));
  const std::size_t validation = std::min(rows - test, share(spec.validation));
  std::vector<std::size_t> parts(rows, 0);
  std::fill(parts.end() - static_cast<std::ptrdiff_t>(test + validation), parts.end(), 1);
  std::fill(parts.end() - static_cast<std::ptrdiff_t>(test), parts.end(), 2);
  return parts;
}

// A row of the table belongs to the part of its instance, so rows of one instance must agree.
std::vector<std::size_t> parts_in_column(const DataSpec& spec, const OwnTables& tables,
                                         std::span<const std::size_t> begin) {
  std::vector<std::size_t> parts;
  for (std::size_t instance = 0; instance + 1 < begin.size(); ++instance) {
    parts.push_back(static_cast<std::size_t>(tables.parts[begin[instance]]));
    for (std::size_t row = begin[instance]; row < begin[instance + 1]; ++row)
      if (static_cast<std::size_t>(tables.parts[row]) != parts.back())
        throw InputError(
            fmt::format("{} line {}: column '{}' is {}, expected {} as in the first row of the same instance",
                        tables.features.name, row + 2, spec.split_column, tables.parts[row], parts.back()));
  }
  return parts;
}

// Where the features of each instance begin, in rows of their table.
std::vector<std::size_t> feature_begins(const OwnTables& tables, std::size_t rows_each) {
  if (tables.long_format()) return tables.begin;
  std::vector<std::size_t> begin;
  for (std::size_t instance = 0; instance <= tables.instances(); ++instance)
    begin.push_back(instance * rows_each);
  return begin;
}

// Of the training rows alone; a column that never changes keeps its units.
FeatureScaling scaling_of(const Split& training, std::size_t features) {
  FeatureScaling scaling;
  const auto count = static_cast<double>(training.features.size() / features);
  for (std::size_t f = 0; f < features; ++f) {
    double sum = 0, squares = 0;
    for (std::size_t at = f; at < training.features.size(); at += features) sum += training.features[at];
    const double mean = sum / count;
    for (std::size_t at = f; at < training.features.size(); at += features)
      squares += (training.features[at] - mean) * (training.features[at] - mean);
    const double deviation = std::sqrt(squares / count);
    const bool usable = std::isfinite(mean) && std::isfinite(deviation) && deviation > 0;
    scaling.mean.push_back(usable ? mean : 0);
    scaling.deviation.push_back(usable ? deviation : 1);
  }
  return scaling;
}

void standardise(Split& split, const FeatureScaling& scaling) {
  const std::size_t features = scaling.mean.size();
  for (std::size_t at = 0; at < split.features.size(); ++at)
    split.features[at] =
        (split.features[at] - scaling.mean[at % features]) / scaling.deviation[at % features];
}

void read_long_columns(const TaskSection& section, DataSpec& spec) {
  for (const char* key : {"instance-column", "name-column"})
    if (section.has(key) && !spec.long_format)
      throw InputError(fmt::format("{}: '{}' is given for tables in wide format, expected format = \"long\"",
                                   section.where(key), key));
  LongColumns& columns = spec.long_columns;
  columns.instance = section.text("instance-column", columns.instance);
  columns.name = section.text("name-column", columns.name);
  if (!spec.long_format) return;
  const char* keys[] = {"name-column", "split-column"};
  const std::string others[] = {columns.name, spec.split_column};
  for (std::size_t i = 0; i < 2; ++i)
    if (others[i] == columns.instance)
      throw InputError(fmt::format("{}: '{}' is '{}', which is the column of instances, expected another",
                                   section.where(keys[i]), keys[i], others[i]));
}

void read_wide(const DataSpec& spec, const std::filesystem::path& folder,
               const std::vector<std::string>& feature_columns, OwnTables& tables) {
  tables.features = read_csv(folder / spec.features, feature_columns);
  tables.truth = read_csv(folder / spec.truth, spec.truth_columns);
  if (!spec.known) return;
  tables.known = read_csv(folder / *spec.known, spec.known_columns);
  if (tables.known->rows != tables.truth.rows)
    throw InputError(fmt::format("{} has {} rows, expected {} as in {}", tables.known->name,
                                 tables.known->rows, tables.truth.rows, tables.truth.name));
}

void read_long(const DataSpec& spec, const std::filesystem::path& folder,
               const std::vector<std::string>& feature_columns, OwnTables& tables) {
  LongTable features = read_long_table(folder / spec.features, feature_columns, spec.long_columns);
  if (features.numbers.columns.empty())
    throw InputError(fmt::format("{} has no columns besides '{}' and '{}', expected at least one feature",
                                 features.numbers.name, spec.long_columns.instance, spec.long_columns.name));
  LongTable truth = read_long_table(folder / spec.truth, spec.truth_columns, spec.long_columns);
  if (truth.numbers.columns.size() != 1)
    throw InputError(
        fmt::format("{} has {} columns of numbers, expected one, of true values, besides '{}' "
                    "and '{}'",
                    truth.numbers.name, truth.numbers.columns.size(), spec.long_columns.instance,
                    spec.long_columns.name));
  truth = in_order_of(features, truth);
  check_same_rows(features, truth);
  if (spec.known) {
    LongTable known =
        in_order_of(features, read_long_table(folder / *spec.known, spec.known_columns, spec.long_columns));
    if (known.numbers.columns.empty())
      throw InputError(fmt::format("{} has no columns besides '{}' and '{}', expected at least one",
                                   known.numbers.name, spec.long_columns.instance, spec.long_columns.name));
    tables.known_begin = known.begin;
    tables.known = std::move(known.numbers);
  }
  tables.features = std::move(features.numbers);
  tables.truth = std::move(truth.numbers);
  tables.begin = std::move(features.begin);
}

}  // namespace

std::vector<std::string> DataSpec::files() const {
  std::vector<std::string> names = {features, truth};
  if (known) names.push_back(*known);
  return names;
}

DataSpec parse_data(const TaskSection& section) {
  DataSpec spec;
  spec.where = section.where();
  spec.features = section.text("features");
  spec.truth = section.text("truth");
  if (section.has("known")) spec.known = section.text("known");
  spec.feature_columns = section.texts("feature-columns");
  spec.truth_columns = section.texts("truth-columns");
  spec.known_columns = section.texts("known-columns");
  spec.deal = deal_of(section);
  if (spec.deal == DataSpec::Deal::kColumn) spec.split_column = section.text("split-column");
  spec.validation = section.number("validation", spec.validation, 0, 1);
  spec.test = section.number("test", spec.test, 0, 1);
  spec.split_seed = static_cast<std::uint64_t>(
      section.integer("split-seed", 0, 0, std::numeric_limits<std::int64_t>::max()));
  spec.standardise = section.flag("standardise", spec.standardise);
  spec.long_format = section.choice("format", "wide", {"wide", "long"}) == "long";
  read_long_columns(section, spec);
  section.refuse_unknown();
  if (spec.validation + spec.test >= 1)
    throw InputError(fmt::format("{}: validation is {} and test {}, expected less than 1 together",
                                 spec.where, spec.validation, spec.test));
  return spec;
}

OwnTables read_tables(const DataSpec& spec, const std::filesystem::path& folder) {
  OwnTables tables;
  std::vector<std::string> wanted = spec.feature_columns;
  const bool adds_split = !wanted.empty() && spec.deal == DataSpec::Deal::kColumn;
  if (adds_split && std::find(wanted.begin(), wanted.end(), spec.split_column) == wanted.end())
    wanted.push_back(spec.split_column);
  if (spec.long_format)
    read_long(spec, folder, wanted, tables);
  else
    read_wide(spec, folder, wanted, tables);
  separate_parts(spec, tables);
  return tables;
}

Dataset make_dataset(const DataSpec& spec, const OwnTables& tables,
                     std::span<const std::size_t> truth_columns, std::size_t rows_each) {
  if (!tables.long_format() && tables.features.rows != tables.instances() * rows_each)
    throw InputError(fmt::format("{} has {} rows, expected {}: {} for each of the {} rows of {}",
                                 tables.features.name, tables.features.rows, tables.instances() * rows_each,
                                 rows_each, tables.instances(), tables.truth.name));
  const Split all = tables.long_format() ? all_instances(tables) : all_rows(tables, truth_columns, rows_each);
  Dataset data;
  if (spec.deal == DataSpec::Deal::kColumn) {
    data = deal_by_part(all, parts_in_column(spec, tables, feature_begins(tables, rows_each)),
                        tables.features.name);
  } else if (spec.deal == DataSpec::Deal::kInOrder) {
    data = deal_by_part(all, parts_in_order(spec, all.rows), spec.where);
  } else {
    try {
      data = split_at_random(all, spec.validation, spec.test, spec.split_seed);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: {}", spec.where, error.what()));
    }
  }
  data.feature_names = tables.features.columns;
  if (!spec.standardise) return data;
  data.scaling = scaling_of(data.training, data.feature_names.size());
  for (Split* split : {&data.training, &data.validation, &data.test}) standardise(*split, data.scaling);
  return data;
}

}  // namespace polystep
