#include "own/process_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/decision_hash.hpp"
#include "polystep/error.hpp"
#include "polystep/solver_monitor.hpp"

namespace polystep {
namespace {

constexpr std::size_t kFramesAtOnce = 4;         // per call: the worker solves one while others are under way
constexpr std::size_t kLargestFrame = 1u << 30;  // bytes

class PoolMonitor final : public SolverMonitor {
 public:
  explicit PoolMonitor(WorkerPool& pool) : pool_(pool) {}
  std::vector<std::pair<std::string, std::uint64_t>> counts() const override {
    const SolverEvents events = pool_.events();
    return {{"frames", events.frames},   {"instances", events.instances}, {"declined", events.declined},
            {"charged", events.charged}, {"crashes", events.crashes},     {"hangs", events.hangs},
            {"garbage", events.garbage}, {"restarts", events.restarts}};
  }
  std::string failures() const override {
    const SolverEvents events = pool_.events();
    std::string text;
    if (events.declined != 0) text = fmt::format("{} answered by no decision", events.declined);
    if (events.charged != 0)
      text +=
          fmt::format("{}{} given up after {} crashes, {} hangs and {} answers that were none",
                      text.empty() ? "" : ", ", events.charged, events.crashes, events.hangs, events.garbage);
    return text;
  }
  void log_to(const std::filesystem::path& file) override { pool_.log().write_to(file); }

 private:
  WorkerPool& pool_;
};

class ProcessProblem final : public Problem {
 public:
  explicit ProcessProblem(ProcessProblemSettings settings)
      : Problem(settings.instances ? settings.instances
                                   : std::make_shared<const Instances>(
                                         InstanceShape{settings.outputs, settings.decision_size})),
        settings_(std::move(settings)),
        pool_(settings_.command, shape_of(settings_), settings_.frame_size),
        monitor_(pool_) {}

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    SolveBatch batch;
    clear(batch);
    batch.predictions.assign(prediction.begin(), prediction.end());
    add_instance(batch, instance, decision.size());
    pool_.solve(batch);
    std::copy(batch.decisions.begin(), batch.decisions.end(), decision.begin());
    return batch.solved.front() ? SolveStatus::kSolved : SolveStatus::kFailed;
  }

  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    if (!settings_.linear)
      throw std::logic_error("a solver that says the cost says it together with the decision");
    double sum = 0;
    for (std::size_t i = 0; i < decision.size(); ++i) sum += decision[i] * truth[i];
    return *settings_.linear == Sense::kMinimise ? sum : -sum;
  }

  ProblemFacts facts() const override {
    ProblemFacts facts = settings_.facts;
    const bool linear = settings_.outputs == settings_.decision_size && !facts.predicts_constraints;
    facts.optimises_prediction = facts.cost_is_truth_times_decision =
        linear ? settings_.linear : std::nullopt;
    facts.needs_instance_data = settings_.known_columns != 0;
    return facts;
  }
  SolverMonitor* monitor() const override { return &monitor_; }
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  std::string decision_name(std::size_t component) const override {
    return settings_.decision_names.empty() ? Problem::decision_name(component)
                                            : settings_.decision_names[component];
  }

  bool solver_cost() const { return !settings_.linear; }
  bool sends_truth() const { return pool_.shape().truth_columns != 0; }
  std::size_t jobs_at_once() const {
    const std::size_t lanes = differ_in_size() ? 1 : kLanes;
    return std::max<std::size_t>(1, kFramesAtOnce * settings_.frame_size / lanes);
  }
  void solve(SolveBatch& batch) const { pool_.solve(batch); }

  void clear(SolveBatch& batch) const {
    for (auto* values : {&batch.predictions, &batch.features, &batch.truth}) values->clear();
    batch.instances.clear();
    const FrameShape& shape = pool_.shape();
    batch.prediction_begin.assign(shape.outputs == kVaries, 0);
    batch.feature_begin.assign(shape.feature_columns == kVaries, 0);
    batch.truth_begin.assign(shape.truth_columns == kVaries, 0);
    batch.decision_begin.assign(shape.decision_size == kVaries, 0);
  }

  // After its prediction and its truth.
  void add_instance(SolveBatch& batch, std::size_t instance, std::size_t decision) const {
    batch.instances.push_back(instance);
    if (settings_.known_columns != 0) add_known(batch, instance);
    if (!batch.prediction_begin.empty()) batch.prediction_begin.push_back(batch.predictions.size());
    if (!batch.feature_begin.empty()) batch.feature_begin.push_back(batch.features.size());
    if (!batch.truth_begin.empty()) batch.truth_begin.push_back(batch.truth.size());
    if (!batch.decision_begin.empty()) batch.decision_begin.push_back(batch.decision_begin.back() + decision);
  }

  // Of an instance that no table has.
  std::optional<std::size_t> decision_size_of_new(std::size_t outputs) const {
    if (settings_.known_columns != 0) return std::nullopt;
    return settings_.decision_size == kVaries ? outputs : settings_.decision_size;
  }
  RowCuts decision_rows(const SolveBatch& batch) const {
    return {settings_.decision_size, batch.decision_begin};
  }

 private:
  bool differ_in_size() const { return settings_.instances != nullptr; }

  void add_known(SolveBatch& batch, std::size_t instance) const {
    const RowCuts cuts{settings_.known_columns, settings_.known_begin};
    const std::size_t rows = settings_.known_begin.empty() ? settings_.known.size() / settings_.known_columns
                                                           : settings_.known_begin.size() - 1;
    if (instance >= rows)
      throw InputError(
          fmt::format("instance {} has no known data, expected a number below {}", instance, rows));
    const std::span<const double> row = cuts.row(std::span(settings_.known), instance);
    batch.features.insert(batch.features.end(), row.begin(), row.end());
  }

