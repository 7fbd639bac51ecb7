// Training for `fit = finished` of method mse: the least-squares fit of a network, taken to its end.
//
// Inputs are centred and scaled, the output starts at the mean, and validation rows choose rate and epochs:
// from the same start the network is trained at one rate after the other, each a tenth of the one before and
// each until its validation error has stopped falling, and the best epoch of all is the result. It takes the
// data's own features, as any other model of the same shape.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "evaluation/evaluator.hpp"
#include "methods/fits/network_fit.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"

namespace polystep {

class FinishedLearner final : public Learner {
 public:
  // Reads rate, rates, epochs, batch, input-size and stall.
  explicit FinishedLearner(const LearnerContext& context);

  TrainingPlan plan() const override;
  LearnerReport step() override;
  std::span<const double> parameters() const override { return folded_; }
  std::optional<double> selection_cost() override { return error_; }
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  std::size_t updates_per_rate() const { return settings_.epochs * fit_->updates_per_epoch(); }
  double rate_of(std::uint64_t update) const;
  void begin_rate(double rate);
  void hand_over();  // what the fit has now

  const Task& task_;
  Team& team_;
  PreparedData data_;
  NetworkFitSettings settings_;
  std::size_t rates_;
  std::unique_ptr<NetworkFit> fit_;  // at the rate under way
  std::uint64_t update_ = 0;         // of all rates together
  std::optional<double> error_;      // of what is handed over, on validation rows; see NetworkFit
  std::vector<double> folded_;
};

}  // namespace polystep
