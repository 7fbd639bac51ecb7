// What a user is ready to spend on a run, in the user's own words: "seconds=60" or "solves=1e6".
//
// Seconds are those of the whole run on this machine, solves all solver calls that result.json counts as
// requested.
#pragma once

#include <string>
#include <string_view>

namespace polystep {

enum class BudgetUnit { kSeconds, kSolves };

struct Budget {
  BudgetUnit unit = BudgetUnit::kSeconds;
  double amount = 0;  // above 0
};

// `where` ("--budget", "run.toml line 3") starts the InputError about a text that is no budget.
Budget parse_budget(std::string_view text, const std::string& where);

std::string to_text(const Budget& budget);  // parse_budget reads it back

}  // namespace polystep
