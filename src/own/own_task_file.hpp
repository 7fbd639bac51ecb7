// What a task file says, all of it checked before any other file is opened.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "own/own_kind.hpp"
#include "own/own_tables.hpp"
#include "own/predictor_spec.hpp"

namespace polystep {

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

}  // namespace polystep
