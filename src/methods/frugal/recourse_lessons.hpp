// Lessons where predictions enter constraints that the problem shows as rows with a known objective: what an
// answer cost beyond the objective says what recourse costs.
//
// Who knows the rows knows roughly what the solver will decide (relaxed_decision.hpp), and who knows a price
// on what reality then lacks or leaves (recourse_prices.hpp) knows roughly what that will cost: for any
// prediction, with a gradient, and without a call. A few answers per row are enough to read the prices off;
// they are read anew where training has come to. The other calls judge.
#pragma once

#include "evaluation/evaluator.hpp"
#include "methods/frugal/lessons.hpp"
#include "methods/frugal/recourse_prices.hpp"
#include "methods/frugal/relaxed_decision.hpp"
#include "polystep/predicted_rows.hpp"
#include "polystep/task.hpp"

namespace polystep {

class RecourseLessons final : public Lessons {
 public:
  // Whether the problem shows rows and objective, and the data a true parameter for every output. Networks
  // are left to probes: a hundred steps on all rows take them long.
  static bool serve(const Task& task);

  // `rows` are those for training and then those for validation.
  RecourseLessons(const LearnerContext& context, const Split& rows);

  std::vector<QuestionPass> plan(std::size_t calls) const override;
  void begin(std::span<const double> start) override;
  std::span<const double> noise() const override { return deviations_; }
  std::span<const double> margin_unit() const override { return deviations_; }
  std::vector<double> with_margin(std::span<const double> theta, double margin) const override;
  std::vector<RealisedAnswer> remember(std::span<const std::size_t> rows, const RowLayout& places,
                                       std::span<const double> decisions, std::span<const double> solved,
                                       bool references, Team& team) override;
  double unit(std::size_t row) const override { return units_[row]; }
  void study(const UnseenPredictions& unseen, std::span<const double> predictions, std::size_t number,
             Team& team) override;
  std::span<const TrainingWay> ways() const override;
  std::vector<double> train(const TiledRows& rows, const std::vector<double>& start, const TrainingWay& way,
                            bool last) const override;
  double expected_cost(std::size_t row, std::span<const double> prediction) const override;
  // The same, and adds its gradient by the prediction.
  double expected_cost(std::size_t row, std::span<const double> prediction, std::span<double> gradient) const;
  std::vector<std::pair<std::string, double>> figures() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  class Loss;

  double temperature(double share_of_training) const;
  void value_rows(Team& team);
  void read_prices();
  std::span<const double> worth(std::size_t row) const {
    return std::span(worth_).subspan(row * shown_.rows(), shown_.rows());
  }

  const Task& task_;
  const Predictor& predictor_;
  const PredictedRows& shown_;
  const Split& rows_;
  std::vector<double> deviations_;       // [outputs], of the start's residuals, in units of predictions
  std::vector<double> bias_deviations_;  // [outputs], in units of the biases

  // Answers, one after the other: what was decided is not kept, only what it came to.
  std::vector<std::uint32_t> row_;              // [answers]
  std::vector<double> known_cost_, real_cost_;  // [answers], of the objective and in reality
  std::vector<double> excess_;                  // [answers × rows shown], under the true parameters
  std::vector<double> use_;                     // [variables], of all decisions, added up

  // What is made of them by `study`.
  std::vector<double> usual_;  // [variables]
  std::vector<double> worth_;  // [rows × rows shown], prices of the rows under the true parameters
  std::vector<double> units_;  // [rows]
  double size_ = 1;            // of the objective of decisions
  double charge_ = 0;          // for a row without a decision, in its unit
  RecoursePrices prices_;
};

}  // namespace polystep
