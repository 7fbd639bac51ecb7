#include "comparison_binding.hpp"

#include <pybind11/stl.h>

#include "arrays.hpp"
#include "report/comparison_markdown.hpp"
#include "runtime/bench/finished_runs.hpp"
#include "statistics/comparison.hpp"
#include "statistics/paired_tests.hpp"

namespace polystep::python {
namespace {

py::dict to_dict(const RunRecord& run) {
  py::dict record;
  record["problem"] = run.problem;
  record["setting"] = run.setting;
  record["method"] = run.method;
  record["preset"] = run.preset;
  record["seed"] = run.seed;
  record["test_regret"] = run.test_regret;
  record["test_cost"] = run.test_cost;
  record["validation_cost"] = run.validation_cost;
  record["test_failed"] = run.test_failed;
  record["reference_failed"] = run.reference_failed;
  record["steps"] = run.steps;
  record["stopped_by"] = run.stopped_by;
  record["training_solves"] = run.training_solves;
  record["seconds_train"] = run.seconds_train;
  return record;
}

py::dict to_dict(const std::string& problem, const ComparisonTest& test) {
  py::dict row;
  row["problem"] = problem;
  row["setting"] = test.setting;
  row["method"] = test.method;
  row["baseline"] = test.baseline;
  row["pairs"] = test.pairs;
  row["difference"] = test.difference;
  row["wilcoxon"] = test.wilcoxon;
  row["sign_flip"] = test.sign_flip;
  return row;
}

// (Markdown, runs, tests, notes)
py::tuple compare(const std::vector<std::string>& places) {
  std::vector<RunRecord> runs;
  std::vector<std::string> notes;
  for (const std::string& place : places) {
    const FinishedRuns found = load_finished_runs(place);
    runs.insert(runs.end(), found.runs.begin(), found.runs.end());
    notes.insert(notes.end(), found.notes.begin(), found.notes.end());
  }
  const std::vector<ProblemComparison> tables = compare_runs(runs);
  py::list records, tests;
  for (const RunRecord& run : runs) records.append(to_dict(run));
  for (const ProblemComparison& table : tables)
    for (const ComparisonTest& test : table.tests) tests.append(to_dict(table.problem, test));
  return py::make_tuple(render_markdown(tables, "Comparison"), records, tests, notes);
}

}  // namespace

void bind_comparison(py::module_& module) {
  module.def("compare", &compare, py::arg("places"));
  module.def(
      "wilcoxon_signed_rank",
      [](const DoubleArray& differences) { return wilcoxon_signed_rank(view(differences)); },
      py::arg("differences"));
  module.def(
      "sign_flip_test", [](const DoubleArray& differences) { return sign_flip_test(view(differences)); },
      py::arg("differences"));
}

}  // namespace polystep::python
