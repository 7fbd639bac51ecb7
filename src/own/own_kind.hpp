// A way to say what a decision is without writing code: one section of the task file each.
//
// The table in own_kinds.cpp lists them. Reading the sections is apart from making the problem, so that a
// task file is judged as a whole before any of its other files is opened.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "own/own_tables.hpp"
#include "own/task_section.hpp"
#include "polystep/problem.hpp"

namespace polystep {

struct OwnProblem {
  std::unique_ptr<Problem> problem;
  std::vector<std::size_t> truth_columns;  // of truth.csv, one per output of the problem, in its order
  std::vector<std::string> description;    // lines for people: what was read, what patterns matched
  // Optional: told the training rows once they are known, before anything is solved.
  std::function<void(const Split& training)> prepare = {};
};

class OwnKind {
 public:
  virtual ~OwnKind() = default;

  // What it reads besides the tables, relative to the task file's folder: a change of them is another task.
  virtual std::vector<std::string> files() const = 0;
  // What the file alone tells of the problem, for presets; nothing else is read for it.
  virtual ProblemFacts facts() const = 0;
  virtual OwnProblem make(const OwnTables& tables, const std::filesystem::path& folder) const = 0;
};

struct OwnKindEntry {
  std::string section;  // whose presence in the task file chooses this kind: "model", "solver"
  // Reads this section and whatever others belong to it; throws InputError.
  std::unique_ptr<OwnKind> (*read)(const TaskSection& root);
};

const std::vector<OwnKindEntry>& own_kinds();

}  // namespace polystep
