// Purchases for two requirements: instances to draw, and the general solver's answer to them.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/milp/milp.hpp"

namespace polystep::testing {

inline constexpr std::array<double, 2> kBrass = {627.54, 369.72};

struct CoverInstance {
  std::vector<double> prices;    // [suppliers]
  std::vector<double> contents;  // [2 × suppliers]
};

// What predictions look like: of a trained network, of one that overshoots, of signs mixed, of an untrained
// network, of true contents.
enum class Contents { kTrained, kSpread, kMixed, kUntrained, kTrue };
inline constexpr Contents kAllContents[] = {Contents::kTrained, Contents::kSpread, Contents::kMixed,
                                            Contents::kUntrained, Contents::kTrue};

inline CoverInstance draw_cover(RandomStream& stream, std::size_t suppliers, Contents kind) {
  CoverInstance drawn;
  for (std::size_t j = 0; j < suppliers; ++j)
    drawn.prices.push_back(10 + static_cast<double>(stream.below(36)));
  for (std::size_t k = 0; k < 2 * suppliers; ++k) {
    const double normal = stream.normal();
    switch (kind) {
      case Contents::kTrained:
        drawn.contents.push_back(25 + normal);
        break;
      case Contents::kSpread:
        drawn.contents.push_back(28 + 3 * normal);
        break;
      case Contents::kMixed:
        drawn.contents.push_back(5 + 5 * normal);
        break;
      case Contents::kUntrained:
        drawn.contents.push_back(0.1 * normal);
        break;
      case Contents::kTrue:
        drawn.contents.push_back(15 + static_cast<double>(stream.below(21)));
        break;
    }
  }
  return drawn;
}

// The cheapest purchase by the general solver; nothing where there is none, or where it gives up.
struct GeneralAnswer {
  solvers::MilpStatus status;
  std::vector<double> amounts;
  double cost = 0;
};

inline GeneralAnswer solve_generally(const CoverInstance& instance) {
  const std::size_t suppliers = instance.prices.size();
  solvers::MilpModel model;
  for (std::size_t j = 0; j < suppliers; ++j) model.add_integer(0, solvers::kUnbounded, instance.prices[j]);
  for (std::size_t m = 0; m < 2; ++m) {
    std::vector<solvers::MilpEntry> entries;
    for (std::size_t j = 0; j < suppliers; ++j)
      if (const double content = instance.contents[m * suppliers + j]; content != 0)
        entries.push_back({j, content});
    model.add_row(entries, kBrass[m], solvers::kUnbounded);
  }
  solvers::MilpResult found = solvers::MilpSolver(model).solve({.nodes = 20'000});
  return {found.status, std::move(found.solution), found.objective};
}

inline double provides(const CoverInstance& instance, std::span<const double> amounts, std::size_t metal) {
  double sum = 0;
  for (std::size_t j = 0; j < amounts.size(); ++j)
    sum += instance.contents[metal * amounts.size() + j] * amounts[j];
  return sum;
}

inline double costs(const CoverInstance& instance, std::span<const double> amounts) {
  double sum = 0;
  for (std::size_t j = 0; j < amounts.size(); ++j) sum += instance.prices[j] * amounts[j];
  return sum;
}

// The general solver counts a purchase that falls short by a millionth as enough; ours does not.
inline bool truly_enough(const CoverInstance& instance, std::span<const double> amounts) {
  return provides(instance, amounts, 0) >= kBrass[0] * (1 - 1e-9) &&
         provides(instance, amounts, 1) >= kBrass[1] * (1 - 1e-9);
}

}  // namespace polystep::testing
