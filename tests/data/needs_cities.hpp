// For tests on the published cities.
#pragma once

#include <gtest/gtest.h>

#include "data/data_directory.hpp"

#define POLYSTEP_NEEDS_CITIES()                                   \
  if (!polystep::holds_districting_data(find_data_directory(""))) \
  GTEST_SKIP() << "skipped: needs data, see docs/data.md"
