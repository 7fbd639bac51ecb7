#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "interrupts.hpp"
#include "report/explanation_text.hpp"
#include "runtime/run/metrics_file.hpp"
#include "runtime/run/run_directory.hpp"
#include "saved_run.hpp"

namespace polystep {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kStepsShown = 16;

Json to_json(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json to_json(const StepMetrics& step) {
  return {{"step", step.step},
          {"flip_rate", to_json(step.flip_rate)},
          {"moving_share", to_json(step.moving_share)},
          {"radius", to_json(step.radius)},
          {"training_cost", to_json(step.training_cost)},
          {"validation_cost", to_json(step.validation_cost)},
          {"held_out_cost", to_json(step.held_out_cost)},
          {"blend", to_json(step.blend)}};
}

Json to_json(const FlipDistances& found, std::optional<double> reach) {
  return {{"pairs", found.pairs},
          {"never", found.pairs - found.distances.size()},
          {"first_changes_for_certain", found.certain},
          {"reach_of_last_probes", to_json(reach)},
          {"distances", found.distances}};
}

Json to_json(const Diagnosis& found) {
  return {{"limit", to_text(found.limit)},
          {"late_flip_rate", to_json(found.late_flip_rate)},
          {"training_change", to_json(found.training_change)},
          {"last_blend", to_json(found.last_blend)},
          {"best_check", found.best_check},
          {"last_check", found.last_check},
          {"rises_per_fall", found.rises_per_fall},
          {"paragraph", found.paragraph}};
}

// How far out the last probes lay: of K radii, the largest is K/(K+1) of the scheduled one.
std::optional<double> last_reach(const std::vector<StepMetrics>& steps, const Options& options) {
  if (options.table().find("radii") == nullptr) return std::nullopt;
  const auto radii = static_cast<double>(options.integer("radii"));
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    if (step->radius) return *step->radius * radii / (radii + 1);
  return std::nullopt;
}

Json to_json(const CostChanges& found) {
  return {{"pairs", found.pairs}, {"distance", found.distance}, {"changes", found.shares}};
}

// What probes tell around the final parameters: of decisions that recur where they flip, of others how much
// they cost.
struct Measured {
  std::optional<FlipDistances> flips;
  std::optional<CostChanges> changes;
};

// Where nobody says how long it may take or how much to measure, what there is time for will do.
constexpr double kUsualSeconds = 30;

Measured measure(const SavedRun& run, const std::vector<StepMetrics>& steps,
                 const ExplainArguments& arguments, RunWatch& watch) {
  ThreadTeam team(1);
  const Watching watching(team, &watch);
  Evaluator evaluator(run.task, team);
  const auto pairs = static_cast<std::size_t>(arguments.pairs);
  const auto show = [&](std::size_t done) {
    ProgressState state;
    state.unit = "measuring pair";
    state.step = static_cast<std::int64_t>(done);
    state.steps = arguments.pairs;
    watch.show(state);
  };
  show(0);
  if (!arguments.pairs_given) watch.end_at(watch.seconds() + kUsualSeconds);
  Measured measured;
  if (run.task.problem->facts().decisions_recur)
    measured.flips = measure_flip_distances(evaluator, run.request.method_options, run.model.parameters,
                                            pairs, run.request.seed, show);
  else
    measured.changes = measure_cost_changes(evaluator, run.request.method_options, run.model.parameters,
                                            last_reach(steps, run.request.method_options).value_or(1), pairs,
                                            run.request.seed, show);
  watch.clear();
  if (watch.interrupted()) throw Stopped();
  return measured;
}

// What result.json says of the run as a whole.
bool training_was_kept(const std::string& run) {
  const Json result = Json::parse(read_file(RunDirectory::open_to_read(run).result()), nullptr, false);
  return !result.is_object() || result.value("training_kept", true);
}

constexpr const char* kNotKept = "Training was not kept: the result is the start.";

void print_json(const SavedRun& run, const std::vector<StepMetrics>& steps, const Measured& measured,
                const Diagnosis& diagnosis, bool kept) {
  Json json = {{"problem", run.request.problem->name},
               {"setting", run.task.setting},
               {"method", run.request.method->name},
               {"seed", run.request.seed},
               {"training_kept", kept},
               {"diagnosis", to_json(diagnosis)},
               {"flip_distances",
                measured.flips ? to_json(*measured.flips, last_reach(steps, run.request.method_options))
                               : Json(nullptr)},
               {"cost_changes", measured.changes ? to_json(*measured.changes) : Json(nullptr)},
               {"steps", Json::array()}};
  for (const StepMetrics& step : steps) json["steps"].push_back(to_json(step));
  print_out("{}\n", json.dump(2));
}

std::string text_of(const Measured& measured, std::optional<double> reach) {
  if (measured.flips) return flip_distances_text(*measured.flips, reach);
  if (measured.changes) return cost_changes_text(*measured.changes);
  return "Flip distances are measured for linear predictors only.\n";
}

}  // namespace

int explain_command(const ExplainArguments& arguments, const ProblemRegistry& problems) {
  RunWatch watch(watched_command(arguments.watch));
  const StoppedBy stopped_by(&watch);
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  const std::vector<StepMetrics> steps = read_metrics(RunDirectory::open_to_read(arguments.run).metrics());
  const Diagnosis diagnosis = diagnose(steps);
  const bool kept = training_was_kept(arguments.run);
  const Measured measured = measure(run, steps, arguments, watch);
  if (arguments.json) {
    print_json(run, steps, measured, diagnosis, kept);
    return 0;
  }
  print_out("{} ({}), method {}, preset {}, seed {}\n\n{}\n", run.request.problem->name, run.task.setting,
            run.request.method->name, run.request.preset, run.request.seed,
            steps_table(sampled_steps(steps, kStepsShown)));
  print_out("{}\n", text_of(measured, last_reach(steps, run.request.method_options)));
  if (!kept) print_out("{}\n", kNotKept);
  print_out("{}\n", diagnosis.paragraph);
  return 0;
}

}  // namespace polystep
