#include "data/benchmarks/constraint_data.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "data/data_directory.hpp"
#include "data/tables/comma_file.hpp"
#include "data/tables/word_file.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::size_t kTrainingRows = 720;
constexpr std::size_t kValidationRows = 80;
constexpr std::size_t kTestRows = 50;
constexpr std::size_t kTestTail = 150;  // listed in the files, used by no published figure

std::string dataset_file(const std::string& data_directory, std::string_view problem, std::size_t dataset,
                         std::string_view name) {
  return constraint_file(data_directory, fmt::format("{}/seed{}/{}", problem, dataset, name));
}

std::string numbered_header(std::string_view prefix, std::size_t count) {
  std::string header;
  for (std::size_t i = 0; i < count; ++i) header += fmt::format("{}{}{}", i == 0 ? "" : ",", prefix, i);
  return header;
}

double whole_number(const CommaFile& file, std::size_t field, double low) {
  const double value = file.number(field);
  if (value != std::floor(value) || value < low)
    file.fail(fmt::format("found '{}' in field {}, expected a whole number from {}", file.text(field),
                          field + 1, low));
  return value;
}

ConstraintInstances read_instances(const std::string& path, const std::string& truth_header,
                                   std::size_t outputs) {
  CommaFile file(path);
  file.expect_header(numbered_header("f", kConstraintFeatures) + "," + truth_header);
  ConstraintInstances instances;
  instances.outputs = outputs;
  for (std::size_t row = 0; row < kConstraintInstances; ++row) {
    file.expect_line(kConstraintFeatures + outputs);
    for (std::size_t k = 0; k < kConstraintFeatures; ++k) instances.features.push_back(file.number(k));
    for (std::size_t o = 0; o < outputs; ++o)
      instances.truth.push_back(whole_number(file, kConstraintFeatures + o, 0));
  }
  file.expect_end();
  return instances;
}

std::vector<std::size_t> read_list(WordFile& file, std::string_view name, std::size_t count,
                                   std::vector<bool>& seen) {
  file.expect_line();
  file.expect_fields(1 + count);
  if (file.text(0) != name) file.fail(fmt::format("found list '{}', expected '{}'", file.text(0), name));
  std::vector<std::size_t> list;
  for (std::size_t i = 1; i <= count; ++i) {
    list.push_back(file.whole(i, "instance", kConstraintInstances));
    if (seen[list.back()])
      file.fail(fmt::format("found instance {} twice, expected every instance once", list.back()));
    seen[list.back()] = true;
  }
  return list;
}

Split take(const ConstraintInstances& all, const std::vector<std::size_t>& rows) {
  Split split;
  split.rows = rows.size();
  split.feature_columns = kConstraintFeatures;
  split.truth_columns = all.outputs;
  for (const std::size_t row : rows) {
    const double* features = all.features.data() + row * kConstraintFeatures;
    const double* truth = all.truth.data() + row * all.outputs;
    split.features.insert(split.features.end(), features, features + kConstraintFeatures);
    split.truth.insert(split.truth.end(), truth, truth + all.outputs);
  }
  split.instances = rows;
  return split;
}

}  // namespace

const CoverSize& find_cover_size(const std::string& name) {
  for (const CoverSize& size : kCoverSizes)
    if (size.name == name) return size;
  throw InputError(fmt::format("set cover data: found size '{}', expected {} or {}", name,
                               kCoverSizes[0].name, kCoverSizes[1].name));
}

Dataset deal_instances(const ConstraintInstances& instances, const ConstraintSplit& split) {
  Dataset data;
  data.training = take(instances, split.training);
  data.validation = take(instances, split.validation);
  data.test = take(instances, split.test);
  for (std::size_t k = 1; k <= kConstraintFeatures; ++k) data.feature_names.push_back(fmt::format("z{}", k));
  return data;
}

