#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/console.hpp"
#include "commands.hpp"
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

void print_json(const SavedRun& run, const std::vector<StepMetrics>& steps,
                const std::optional<FlipDistances>& distances, const Diagnosis& diagnosis) {
  Json json = {
      {"problem", run.request.problem->name},
      {"setting", run.task.setting},
      {"method", run.request.method->name},
      {"seed", run.request.seed},
      {"diagnosis", to_json(diagnosis)},
      {"flip_distances",
       distances ? to_json(*distances, last_reach(steps, run.request.method_options)) : Json(nullptr)},
      {"steps", Json::array()}};
  for (const StepMetrics& step : steps) json["steps"].push_back(to_json(step));
  print_out("{}\n", json.dump(2));
}

}  // namespace

int explain_command(const ExplainArguments& arguments, const ProblemRegistry& problems) {
  const SavedRun run = load_run(arguments.run, arguments.data, problems);
  const std::vector<StepMetrics> steps = read_metrics(RunDirectory::open_to_read(arguments.run).metrics());
  const Diagnosis diagnosis = diagnose(steps);
  ThreadTeam team(1);
  Evaluator evaluator(run.task, team);
  const std::optional<FlipDistances> distances =
      measure_flip_distances(evaluator, run.request.method_options, run.model.parameters,
                             static_cast<std::size_t>(arguments.pairs), run.request.seed);
  if (arguments.json) {
    print_json(run, steps, distances, diagnosis);
    return 0;
  }
  print_out("{} ({}), method {}, preset {}, seed {}\n\n{}\n", run.request.problem->name, run.task.setting,
            run.request.method->name, run.request.preset, run.request.seed,
            steps_table(sampled_steps(steps, kStepsShown)));
  print_out("{}\n", distances ? flip_distances_text(*distances, last_reach(steps, run.request.method_options))
                              : "Flip distances are measured for linear predictors only.\n");
  print_out("{}\n", diagnosis.paragraph);
  return 0;
}

}  // namespace polystep
