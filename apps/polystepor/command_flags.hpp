// The flags of each command: what they are called, what they say of themselves, and where their values go.
#pragma once

#include "commands.hpp"

namespace CLI {
class App;
}

namespace polystep {

// Where problems are given, a flag for every option of theirs and of every method: several hundred, which
// take longer to set up than many a training. nullptr: another command was called.
CLI::App* add_train(CLI::App& app, const ProblemRegistry* problems, TrainArguments& arguments);
CLI::App* add_plan(CLI::App& app, const ProblemRegistry* problems, PlanArguments& arguments);
CLI::App* add_check(CLI::App& app, const ProblemRegistry* problems, CheckArguments& arguments);
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
