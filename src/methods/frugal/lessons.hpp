// What a frugal training remembers of the answers to its questions, and learns from them without a solve.
//
// The learner asks, deals rows out to bags, mixes and judges (frugal_learner.hpp). What an answer teaches
// depends on where predictions enter: as the objective, remembered decisions can be chosen from
// (choice_lessons.hpp); as constraints, answers say what recourse costs (recourse_lessons.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "evaluation/row_layout.hpp"
#include "evaluation/tiled_rows.hpp"
#include "methods/frugal/question_plan.hpp"
#include "methods/frugal/unseen_predictions.hpp"
#include "polystep/archive.hpp"
#include "polystep/method.hpp"
#include "polystep/team.hpp"

namespace polystep {

// One way of training on what is remembered.
struct TrainingWay {
  double rate = 0;             // in units of the lessons' own
  bool by_references = false;  // towards the answers to the truth, where these are known
};

// What a decision came to for its row.
struct RealisedAnswer {
  double cost = 0;      // in the units of prepared rows; not a number: there is no decision
  double raw_cost = 0;  // in the data's own
};

class Lessons {
 public:
  virtual ~Lessons() = default;

  virtual std::vector<QuestionPass> plan(std::size_t calls) const = 0;

  // Called once, with the parameters that training starts from.
  virtual void begin(std::span<const double> start) = 0;
  // By which questions deviate from predictions: of every output, or one for all.
  virtual std::span<const double> noise() const = 0;
  // Likewise by which margins move them; empty: there are no margins.
  virtual std::span<const double> margin_unit() const { return {}; }
  virtual std::vector<double> with_margin(std::span<const double> theta, double margin) const {
    (void)margin;
    return {theta.begin(), theta.end()};
  }

  // Whether the decisions for the truth and for 2 × prediction − truth, which SPO+ wants and warns of, teach
  // more than those for noisy predictions.
  virtual bool wants_extremes() const { return false; }

  // Takes decisions for some rows; solved [rows] is 0 where there is none. A decision that cannot be carried
  // out is none either. References are answers to the truth.
  virtual std::vector<RealisedAnswer> remember(std::span<const std::size_t> rows, const RowLayout& places,
                                               std::span<const double> decisions,
                                               std::span<const double> solved, bool references,
                                               Team& team) = 0;
  // What a row's cost is divided by when it is compared with others.
  virtual double unit(std::size_t row) const {
    (void)row;
    return 1;
  }

  // Gets ready for a training, or for judging what was trained: `predictions` are what bags that never saw
  // them say of all rows now, and `number` counts trainings.
  virtual void study(const UnseenPredictions& unseen, std::span<const double> predictions, std::size_t number,
                     Team& team) = 0;
  // Ways of training to choose from; those known before stay where they are.
  virtual std::span<const TrainingWay> ways() const = 0;
  // That there may be one day, where the truth is asked for or is not.
  virtual std::size_t most_ways(bool at_truth) const {
    (void)at_truth;
    return ways().size();
  }
  // Parameters after training on some rows; trainings that are not the last only say where to ask next.
  virtual std::vector<double> train(const TiledRows& rows, const std::vector<double>& start,
                                    const TrainingWay& way, bool last) const = 0;
  // For timing a training before anything was asked: some rows get stand-ins for what `calls` answers each
  // would teach them.
  virtual void imagine_answers(std::span<const std::size_t> rows, double calls) {
    (void)rows;
    (void)calls;
  }
  // What a prediction would cost the row; not a number where nothing is known. From any thread.
  virtual double expected_cost(std::size_t row, std::span<const double> prediction) const = 0;

  virtual std::vector<std::pair<std::string, double>> figures() const = 0;
  virtual void save(ArchiveWriter& archive) const = 0;
  virtual void load(ArchiveReader& archive) = 0;
};

}  // namespace polystep
