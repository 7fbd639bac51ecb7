#include "runtime/run/training_session.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "evaluation/recourse_figures.hpp"
#include "evaluation/tile_predictions.hpp"
#include "methods/starts/initial_fit.hpp"
#include "polystep/error.hpp"
#include "polystep/self_judging.hpp"
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

constexpr const char* kTrainingNotKept = "training was not kept: the result is the start";
constexpr const char* kNoStepTaken = "no step was finished: the result is the start";

std::string cut_note(std::size_t rows, std::size_t of) {
  if (rows == 0) return "there was no time to decide the test rows: 'polystepor evaluate' does";
  return fmt::format("there was time to decide {} of {} test rows, which the figures are of", rows, of);
}

// A reference is the optimum only where the solver says so.
std::string below_reference_note(const Task& task, const TestFigures& test) {
  const ProblemFacts facts = task.problem->facts();
  const char* reason = facts.has_references ? "the problem's own references are not optimal"
                       : facts.has_recourse
                           ? "deciding by the true parameters is not the best that recourse can do"
                           : "decisions by the true parameters were not optimal, as with solves that end at "
                             "a limit or a gap";
  return fmt::format("{} of {} test rows cost less than their reference, hence the negative regret: {}",
                     test.better, test.rows, reason);
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
  if (auto* own = dynamic_cast<SelfJudging*>(learner_.get())) return own->find_failure_cost(preparation_);
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

TrainingResult TrainingSession::finish(const std::string& stopped_by, TestExtent extent) {
  const Stopwatch watch(team_.threads());
  TrainingResult result;
  result.parameters = loop_->result();
  const TestFigures test = measure_test(evaluator_, result.parameters, extent);
  SolveLedger ledger = loop_->ledger();
  result.test_rows = test.rows;
  result.is_start = loop_->result_is_start();
  if (task_.problem->facts().has_recourse && test.rows == task_.data.test.rows) try {
      const TiledRows rows(task_.data.validation);
      const Evaluation evaluation = evaluator_.evaluate(result.parameters, rows);
      result.validation_infeasible =
          static_cast<double>(evaluation.infeasible) / static_cast<double>(rows.rows());
      ledger.validation += evaluation.solves;
    } catch (const Stopped&) {  // then this share alone is not known
      if (extent == TestExtent::kAll) throw;
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
  result.prediction_deviation = test.prediction_deviation;
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
  if (result.is_start) result.notes.push_back(loop_->step() == 0 ? kNoStepTaken : kTrainingNotKept);
  for (std::string& note : test_notes(task_, test)) result.notes.push_back(std::move(note));
  if (loop_->at_standstill()) result.notes.push_back(standstill_note(*loop_->recent_flip_rate()));
  // References that failed are charged to nobody.
  const std::uint64_t charged = result.solves.failed - result.reference_solves.failed;
  if (charged != 0)
    result.notes.push_back(
        fmt::format("{} of {} solver calls failed and were charged the failure cost {:.6g}.", charged,
                    result.solves.performed - result.reference_solves.performed, result.failure_cost));
  if (result.reference_solves.failed != 0)
    result.notes.push_back(
        fmt::format("{} of {} solves for a reference failed; their rows are left out of regret.",
                    result.reference_solves.failed, result.reference_solves.performed));
  if (const SolverMonitor* monitor = task_.problem->monitor())
    if (const std::string why = monitor->failures(); result.solves.failed != 0 && !why.empty())
      result.notes.push_back(fmt::format("why solves failed, since the program started: {}", why));
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

std::optional<TrainingResult> TrainingSession::unsolved_start() const {
  std::vector<std::size_t> rows(task_.data.training.rows);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  auto start = least_squares_start(*task_.predictor, task_.data.training, rows);
  if (!start) return std::nullopt;
  TrainingResult result;
  result.parameters = std::move(*start);
  result.stopped_by = "time";
  result.is_start = true;
  result.validation_cost = result.test_cost = result.test_regret = std::nan("");
  result.failure_cost = evaluator_.failure_cost();
  result.setup_solves = result.solves = calibration_solves_;
  result.notes = {kNoStepTaken, cut_note(0, task_.data.test.rows)};
  return result;
}

void TrainingSession::save(ArchiveWriter& archive) const {
  if (!loop_) return save_preparation(archive);
  preparation_.save(archive);
  archive.put(train_seconds_);
  archive.put(train_core_seconds_);
  archive.put<std::uint8_t>(1);
  loop_->save(archive);
}

void TrainingSession::save_preparation(ArchiveWriter& archive) const {
  preparation_.save(archive);
  archive.put(train_seconds_);
  archive.put(train_core_seconds_);
  archive.put<std::uint8_t>(0);
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

namespace {

// Rows are put together until this much time has passed: what takes longer can be cut between two pieces.
constexpr double kPieceSeconds = 0.2;

void append(Evaluation& all, const Evaluation& piece) {
  all.costs.insert(all.costs.end(), piece.costs.begin(), piece.costs.end());
  all.failed.insert(all.failed.end(), piece.failed.begin(), piece.failed.end());
  all.broken.insert(all.broken.end(), piece.broken.begin(), piece.broken.end());
  all.solves += piece.solves;
  all.infeasible += piece.infeasible;
  all.changed += piece.changed;
}

// Decisions and references of the test rows from the first on.
struct TestDecisions {
  Evaluation decided, optimal;
};

// What is solved, and each row's figures, are the same whatever the pieces: these are whole batches.
TestDecisions decide_test(Evaluator& evaluator, std::span<const double> parameters, TestExtent extent) {
  const Split& test = evaluator.task().data.test;
  TestDecisions all;
  std::size_t piece = test.rows;
  if (extent == TestExtent::kUntilStopped)
    piece = kLanes * evaluator.solver(0).jobs_at_once() * evaluator.team().threads();
  for (std::size_t row = 0; row < test.rows;) {
    std::vector<std::size_t> numbers(std::min(piece, test.rows - row));
    std::iota(numbers.begin(), numbers.end(), row);
    TiledRows rows;
    rows.gather(test, numbers);
    const Stopwatch watch(1);
    try {
      const Evaluation decided = evaluator.evaluate(parameters, rows);
      if (evaluator.knows_optimum()) append(all.optimal, evaluator.optimal(rows));
      append(all.decided, decided);
    } catch (const Stopped&) {
      if (extent == TestExtent::kAll) throw;
      break;
    }
    row += numbers.size();
    if (evaluator.team().agreed(watch.seconds() < kPieceSeconds)) piece *= 2;
  }
  double sum = 0;
  for (const double cost : all.decided.costs) sum += cost;
  all.decided.mean_cost = sum / static_cast<double>(all.decided.costs.size());
  return all;
}

// The rows that were decided.
TiledRows first_rows(const Split& split, std::size_t count) {
  if (count == split.rows) return TiledRows(split);
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  TiledRows rows;
  rows.gather(split, numbers);
  return rows;
}

}  // namespace

TestFigures measure_test(Evaluator& evaluator, std::span<const double> parameters, TestExtent extent) {
  const auto [evaluation, optimal] = decide_test(evaluator, parameters, extent);
  // Whatever was decided is told, though time is up: the figures solve nothing more.
  const Watching unwatched(evaluator.team(),
                           extent == TestExtent::kUntilStopped ? nullptr : evaluator.team().watch());
  TestFigures figures;
  figures.rows = evaluation.costs.size();
  if (figures.rows == 0) {
    figures.cost = figures.regret = std::numeric_limits<double>::quiet_NaN();
    return figures;
  }
  if (!evaluator.charges_failures()) require_some_solved(evaluation, kTestDecisions);
  figures.cost = evaluation.mean_cost;
  figures.failed = failed_share(evaluation);
  figures.regret = std::numeric_limits<double>::quiet_NaN();
  if (evaluator.knows_optimum()) {
    require_some_solved(optimal, kTestReferences);
    figures.regret = mean_regret(evaluator.task().metric, evaluation, optimal.costs);
    for (std::size_t row = 0; row < figures.rows; ++row)
      figures.better += !evaluation.failed[row] &&
                        evaluation.costs[row] < optimal.costs[row] - 1e-9 * std::abs(optimal.costs[row]);
    figures.reference_failed = failed_share(optimal);
    figures.reference_solves = optimal.solves;
    if (evaluator.task().problem->facts().has_recourse) {
      figures.conditional_regret = conditional_regret(evaluation, optimal.costs);
      std::vector<double> surcharges =
          surcharges_of(*evaluator.task().problem, TiledRows(evaluator.task().data.test));
      if (!surcharges.empty()) surcharges.resize(figures.rows);
      if (!surcharges.empty()) figures.batches = batch_figures(evaluation, optimal.costs, surcharges);
    }
  }
  const PredictionFigures predictions =
      prediction_figures(*evaluator.task().predictor, parameters,
                         first_rows(evaluator.task().data.test, figures.rows), threads_of(evaluator.team()));
  figures.prediction_error = predictions.squared_error;
  figures.prediction_deviation = predictions.deviation;
  if (evaluator.task().problem->facts().has_recourse) {
    const auto total = static_cast<double>(figures.rows);
    figures.infeasible = static_cast<double>(evaluation.infeasible) / total;
    figures.changed = static_cast<double>(evaluation.changed) / total;
  }
  figures.test_solves = evaluation.solves;
  return figures;
}

std::vector<std::string> test_notes(const Task& task, const TestFigures& figures) {
  std::vector<std::string> notes;
  if (figures.rows < task.data.test.rows) notes.push_back(cut_note(figures.rows, task.data.test.rows));
  if (figures.regret < 0) notes.push_back(below_reference_note(task, figures));
  return notes;
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
