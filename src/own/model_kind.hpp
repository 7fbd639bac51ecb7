// The way to bring a problem as a model file: section [model] and those of model_spec.hpp.
#pragma once

#include <memory>

#include "own/model_problem.hpp"
#include "own/own_kind.hpp"

namespace polystep {

std::unique_ptr<OwnKind> read_model_kind(const TaskSection& root);

// Everything but the split: reads the model file and matches every pattern.
ModelSetup make_model_setup(const ModelSpec& spec, const OwnTables& tables,
                            const std::filesystem::path& folder);

}  // namespace polystep
