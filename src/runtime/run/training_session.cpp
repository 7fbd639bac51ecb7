#include "runtime/run/training_session.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "evaluation/recourse_figures.hpp"
#include "polystep/error.hpp"
#include "polystep/solver_monitor.hpp"

namespace polystep {
namespace {

constexpr const char* kTestDecisions = "test decisions";
constexpr const char* kTestReferences = "references of the test data";

class Stopwatch {
 public:
  // A session of one thread counts that thread's processor time, so that sessions can run side by side in a
  // process.
  explicit Stopwatch(std::size_t threads)
      : clock_(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID),
        processor_start_(processor_seconds()) {}

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  double core_seconds() const { return processor_seconds() - processor_start_; }

 private:
  double processor_seconds() const {
    timespec time{};
    clock_gettime(clock_, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  clockid_t clock_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double processor_start_;
};

std::string expected_features(const Predictor& predictor) {
  return predictor.feature_columns() != 0 ? std::to_string(predictor.feature_columns())
                                          : fmt::format("a multiple of {}", predictor.row_features());
}

// Every row must fit the predictor, and the predictor the problem; where all rows are alike, one speaks for
// all.
void check_split(const char* name, const Split& split, const Task& task) {
  if (split.rows == 0)
    throw InputError(fmt::format("the {} data are empty, expected at least one row", name));
  if (split.ragged() == task.problem->instances()->alike())
    throw InputError(fmt::format("the {} data have rows of {}, the problem has instances of {}", name,
                                 split.ragged() ? "several shapes" : "one shape",
                                 split.ragged() ? "one" : "several"));
  const std::size_t features =
      split.ragged() ? split.feature_begin.back() : split.rows * split.feature_columns;
  const std::size_t truth = split.ragged() ? split.truth_begin.back() : split.rows * split.truth_columns;
  if (split.features.size() != features || split.truth.size() != truth)
    throw InputError(fmt::format("the {} data hold {} feature and {} truth values, expected {} and {}", name,
                                 split.features.size(), split.truth.size(), features, truth));
  for (std::size_t row = 0; row < (split.ragged() ? split.rows : 1); ++row) {
    const std::size_t instance = split.instance(row);
    const std::size_t outputs = task.predictor->outputs_of(split.shape(row), instance);
    if (outputs == 0)
      throw InputError(fmt::format("row {} of the {} data has {} feature columns, the predictor expects {}",
                                   row, name, split.shape(row).features, expected_features(*task.predictor)));
    if (outputs != task.problem->outputs(instance))
      throw InputError(
          fmt::format("the predictor has {} outputs for row {} of the {} data, the problem expects {}",
                      outputs, row, name, task.problem->outputs(instance)));
  }
}

std::string standstill_note(double flip_rate) {
  return fmt::format(
      "In the last steps only {:.3g} % of probes changed a decision, so there was little to learn from: "
      "probe further out (larger radius-start and radius-end).",
      100 * flip_rate);
}

const Task& checked(const Task& task) {
  check_split("training", task.data.training, task);
  check_split("validation", task.data.validation, task);
  check_split("test", task.data.test, task);
  return task;
}

}  // namespace

TrainingSession::TrainingSession(const Task& task, const MethodEntry& method, const Options& options,
                                 std::uint64_t seed, Team& team)
    : task_(checked(task)), seed_(seed), team_(team), evaluator_(task, team) {
  learner_ = method.make({evaluator_, options, seed});
}

void TrainingSession::try_solver() {
  // The failure cost comes from decisions of the untrained predictor, so no optimal decision is needed for
  // it.
  const Found& found = preparation_.part("the failure cost", [&]() -> Found {
    const SolveCounts solves =
        evaluator_.calibrate_failure_cost(task_.predictor->initial_parameters(seed_), task_.data.training);
    return {{evaluator_.failure_cost()}, solves};
  });
  evaluator_.set_failure_cost(found.numbers.front());
  calibration_solves_ = found.solves;
}

void TrainingSession::prepare() {
  try_solver();
  learner_->prepare(preparation_);
  loop_ = std::make_unique<TrainingLoop>(*learner_, evaluator_);
  loop_->prepare(preparation_);
}

template <class Work>
LoopEvent TrainingSession::timed(const Work& work) {
  const Stopwatch watch(team_.threads());
  LoopEvent event = work();
  train_seconds_ += watch.seconds();
  train_core_seconds_ += watch.core_seconds();
  return event;
}

LoopEvent TrainingSession::start() {
  return timed([&] { return loop_->start(); });
}

LoopEvent TrainingSession::advance() {
  return timed([&] { return loop_->advance(); });
}

std::uint64_t TrainingSession::solver_calls() const {
  const SolveLedger& ledger = loop_->ledger();
  return calibration_solves_.performed + ledger.training.performed + ledger.validation.performed +
         ledger.reference.performed;
}

TrainingSession::TestRegret TrainingSession::test_regret_now() {
  const TiledRows rows(task_.data.test);
  if (!test_optimal_) test_optimal_ = evaluator_.optimal(rows);
  const Evaluation decided = evaluator_.evaluate(loop_->result(), rows);
  if (!evaluator_.charges_failures()) require_some_solved(decided, kTestDecisions);
  require_some_solved(*test_optimal_, kTestReferences);
  return {mean_regret(task_.metric, decided, test_optimal_->costs),
          std::max(failed_share(decided), failed_share(*test_optimal_))};
}

TrainingResult TrainingSession::finish(const std::string& stopped_by) {
  const Stopwatch watch(team_.threads());
  TrainingResult result;
  result.parameters = loop_->result();
  const TestFigures test = measure_test(evaluator_, result.parameters);
  SolveLedger ledger = loop_->ledger();
  if (task_.problem->facts().has_recourse) {
    const TiledRows rows(task_.data.validation);
    const Evaluation evaluation = evaluator_.evaluate(result.parameters, rows);
    result.validation_infeasible =
        static_cast<double>(evaluation.infeasible) / static_cast<double>(rows.rows());
    ledger.validation += evaluation.solves;
  }
  result.steps = loop_->step();
  result.stopped_by = loop_->finished() ? loop_->stopped_by() : stopped_by;
  result.validation_cost = loop_->result_validation_cost();
  result.test_cost = test.cost;
  result.test_regret = test.regret;
  result.test_failed = test.failed;
  result.reference_failed = test.reference_failed;
  result.rows_without_reference = loop_->rows_without_reference();
  result.prediction_error = test.prediction_error;
  result.test_infeasible = test.infeasible;
  result.test_changed = test.changed;
  result.conditional_regret = test.conditional_regret;
  result.batch_figures = test.batches;
  result.failure_cost = evaluator_.failure_cost();
  result.setup_solves = calibration_solves_;
  result.training_solves = ledger.training;
  result.validation_solves = ledger.validation;
  result.reference_solves = ledger.reference;
  result.reference_solves += test.reference_solves;
  result.test_solves = test.test_solves;
  for (const SolveCounts* part : {&result.setup_solves, &result.training_solves, &result.validation_solves,
                                  &result.reference_solves, &result.test_solves})
    result.solves += *part;
  if (loop_->at_standstill()) result.notes.push_back(standstill_note(*loop_->recent_flip_rate()));
  if (result.solves.failed != 0)
    result.notes.push_back(
        fmt::format("{} of {} solver calls failed and were charged the failure cost {:.6g}.",
                    result.solves.failed, result.solves.performed, result.failure_cost));
  if (result.rows_without_reference != 0)
    result.notes.push_back(fmt::format(
        "{} training or validation rows have no reference and were left out where the method learns "
        "from references.",
        result.rows_without_reference));
  if (const SolverMonitor* monitor = task_.problem->monitor()) result.solver_events = monitor->counts();
  result.train_seconds = train_seconds_;
  result.train_core_seconds = train_core_seconds_;
  result.evaluate_seconds = watch.seconds();
  return result;
}

void TrainingSession::save(ArchiveWriter& archive) const {
  preparation_.save(archive);
  archive.put(train_seconds_);
  archive.put(train_core_seconds_);
  archive.put<std::uint8_t>(loop_ != nullptr);
  if (loop_) loop_->save(archive);
}

bool TrainingSession::load(ArchiveReader& archive) {
  preparation_.load(archive);
  train_seconds_ = archive.get<double>();
  train_core_seconds_ = archive.get<double>();
  if (archive.get<std::uint8_t>() == 0) return false;
  prepare();
  loop_->load(archive);
  return true;
}

TestFigures measure_test(Evaluator& evaluator, std::span<const double> parameters) {
  const TiledRows rows(evaluator.task().data.test);
  const Evaluation evaluation = evaluator.evaluate(parameters, rows);
  if (!evaluator.charges_failures()) require_some_solved(evaluation, kTestDecisions);
  TestFigures figures;
  figures.cost = evaluation.mean_cost;
  figures.failed = failed_share(evaluation);
  figures.regret = std::numeric_limits<double>::quiet_NaN();
  if (evaluator.knows_optimum()) {
    const Evaluation optimal = evaluator.optimal(rows);
    require_some_solved(optimal, kTestReferences);
    figures.regret = mean_regret(evaluator.task().metric, evaluation, optimal.costs);
    figures.reference_failed = failed_share(optimal);
    figures.reference_solves = optimal.solves;
    if (evaluator.task().problem->facts().has_recourse) {
      figures.conditional_regret = conditional_regret(evaluation, optimal.costs);
      const std::vector<double> surcharges = surcharges_of(*evaluator.task().problem, rows);
      if (!surcharges.empty()) figures.batches = batch_figures(evaluation, optimal.costs, surcharges);
    }
  }
  figures.prediction_error = mean_squared_error(evaluator.task(), parameters, rows);
  if (evaluator.task().problem->facts().has_recourse) {
    const auto total = static_cast<double>(rows.rows());
    figures.infeasible = static_cast<double>(evaluation.infeasible) / total;
    figures.changed = static_cast<double>(evaluation.changed) / total;
  }
  figures.test_solves = evaluation.solves;
  return figures;
}

TrainingResult train(const Task& task, const MethodEntry& method, const Options& options,
                     const TrainingSettings& settings) {
  std::unique_ptr<Team> own;
  if (settings.team == nullptr) own = std::make_unique<ThreadTeam>(settings.threads);
  TrainingSession session(task, method, options, settings.seed, own ? *own : *settings.team);
  session.prepare();
  session.start();
  while (!session.finished()) {
    session.advance();
    if (settings.on_step && !settings.on_step(session.loop().step(), session.loop().plan().steps))
      return session.finish("interrupt");
    if (settings.max_seconds > 0 && session.train_seconds() >= settings.max_seconds)
      return session.finish("time");
  }
  return session.finish("");
}

}  // namespace polystep
