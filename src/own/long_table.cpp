#include "own/long_table.hpp"

#include <fmt/format.h>

#include <map>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

enum Text : std::size_t { kInstance, kName };

}  // namespace

LongReader::LongReader(const std::filesystem::path& path, const std::vector<std::string>& wanted,
                       const LongColumns& columns)
    : rows_(path, wanted, {columns.instance, columns.name}), columns_(columns) {
  csv_column(columns.instance, rows_.header(), rows_.name());  // it must be there
  read_row();
}

void LongReader::read_row() {
  row_.clear();
  ended_ = !rows_.next(row_);
  if (ended_) return;
  for (const Text text : {kInstance, kName})
    if (rows_.text(text) != nullptr && rows_.text(text)->empty())
      throw InputError(fmt::format("{} line {}: column '{}' is empty, expected {}", rows_.name(),
                                   rows_.rows() + 1, text == kInstance ? columns_.instance : columns_.name,
                                   text == kInstance ? "an instance" : "a name"));
}

bool LongReader::next(LongInstance& instance) {
  if (ended_) return false;
  instance = {};
  instance.label = *rows_.text(kInstance);
  if (!seen_.insert(instance.label).second)
    throw InputError(
        fmt::format("{} line {}: instance {} comes back, expected its rows to follow one another",
                    rows_.name(), rows_.rows() + 1, in_quotes(instance.label)));
  std::set<std::string> names;
  while (!ended_ && *rows_.text(kInstance) == instance.label) {
    if (const std::string* name = rows_.text(kName)) {
      if (!names.insert(*name).second)
        throw InputError(
            fmt::format("{} line {}: instance {} has the name {} a second time, expected another",
                        rows_.name(), rows_.rows() + 1, in_quotes(instance.label), in_quotes(*name)));
      instance.names.push_back(*name);
    }
    instance.values.insert(instance.values.end(), row_.begin(), row_.end());
    ++instance.rows;
    read_row();
  }
  return true;
}

LongTable read_long_table(const std::filesystem::path& path, const std::vector<std::string>& wanted,
                          const LongColumns& columns) {
  LongReader reader(path, wanted, columns);
  LongTable table;
  table.numbers.name = reader.name();
  table.numbers.columns = reader.columns();
  table.begin.push_back(0);
  LongInstance instance;
  while (reader.next(instance)) {
    table.labels.push_back(instance.label);
    table.lines.push_back(table.numbers.rows + 2);
    table.numbers.rows += instance.rows;
    table.begin.push_back(table.numbers.rows);
    table.names.insert(table.names.end(), instance.names.begin(), instance.names.end());
    table.numbers.values.insert(table.numbers.values.end(), instance.values.begin(), instance.values.end());
  }
  return table;
}

LongTable in_order_of(const LongTable& first, const LongTable& table) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < first.labels.size(); ++i) places[first.labels[i]] = i;
  std::vector<std::size_t> found(first.labels.size(), table.labels.size());
  for (std::size_t i = 0; i < table.labels.size(); ++i) {
    const auto place = places.find(table.labels[i]);
    if (place == places.end())
      throw InputError(fmt::format("{} line {}: instance {} is not in {}, expected the same instances",
                                   table.numbers.name, table.lines[i], in_quotes(table.labels[i]),
                                   first.numbers.name));
    found[place->second] = i;
  }
  LongTable ordered;
  ordered.numbers = {table.numbers.name, table.numbers.columns, table.numbers.rows, {}};
  ordered.labels = first.labels;
  ordered.begin.push_back(0);
  const std::size_t width = table.numbers.columns.size();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == table.labels.size())
      throw InputError(fmt::format("{} line {}: instance {} is not in {}, expected the same instances",
                                   first.numbers.name, first.lines[i], in_quotes(first.labels[i]),
                                   table.numbers.name));
    const std::size_t begin = table.begin[found[i]], end = table.begin[found[i] + 1];
    ordered.lines.push_back(table.lines[found[i]]);
    ordered.begin.push_back(ordered.begin.back() + end - begin);
    const auto append = [&](const auto& from, auto& to, std::size_t each) {
      if (from.empty()) return;
      const auto at = [&](std::size_t row) { return from.begin() + static_cast<std::ptrdiff_t>(row * each); };
      to.insert(to.end(), at(begin), at(end));
    };
    append(table.names, ordered.names, 1);
    append(table.numbers.values, ordered.numbers.values, width);
  }
  return ordered;
}

void check_same_rows(const LongTable& first, const LongTable& table) {
  for (std::size_t i = 0; i < first.labels.size(); ++i) {
    const std::size_t rows = first.begin[i + 1] - first.begin[i], found = table.begin[i + 1] - table.begin[i];
    if (rows != found)
      throw InputError(fmt::format("{} line {}: instance {} has {} rows, expected {} as in {} line {}",
                                   table.numbers.name, table.lines[i], in_quotes(first.labels[i]), found,
                                   rows, first.numbers.name, first.lines[i]));
    if (first.names.empty() || table.names.empty()) continue;
    for (std::size_t row = 0; row < rows; ++row)
      if (table.names[table.begin[i] + row] != first.names[first.begin[i] + row])
        throw InputError(fmt::format(
            "{} line {}: the name is {}, expected {} as in {} line {}", table.numbers.name,
            table.lines[i] + row, in_quotes(table.names[table.begin[i] + row]),
            in_quotes(first.names[first.begin[i] + row]), first.numbers.name, first.lines[i] + row));
  }
}

}  // namespace polystep
