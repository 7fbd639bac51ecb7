#include "districting/district_estimates.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "polystep/error.hpp"

namespace polystep {
namespace {

// Of tours through centres, which are short: local search alone is within 1 % of these, and a search asks for
// millions.
constexpr std::size_t kCentrePerturbations = 2;

class FormulaValue final : public solvers::DistrictValue {
 public:
  FormulaValue(Estimate estimate, const City& city, const RoutingCosts& routing,
               const EstimateCoefficients& coefficients)
      : estimate_(estimate), city_(&city), routing_(&routing), coefficients_(coefficients) {}

  double value(std::span<const std::uint32_t> units) override {
    const DistrictMeasures measures = measure_district(*city_, *routing_, units);
    return estimate_ == Estimate::kBd ? coefficients_.bd(measures) : coefficients_.figliozzi(measures);
  }
  std::unique_ptr<solvers::DistrictValue> clone() const override {
    return std::make_unique<FormulaValue>(*this);
  }

 private:
  Estimate estimate_;
  const City* city_;
  const RoutingCosts* routing_;
  EstimateCoefficients coefficients_;
};

class CentreTourValue final : public solvers::DistrictValue {
 public:
  explicit CentreTourValue(const RoutingCosts& routing) : routing_(&routing) {}

  double value(std::span<const std::uint32_t> units) override {
    return routing_->centre_tour(units, kCentrePerturbations, workspace_);
  }
  std::unique_ptr<solvers::DistrictValue> clone() const override {
    return std::make_unique<CentreTourValue>(*routing_);
  }

 private:
  const RoutingCosts* routing_;
  TourWorkspace workspace_;
};

// Solves the normal equations of four unknowns by elimination with pivots.
std::array<double, 4> solve_four(std::array<std::array<double, 5>, 4> rows) {
  for (std::size_t column = 0; column < 4; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < 4; ++row)
      if (std::abs(rows[row][column]) > std::abs(rows[pivot][column])) pivot = row;
    std::swap(rows[column], rows[pivot]);
    if (!(std::abs(rows[column][column]) > 1e-9))
      throw InputError("fit of estimates: the districts are too much alike, expected four that differ");
    for (std::size_t row = 0; row < 4; ++row) {
      if (row == column) continue;
      const double factor = rows[row][column] / rows[column][column];
      for (std::size_t k = column; k < 5; ++k) rows[row][k] -= factor * rows[column][k];
    }
  }
  std::array<double, 4> solution{};
  for (std::size_t k = 0; k < 4; ++k) solution[k] = rows[k][4] / rows[k][k];
  return solution;
}

}  // namespace

DistrictMeasures measure_district(const City& city, const RoutingCosts& routing,
                                  std::span<const std::uint32_t> units) {
  const double demand = routing.expected_demand(units);  // checks the units
  double area = 0;
  for (const std::uint32_t unit : units) area += city.units[unit].area;
  return {.root_area_demand = std::sqrt(area * demand),
          .depot_distance = routing.mean_depot_distance(units),
          .root_area_per_demand = demand > 0 ? std::sqrt(area / demand) : 0};
}

EstimateCoefficients fit_estimates(std::span<const DistrictMeasures> measures,
                                   std::span<const double> costs) {
  if (measures.size() != costs.size() || measures.size() < 4)
    throw InputError(
        fmt::format("fit of estimates: found {} districts and {} costs, expected equally many, at least 4",
                    measures.size(), costs.size()));
  double product = 0, square = 0;
  std::array<std::array<double, 5>, 4> normal{};  // the last column is the right side
  for (std::size_t d = 0; d < measures.size(); ++d) {
    const DistrictMeasures& m = measures[d];
    product += m.root_area_demand * (costs[d] - 2 * m.depot_distance);
    square += m.root_area_demand * m.root_area_demand;
    const std::array<double, 5> row = {m.root_area_demand, m.depot_distance, m.root_area_per_demand, 1,
                                       costs[d]};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t k = 0; k < 5; ++k) normal[i][k] += row[i] * row[k];
  }
  return {.beta = product / square, .fig = solve_four(normal)};
}

std::unique_ptr<solvers::DistrictValue> make_estimate(Estimate estimate, const City& city,
                                                      const RoutingCosts& routing,
                                                      const EstimateCoefficients& coefficients) {
  if (estimate == Estimate::kAvgTsp) return std::make_unique<CentreTourValue>(routing);
  return std::make_unique<FormulaValue>(estimate, city, routing, coefficients);
}

}  // namespace polystep
