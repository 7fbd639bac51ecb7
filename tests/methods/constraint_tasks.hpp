// Generated tasks, covers of the small size, and options of methods for them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "polystep/method.hpp"
#include "polystep/task.hpp"

namespace polystep {

using Given = std::vector<std::pair<const char*, const char*>>;

inline Task constraint_task(const std::string& problem, const Given& given = {}, std::uint64_t seed = 0) {
  const ProblemRegistry problems = builtin_problems();
  const ProblemEntry& entry = problems.find(problem, "test");
  Options options(entry.options);
  options.set_text("source", "generated", "test");
  if (problem == "set-cover") options.set_text("size", "5x25", "test");
  for (const auto& [key, value] : given) options.set_text(key, value, "test");
  return entry.make(options, {"", seed});
}

inline Options method_options(const std::string& method, const std::string& preset,
                              const std::string& problem, const Given& given = {}) {
  const MethodEntry& entry = find_method(method, "test");
  Options options(entry.options);
  const ProblemRegistry problems = builtin_problems();
  const Options settings(problems.find(problem, "test").options);
  for (const auto& [key, value] :
       entry.preset(preset, "test").values(PresetContext::of(problems.find(problem, "test"), settings)))
    options.set(key, value, "test");
  for (const auto& [key, value] : given) options.set_text(key, value, "test");
  return options;
}

}  // namespace polystep
