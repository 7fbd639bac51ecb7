// metrics.jsonl read back: what every step of a run came to.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "statistics/diagnosis.hpp"

namespace polystep {

// A line that is not a step's JSON object is an InputError naming file and line.
std::vector<StepMetrics> read_metrics(const std::filesystem::path& path);
std::vector<StepMetrics> parse_metrics(std::string_view text, const std::string& name);

}  // namespace polystep
