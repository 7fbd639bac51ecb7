#include "polystep/schedule.hpp"

#include <fmt/core.h>

#include <cmath>
#include <numbers>

#include "polystep/error.hpp"

namespace polystep {

double Schedule::value(std::size_t t) const {
  if (kind == ScheduleKind::kConstant) return start;
  if (t >= horizon) return end;
  const double progress = static_cast<double>(t) / static_cast<double>(horizon);
  if (kind == ScheduleKind::kLinear) return start + (end - start) * progress;
  return end + 0.5 * (start - end) * (1.0 + std::cos(std::numbers::pi * progress));
}

void check_schedule(const Schedule& schedule, std::string_view name) {
  if (!std::isfinite(schedule.start))
    throw InputError(fmt::format("{}: start is {}, expected a finite number", name, schedule.start));
  if (schedule.kind == ScheduleKind::kConstant) return;
  if (!std::isfinite(schedule.end))
    throw InputError(fmt::format("{}: end is {}, expected a finite number", name, schedule.end));
  if (schedule.horizon == 0)
    throw InputError(
        fmt::format("{}: horizon is 0, expected the number of steps until the end is reached", name));
}

}  // namespace polystep
