// Finished runs read back from wherever they were left, as lines that can be compared.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "polystep/train.hpp"
#include "statistics/run_record.hpp"

namespace polystep {

// The line of a run that was just trained. `seconds_total` includes what was neither training nor testing.
RunRecord record_of(const std::string& problem, const Task& task, const std::string& method,
                    const std::string& preset, std::uint64_t seed, const TrainingResult& result,
                    double seconds_total);

struct FinishedRuns {
  std::vector<RunRecord> runs;
  std::vector<std::string> notes;  // what was left out, one sentence each
};

// A run directory, a directory with results.csv, a results.csv or a result.json. Anything else is an
// InputError.
FinishedRuns load_finished_runs(const std::filesystem::path& place);

}  // namespace polystep
