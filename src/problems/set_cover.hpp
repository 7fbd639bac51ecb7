// Weighted set multi-cover whose requirements are predicted; what is not covered is bought at a price.
//
// Covers are bought in whole multiples to meet the predicted requirements. Each unit of a requirement that is
// then missing costs rho times the dearest cover of its item.
#pragma once

#include <vector>

#include "polystep/predicted_rows.hpp"
#include "polystep/task.hpp"
#include "problems/recourse.hpp"
#include "solvers/cover/set_multicover.hpp"

namespace polystep {

class SetCover final : public RecourseProblem, private PredictedRows {
 public:
  // costs [covers], members [covers × items], shortage_price [items].
  SetCover(std::span<const double> costs, std::span<const std::uint8_t> members,
           std::vector<double> shortage_price);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return constraint_facts(false); }
  std::string decision_name(std::size_t component) const override;
  const PredictedRows* predicted_rows() const override { return this; }

  const solvers::SetMulticover& cover() const { return cover_; }
  std::span<const double> shortage_price() const { return shortage_price_; }

 private:
  // One row per item: predicted requirement - coverage . x <= 0.
  std::size_t rows() const override { return cover_.items(); }
  std::size_t variables() const override { return cover_.covers(); }
  bool binary() const override { return false; }
  void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                  std::span<double> b) const override;
  std::span<const double> objective(std::size_t) const override { return cover_.costs(); }
  void add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                    std::span<double> prediction_gradient) const override;
  bool solve_rows(std::span<const double> prediction, std::size_t instance, std::span<const double> upper,
                  std::span<double> x) const override;

  solvers::SetMulticover cover_;
  std::vector<double> shortage_price_;
};

ProblemEntry set_cover_entry();

}  // namespace polystep
