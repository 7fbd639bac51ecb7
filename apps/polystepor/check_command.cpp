// Looks at a task before it is trained: what was read, how solves go, what there is to gain.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/console.hpp"
#include "commands.hpp"
#include "evaluation/evaluator.hpp"
#include "interrupts.hpp"
#include "own/model_problem.hpp"
#include "own/own_task.hpp"
#include "plan_text.hpp"
#include "polystep/error.hpp"
#include "run_arguments.hpp"
#include "runtime/plan/fidelity.hpp"

namespace polystep {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kInstancesSolved = 10;
constexpr std::size_t kRowsCompared = 200;  // enough for a first impression of the costs
constexpr double kSecondsComparing = 5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_task(const RunRequest& request, const Task& task) {
  print_out("{} ({})\n", request.problem->name, task.setting);
  if (request.problem->name == kOwnProblem) {
    const Options& options = request.problem_options;
    const OwnTaskFile file = parse_own_task(options.text("task-text"), options.text("task-file"));
    const OwnTables tables = read_tables(file.data, options.text("task-folder"));
    for (const std::string& line : file.kind->make(tables, options.text("task-folder")).description)
      print_out("  {}\n", line);
  }
  print_out("  data: {} training, {} validation and {} test rows\n", task.data.training.rows,
            task.data.validation.rows, task.data.test.rows);
  const std::string outputs = task.predictor->outputs() == 0
                                  ? "one output, in each row of an instance"
                                  : fmt::format("{} outputs", task.predictor->outputs());
  print_out("  predictor: {}, {} features to {}, {} parameters\n", task.predictor->kind(),
            task.predictor->row_features(), outputs, task.predictor->parameters());
}

std::string status_text(const ModelAnswer& answer) {
  static constexpr const char* kNames[] = {"optimal", "infeasible", "unbounded", "limit", "failed"};
  std::string text = kNames[static_cast<std::size_t>(answer.status)];
  if (answer.fallback) text += ", usual decision";
  return text;
}

// Decides one row by its true parameters; the words say how that went.
std::string solve_row(const Problem& problem, const Split& split, std::size_t row, double& cost) {
  const std::size_t instance = split.instance(row);
  std::vector<double> decision(problem.decision_size(instance));
  std::string status;
  bool solved = false;
  if (const auto* model = dynamic_cast<const ModelProblem*>(&problem)) {
    const ModelAnswer answer = model->answer(split.truth_row(row), instance, decision);
    solved = answer.decided;
    status = status_text(answer);
  } else {
    solved = problem.decide(split.truth_row(row), instance, decision) == SolveStatus::kSolved;
    status = solved ? "solved" : "failed";
  }
  cost = solved ? problem.cost(decision, split.truth_row(row), instance) : std::nan("");
  return status;
}

void show_rows(const char* what, std::size_t row, std::size_t rows, RunWatch& watch) {
  ProgressState state;
  state.unit = what;
  state.step = static_cast<std::int64_t>(row);
  state.steps = static_cast<std::int64_t>(rows);
  watch.show(state);
}

void print_solves(const Task& task, RunWatch& watch) {
  const Split& training = task.data.training;
  print_out("\nTraining rows decided by their true parameters\n  {:>8} {:>12} {:>14}  status\n", "instance",
            "milliseconds", "cost");
  const std::size_t rows = std::min(kInstancesSolved, training.rows);
  for (std::size_t row = 0; row < rows; ++row) {
    finish_out();  // a solve may take a while
    show_rows("deciding row", row, rows, watch);
    const Clock::time_point start = Clock::now();
    double cost = 0;
    std::string status;
    try {
      status = solve_row(*task.problem, training, row, cost);
    } catch (const std::exception& error) {
      status = error.what();
      cost = std::nan("");
    }
    print_out("  {:>8} {:>12.3f} {:>14}  {}\n", training.instance(row), 1e3 * seconds_since(start),
              std::isfinite(cost) ? fmt::format("{:.6g}", cost) : "-", status);
  }
}

// The mean of the training rows' truth as a prediction for each of the given rows, [rows × outputs]; one mean
// for all outputs where instances differ in size. Empty where the truth is not a parameter per output.
std::vector<double> mean_predictions(const Task& task, std::span<const std::size_t> rows) {
  const Split& training = task.data.training;
  const std::size_t outputs = task.problem->outputs();
  std::vector<double> mean(outputs), predictions;
  if (training.ragged()) {
    double sum = 0;
    for (const double value : training.truth) sum += value;
    std::fill(mean.begin(), mean.end(), sum / static_cast<double>(training.truth.size()));
  } else if (training.truth_columns != outputs) {
    return {};
  } else {
    for (std::size_t row = 0; row < training.rows; ++row)
      for (std::size_t o = 0; o < outputs; ++o)
        mean[o] += training.truth_row(row)[o] / static_cast<double>(training.rows);
  }
  for (const std::size_t row : rows) {
    const std::size_t instance = task.data.validation.instance(row);
    if (task.data.validation.shape(row).truth != task.problem->outputs(instance)) return {};
    predictions.insert(predictions.end(), mean.begin(),
                       mean.begin() + static_cast<std::ptrdiff_t>(task.problem->outputs(instance)));
  }
  return predictions;
}

// Sums over rows that either way decides.
struct Stakes {
  double by_mean = 0, by_truth = 0;
  std::size_t rows = 0;
  std::uint64_t undecided_by_mean = 0, undecided_by_truth = 0;