  static FrameShape shape_of(const ProcessProblemSettings& settings) {
    const bool truth = settings.send_truth || !settings.linear;
    return {settings.outputs, settings.decision_size, settings.known_columns,
            truth ? settings.truth_columns : 0, !settings.linear};
  }

  const ProcessProblemSettings settings_;
  mutable WorkerPool pool_;  // shared by all threads, each of which takes a worker for a call
  mutable PoolMonitor monitor_;
};

// The lanes of several tiles as one batch, in order.
class ProcessTileSolver final : public TileSolver {
 public:
  explicit ProcessTileSolver(const ProcessProblem& problem) : problem_(problem) {}

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    const TileJob job{tile, prediction, &outcome};
    solve_all({&job, 1});
  }
  std::size_t jobs_at_once() const override { return problem_.jobs_at_once(); }
  bool takes_any_width() const override { return true; }

  void solve_all(std::span<const TileJob> jobs) override {
    problem_.clear(batch_);
    batch_.wants_cost = problem_.solver_cost();
    for (const TileJob& job : jobs) add(job);
    problem_.solve(batch_);
    std::size_t position = 0;
    for (const TileJob& job : jobs) take(job, position);
  }

 private:
  void add(const TileJob& job) {
    for (std::size_t lane = 0; lane < job.tile.lanes; ++lane) {
      const std::size_t instance = job.tile.instance[lane];
      for (std::size_t o = 0; o < problem_.outputs(instance); ++o)
        batch_.predictions.push_back(job.prediction[o * job.tile.width + lane]);
      const std::size_t truth = problem_.sends_truth() ? job.tile.shape.truth : 0;
      for (std::size_t m = 0; m < truth; ++m)
        batch_.truth.push_back(job.tile.truth[m * job.tile.width + lane]);
      problem_.add_instance(batch_, instance, problem_.decision_size(instance));
    }
  }

  void take(const TileJob& job, std::size_t& position) {
    TileOutcome& outcome = *job.outcome;
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < job.tile.lanes; ++lane, ++position) {
      const double cost = batch_.solved[position] ? cost_of(job.tile, lane, position) : 0;
      const bool solved = batch_.solved[position] && std::isfinite(cost);
      outcome.failed |= static_cast<std::uint32_t>(!solved) << lane;
      outcome.cost[lane] = solved ? cost : 0;
      outcome.signature[lane] = solved ? signature_of(position) : 0;
    }
  }

  double cost_of(const Tile& tile, std::size_t lane, std::size_t position) {
    if (problem_.solver_cost()) return batch_.costs[position];
    truth_.resize(tile.shape.truth);
    for (std::size_t m = 0; m < truth_.size(); ++m) truth_[m] = tile.truth[m * tile.width + lane];
    return problem_.cost(decision(position), truth_, tile.instance[lane]);
  }

  // Where decisions stay with the solver, their cost is all that tells them apart.
  std::uint64_t signature_of(std::size_t position) const {
    if (problem_.decision_size() == 0) return hash_decision({&batch_.costs[position], 1});
    return hash_decision(decision(position));
  }

  std::span<const double> decision(std::size_t position) const {
    return problem_.decision_rows(batch_).row(std::span<const double>(batch_.decisions), position);
  }

  const ProcessProblem& problem_;
  SolveBatch batch_;
  std::vector<double> truth_;
};

std::unique_ptr<TileSolver> ProcessProblem::make_tile_solver() const {
  return std::make_unique<ProcessTileSolver>(*this);
}

// Of the largest instance, there and back.
std::size_t numbers_each(const ProcessProblemSettings& settings) {
  if (!settings.instances)
    return 2 + settings.outputs + settings.decision_size + settings.known_columns + settings.truth_columns;
  std::size_t known = 0;
  for (std::size_t i = 0; i + 1 < settings.known_begin.size(); ++i)
    known = std::max(known, settings.known_begin[i + 1] - settings.known_begin[i]);
  return 2 + 2 * settings.instances->largest().outputs + settings.instances->largest().decision + known;
}

void check(const ProcessProblemSettings& settings) {
  if (settings.linear && settings.decision_size != settings.truth_columns)
    throw InputError(fmt::format(
        "solver: a linear cost needs a decision component per true parameter, found {} components and {} "
        "parameters",
        settings.decision_size, settings.truth_columns));
  if (!settings.linear && settings.truth_columns == 0)
    throw InputError("solver: it says the cost, but there are no true parameters to tell it");
  if (settings.outputs == 0 || settings.frame_size == 0)
    throw InputError(fmt::format("solver: found {} outputs and frames of {} instances, expected at least 1",
                                 settings.outputs, settings.frame_size));
  const std::size_t numbers = numbers_each(settings);
  if (numbers * 8 * settings.frame_size > kLargestFrame)
    throw InputError(
        fmt::format("solver: {} instances of {} numbers are more than a frame may hold, expected at most {}",
                    settings.frame_size, numbers, kLargestFrame / 8 / numbers));
}

}  // namespace

std::optional<std::size_t> decision_size_of_new(const Problem& problem, std::size_t outputs) {
  const auto* process = dynamic_cast<const ProcessProblem*>(&problem);
  return process != nullptr ? process->decision_size_of_new(outputs) : std::nullopt;
}

std::unique_ptr<Problem> make_process_problem(ProcessProblemSettings settings) {
  check(settings);
  return std::make_unique<ProcessProblem>(std::move(settings));
}

}  // namespace polystep
