#include "optimizer/moving_options.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "polystep/error.hpp"

namespace polystep {

void check_moving_options(const MovingSpaceOptions& options, std::size_t parameters) {
  if (options.dimension == 0 || options.dimension > parameters)
    throw InputError(fmt::format("moving space: dimension is {}, expected 1 to the {} parameters there are",
                                 options.dimension, parameters));
  if (options.interval == 0) throw InputError("moving space: interval is 0, expected at least 1");
  if (options.history == 0) throw InputError("moving space: history is 0, expected at least 1");
  if (options.horizon == 0) throw InputError("moving space: horizon is 0, expected at least 1");
  for (const double share : {options.kept_start, options.kept_end})
    if (!(share >= 0 && share <= 1))
      throw InputError(fmt::format("moving space: kept share is {}, expected 0 to 1", share));
}

std::size_t directions_to_keep(const MovingSpaceOptions& options, std::size_t step, std::size_t remembered) {
  const double progress = std::min(1.0, static_cast<double>(step) / static_cast<double>(options.horizon));
  const double share = options.kept_start + progress * (options.kept_end - options.kept_start);
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(options.dimension));
  return std::min({remembered, std::max<std::size_t>(1, wanted), options.dimension});
}

}  // namespace polystep
