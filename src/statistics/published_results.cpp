#include "statistics/published_results.hpp"

#include <algorithm>

namespace polystep {
namespace {

// A mean and its standard deviation as printed, that is, scaled.
struct Printed {
  double mean;
  double deviation;
};

struct Row {
  const char* method;
  std::vector<Printed> values;  // [settings + 1], the pooled one last
};

struct Table {
  const char* problem;
  std::vector<Row> rows;
};

const std::vector<Table>& tables() {
  static const std::vector<Table> all = {
      {"shortest-path",
       {
           {"mse", {{.153, .000}, {.101, .000}, {.085, .001}, {.131, .002}, {.266, .013}, {.1470, .0029}}},
           {"spo+", {{.154, .000}, {.101, .000}, {.076, .000}, {.099, .001}, {.222, .000}, {.1303, .0002}}},
           {"dbb", {{.164, .003}, {.126, .009}, {.083, .002}, {.092, .005}, {.148, .006}, {.1228, .0033}}},
           {"imle", {{.159, .002}, {.104, .002}, {.071, .000}, {.087, .001}, {.116, .002}, {.1073, .0007}}},
           {"fenchel-young",
            {{.157, .001}, {.102, .000}, {.071, .001}, {.081, .001}, {.106, .002}, {.1034, .0007}}},
           {"listwise",
            {{.169, .001}, {.104, .000}, {.077, .002}, {.089, .000}, {.126, .001}, {.1128, .0006}}},
           {"pairwise",
            {{.171, .014}, {.105, .000}, {.078, .001}, {.091, .000}, {.124, .001}, {.1140, .0027}}},
           {"pairwise-diff",
            {{.163, .000}, {.117, .000}, {.215, .004}, {.340, .008}, {.946, .019}, {.3562, .0049}}},
           {"map", {{.156, .000}, {.103, .000}, {.074, .001}, {.119, .002}, {.232, .010}, {.1367, .0022}}},
           {"polystepor",
            {{.157, .001}, {.105, .002}, {.075, .001}, {.088, .002}, {.134, .008}, {.1121, .0016}}},
       }},
      {"portfolio",
       {
           {"mse", {{.116, .003}, {.038, .000}, {.565, .000}, {3.576, .000}, {1.0738, .0008}}},
           {"spo+", {{.261, .025}, {.292, .091}, {.196, .052}, {.297, .045}, {.2617, .0315}}},
           {"dbb", {{126.527, .004}, {119.848, .003}, {134.911, .002}, {184.848, .265}, {141.5336, .0659}}},
           {"imle",
            {{114.044, .801}, {108.812, .443}, {122.268, .672}, {181.346, 4.286}, {131.6175, 1.2281}}},
           {"fenchel-young",
            {{102.869, 1.013}, {101.373, 1.057}, {104.740, 1.524}, {122.399, 4.397}, {107.8452, 1.0827}}},
           {"listwise", {{18.994, 13.899}, {7.865, 12.390}, {9.753, 15.096}, {.381, .172}, {9.2482, 7.2742}}},
           {"pairwise", {{.371, .063}, {.000, .000}, {.011, .017}, {.062, .003}, {.1109, .0155}}},
           {"pairwise-diff", {{.406, .006}, {.000, .000}, {.001, .000}, {1.692, 4.687}, {.5248, 1.1732}}},
           {"map", {{.195, .043}, {.010, .025}, {.022, .016}, {.155, .022}, {.0955, .0117}}},
           {"polystepor", {{.423, .049}, {.055, .048}, {.056, .077}, {.107, .042}, {.1602, .0309}}},
       }},
      {"knapsack",
       {
           {"mse", {{.149, .023}, {.077, .005}, {.035, .004}, {.0870, .0089}}},
           {"spo+", {{.142, .030}, {.068, .030}, {.038, .035}, {.0829, .0183}}},
           {"dbb", {{.110, .006}, {.052, .003}, {.023, .002}, {.0616, .0016}}},
           {"imle", {{.108, .005}, {.053, .004}, {.025, .002}, {.0620, .0024}}},
           {"fenchel-young", {{.289, .033}, {.109, .016}, {.043, .004}, {.1467, .0152}}},
           {"listwise", {{.275, .060}, {.131, .044}, {.042, .021}, {.1493, .0274}}},
           {"pairwise", {{.302, .066}, {.217, .051}, {.161, .142}, {.2270, .0563}}},
           {"pairwise-diff", {{.167, .028}, {.100, .052}, {.056, .045}, {.1074, .0294}}},
           {"map", {{.164, .013}, {.104, .043}, {.130, .061}, {.1328, .0248}}},
           {"polystepor", {{.108, .004}, {.052, .004}, {.024, .002}, {.0611, .0016}}},
       }},
      {"energy-scheduling",
       {
           {"mse", {{.021, .003}, {.030, .002}, {.017, .002}, {.0224, .0021}}},
           {"spo+", {{.015, .002}, {.020, .002}, {.010, .001}, {.0151, .0014}}},
           {"dbb", {{.015, .002}, {.020, .003}, {.010, .002}, {.0150, .0015}}},
           {"imle", {{.015, .002}, {.020, .003}, {.010, .002}, {.0149, .0015}}},
           {"fenchel-young", {{.016, .002}, {.019, .002}, {.010, .002}, {.0151, .0016}}},
           {"listwise", {{.024, .004}, {.028, .004}, {.031, .007}, {.0277, .0037}}},
           {"pairwise", {{.032, .003}, {.030, .005}, {.020, .003}, {.0276, .0031}}},
           {"pairwise-diff", {{.016, .002}, {.022, .003}, {.013, .003}, {.0170, .0021}}},
           {"map", {{.015, .002}, {.020, .002}, {.010, .001}, {.0152, .0013}}},
           {"polystepor", {{.015, .002}, {.020, .002}, {.010, .002}, {.0150, .0016}}},
       }},
      {"matching",
       {
           {"mse", {{.934, .010}, {.933, .007}, {.939, .007}, {.9352, .0060}}},
           {"spo+", {{.924, .017}, {.924, .025}, {.905, .016}, {.9177, .0130}}},
           {"dbb", {{.917, .022}, {.914, .021}, {.921, .018}, {.9171, .0098}}},
           {"imle", {{.919, .025}, {.911, .024}, {.920, .016}, {.9165, .0174}}},
           {"fenchel-young", {{.939, .020}, {.929, .025}, {.924, .016}, {.9304, .0139}}},
           {"listwise", {{.916, .030}, {.907, .017}, {.879, .018}, {.9005, .0148}}},
           {"pairwise", {{.908, .012}, {.905, .024}, {.881, .019}, {.8979, .0156}}},
           {"pairwise-diff", {{.916, .018}, {.903, .020}, {.891, .029}, {.9033, .0104}}},
           {"map", {{.928, .021}, {.919, .020}, {.880, .018}, {.9088, .0092}}},
           {"polystepor", {{.924, .015}, {.928, .014}, {.915, .024}, {.9223, .0107}}},
       }},
  };
  return all;
}

struct TestRow {
  const char* problem;
  std::vector<double> p_values;  // [settings + 1], the pooled one last
};

const std::vector<TestRow>& tests() {
  static const std::vector<TestRow> all = {
      {"shortest-path", {.002, .002, .002, .002, .002, .002}},
      {"portfolio", {.002, .846, .006, .002, .002}},
      {"knapsack", {.322, .557, .695, .322}},
      {"energy-scheduling", {.322, .193, .432, 1.000}},
      {"matching", {.625, .131, .275, .557}},
  };
  return all;
}

// The column of a setting; nothing for one that was not published, such as a generated task.
std::optional<std::size_t> column_of(const PublishedProblem& problem, const std::string& setting) {
  if (setting == kPooled) return problem.settings.size();
  for (std::size_t i = 0; i < problem.settings.size(); ++i)
    if (setting == problem.option + "=" + problem.settings[i]) return i;
  return {};
}

}  // namespace

const std::vector<PublishedProblem>& published_problems() {
  static const std::vector<PublishedProblem> all = {
      {"shortest-path", "degree", {"1", "2", "4", "6", "8"}, 1},
      {"portfolio", "degree", {"1", "4", "8", "16"}, 1000},
      {"knapsack", "capacity", {"60", "120", "180"}, 1},
      {"energy-scheduling", "load", {"1", "2", "3"}, 1},
      {"matching",
       "type",
       {"1", "2", "3"},
       1,
       "",
       true,
       {{"model", "lp"}},
       {{"split", "test-validates"}},
       "As published, the linear relaxation decides, and the published presets of all methods but polystepor "
       "train on 22 instances and lower their rate by what they see on the test set; polystepor and rows "
       "with "
       "help train on 17 and validate on 5 others."},
  };
  return all;
}

const PublishedProblem* find_published_problem(const std::string& problem) {
  for (const auto* suite : {&published_problems(), &constraint_problems()})
    for (const PublishedProblem& candidate : *suite)
      if (candidate.name == problem) return &candidate;
  return nullptr;
}

const std::vector<std::string>& published_methods() {
  static const std::vector<std::string> all = {"mse",           "spo+",      "dbb",      "imle",
                                               "fenchel-young", "listwise",  "pairwise", "pairwise-diff",
                                               "map",           "polystepor"};
  return all;
}

const std::vector<std::string>& published_test_baselines(const std::string& problem) {
  static const std::vector<std::string> classical = {"mse", "spo+", "dbb", "imle", "fenchel-young"};
  static const std::vector<std::string> constraint = {"sfge"};
  for (const PublishedProblem& candidate : constraint_problems())
    if (candidate.name == problem) return constraint;
  return classical;
}

std::optional<PublishedValue> published_result(const std::string& problem, const std::string& setting,
                                               const std::string& method) {
  if (const auto value = constraint_result(problem, setting, method)) return value;
  const PublishedProblem* published = find_published_problem(problem);
  if (published == nullptr) return {};
  const std::optional<std::size_t> column = column_of(*published, setting);
  if (!column) return {};
  const auto table =
      std::find_if(tables().begin(), tables().end(), [&](const Table& t) { return problem == t.problem; });
  if (table == tables().end()) return {};
  for (const Row& row : table->rows)
    if (method == row.method)
      return PublishedValue{row.values[*column].mean / published->scale,
                            row.values[*column].deviation / published->scale, setting == kPooled ? 4 : 3};
  return {};
}

std::optional<double> published_p_value(const std::string& problem, const std::string& setting) {
  if (const auto p = constraint_p_value(problem, setting)) return p;
  const PublishedProblem* published = find_published_problem(problem);
  if (published == nullptr) return {};
  const std::optional<std::size_t> column = column_of(*published, setting);
  if (!column) return {};
  for (const TestRow& row : tests())
    if (problem == row.problem) return row.p_values[*column];
  return {};
}

}  // namespace polystep
