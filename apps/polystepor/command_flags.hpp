// The flags of each command: what they are called, what they say of themselves, and where their values go.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "commands.hpp"

namespace CLI {
class App;
}

namespace polystep {

// Every option of every problem and method is a flag of the commands that train: several hundred, which take
// longer to set up than many a training. So those are set up that a command line names, and all where it asks
// for help.
class OptionFlags {
 public:
  OptionFlags(const ProblemRegistry& problems, int argc, char** argv);

  bool needs(const std::string& option) const { return help_ || named_.contains(option); }
  // Help shows the options of the problem and method that are named, or all where none is.
  bool shows_problem(const std::string& name) const { return problem_.empty() || name == problem_; }
  bool shows_method(const std::string& name) const { return method_.empty() || name == method_; }
  bool shows_everything() const { return problem_.empty() && method_.empty(); }
  const ProblemRegistry& problems() const { return problems_; }
  std::vector<std::string> all_names() const;  // with their dashes

 private:
  const ProblemRegistry& problems_;
  std::set<std::string> named_;  // without dashes and values
  bool help_ = false;
  std::string problem_, method_;  // to show help of; "": of all
};

CLI::App* add_train(CLI::App& app, const OptionFlags& options, TrainArguments& arguments);
CLI::App* add_plan(CLI::App& app, const OptionFlags& options, PlanArguments& arguments);
CLI::App* add_check(CLI::App& app, const OptionFlags& options, CheckArguments& arguments);
CLI::App* add_explain(CLI::App& app, ExplainArguments& arguments);
CLI::App* add_bench(CLI::App& app, BenchArguments& arguments);
CLI::App* add_compare(CLI::App& app, CompareArguments& arguments);
CLI::App* add_curve(CLI::App& app, CurveArguments& arguments);
CLI::App* add_frontier(CLI::App& app, FrontierArguments& arguments);
CLI::App* add_tune(CLI::App& app, TuneArguments& arguments);
CLI::App* add_map(CLI::App& app, MapArguments& arguments);
CLI::App* add_export(CLI::App& app, ExportArguments& arguments);
CLI::App* add_evaluate(CLI::App& app, EvaluateArguments& arguments);
CLI::App* add_average(CLI::App& app, AverageArguments& arguments);
CLI::App* add_decide(CLI::App& app, DecideArguments& arguments);
CLI::App* add_district(CLI::App& app, DistrictArguments& arguments);
CLI::App* add_demo(CLI::App& app, DemoArguments& arguments);

}  // namespace polystep
