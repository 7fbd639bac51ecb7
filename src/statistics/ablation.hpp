// What a part is worth: runs without it against the same seeds with it.
#pragma once

#include <string>
#include <vector>

#include "statistics/run_record.hpp"

namespace polystep {

struct AblationCell {
  std::size_t pairs = 0;  // seeds that both have; 0: nothing to compare
  double mean = 0;
  double deviation = 0;   // population, over seeds
  double difference = 0;  // mean regret less that of the whole
  double wilcoxon = 1;
  bool judged = true;  // false: too many failed solves on either side for a test
};

struct AblationRow {
  std::string preset;               // "best without bags"
  std::vector<AblationCell> cells;  // one per setting
  double core_seconds = 0;          // mean per run
  double most_failed = 0;           // largest share of failed test rows of a run, see failed_share
};

struct AblationTable {
  std::string problem;
  std::vector<std::string> settings;
  std::vector<AblationRow> rows;  // the whole first, then in the order of the runs
};

// One table per problem. Presets other than `whole` are compared with it, seed by seed.
std::vector<AblationTable> tabulate_ablation(const std::vector<RunRecord>& runs, const std::string& whole);

}  // namespace polystep