void find_dearest_covers(CoverData& cover) {
  const std::size_t items = cover.members.size() / cover.costs.size();
  cover.dearest.assign(items, 0.0);
  for (std::size_t j = 0; j < cover.costs.size(); ++j)
    for (std::size_t i = 0; i < items; ++i)
      if (cover.members[j * items + i] != 0) cover.dearest[i] = std::max(cover.dearest[i], cover.costs[j]);
}

ConstraintSplit published_constraint_split(const std::string& data_directory, std::size_t split) {
  WordFile file(constraint_file(data_directory, fmt::format("split{}.txt", split)));
  std::vector<bool> seen(kConstraintInstances);
  ConstraintSplit lists;
  lists.training = read_list(file, "train", kTrainingRows, seen);
  lists.validation = read_list(file, "val", kValidationRows, seen);
  lists.test = read_list(file, "test", kTestRows, seen);
  read_list(file, "test_tail", kTestTail, seen);
  file.expect_end();
  return lists;
}

KnapsackData published_knapsack_capacity(const std::string& data_directory, ConstraintRun run) {
  constexpr std::string_view kProblem = "kp_capacity";
  KnapsackData knapsack;
  CommaFile file(dataset_file(data_directory, kProblem, run.dataset, "items.csv"));
  file.expect_header("value,weight");
  for (std::size_t i = 0; i < kConstraintItems; ++i) {
    file.expect_line(2);
    knapsack.values.push_back(file.number(0));
    knapsack.weights.push_back(file.number(1));
  }
  file.expect_end();
  knapsack.data = deal_instances(
      read_instances(dataset_file(data_directory, kProblem, run.dataset, "instances.csv"), "capacity", 1),
      published_constraint_split(data_directory, run.split));
  return knapsack;
}

KnapsackData published_knapsack_weight(const std::string& data_directory, ConstraintRun run) {
  constexpr std::string_view kProblem = "kp_weight";
  KnapsackData knapsack;
  CommaFile items(dataset_file(data_directory, kProblem, run.dataset, "items.csv"));
  items.expect_header("value");
  for (std::size_t i = 0; i < kConstraintItems; ++i) {
    items.expect_line(1);
    knapsack.values.push_back(items.number(0));
  }
  items.expect_end();
  CommaFile capacity(dataset_file(data_directory, kProblem, run.dataset, "capacity.txt"));
  capacity.expect_line(1);
  knapsack.capacity = whole_number(capacity, 0, 0);
  capacity.expect_end();
  knapsack.data =
      deal_instances(read_instances(dataset_file(data_directory, kProblem, run.dataset, "instances.csv"),
                                    numbered_header("w", kConstraintItems), kConstraintItems),
                     published_constraint_split(data_directory, run.split));
  return knapsack;
}

CoverData published_set_cover(const std::string& data_directory, const CoverSize& size, ConstraintRun run) {
  const std::string problem = fmt::format("wsmc_{}", size.name);
  CoverData cover;
  CommaFile file(dataset_file(data_directory, problem, run.dataset, "covers.csv"));
  file.expect_header("cost," + numbered_header("a", size.items));
  for (std::size_t j = 0; j < size.covers; ++j) {
    file.expect_line(1 + size.items);
    cover.costs.push_back(whole_number(file, 0, 1));
    for (std::size_t i = 1; i <= size.items; ++i) {
      if (file.text(i) != "0" && file.text(i) != "1")
        file.fail(fmt::format("found '{}' in field {}, expected 0 or 1", file.text(i), i + 1));
      cover.members.push_back(file.text(i) == "1" ? 1 : 0);
    }
  }
  file.expect_end();
  find_dearest_covers(cover);
  cover.data =
      deal_instances(read_instances(dataset_file(data_directory, problem, run.dataset, "instances.csv"),
                                    numbered_header("d", size.items), size.items),
                     published_constraint_split(data_directory, run.split));
  return cover;
}

}  // namespace polystep
