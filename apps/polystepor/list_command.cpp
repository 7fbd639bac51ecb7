#include <fmt/format.h>

#include "base/console.hpp"
#include "commands.hpp"
#include "polystep/method.hpp"

namespace polystep {

int list_command(const ProblemRegistry& problems) {
  print_out("Problems\n");
  for (const ProblemEntry& problem : problems.entries())
    print_out("  {:<16} {}\n", problem.name, problem.help);
  print_out("\nMethods\n");
  for (const MethodEntry& method : methods()) print_out("  {:<16} {}\n", method.name, method.help);
  print_out("\nPresets\n");
  for (const MethodEntry& method : methods()) {
    bool is_default = true;
    for (const Preset& preset : method.presets) {
      print_out("  {:<16} {}: {}{}\n", preset.name, method.name, preset.help, is_default ? " (default)" : "");
      is_default = false;
    }
  }
  return 0;
}

}  // namespace polystep
