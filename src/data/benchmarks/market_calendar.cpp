#include "data/benchmarks/market_calendar.hpp"

#include <chrono>
#include <cmath>
#include <numbers>

namespace polystep {
namespace {

using namespace std::chrono;

int days_since_new_year(sys_days date) {
  const year_month_day parts(date);
  return static_cast<int>((date - sys_days(parts.year() / January / 1)).count());
}

// A week belongs to the year of its Thursday.
int iso_week(sys_days date) {
  const auto monday_based = static_cast<int>(weekday(date).iso_encoding()) - 1;
  return days_since_new_year(date + days(3 - monday_based)) / 7 + 1;
}

// Bank holidays of the island that fall on a fixed date or a fixed Monday; Easter is left out.
bool is_holiday(sys_days date) {
  const year_month_day parts(date);
  const year year = parts.year();
  const sys_days holidays[] = {year / January / 1,
                               year / March / 17,
                               year / May / Monday[1],
                               year / May / Monday[last],
                               year / June / Monday[1],
                               year / July / 12,
                               year / August / Monday[1],
                               year / August / Monday[last],
                               year / October / Monday[last],
                               year / December / 25,
                               year / December / 26};
  for (const sys_days holiday : holidays) {
    if (date == holiday) return true;
  }
  return false;
}

}  // namespace

CalendarDay market_day(std::size_t day) {
  const sys_days date = sys_days(2011y / November / 1) + days(static_cast<int>(day));
  CalendarDay result;
  result.holiday = is_holiday(date);
  result.day_of_week = static_cast<int>(weekday(date).iso_encoding()) - 1;
  result.week_of_year = iso_week(date);
  result.month = static_cast<int>(static_cast<unsigned>(year_month_day(date).month()));
  result.winter = std::cos(2 * std::numbers::pi * (days_since_new_year(date) - 14) / 365.25);
  return result;
}

}  // namespace polystep
