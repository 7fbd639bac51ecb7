// A network on reduced inputs trained by realised costs alone: no true parameter is looked at.
//
// It starts from the constant prediction whose decisions cost least. From there on probes of predictions tell
// which way each row's prediction should move (prediction_probes.hpp): antithetic Gaussian pairs whose
// deviation falls linearly, pulled back to the parameters, and Adam at a rate that falls to 0; the result is
// the mean of the last steps. A row counts by its cost under the constant. Lengths are in units of that
// constant, so that nothing depends on the units of the data.
#pragma once

#include <memory>
#include <vector>

#include "methods/constraints/charged_task.hpp"
#include "methods/gradient/adam.hpp"
#include "methods/polystepor/small_training.hpp"
#include "methods/probes/prediction_probes.hpp"
#include "polystep/options.hpp"

namespace polystep {

struct CostTrainingSettings {
  std::size_t steps = 3300;
  std::size_t batch = 32;     // rows per step
  std::size_t samples = 8;    // pairs per row and step
  double rate = 0.02;         // Adam's first
  double final_rate = 0;      // share of it at the end
  double noise = 3;           // deviation of the first probes, in 25ths of the constant
  double final_noise = 0.4;   // share of it at the end
  double average_last = 0.1;  // share of the steps, the last ones, whose parameters are averaged
  std::uint64_t seed = 0;
};

class CostTraining final : public SmallTraining {
 public:
  // All must outlive this. The predictor ends in an affine layer and has no fixed output units.
  CostTraining(Evaluator& evaluator, const Predictor& small, const Split& training, const Split& validation,
               const CostTrainingSettings& settings, Preparation& preparation);

  std::size_t steps() const override { return settings_.steps; }
  void step(LearnerReport& report) override;
  std::vector<double> parameters() const override;
  std::vector<double> unit() const override;
  void save(ArchiveWriter& archive) const override;
  void load(ArchiveReader& archive) override;

 private:
  void find_constant(Evaluator& evaluator, const TiledRows& rows, Preparation& preparation);
  void draw_minibatch();

  const Predictor& small_;
  CostTrainingSettings settings_;
  double level_ = 0;          // the constant
  SolveCounts setup_solves_;  // reported with the first step
  PreparedData data_;
  std::unique_ptr<ChargedTask> charged_;
  std::unique_ptr<Evaluator> evaluator_;
  std::unique_ptr<PredictionProbes> probes_;
  std::vector<double> theta_;
  Adam adam_;
  std::size_t step_ = 0, averaged_ = 0;
  std::vector<double> sum_;
  TiledRows minibatch_;
  SmoothedGradient gradient_;
};

}  // namespace polystep
