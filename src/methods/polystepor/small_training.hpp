// Ways to train a network on reduced inputs: by its targets, or by realised costs alone.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/fits/network_fit.hpp"
#include "methods/fits/output_layer.hpp"
#include "polystep/method.hpp"

namespace polystep {

class SmallTraining {
 public:
  virtual ~SmallTraining() = default;

  virtual std::size_t steps() const = 0;
  virtual void step(LearnerReport& report) = 0;
  virtual std::vector<double> parameters() const = 0;  // of the small predictor, as good as they are now
  virtual std::vector<double> unit() const = 0;        // a prediction's natural size of change, [last units]

  virtual void save(ArchiveWriter& archive) const = 0;
  virtual void load(ArchiveReader& archive) = 0;
};

// Least squares, finished; a step is an epoch. Where data prove nothing, the mean.
class FitTraining final : public SmallTraining {
 public:
  // `constant`: there is nothing to learn but the level.
  FitTraining(const Predictor& small, const Split& training, const Split& validation, Team& team,
              std::uint64_t seed, bool constant)
      : small_(small),
        units_(truth_units(small, training)),
        settings_{.seed = seed},
        fit_(small, training, validation, team, settings_),
        constant_(constant) {}

  std::size_t steps() const override { return constant_ ? 1 : settings_.epochs; }
  void step(LearnerReport& report) override {
    if (constant_) return;
    for (std::size_t update = 0; update < fit_.updates_per_epoch(); ++update) fit_.update();
    report.figures.emplace_back("unexplained", fit_.error());
    report.figures.emplace_back("best_unexplained", fit_.best_error());
  }
  std::vector<double> parameters() const override {
    return constant_ ? constant_parameters(small_, units_.mean) : fit_.best();
  }
  std::vector<double> unit() const override { return units_.deviation; }
  void save(ArchiveWriter& archive) const override { fit_.save(archive); }
  void load(ArchiveReader& archive) override { fit_.load(archive); }

 private:
  const Predictor& small_;
  OutputScaling units_;
  NetworkFitSettings settings_;
  NetworkFit fit_;
  bool constant_;
};

}  // namespace polystep
