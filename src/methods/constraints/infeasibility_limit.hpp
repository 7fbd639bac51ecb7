// Lowest realised cost while at most a given share of decisions is infeasible before recourse.
//
// Two things work together. While training, an infeasible decision pays a price on top of its cost; the price
// is read off the training rows, as what a margin costs per share of infeasible decisions that it avoids,
// just where the limit is met. So training spends safety where it is cheapest. Before parameters are judged
// or handed over, their margin is set on the validation rows, which nothing was trained on, so that the limit
// holds there: what the price leaves open, the margin closes.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "methods/constraints/charged_task.hpp"
#include "polystep/options.hpp"

namespace polystep {

// What decisions come to with some margin.
struct MarginFigures {
  double cost = 0;             // mean, without any price
  std::size_t infeasible = 0;  // decisions
  std::size_t rows = 1;

  double share() const { return static_cast<double>(infeasible) / static_cast<double>(rows); }

  // A margin set on n rows so that k of them are infeasible leaves a fresh row infeasible with probability
  // (k + 1) / (n + 1); this is what must stay within the limit. No infeasible row at all is always good
  // enough: the rows could not show more.
  bool within(double limit) const {
    return infeasible == 0 || static_cast<double>(infeasible + 1) <= limit * static_cast<double>(rows + 1);
  }

  // What parameters are compared by: their cost within the limit; beyond it, dearer than any cost, the fewer
  // infeasible decisions the better.
  double selection_cost(double limit) const {
    return within(limit) ? cost : std::numeric_limits<double>::max() * share();
  }
};

struct MarginChoice {
  double margin = 0;
  double price = 0;  // cost of avoiding infeasible decisions there; 0 where the limit does not bind
  MarginFigures figures;
};

// The cheapest margin whose infeasible decisions are within `limit`. Where no margin within reach
// meets it, the safest that was seen.
MarginChoice choose_margin(const std::function<MarginFigures(double margin)>& measure, double limit);

class InfeasibilityLimit {
 public:
  // `fit`: parameters whose residuals tell how large a margin of one deviation is.
  InfeasibilityLimit(double limit, ChargedTask& charged, Evaluator& evaluator, const PreparedData& data,
                     std::span<const double> fit);

  // Sets the price for the steps to come.
  void set_price(std::span<const double> theta);

  // The parameters with the margin that meets the limit on the validation rows.
  std::vector<double> apply(std::span<const double> theta);
  std::vector<double> apply_again(std::span<const double> theta) const;  // the margin of the last time

  // On validation rows, after apply.
  double selection_cost() const { return choice_.figures.selection_cost(limit_); }
  double infeasible() const { return choice_.figures.share(); }
  double margin() const { return choice_.margin; }
  SolveCounts take_solves();  // since the last time

  std::vector<double> state() const;  // price, margin and figures, [4]
  void restore(std::span<const double> state);

 private:
  MarginFigures measure(std::span<const double> theta, double margin, const TiledRows& rows);

  double limit_;
  ChargedTask& charged_;
  Evaluator& evaluator_;
  const Predictor& predictor_;
  TiledRows training_;
  TiledRows validation_;
  std::vector<double> deviations_;  // [outputs]
  MarginChoice choice_;
  SolveCounts solves_;
};

// The option max-infeasibility, 1 where any share is allowed, and the parts it asks for: both null where
// costs are charged as realised.
void add_charging_options(OptionTable& table);
void check_charging(const Task& task, const Options& options);  // throws where a limit is not admitted
std::unique_ptr<ChargedTask> make_charged_task(Evaluator& evaluator, PreparedData& data,
                                               const Options& options, Preparation& preparation);
std::unique_ptr<InfeasibilityLimit> make_infeasibility_limit(ChargedTask* charged, Evaluator& evaluator,
                                                             const PreparedData& data, const Options& options,
                                                             std::span<const double> fit);

}  // namespace polystep
