#include "methods/probes/covariance_probes.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kPerCent = 100;

}  // namespace

void check_covariance(const Task& task, const std::string& method) {
  if (!task.problem->facts().optimises_prediction)
    throw InputError(
        method +
        ": estimator is covariance, but the problem does not optimise prediction times decision, "
        "expected noise");
  for (const Split* split : {&task.data.training})
    for (std::size_t row = 0; row < split->rows; ++row)
      if (task.problem->decision_size(split->instance(row)) != task.problem->outputs(split->instance(row)))
        throw InputError(method +
                         ": estimator is covariance, but decisions have not one component per predicted "
                         "parameter, expected noise");
}

CovarianceProbes::CovarianceProbes(Evaluator& evaluator, std::size_t samples, double sense,
                                   std::uint64_t seed)
    : evaluator_(evaluator),
      predictor_(*evaluator.task().predictor),
      problem_(*evaluator.task().problem),
      samples_(samples),
      sense_(sense),
      seed_(seed),
      units_(predictor_.output_scaling()),
      gradients_(evaluator),
      workspaces_(evaluator.team().threads()) {}

void CovarianceProbes::evaluate(std::span<const double> theta, const TiledRows& rows, std::size_t step,
                                double noise, SmoothedGradient& result) {
  gradients_.start(rows);
  counts_.assign(rows.tiles(), {});
  const double share = 1 / static_cast<double>(rows.rows());
  evaluator_.team().for_each(rows.tiles(), [&](std::size_t number, std::size_t worker) {
    Workspace& work = workspaces_[worker];
    const Tile& tile = rows.tile(number);
    const std::size_t outputs = gradients_.size(number) / tile.width;
    work.prediction.resize(gradients_.size(number));
    predictor_.predict(theta, tile, work.prediction.data());
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const Lane at{tile, number, lane, outputs};
      draw_probes(at, step, noise, work);
      decide_probes(at, work);
      add_covariance(at, noise, share, work);
    }
  });
  gradients_.pull_back(theta, rows, result.gradient);
  result.count(rows.rows() * samples_, counts_);
}

// Pair after pair: the side above, then the one below.
void CovarianceProbes::draw_probes(const Lane& at, std::size_t step, double noise, Workspace& work) const {
  RandomStream stream(seed_, Purpose::kPerturbation, step, at.number * at.tile.width + at.lane);
  work.probes.resize(2 * samples_ * at.outputs);
  for (std::size_t sample = 0; sample < samples_; ++sample) {
    double* above = work.probes.data() + 2 * sample * at.outputs;
    double* below = above + at.outputs;
    for (std::size_t o = 0; o < at.outputs; ++o) {
      const double prediction = work.prediction[o * at.tile.width + at.lane];
      const double move = noise * stream.normal() * unit(o);
      above[o] = prediction + move;
      below[o] = prediction - move;
    }
  }
}

void CovarianceProbes::decide_probes(const Lane& at, Workspace& work) {
  const std::size_t instance = at.tile.instance[at.lane], probes = 2 * samples_;
  work.decisions.assign(probes * at.outputs, 0.0);
  work.statuses.assign(probes, SolveStatus::kSolved);
  problem_.decide_several(work.probes, instance, work.decisions, work.statuses);
  work.truth.resize(at.tile.shape.truth);
  for (std::size_t k = 0; k < work.truth.size(); ++k)
    work.truth[k] = at.tile.truth[k * at.tile.width + at.lane];
  work.costs.assign(probes, evaluator_.failure_cost(instance));
  PairCounts& counts = counts_[at.number];
  for (std::size_t probe = 0; probe < probes; ++probe) {
    SolveStatus& status = work.statuses[probe];
    if (status == SolveStatus::kSolved) try {
        const auto decision = std::span(work.decisions).subspan(probe * at.outputs, at.outputs);
        const double cost = problem_.realise(decision, work.truth, instance).cost;
        if (std::isfinite(cost))
          work.costs[probe] = cost;
        else
          status = SolveStatus::kFailed;
      } catch (const std::exception&) {
        status = SolveStatus::kFailed;
      }
    counts.cost += work.costs[probe];
    counts.failed += status != SolveStatus::kSolved;
  }
  for (std::size_t probe = 0; probe < probes; probe += 2) {
    const auto above = work.decisions.begin() + static_cast<std::ptrdiff_t>(probe * at.outputs);
    const auto below = above + static_cast<std::ptrdiff_t>(at.outputs);
    const bool solved = work.statuses[probe] == SolveStatus::kSolved;
    const bool both = solved && work.statuses[probe + 1] == SolveStatus::kSolved;
    counts.flips += both ? !std::equal(above, below, below)
                         : solved != (work.statuses[probe + 1] == SolveStatus::kSolved);
  }
}

// Probes that failed have no decision to credit. Where all others cost the same there is nothing to learn,
// and rounding must not look as if there were.
void CovarianceProbes::add_covariance(const Lane& at, double noise, double share, Workspace& work) {
  double sum = 0, magnitude = 0, solved = 0, lowest = INFINITY, highest = -INFINITY;
  work.mean.assign(at.outputs, 0.0);
  for (std::size_t probe = 0; probe < work.costs.size(); ++probe) {
    if (work.statuses[probe] != SolveStatus::kSolved) continue;
    const double cost = work.costs[probe];
    sum += cost;
    magnitude += std::abs(cost);
    lowest = std::min(lowest, cost);
    highest = std::max(highest, cost);
    solved += 1;
    for (std::size_t o = 0; o < at.outputs; ++o) work.mean[o] += work.decisions[probe * at.outputs + o];
  }
  if (solved < 2 || !(lowest < highest)) return;
  for (double& mean : work.mean) mean /= solved;
  const double factor = -sense_ * share * kPerCent / (magnitude / solved) / ((solved - 1) * noise);
  double* gradient = gradients_.tile(at.number);
  for (std::size_t probe = 0; probe < work.costs.size(); ++probe) {
    if (work.statuses[probe] != SolveStatus::kSolved) continue;
    const double weight = factor * (work.costs[probe] - sum / solved);
    for (std::size_t o = 0; o < at.outputs; ++o)
      gradient[o * at.tile.width + at.lane] +=
          weight * (work.decisions[probe * at.outputs + o] - work.mean[o]) / unit(o);
  }
}

}  // namespace polystep
