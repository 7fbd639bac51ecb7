// Probes in prediction space that credit the parts of decisions that were used, not the noise that was added.
//
// Every prediction p is moved by Gaussian noise in antithetic pairs, as in prediction_probes.hpp. Let z_s be
// the decisions of a row's n probes, c_s what they really cost, C the mean of |c_s|, sigma the deviation of
// the noise and m = +1 to minimise, -1 to maximise prediction . decision. The gradient with respect to output
// e is
//
//   -m (100 / C) sum_s (c_s - mean c) (z_se - mean z_e) / ((n - 1) sigma):
//
// the score function of the exponential family of decisions, with the probes as its sample. It is biased for
// Gaussian noise, but far less noisy than weighting the noise. Costs count in per cent of the row's own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "methods/probes/prediction_probes.hpp"
#include "methods/probes/tile_gradients.hpp"

namespace polystep {

// Throws InputError where the problem does not optimise predictions, a component of the decision each;
// `method` names who asks.
void check_covariance(const Task& task, const std::string& method);

class CovarianceProbes final : public OutputProbes {
 public:
  // `samples`: pairs per instance. `sense`: of the problem itself, 1 to minimise, -1 to maximise.
  CovarianceProbes(Evaluator& evaluator, std::size_t samples, double sense, std::uint64_t seed);

  void evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step, double noise,
                SmoothedGradient& result) override;

 private:
  struct Workspace {                // of one thread
    AlignedDoubles prediction;      // [outputs × width]
    std::vector<double> probes;     // [probes × outputs]
    std::vector<double> decisions;  // likewise
    std::vector<SolveStatus> statuses;
    std::vector<double> costs;  // [probes]
    std::vector<double> truth;
    std::vector<double> mean;  // of decisions, [outputs]
  };
  struct Lane {
    const Tile& tile;
    std::size_t number;  // of the tile
    std::size_t lane;
    std::size_t outputs;
  };

  void draw_probes(const Lane& at, std::size_t step, double noise, Workspace& work) const;
  void decide_probes(const Lane& at, Workspace& work);
  void add_covariance(const Lane& at, double noise, double share, Workspace& work);
  double unit(std::size_t output) const { return units_ == nullptr ? 1 : units_->deviation_of(output); }

  Evaluator& evaluator_;
  const Predictor& predictor_;
  const Problem& problem_;
  std::size_t samples_;
  double sense_;
  std::uint64_t seed_;
  const OutputScaling* units_;  // the predictor's fixed units, where it has any
  TileGradients gradients_;
  std::vector<Workspace> workspaces_;  // one per worker
  std::vector<PairCounts> counts_;     // [tiles]
};

}  // namespace polystep
