// Level and slope of predictions, set by what the decisions that follow really cost.
//
// Where predictions enter constraints, a fit that is right on average is not the cheapest: being wrong on one
// side costs more than on the other. Two numbers make up for it, p' = m + slope (p - m) + shift with m the
// mean prediction, found on a grid. Every row counts by its own cost under the fit as it is, so that no
// optimal decision is needed; neighbours on the grid are averaged, since costs jump where decisions change.
// A limit on infeasible decisions moves the level further, to the cheapest shift that keeps it: one fit
// serves every limit.
#pragma once

#include <span>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/fits/output_layer.hpp"
#include "polystep/counts.hpp"

namespace polystep {

struct LevelChoice {
  double slope = 1;
  double shift = 0;       // in the units given
  double cost = 0;        // mean, in units of the rows' own costs, so that 1 is the fit as it is
  double infeasible = 0;  // share of decisions
  SolveCounts solves;
};

class OutputLevel {
 public:
  // `predictions`: of all rows, those of each row together; `unit`: what a shift of 1 adds, [last units].
  OutputLevel(Evaluator& evaluator, const TiledRows& rows, std::span<const double> predictions,
              std::vector<double> unit);

  // The cheapest level and slope; `limit`: most decisions, as a share, that may be infeasible, 1: any.
  // `margin`: the shift, in units, that such a limit is looked for by.
  LevelChoice choose(double limit, double margin);

  OutputMap map(const LevelChoice& choice) const;  // of the predictor's last layer

 private:
  struct Figures {
    double cost;
    std::size_t infeasible;
  };
  const Figures& at(int slope, int shift);  // on the grid
  Figures measure(double slope, double shift);
  double smoothed(int slope, int shift);
  std::size_t unit_of(std::size_t entry) const;

  Evaluator& evaluator_;
  const TiledRows& rows_;
  std::span<const double> predictions_;
  std::vector<double> unit_;
  std::vector<double> centre_;              // [last units], mean prediction
  bool constant_ = true;                    // predictions are all alike, so that a slope means nothing
  std::vector<double> row_costs_;           // [rows], what each row's costs are counted in
  std::vector<std::vector<Figures>> grid_;  // [slopes × shifts]; not a number: not measured yet
  std::vector<double> moved_;
  SolveCounts solves_;
};

}  // namespace polystep
