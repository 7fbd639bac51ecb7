// Alloy production: ore from several suppliers in whole units, as cheap as the predicted contents of two
// metals allow. Prices are known and differ from instance to instance; requirements are the same for all.
//
// A purchase that turns out too poor is made larger as a whole, by tau = max_m required_m / provided_m, which
// need not be whole; what is bought late costs a surcharge on its price, the mean of the instance's
// penalties:
//
//   cost = tau * price . x + surcharge * (tau - 1) * price . x
//
// Predictions are used as they are. Where no purchase meets the requirements, as where all predicted contents
// of a metal are negative, there is no decision; such an instance is charged 100 * surcharge * (sum of its
// prices), the charge of the published runs, and counted.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "data/benchmarks/alloy_data.hpp"
#include "polystep/predicted_rows.hpp"
#include "polystep/task.hpp"
#include "problems/recourse.hpp"

namespace polystep {

class Alloy final : public RecourseProblem, private PredictedRows {
 public:
  // prices and penalties [instances × suppliers], prices above 0; required above 0. Throws InputError.
  Alloy(std::size_t suppliers, std::vector<double> prices, std::vector<double> penalties,
        std::array<double, kAlloyMetals> required);

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override;
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override;
  std::optional<double> failure_charge(std::size_t instance) const override;
  std::unique_ptr<TileSolver> make_tile_solver() const override;
  ProblemFacts facts() const override { return stated_facts(); }
  std::string decision_name(std::size_t component) const override;
  const PredictedRows* predicted_rows() const override { return this; }

  static ProblemFacts stated_facts();

  std::size_t suppliers() const { return suppliers_; }
  const std::array<double, kAlloyMetals>& required() const { return required_; }
  std::span<const double> prices(std::size_t instance) const {
    return std::span(prices_).subspan(instance * suppliers_, suppliers_);
  }
  double surcharge(std::size_t instance) const { return surcharge_[instance]; }

 private:
  // One row per metal: required - contents . x <= 0.
  std::size_t rows() const override { return kAlloyMetals; }
  std::size_t variables() const override { return suppliers_; }
  bool binary() const override { return false; }
  void write_rows(std::span<const double> prediction, std::size_t instance, std::span<double> a,
                  std::span<double> b) const override;
  std::span<const double> objective(std::size_t instance) const override { return prices(instance); }
  std::span<const double> surcharges(std::size_t instance) const override {
    return std::span(penalties_).subspan(instance * suppliers_, suppliers_);
  }
  void add_gradient(std::span<const double> a_gradient, std::span<const double> b_gradient,
                    std::span<double> prediction_gradient) const override;
  bool solve_rows(std::span<const double> prediction, std::size_t instance, std::span<const double> upper,
                  std::span<double> x) const override;

  std::size_t suppliers_;
  std::vector<double> prices_;     // [instances × suppliers]
  std::vector<double> penalties_;  // likewise
  std::vector<double> surcharge_;  // [instances], their means
  std::array<double, kAlloyMetals> required_;
};

ProblemEntry alloy_entry();

}  // namespace polystep
