// A decision problem whose solver is asked about many instances at a time: one behind an interpreter, a
// process or a network, where the call costs more than the row.
//
// Derive from it and write decide_batch and cost_batch. Training, validation and testing then collect about
// batch_rows() rows per call. What is put together depends on the data and the settings alone, never on
// threads; only rows that take long are asked in fewer at a time. Both functions are called from several
// threads at once. An exception ends the training; a row without a decision is no reason for one, say
// kFailed.
#pragma once

#include <atomic>

#include "polystep/problem.hpp"

namespace polystep {

class BatchProblem : public Problem {
 public:
  using Problem::Problem;

  virtual std::size_t batch_rows() const { return 1024; }

  // Decides all rows: predictions [rows × outputs] into decisions [rows × decision_size]. `instances` are
  // their rows in the data set; statuses [rows] come as kSolved. Where instances differ in size, the numbers
  // of each follow those of the one before.
  virtual void decide_batch(std::span<const double> predictions, std::span<const std::size_t> instances,
                            std::span<double> decisions, std::span<SolveStatus> statuses) const = 0;

  // What decisions [rows × decision_size] really cost, given the true parameters [rows × truth columns].
  // Lower is better. A cost that is not finite counts as a failed solve.
  virtual void cost_batch(std::span<const double> decisions, std::span<const double> truth,
                          std::span<const std::size_t> instances, std::span<double> costs) const = 0;

  // The same with what recourse did. Problems with recourse write this one.
  virtual void realise_batch(std::span<const double> decisions, std::span<const double> truth,
                             std::span<const std::size_t> instances,
                             std::span<Realisation> realisations) const;

  // A batch of one row.
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const final;
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const final;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const final;

  // What callers use: decide_batch, in pieces of about half a second where a row takes milliseconds or more,
  // so that work can be stopped between them. What is quick is asked all at once, as it comes.
  void decide_rows(std::span<const double> predictions, std::span<const std::size_t> instances,
                   std::span<double> decisions, std::span<SolveStatus> statuses) const;

  const BatchProblem* batched() const final { return this; }
  std::unique_ptr<TileSolver> make_tile_solver() const override;

 private:
  mutable std::atomic<double> row_seconds_{-1};  // of the last piece; negative: none was timed yet
};

}  // namespace polystep
