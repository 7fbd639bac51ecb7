// The calendar of the generated electricity market: 789 consecutive days from 1 November 2011, a Tuesday.
#pragma once

#include <cstddef>

namespace polystep {

struct CalendarDay {
  bool holiday = false;
  int day_of_week = 0;   // Monday is 0
  int week_of_year = 0;  // ISO 8601
  int month = 0;         // 1 to 12
  double winter = 0;     // the season as a cosine: 1 in mid-January, -1 in mid-July
};

CalendarDay market_day(std::size_t day);

}  // namespace polystep
