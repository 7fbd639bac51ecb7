// A task of one's own, from a TOML file and tables: `polystepor train my.toml`.
//
// A run keeps the text of the task file and a fingerprint of every file it names in its configuration, so
// that resuming or evaluating it can tell when one of them has changed.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "own/own_kind.hpp"
#include "own/own_predictor.hpp"
#include "own/own_tables.hpp"
#include "polystep/task.hpp"

namespace polystep {

inline constexpr const char* kOwnProblem = "own";

// What a task file says, all of it checked, nothing else read yet.
struct OwnTaskFile {
  std::string name;  // of the task, for reports
  DataSpec data;
  PredictorSpec predictor;
  RegretMetric metric = RegretMetric::kRelative;
  std::unique_ptr<OwnKind> kind;

  std::vector<std::string> files() const;  // everything it names
};

// `file` stands for the file in messages.
OwnTaskFile parse_own_task(std::string_view toml, const std::string& file,
                           const std::vector<OwnKindEntry>& kinds = own_kinds());

// Reads what the task file names; paths are relative to `folder`.
Task make_own_task(const OwnTaskFile& file, const std::filesystem::path& folder);

// Changes when any byte of the task file or of a file it names does.
std::string own_fingerprint(std::string_view toml, const OwnTaskFile& file,
                            const std::filesystem::path& folder);

// The registry's line: problem "own" with the options that remember the task.
ProblemEntry own_entry(const std::vector<OwnKindEntry>& kinds = own_kinds());

}  // namespace polystep
