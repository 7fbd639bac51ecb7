// Mixed-integer linear programmes in text files: MPS and the CPLEX LP format.
//
// Both readers are strict. What they cannot take as it stands, or what readers of this format do not agree
// on, is an InputError that names file, line and column; nothing is guessed or skipped.
//
// MPS: sections NAME, OBJSENSE, ROWS, COLUMNS (with integer markers), RHS, RANGES, BOUNDS and ENDATA. Fields
// are separated by blanks, which reads fixed-format files too unless their names contain blanks: those are
// read by position (MpsFields::kFixed). The first N row is the objective, others are left out.
// LP: objective, constraints (also ranges 2 <= x + y <= 8), bounds, general, binary, end.
// Neither: quadratic terms, SOS, semi-continuous variables, indicator and lazy constraints.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "solvers/milp/milp_model.hpp"

namespace polystep {

struct LinearModel {
  solvers::MilpModel milp;  // all columns and rows have names, unique among their kind
  double constant = 0;      // added to the objective
};

enum class MpsFields { kSeparated, kFixed };

// `name` stands for the file in messages.
LinearModel parse_mps(std::string_view text, const std::string& name,
                      MpsFields fields = MpsFields::kSeparated);
LinearModel parse_lp(std::string_view text, const std::string& name);

// By format: "mps", "fixed-mps" or "lp".
LinearModel parse_linear_model(std::string_view text, const std::string& name, const std::string& format);

}  // namespace polystep
