#include <fmt/format.h>

#include "base/console.hpp"
#include "commands.hpp"
#include "polystep/method.hpp"
#include "runtime/run/options_page.hpp"

namespace polystep {

int options_command(const ProblemRegistry& problems) {
  std::vector<OptionsSection> sections;
  for (const ProblemEntry& problem : problems.entries())
    sections.push_back({"Problem " + problem.name, problem.help, problem.options});
  for (const MethodEntry& method : methods())
    sections.push_back({"Method " + method.name, method.help, method.options});
  print_out("{}", render_options_page(sections));
  return 0;
}

}  // namespace polystep
