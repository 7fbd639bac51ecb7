#include "runtime/run/resumed_run.hpp"

#include <fmt/format.h>

#include "polystep/error.hpp"
#include "runtime/plan/fidelity.hpp"
#include "runtime/run/config_file.hpp"

namespace polystep {

void check_same_run(const RunRequest& request, const ProblemRegistry& problems, const RunDirectory& directory,
                    const std::string& where) {
  const RunRequest stored =
      resolve_run(problems, read_config(directory.config()), directory.config().string(), {});
  if (identity_of(stored) == identity_of(request)) return;
  const RunConfig here = to_config(request), there = to_config(stored);
  const std::string place = directory.config().string();
  const auto differ = [&](const std::string& what, const std::string& found, const std::string& expected) {
    throw InputError(fmt::format("{}: {} is {} here and {} in {}, expected the same", where, what, found,
                                 expected, place));
  };
  if (here.problem != there.problem) differ("the problem", *here.problem, *there.problem);
  if (here.method != there.method) differ("the method", *here.method, *there.method);
  if (here.seed != there.seed) differ("the seed", std::to_string(*here.seed), std::to_string(*there.seed));
  for (const auto& [section, entries] : here.sections)
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].value != there.sections.at(section)[i].value)
        differ(entries[i].key, format_value(entries[i].value),
               format_value(there.sections.at(section)[i].value));
  differ("the preset", *here.preset, *there.preset);
}

void adopt_choice(RunRequest& request, const std::filesystem::path& directory,
                  const ProblemRegistry& problems) {
  const RunState state = run_state(directory);
  const bool open = request.method->options.find(kFidelityOption) != nullptr &&
                    request.method_options.text(kFidelityOption) == kFidelityAuto;
  if ((!request.budget && !open) || state == RunState::kEmpty || state == RunState::kForeign) return;
  const std::filesystem::path file = directory / "config.toml";
  const RunRequest stored = resolve_run(problems, read_config(file), file.string(), {});
  if (stored.method == request.method)
    for (const OptionSpec& spec : stored.method->options.specs())
      if (!request.given_options.contains(spec.name))
        request.method_options.set(spec.name, stored.method_options.value(spec.name), file.string());
  request.chosen = stored.chosen;
  request.forecast = stored.forecast;
  request.budget.reset();
}

}  // namespace polystep
