#include "runtime/bench/tuning_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/sobol.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr const char* kTuning = "polystepor tune";

const OptionSpec* spec_of(const RunRequest& request, const std::string& option) {
  if (const OptionSpec* spec = request.problem->options.find(option)) return spec;
  return request.method->options.find(option);
}

// What an option is before a point changes it.
std::optional<double> number_of(const RunRequest& request, const std::string& option) {
  const bool of_problem = request.problem->options.find(option) != nullptr;
  if (!of_problem && request.method->options.find(option) == nullptr) return {};
  const OptionValue& value = (of_problem ? request.problem_options : request.method_options).value(option);
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return {};
}

bool sets(const TuningAxis& axis, const std::string& option) {
  return std::find(axis.options.begin(), axis.options.end(), option) != axis.options.end();
}

// Multiples come after what they are multiples of.
std::vector<std::size_t> resolution_order(const std::vector<TuningAxis>& axes) {
  std::vector<std::size_t> order;
  std::vector<bool> placed(axes.size());
  while (order.size() < axes.size()) {
    const std::size_t before = order.size();
    for (std::size_t k = 0; k < axes.size(); ++k) {
      if (placed[k]) continue;
      bool ready = true;
      for (std::size_t other = 0; other < axes.size() && !axes[k].multiple_of.empty(); ++other)
        ready &= placed[other] || !sets(axes[other], axes[k].multiple_of);
      if (!ready) continue;
      placed[k] = true;
      order.push_back(k);
    }
    if (order.size() == before) {
      const auto stuck =
          static_cast<std::size_t>(std::find(placed.begin(), placed.end(), false) - placed.begin());
      throw InputError(fmt::format("{}: '{}' is a multiple of what it sets itself, expected another option",
                                   axes[stuck].where, axes[stuck].text));
    }
  }
  return order;
}

void refuse_repetition(const std::vector<TuningAxis>& axes) {
  std::set<std::string> seen;
  for (const TuningAxis& axis : axes)
    for (const std::string& option : axis.options)
      if (!seen.insert(option).second)
        throw InputError(fmt::format("{}: option '{}' is set by two axes, expected one", axis.where, option));
}

// Ten digits: enough for any product of rounded values, without the noise of binary fractions.
std::string as_text(double value, bool whole) {
  return whole ? fmt::format("{}", static_cast<std::int64_t>(std::llround(value)))
               : fmt::format("{:.10g}", value);
}

std::vector<std::string> stated_axes(const RunRequest& base) {
  const Preset& preset = base.method->preset(base.preset, kTuning);
  const PresetContext context = PresetContext::of(*base.problem, base.problem_options);
  std::vector<std::string> axes;
  if (preset.tuning) axes = preset.tuning(context);
  return axes.empty() ? base.method->tuning : axes;
}

std::vector<TuningAxis> axes_of(const TuningRequest& request, const RunRequest& base) {
  std::vector<TuningAxis> axes;
  for (const std::string& text : request.axes) axes.push_back(parse_axis(text, "--axis"));
  if (request.axes.empty()) {
    const std::string where = fmt::format("method {}, preset {}", base.method->name, base.preset);
    for (const std::string& text : stated_axes(base)) {
      TuningAxis axis = parse_axis(text, where);
      // What a user gave is not tuned.
      const bool given = std::any_of(request.given.begin(), request.given.end(),
                                     [&](const GivenOption& option) { return sets(axis, option.key); });
      if (!given) axes.push_back(std::move(axis));
    }
    if (axes.empty())
      throw InputError(
          fmt::format("{}: {} states no ranges to tune over, expected --axis option=log:LOW..HIGH, "
                      "option=linear:LOW..HIGH or option=a,b,c",
                      kTuning, where));
  }
  for (const TuningAxis& axis : axes)
    for (const GivenOption& option : request.given)
      if (sets(axis, option.key))
        throw InputError(fmt::format("{}: option '{}' is both set and tuned by '{}', expected one of them",
                                     option.where, option.key, axis.text));
  refuse_repetition(axes);
  return axes;
}

std::string describe(const TuningRequest& request, const TuningGrid& grid, const RunRequest& base) {
  std::string text = fmt::format("{} points of design seed {}, trained with seeds {}\n", request.points,
                                 request.design_seed, fmt::join(request.seeds, ","));
  for (const TuningAxis& axis : grid.axes) text += axis.text + "\n";
  return text + identity_of(base);
}

}  // namespace

std::string TuningPoint::text() const {
  std::string text;
  for (const GivenOption& option : options)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", option.key, option.text);
  return text;
}

