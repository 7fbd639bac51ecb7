// Cover cuts that can be trusted: CGL's generator, kept away from what it gets wrong.
//
// A cover is a set of binary columns that one row does not allow to be 1 together. CglKnapsackCover goes
// wrong twice:
//   - a cut may count columns that are fixed at 1, and those they exclude, as if they were free. With d fixed
//     at 1 and d + e ≤ 1, a row 5a + 5b + 5c + 2d + 2e ≤ 8 has led to a + b + c + d/4 + e/4 ≤ 1, which
//     forbids a = 1. Below branches that fix columns optima get lost: in 2 of 10 crowded scheduling models;
//   - where a solution fills a row to the last digit, rounding may turn a cut against it.
// So it is shown a relaxed copy of the model: fixed binary columns are free again, and rows are wider by more
// than sums round. What excludes no solution of the copy excludes none of the model.
#pragma once

#include <CglKnapsackCover.hpp>

namespace polystep::solvers {

class CoverCuts : public CglKnapsackCover {
 public:
  CglCutGenerator* clone() const override { return new CoverCuts(*this); }  // CBC owns the copy
  void generateCuts(const OsiSolverInterface& solver, OsiCuts& cuts, const CglTreeInfo info) override;
};

}  // namespace polystep::solvers
