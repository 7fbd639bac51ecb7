#include "methods/constraints/infeasibility_limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "methods/constraints/safety_margin.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kStride = 0.5;  // deviations between margins tried on the way to the limit
constexpr int kMostStrides = 40;
constexpr int kBisections = 8;
constexpr double kPriceWindow = 0.5;  // deviations to either side: rates of a few hundred rows are rough

// What a margin costs per share of infeasible decisions that it avoids, around the given one.
double price_around(const std::function<MarginFigures(double)>& measure, double margin, double direction) {
  const MarginFigures before = measure(margin - direction * kPriceWindow);
  const MarginFigures after = measure(margin + direction * kPriceWindow);
  const double avoided = before.share() - after.share();
  return avoided > 0 ? std::max(0.0, (after.cost - before.cost) / avoided) : 0;
}

}  // namespace

MarginChoice choose_margin(const std::function<MarginFigures(double)>& measure, double limit) {
  MarginChoice choice;
  choice.margin = best_margin([&](double margin) { return measure(margin).cost; });
  choice.figures = measure(choice.margin);
  if (choice.figures.within(limit)) return choice;
  // Which way is safe depends on what is predicted: more of a requirement or a weight, less of a capacity.
  const double start = choice.margin;
  const bool up_is_safer = measure(start + 2 * kStride).infeasible <= measure(start - 2 * kStride).infeasible;
  const double direction = up_is_safer ? 1 : -1;
  double unsafe = start;
  for (int k = 1; k <= kMostStrides; ++k) {
    const double margin = start + direction * k * kStride;
    const MarginFigures figures = measure(margin);
    if (figures.infeasible <= choice.figures.infeasible) choice = {margin, 0, figures};
    if (figures.within(limit)) break;
    unsafe = margin;
  }
  for (int k = 0; k < kBisections && choice.figures.within(limit); ++k) {
    const double middle = (unsafe + choice.margin) / 2;
    const MarginFigures figures = measure(middle);
    if (figures.within(limit))
      choice = {middle, 0, figures};
    else
      unsafe = middle;
  }
  choice.price = price_around(measure, choice.margin, direction);
  return choice;
}

InfeasibilityLimit::InfeasibilityLimit(double limit, ChargedTask& charged, Evaluator& evaluator,
                                       const PreparedData& data, std::span<const double> fit)
    : limit_(limit),
      charged_(charged),
      evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      training_(data.training),
      validation_(data.validation),
      deviations_(residual_deviations(predictor_, fit, charged.plain_training())) {}

MarginFigures InfeasibilityLimit::measure(std::span<const double> theta, double margin,
                                          const TiledRows& rows) {
  const Evaluation evaluation =
      evaluator_.evaluate(with_margin(predictor_, theta, deviations_, margin), rows);
  solves_ += evaluation.solves;
  MarginFigures figures{evaluation.mean_cost, evaluation.infeasible, rows.rows()};
  figures.cost -= charged_.price() * figures.share();
  return figures;
}

void InfeasibilityLimit::set_price(std::span<const double> theta) {
  const MarginChoice found =
      choose_margin([&](double margin) { return measure(theta, margin, training_); }, limit_);
  charged_.set_price(found.price);
}

std::vector<double> InfeasibilityLimit::apply(std::span<const double> theta) {
  choice_ = choose_margin([&](double margin) { return measure(theta, margin, validation_); }, limit_);
  return apply_again(theta);
}

std::vector<double> InfeasibilityLimit::apply_again(std::span<const double> theta) const {
  return with_margin(predictor_, theta, deviations_, choice_.margin);
}

SolveCounts InfeasibilityLimit::take_solves() { return std::exchange(solves_, {}); }

std::vector<double> InfeasibilityLimit::state() const {
  return {charged_.price(), choice_.margin, choice_.figures.cost,
          static_cast<double>(choice_.figures.infeasible)};
}

void InfeasibilityLimit::restore(std::span<const double> state) {
  charged_.set_price(state[0]);
  choice_.margin = state[1];
  choice_.figures.cost = state[2];
  choice_.figures.infeasible = static_cast<std::size_t>(state[3]);
  choice_.figures.rows = validation_.rows();
  solves_ = {};
}

void add_charging_options(OptionTable& table) {
  add_relative_cost_options(table);
  table.number("max-infeasibility", 1.0, 0.0, 1.0,
               "most decisions, as a share of validation rows, that may be infeasible before recourse");
}

void check_charging(const Task& task, const Options& options) {
  const double limit = options.number("max-infeasibility");
  if (limit < 1 && !task.problem->facts().has_recourse)
    throw InputError(fmt::format(
        "max-infeasibility is {}, but no decision of this problem can turn out infeasible, expected 1",
        limit));
  if (limit < 1 && !has_output_biases(*task.predictor))
    throw InputError(fmt::format(
        "max-infeasibility is {}, but the predictor has no bias per output to put a margin on, expected 1",
        limit));
}

std::unique_ptr<ChargedTask> make_charged_task(Evaluator& evaluator, PreparedData& data,
                                               const Options& options, Preparation& preparation) {
  const bool relative = wants_relative_costs(evaluator, options);
  const ProblemFacts facts = evaluator.task().problem->facts();
  const bool limited = options.number("max-infeasibility") < 1;
  if (!(facts.has_recourse || facts.predicts_constraints) || !(relative || limited)) return nullptr;
  return std::make_unique<ChargedTask>(evaluator, data, relative, preparation);
}

std::unique_ptr<InfeasibilityLimit> make_infeasibility_limit(ChargedTask* charged, Evaluator& evaluator,
                                                             const PreparedData& data, const Options& options,
                                                             std::span<const double> fit) {
  const double limit = options.number("max-infeasibility");
  if (charged == nullptr || limit == 1) return nullptr;
  return std::make_unique<InfeasibilityLimit>(limit, *charged, evaluator, data, fit);
}

}  // namespace polystep
