// Where the data of a built-in problem come from, the same for all of them: the options source and data-seed.
#pragma once

#include <cstdint>
#include <string>

#include "polystep/task.hpp"

namespace polystep {

void add_source_options(OptionTable& table);

// Replaces source = auto by published, where the data are found and no data-seed was given, else by
// generated.
void settle_source(Options& options, const TaskContext& context);
void settle_source_where(Options& options, bool found);  // for other benchmarks than the classical ones

// Whether to read published data; throws InputError where they were asked for and not found.
bool wants_published(const std::string& problem, const Options& options, const TaskContext& context);

std::uint64_t data_seed(const Options& options);

}  // namespace polystep
