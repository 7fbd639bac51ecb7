#include "runtime/plan/budget.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {

Budget parse_budget(std::string_view text, const std::string& where) {
  const auto refuse = [&](const char* expected) {
    return InputError(
        fmt::format("{}: found {}, expected {}", where, in_quotes(std::string(text)), expected));
  };
  const std::size_t equals = text.find('=');
  const std::string_view unit = text.substr(0, equals);
  if (equals == std::string_view::npos || (unit != "seconds" && unit != "solves"))
    throw refuse("seconds=NUMBER or solves=NUMBER");
  const std::string_view number = text.substr(equals + 1);
  Budget budget{unit == "seconds" ? BudgetUnit::kSeconds : BudgetUnit::kSolves, 0};
  const char* last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, budget.amount);
  if (error != std::errc() || end != last || !std::isfinite(budget.amount) || !(budget.amount > 0))
    throw refuse("a number above 0 behind the equals sign");
  return budget;
}

std::string to_text(const Budget& budget) {
  return fmt::format("{}={}", budget.unit == BudgetUnit::kSeconds ? "seconds" : "solves", budget.amount);
}

}  // namespace polystep
