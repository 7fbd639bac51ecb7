// Frugal training where remembered decisions cannot be chosen from, because predictions enter constraints or
// the objective is not linear in them: probes of predictions (method polystepor-output), as many as the calls
// per training row allow.
//
// What a decision costs after recourse is known only for the prediction that led to it, so every probe is a
// solve; the reference costs that rows are measured in, and the search for a margin, are left out where there
// is no room for them.
#pragma once

#include <memory>

#include "methods/polystepor/output_learner.hpp"
#include "polystep/method.hpp"

namespace polystep {

class FrugalOutputLearner final : public Learner {
 public:
  explicit FrugalOutputLearner(const LearnerContext& context);

  void prepare(Preparation& preparation) override { inner_->prepare(preparation); }
  std::optional<CountedCalls> counted() const override { return inner_->counted(); }
  TrainingPlan plan() const override { return inner_->plan(); }
  LearnerReport step() override { return inner_->step(); }
  std::span<const double> parameters() const override { return inner_->parameters(); }
  std::optional<double> selection_cost() override { return inner_->selection_cost(); }
  std::optional<double> trained_share() const override { return inner_->trained_share(); }
  void save(ArchiveWriter& archive) const override { inner_->save(archive); }
  void load(ArchiveReader& archive) override { inner_->load(archive); }

 private:
  Options options_;  // of polystepor-output; the learner refers to it
  std::unique_ptr<OutputLearner> inner_;
};

}  // namespace polystep
