#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "commands.hpp"
#include "data/cities/districting_file.hpp"
#include "data/data_directory.hpp"
#include "districting/city_choice.hpp"
#include "districting/city_division.hpp"
#include "districting/district_model.hpp"
#include "districting/district_plan.hpp"
#include "interrupts.hpp"
#include "polystep/error.hpp"
#include "runtime/run/progress.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor district";
constexpr const char* kFileName = "districting.json";

class InterruptWatch final : public Watch {
 public:
  bool stop(std::size_t, std::size_t) override { return wanted(); }
  bool wanted() const noexcept override { return interrupt_requested(); }  // in the middle of a tour
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Letters and digits of a city's name, for a directory.
std::string plain(const std::string& name) {
  std::string kept;
  for (const char letter : name) {
    const bool fine = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '-';
    kept += fine ? letter : '-';
  }
  return kept;
}

// A name that ends in .json is the file, anything else the directory of districting.json.
std::filesystem::path file_to_write(const DistrictArguments& arguments, const std::string& method) {
  std::filesystem::path file;
  if (arguments.out && std::filesystem::path(*arguments.out).extension() == ".json")
    file = *arguments.out;
  else if (arguments.out)
    file = std::filesystem::path(*arguments.out) / kFileName;
  else
    file = std::filesystem::path(fmt::format("runs/district-{}-{}-{}",
                                             plain(std::filesystem::path(arguments.city).stem().string()),
                                             arguments.target, plain(method))) /
           kFileName;
  if (arguments.out && arguments.out->empty())
    throw InputError(fmt::format("{}: --out is empty, expected a file or directory", kWhere));
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored) && !arguments.force)
    throw InputError(
        fmt::format("{}: {} exists, expected a new file; give --force to replace it", kWhere, file.string()));
  return file;
}

struct Method {
  std::string name;  // of the plan
  std::optional<DistrictModel> model;
};

Method method_of(const DistrictArguments& arguments, const ProblemRegistry& problems) {
  if (arguments.models.empty()) {
    const std::string name = arguments.method.value_or(std::string(kCentreDistanceMethod));
    if (std::ranges::find(kUntrainedMethods, name) == std::end(kUntrainedMethods))
      throw InputError(
          fmt::format("{}: --method is '{}', expected one of {}; trained methods need --model RUN", kWhere,
                      name, fmt::join(kUntrainedMethods, ", ")));
    return {name == kCentreDistanceMethod ? "centre distance" : name, {}};
  }
  if (arguments.method)
    throw InputError(
        fmt::format("{}: found both --method and --model, expected one: a model has its method", kWhere));
  Method method;
  method.model = load_averaged_model(arguments.models, arguments.data, problems);
  method.name = method.model->name;
  if (arguments.models.size() > 1) method.name += fmt::format(" ({})", method.model->label);
  return method;
}

void print_table(const City& city, const DistrictingPlan& plan, const Division& division,
                 const solvers::DistrictSizes& sizes, double search_seconds, double tour_seconds) {
  const auto by_size = [](const District& a, const District& b) { return a.size() < b.size(); };
  const auto [smallest, largest] = std::ranges::minmax_element(division.districts, by_size);
  print_out("{}, {} units by {}\n", city.name, city.units.size(), plan.method);
  print_out("  districts        {}\n", division.districts.size());
  print_out("  units            {} to {} (limits {} to {}{})\n", smallest->size(), largest->size(),
            sizes.lower, sizes.upper, division.feasible ? "" : ", not kept");
  const std::optional<double> total = cost_of(plan);
  print_out("  total cost       {}\n", total ? fmt::format("{:.2f} km", *total) : "not known");
  print_out("  its own value    {:.6g}\n", division.value);
  print_out("  found            {} in {:.1f} s, tours in {:.1f} s\n",
            division.exact ? "exactly" : fmt::format("by {} iterations", division.iterations), search_seconds,
            tour_seconds);
}

}  // namespace

int district_command(const DistrictArguments& arguments, const ProblemRegistry& problems) {
  catch_interrupts();
  const Method method = method_of(arguments, problems);
  const std::string name = arguments.name.value_or(method.name);
  const std::filesystem::path file = file_to_write(arguments, name);
  const City city =
      choose_city(arguments.city,
                  arguments.units ? std::optional(static_cast<std::size_t>(*arguments.units)) : std::nullopt,
                  find_data_directory(arguments.data.value_or("")));
  const solvers::DistrictGraph graph = city_graph(city, static_cast<std::size_t>(arguments.target));
  const PlanningArguments& planning = arguments.planning;
  RoutingSettings settings;
  settings.demand.scenarios = static_cast<std::size_t>(planning.scenarios);
  settings.demand.seed = static_cast<std::uint32_t>(planning.scenario_seed);
  settings.demand.probability = demand_probability(graph.sizes().target);
  settings.perturbations = static_cast<std::size_t>(planning.perturbations);
  NumberMemory memory;
  InterruptWatch watch;
  std::optional<RoutingCosts> drawn;
  {  // Draws all demand. Nothing is found before, so that nothing is lost where this is stopped.
    const StoppedBy stopped_by(&watch);
    drawn.emplace(city, settings, memory);
  }
  RoutingCosts& routing = *drawn;
  const MethodValue value =
      method.model ? model_value(*method.model, city, graph)
                   : untrained_value(arguments.method.value_or(std::string(kCentreDistanceMethod)), city,
                                     graph, routing);
  const auto began = std::chrono::steady_clock::now();
  // A small city that cannot be divided is refused here, before anything is written.
  std::optional<Division> exact = divide_exactly(graph, value);
  if (file.has_parent_path()) ensure_writable_directory(file.parent_path());
  ThreadTeam team(static_cast<std::size_t>(planning.threads));
  const ProgressStyle style = progress_style_for_stderr(arguments.quiet);

  Division division;
  if (exact) {
    division = *std::move(exact);
  } else {
    Progress progress(style);
    DivisionSettings search;
    search.iterations = static_cast<std::size_t>(planning.iterations);
    search.chains = static_cast<std::size_t>(planning.chains);
    search.seed = planning.seed;
    search.stop = interrupt_requested;
    search.progress = [&](std::size_t done, std::size_t of) {
      progress.update({.step = static_cast<std::int64_t>(done),
                       .steps = static_cast<std::int64_t>(of),
                       .unit = "iteration"});
    };
    division = divide_by_search(graph, value, search, team);
  }
  const double search_seconds = seconds_since(began);

  const auto driving = std::chrono::steady_clock::now();
  RoutedPlan routed{unrouted_plan(division, name), true};
  if (!interrupt_requested()) {
    Progress progress(style);
    const Watching watching(team, &watch);
    routed = route_plan(division, name, routing, team, [&](std::size_t done) {
      progress.update({.step = static_cast<std::int64_t>(done),
                       .steps = static_cast<std::int64_t>(division.districts.size()),
                       .unit = "district"});
    });
  }
  write_districting(file, districting_file_of(city, graph.sizes(), routing.depot(), routed.plan));
  print_table(city, routed.plan, division, graph.sizes(), search_seconds, seconds_since(driving));
  print_out("  written to       {}\n", file.string());
  if (!division.stopped && !routed.stopped) return 0;
  print_err("Stopped while {}: the best districts found so far are written{}.\n",
            division.stopped ? "searching" : "driving tours",
            cost_of(routed.plan) ? "" : ", not all of them with costs");
  return kInterrupted;
}

}  // namespace polystep
