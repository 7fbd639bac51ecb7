// Lessons where predictions are the objective: remembered decisions stay feasible, and a row chooses among
// its own and, where feasible sets are known, those of others.
#pragma once

#include "methods/frugal/lessons.hpp"
#include "methods/frugal/remembered_decisions.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/task.hpp"

namespace polystep {

class ChoiceLessons final : public Lessons {
 public:
  static bool serve(const Task& task);

  // `rows` are prepared, those for training and then those for validation.
  ChoiceLessons(const LearnerContext& context, const PreparedData& data, const Split& rows);

  std::vector<QuestionPass> plan(std::size_t calls) const override;
  void begin(std::span<const double> start) override;
  std::span<const double> noise() const override { return std::span(&prediction_unit_, 1); }
  bool wants_extremes() const override;
  std::vector<RealisedAnswer> remember(std::span<const std::size_t> rows, const RowLayout& places,
                                       std::span<const double> decisions, std::span<const double> solved,
                                       bool references, Team& team) override;
  void study(const UnseenPredictions& unseen, std::span<const double> predictions, std::size_t number,
             Team& team) override;
  std::span<const TrainingWay> ways() const override;
  std::size_t most_ways(bool at_truth) const override;
  void imagine_answers(std::span<const std::size_t> rows, double calls) override;
  std::vector<double> train(const TiledRows& rows, const std::vector<double>& start, const TrainingWay& way,
                            bool last) const override;
  double expected_cost(std::size_t row, std::span<const double> prediction) const override;
  std::vector<std::pair<std::string, double>> figures() const override;
  void save(ArchiveWriter& archive) const override { decisions_.save(archive); }
  void load(ArchiveReader& archive) override { decisions_.load(archive); }

 private:
  const Task& task_;
  const Predictor& predictor_;
  const Split& rows_;
  std::uint64_t seed_;
  bool shares_;
  bool asks_truth_;
  bool scale_free_;
  bool smooth_;  // decisions move with every prediction, and none comes back
  bool binary_;
  RememberedDecisions decisions_;
  double prediction_unit_ = 1;  // that noise is a multiple of
  double parameter_unit_ = 1;   // that the rate is a multiple of
  double entry_unit_ = 1;       // that temperatures are a multiple of besides
};

}  // namespace polystep
