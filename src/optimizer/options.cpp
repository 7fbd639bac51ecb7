#include <fmt/core.h>

#include <cmath>

#include "polystep/error.hpp"
#include "polystep/optimizer_options.hpp"

namespace polystep {
namespace {

void require(bool fine, std::string_view name, double found, std::string_view expected) {
  if (!fine) throw InputError(fmt::format("{}: found {}, expected {}", name, found, expected));
}

// Schedules lie between their two ends, so checking the ends is enough.
template <class Accept>
void require_schedule(const Schedule& schedule, std::string_view name, std::string_view expected,
                      Accept accept) {
  check_schedule(schedule, name);
  require(accept(schedule.start), name, schedule.start, expected);
  if (schedule.kind != ScheduleKind::kConstant) require(accept(schedule.end), name, schedule.end, expected);
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

}  // namespace

void check_options(const PolyStepOptions& o) {
  require(o.block_size >= 1, "block size", static_cast<double>(o.block_size), "at least 1");
  require(o.radii >= 1, "radii", static_cast<double>(o.radii), "at least 1");
  require(o.top_count >= 1, "top count", static_cast<double>(o.top_count), "at least 1");
  require(o.radius_jitter >= 0 && o.radius_jitter < 1, "radius jitter", o.radius_jitter,
          "0 or more, below 1");
  require(positive(o.fixed_scale), "fixed scale", o.fixed_scale, "a finite number above 0");
  require(positive(o.fixed_temperature), "fixed temperature", o.fixed_temperature, "a finite number above 0");
  require(positive(o.velocity_gain), "velocity gain", o.velocity_gain, "a finite number above 0");
  require(o.column_penalty >= 0 && std::isfinite(o.column_penalty), "column penalty", o.column_penalty,
          "a finite number, 0 or more");
  require(o.sinkhorn.max_iterations >= 1, "sinkhorn iterations",
          static_cast<double>(o.sinkhorn.max_iterations), "at least 1");
  require(o.sinkhorn.check_every >= 1, "sinkhorn check interval", static_cast<double>(o.sinkhorn.check_every),
          "at least 1");
  require_schedule(o.temperature, "temperature", "a number above 0", [](double x) { return x > 0; });
  require_schedule(o.probe_radius, "probe radius", "a number above 0", [](double x) { return x > 0; });
  require_schedule(o.step_length, "step length", "0 or more", [](double x) { return x >= 0; });
  require_schedule(o.momentum, "momentum", "0 or more, below 1", [](double x) { return x >= 0 && x < 1; });
}

}  // namespace polystep