  void add(const Evaluation& mean, const Evaluation& truth) {
    undecided_by_mean += mean.solves.failed;
    undecided_by_truth += truth.solves.failed;
    for (std::size_t row = 0; row < mean.costs.size(); ++row) {
      if (std::isnan(mean.costs[row]) || std::isnan(truth.costs[row])) continue;
      by_mean += mean.costs[row];
      by_truth += truth.costs[row];
      ++rows;
    }
  }
};

// Decisions by the mean of the training rows' truth, against decisions by the truth itself: as many rows as
// there is time for, which is a few seconds where solves are dear.
void print_stakes(const Task& task, Team& team, RunWatch& watch) {
  const Split& validation = task.data.validation;
  const std::size_t most = std::min(kRowsCompared, validation.rows);
  Evaluator evaluator(task, team);
  if (!evaluator.knows_optimum()) return;
  evaluator.set_failure_cost(std::nan(""));
  Stakes stakes;
  const Clock::time_point begin = Clock::now();
  std::size_t done = 0;
  while (done < most && (done == 0 || seconds_since(begin) < kSecondsComparing)) {
    std::vector<std::size_t> numbers(std::min(kLanes * team.threads(), most - done));
    std::iota(numbers.begin(), numbers.end(), done);
    const std::vector<double> predictions = mean_predictions(task, numbers);
    if (predictions.empty()) return;
    show_rows("comparing row", done, most, watch);
    TiledRows rows;
    rows.gather(validation, numbers);
    const Evaluation by_mean = evaluator.decide(predictions, rows);
    stakes.add(by_mean, evaluator.optimal(rows));
    done += numbers.size();
  }
  print_out("\nMean cost of {} validation rows{}\n", stakes.rows,
            done < most ? ", as many as there was time for" : "");
  if (stakes.rows != 0)
    print_out(
        "  decided by the mean of the training rows  {:.6g}\n  decided by the truth itself{:>15}{:.6g}\n",
        stakes.by_mean / static_cast<double>(stakes.rows), "",
        stakes.by_truth / static_cast<double>(stakes.rows));
  if (stakes.undecided_by_mean != 0 || stakes.undecided_by_truth != 0)
    print_out("  without a decision: {} rows by the mean, {} by the truth\n", stakes.undecided_by_mean,
              stakes.undecided_by_truth);
}

}  // namespace

int check_command(const CheckArguments& arguments, const ProblemRegistry& problems) {
  refuse_empty_paths(arguments.run);
  std::optional<std::filesystem::path> file;
  if (arguments.run.config) file = *arguments.run.config;
  if (!arguments.run.problem && !file)
    throw InputError("polystepor check: nothing was named, expected a task file such as my.toml");
  RunRequest request = resolve_run(problems, merged_config(arguments.run, file, problems),
                                   file ? file->string() : "polystepor check", given_options(arguments.run));
  const std::optional<Budget> budget = request.budget;
  RunWatch watch(watched_command(arguments.watch));
  ThreadTeam team(request.threads);
  const Watching watching(team, &watch);
  request.max_seconds = arguments.watch.max_seconds;
  const Clock::time_point begin = Clock::now();
  const Task task = make_task(request);
  const double reading_seconds = seconds_since(begin);
  try {
    print_task(request, task);
    print_solves(task, watch);
    finish_out();
    print_stakes(task, team, watch);
    if (!arguments.plan || request.method->options.find("checks") == nullptr) return 0;
    finish_out();  // planning takes a while
    watch.stage("timing and rehearsing");
    settle_fidelity(task, request, reading_seconds, team);
    const RunPlan plan = plan_run(task, request, reading_seconds, team);
    watch.clear();
    if (watch.interrupted()) throw Stopped();  // between two rehearsals, of which the first would do
    print_out("\n{}", plan_text(request, task, plan, budget));
  } catch (const Stopped&) {
    watch.clear();
    if (watch.interrupted()) throw;
    print_out("\nOut of time: the rest is left out.\n");
  }
  return 0;
}

}  // namespace polystep