std::vector<TuningPoint> tuning_points(const std::vector<TuningAxis>& axes, std::size_t count,
                                       std::uint64_t seed, const RunRequest& base) {
  if (axes.size() > Sobol::kMostDimensions)
    throw InputError(
        fmt::format("{}: found {} axes, expected at most {}", kTuning, axes.size(), Sobol::kMostDimensions));
  const std::vector<std::size_t> order = resolution_order(axes);
  const auto is_whole = [&](const std::string& option) {
    const OptionSpec* spec = spec_of(base, option);
    return spec != nullptr && std::holds_alternative<std::int64_t>(spec->fallback);
  };
  Sobol sobol(axes.size(), seed);
  std::vector<TuningPoint> points(count);
  for (TuningPoint& point : points) {
    const std::vector<double> coordinates = sobol.next();
    point.values.resize(axes.size());
    std::map<std::string, std::string> assigned;
    for (const std::size_t k : order) {
      const TuningAxis& axis = axes[k];
      if (!axis.is_range()) {
        const std::vector<std::string>& choice = axis.choices[axis.choice(coordinates[k])];
        point.values[k] = fmt::format("{}", fmt::join(choice, "+"));
        for (std::size_t i = 0; i < axis.options.size(); ++i)
          assigned[axis.options[i]] = choice[choice.size() == 1 ? 0 : i];
        continue;
      }
      double value = axis.number(coordinates[k]);
      point.values[k] = fmt::format("{}", value);
      if (!axis.multiple_of.empty()) {
        const auto found = assigned.find(axis.multiple_of);
        const std::optional<double> factor =
            found == assigned.end() ? number_of(base, axis.multiple_of) : std::stod(found->second);
        if (!factor)
          throw InputError(fmt::format("{}: '{}' is a multiple of '{}', expected a number's option",
                                       axis.where, axis.text, axis.multiple_of));
        value *= *factor;
      }
      for (const std::string& option : axis.options) assigned[option] = as_text(value, is_whole(option));
    }
    for (const TuningAxis& axis : axes)
      for (const std::string& option : axis.options)
        point.options.push_back({option, assigned[option], axis.where});
  }
  return points;
}

TuningGrid tuning_grid(const ProblemRegistry& problems, const TuningRequest& request) {
  RunConfig config;
  config.problem = request.problem;
  config.method = request.method;
  config.preset = request.preset;
  config.data = request.data;
  const RunRequest base = resolve_run(problems, config, kTuning, request.given);
  TuningGrid grid;
  grid.axes = axes_of(request, base);
  grid.points = tuning_points(grid.axes, request.points, request.design_seed, base);
  grid.description = describe(request, grid, base);
  // A problem whose own options are tuned is another task at every point.
  const bool same_task = std::none_of(grid.axes.begin(), grid.axes.end(), [&](const TuningAxis& axis) {
    return std::any_of(axis.options.begin(), axis.options.end(), [&](const std::string& option) {
      return base.problem->options.find(option) != nullptr;
    });
  });
  std::size_t task = 0;
  for (const std::uint64_t seed : request.seeds) {
    config.seed = seed;
    for (const TuningPoint& point : grid.points) {
      std::vector<GivenOption> given = request.given;
      given.insert(given.end(), point.options.begin(), point.options.end());
      grid.cells.push_back({resolve_run(problems, config, kTuning, given), request.problem,
                            fmt::format("{} {}", base.preset, point.text()), task});
      if (!same_task) ++task;
    }
    if (same_task) ++task;
  }
  return grid;
}

std::vector<TuningTrial> rank_trials(const TuningGrid& grid, const std::vector<std::uint64_t>& seeds,
                                     const std::vector<RunRecord>& runs) {
  std::map<std::pair<std::string, std::uint64_t>, double> costs;
  for (const RunRecord& run : runs) costs[{run.preset, run.seed}] = run.validation_cost;
  std::vector<TuningTrial> trials;
  for (std::size_t point = 0; point < grid.points.size(); ++point) {
    TuningTrial trial;
    trial.point = point;
    double sum = 0;
    bool complete = true;
    for (const std::uint64_t seed : seeds) {
      const auto found = costs.find({grid.cells[point].preset, seed});
      complete &= found != costs.end();
      trial.costs.push_back(found == costs.end() ? std::nullopt : std::optional(found->second));
      sum += trial.costs.back().value_or(0);
    }
    if (complete) trial.mean = sum / static_cast<double>(seeds.size());
    trials.push_back(std::move(trial));
  }
  std::stable_sort(trials.begin(), trials.end(), [](const TuningTrial& one, const TuningTrial& other) {
    if (one.mean.has_value() != other.mean.has_value()) return one.mean.has_value();
    return one.mean && *one.mean < *other.mean;
  });
  return trials;
}

RunConfig tuned_config(const GridCell& cell, const TuningPoint& point, const TuningRequest& request) {
  RunConfig config;
  config.problem = cell.request.problem->name;
  config.method = cell.request.method->name;
  config.preset = cell.request.preset;
  config.data = cell.request.data;
  std::vector<GivenOption> given = request.given;
  given.insert(given.end(), point.options.begin(), point.options.end());
  for (const GivenOption& option : given) {
    const bool of_problem = cell.request.problem->options.find(option.key) != nullptr;
    const Options& options = of_problem ? cell.request.problem_options : cell.request.method_options;
    config.sections[of_problem ? *config.problem : *config.method].push_back(
        {option.key, options.value(option.key), ""});
  }
  return config;
}

}  // namespace polystep
