#include "runtime/plan/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "evaluation/evaluator.hpp"
#include "methods/polystepor/blend.hpp"
#include "methods/polystepor/decision_pool.hpp"
#include "polystep/error.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kRehearsedBags = 2;
constexpr std::int64_t kRehearsedSteps = 6;
constexpr std::size_t kRehearsals = 3;  // the fastest counts: what disturbs a clock makes it read more
constexpr double kNotRepeated = 3;      // seconds; one that takes longer is not repeated
// Steps of networks are long, so that one short rehearsal will do, and they are all alike: no solve is ever
// skipped.
constexpr std::int64_t kRehearsedNetworkSteps = 3;

constexpr const char* kEarlyShare = "early-share";

bool has(const OptionTable& table, const char* name) { return table.find(name) != nullptr; }

std::int64_t integer_or(const Options& options, const char* name, std::int64_t otherwise) {
  return has(options.table(), name) ? options.integer(name) : otherwise;
}

std::string paced_methods() {
  std::string names;
  for (const MethodEntry& method : methods())
    if (has(method.options, "steps") && has(method.options, "checks"))
      names += (names.empty() ? "" : " or ") + method.name;
  return names;
}

Work less(const Work& whole, const Work& part) {
  return {std::max(0.0, whole.solves - part.solves), std::max(0.0, whole.seconds - part.seconds)};
}

// The work of every step, validations by the loop left out.
std::vector<Work> take_steps(TrainingSession& session, double validation_seconds) {
  std::vector<Work> steps;
  while (!session.finished()) {
    const double before = session.train_seconds();
    const LoopEvent event = session.advance();
    const double seconds = session.train_seconds() - before - (event.validation ? validation_seconds : 0.0);
    steps.push_back({static_cast<double>(event.report.solves.requested), std::max(0.0, seconds)});
  }
  return steps;
}

Work mean(std::span<const Work> steps) {
  Work sum;
  for (const Work& step : steps) sum += step;
  const auto count = static_cast<double>(steps.size());
  return {sum.solves / count, sum.seconds / count};  // divided, so that counts stay whole
}

// The first step is the slowest, with its probes furthest out and everything new to the caches, and it also
// counts what the learner solved to get ready; the last one ends with a check. `early`: steps of another
// kind.
void learn_from(std::span<const Work> steps, std::size_t early, double rows, WorkModel& model) {
  const std::size_t last = steps.size() - 1;
  const Work late =
      mean(steps.subspan(std::max<std::size_t>(1, early), last - std::max<std::size_t>(1, early)));
  const Work usual = early > 1 ? mean(steps.subspan(1, early - 1)) : late;
  model.row_step = {late.solves / rows, late.seconds / rows};
  const Work more = less(steps.front(), usual);
  model.first.solves = more.solves;
  model.first_row_seconds = more.seconds / rows;
  if (early > 0) {
    model.early_step.solves = usual.solves;
    model.early_row_seconds = usual.seconds / rows;
  }
  model.check = less(steps.back(), steps[last - 1]);
}

// A blend in doubt decides every share but the start's. The rehearsal may have been in none, and a budget
// must hold either way.
void count_all_shares(const Task& task, const Options& options, WorkModel& model) {
  if (!task.predictor->affine() || !has(options.table(), "blend") || !options.flag("blend")) return;
  const std::size_t held_out =
      task.data.validation.rows + (has(options.table(), "bags") ? task.data.training.rows : 0);
  const auto most = static_cast<double>((shares_to_try(true).size() - 1) * held_out);
  if (!(most > model.check.solves && model.check.solves > 0)) return;
  model.check = (most / model.check.solves) * model.check;
}

double requested(const SolveCounts& counts) { return static_cast<double>(counts.requested); }

// What the pool of decisions takes to learn does not grow with the bags.
void set_learning_apart(const Task& task, std::span<const double> theta, Team& team, double rows,
                        WorkModel& model) {
  Evaluator evaluator(task, team);
  DecisionPool pool(evaluator, task.data.training);
  SolveCounts counts;
  double seconds = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < kRehearsals; ++i) {
    counts = {};
    const auto begin = std::chrono::steady_clock::now();
    pool.learn(theta, counts);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    seconds = std::min(seconds, taken.count());
  }
  const auto part = [&](double solves, double row_seconds) {
    return std::min(row_seconds * rows, seconds * solves / requested(counts));
  };
  model.early_step.seconds = part(model.early_step.solves, model.early_row_seconds);
  model.early_row_seconds -= model.early_step.seconds / rows;
  model.first.seconds = part(model.first.solves, model.first_row_seconds);
  model.first_row_seconds -= model.first.seconds / rows;
}

