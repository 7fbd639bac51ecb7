#include <fmt/format.h>

#include "commands.hpp"
#include "polystep/method.hpp"

namespace polystep {

int list_command(const ProblemRegistry& problems) {
  fmt::print("Problems\n");
  for (const ProblemEntry& problem : problems.entries())
    fmt::print("  {:<16} {}\n", problem.name, problem.help);
  fmt::print("\nMethods\n");
  for (const MethodEntry& method : methods()) fmt::print("  {:<16} {}\n", method.name, method.help);
  fmt::print("\nPresets\n");
  for (const MethodEntry& method : methods()) {
    bool is_default = true;
    for (const Preset& preset : method.presets) {
      fmt::print("  {:<16} {}: {}{}\n", preset.name, method.name, preset.help,
                 is_default ? " (default)" : "");
      is_default = false;
    }
  }
  return 0;
}

}  // namespace polystep