WorkModel rehearse_once(const Task& task, const RunRequest& request, const Pace& pace, double reading_seconds,
                        Team& team) {
  const Pace small = rehearsal_pace(pace, *task.predictor);
  Options options = request.method_options;
  set_pace(options, small);
  if (has(options.table(), "patience")) options.set("patience", std::int64_t{0}, "the rehearsal");
  if (has(options.table(), kEarlyShare))  // steps of both kinds are needed, and two that are not early
    options.set(kEarlyShare, std::min(0.5, options.number(kEarlyShare)), "the rehearsal");
  WorkModel model;
  set_rows(task, options, model);
  model.reading.seconds = reading_seconds;

  const auto begin = std::chrono::steady_clock::now();
  TrainingSession session(task, *request.method, options, request.seed, team);
  session.prepare();
  model.start.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  model.rehearsed_fits = 1 + static_cast<double>(small.bags);
  session.start();
  model.validation.seconds = session.train_seconds();
  const std::size_t early = session.loop().plan().early_steps;
  if (early > 0) model.early_share = request.method_options.number(kEarlyShare);
  learn_from(take_steps(session, model.validation.seconds), early, model.rows_per_step(small), model);

  count_all_shares(task, options, model);

  const TrainingResult result = session.finish("");
  if (early > 0) set_learning_apart(task, result.parameters, team, model.rows_per_step(small), model);
  model.start.solves = requested(result.setup_solves);
  model.validation.solves = requested(result.validation_solves) / static_cast<double>(1 + checks_made(small));
  model.evaluation = {requested(result.test_solves) + requested(result.reference_solves),
                      result.evaluate_seconds};
  return model;
}

}  // namespace

// The same training, shortened. Its only validation but the first comes with its last step.
Pace rehearsal_pace(const Pace& pace, const Predictor& predictor) {
  const bool affine = predictor.affine();
  return {.bags = affine ? std::min(pace.bags, kRehearsedBags) : 1,
          .steps = affine ? kRehearsedSteps : kRehearsedNetworkSteps,
          .batch = pace.batch,
          .checks = 1};
}

void set_rows(const Task& task, const Options& options, WorkModel& model) {
  model.bags_count = task.predictor->affine();
  model.training_rows = task.data.training.rows;
  if (has(options.table(), "bag-share")) model.bag_share = options.number("bag-share");
  if (has(options.table(), "sampling")) model.repeats_rows = options.text("sampling") == "with-replacement";
}

Pace pace_of(const MethodEntry& method, const Options& options, const std::string& where) {
  if (!has(method.options, "steps") || !has(method.options, "checks"))
    throw InputError(fmt::format("{}: method {} has no steps and checks to choose, expected {}", where,
                                 method.name, paced_methods()));
  return {.bags = integer_or(options, "bags", 1),
          .steps = options.integer("steps"),
          .batch = integer_or(options, "batch", 1),
          .checks = options.integer("checks")};
}

void set_pace(Options& options, const Pace& pace) {
  for (const auto& [name, value] : {std::pair{"bags", pace.bags}, std::pair{"steps", pace.steps},
                                    std::pair{"batch", pace.batch}, std::pair{"checks", pace.checks}})
    if (has(options.table(), name)) options.set(name, value, "the budget");
}

Work& Work::operator+=(const Work& other) {
  solves += other.solves;
  seconds += other.seconds;
  return *this;
}

Work Forecast::total() const {
  Work sum;
  for (const Work* part : {&setup, &training, &validation, &evaluation}) sum += *part;
  return sum;
}

std::int64_t checks_made(const Pace& pace) {
  const double interval = static_cast<double>(pace.steps) / static_cast<double>(pace.checks);
  const std::int64_t every = std::max<std::int64_t>(1, std::llround(interval));
  return (pace.steps + every - 1) / every;
}

double WorkModel::rows_per_step(const Pace& pace) const {
  const bool several = bags_count && pace.bags > 1;
  const auto all = static_cast<double>(training_rows);
  const double bag_rows = several ? std::clamp(std::round(bag_share * all), 1.0, all) : all;
  const auto wanted = static_cast<double>(pace.batch);
  const double rows = repeats_rows ? wanted : std::min(wanted, bag_rows);
  return rows * static_cast<double>(several ? pace.bags : 1);
}

Forecast WorkModel::forecast(const Pace& pace) const {
  const auto checks = static_cast<double>(checks_made(pace));
  const double fits = 1 + static_cast<double>(bags_count ? pace.bags : 1);
  Forecast forecast;
  forecast.setup = reading;
  forecast.setup +=
      Work{start.solves, rehearsed_fits > 0 ? start.seconds * fits / rehearsed_fits : start.seconds};
  const double early = std::round(early_share * static_cast<double>(pace.steps));
  forecast.training = rows_per_step(pace) * (static_cast<double>(pace.steps) - early) * row_step;
  forecast.training += early * early_step;
  forecast.training += Work{0, early * early_row_seconds * rows_per_step(pace)};
  forecast.training += first;
  forecast.training += Work{0, first_row_seconds * rows_per_step(pace)};
  forecast.training += checks * check;
  forecast.validation = (1 + checks) * validation;
  forecast.evaluation = evaluation;
  return forecast;
}

WorkModel rehearse(const Task& task, const RunRequest& request, const Pace& pace, double reading_seconds,
                   Team& team) {
  std::vector<WorkModel> models;
  const auto begin = std::chrono::steady_clock::now();
  const auto taken = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  for (std::size_t i = 0; i < (task.predictor->affine() ? kRehearsals : 1); ++i) try {
      if (i > 0 && taken() > kNotRepeated) break;
      models.push_back(rehearse_once(task, request, pace, reading_seconds, team));
    } catch (const Stopped&) {
      if (models.empty()) throw;
      break;
    }
  return *std::min_element(models.begin(), models.end(), [&](const WorkModel& a, const WorkModel& b) {
    return a.forecast(pace).total().seconds < b.forecast(pace).total().seconds;
  });
}

}  // namespace polystep
