// Knapsack items grouped by weight, for instances with few different weights.
//
// Of items with equal weight, the most valuable ones are taken first; what remains to be decided is how many
// of each weight. The count vectors worth looking at do not depend on the values, so they are listed once:
// those that leave no room for one more item of any class.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace polystep::solvers {

struct WeightClasses {
  static constexpr std::size_t kClasses = 3;
  static constexpr std::size_t kMostChoices = 4096;  // beyond that the dynamic programme is the better method

  // How many items of each class. Choices are ordered by the third count, then by the second; the first count
  // is the largest that still fits.
  using Choice = std::array<std::uint16_t, kClasses>;

  // Choices with equal third count.
  struct Group {
    std::uint32_t first;  // index of its first choice
    std::uint32_t end;    // one past its last
  };

  bool usable = false;  // false: too many different weights or choices
  std::array<std::vector<std::uint32_t>, kClasses>
      items;  // of each class, ascending; weights above capacity: nowhere
  std::vector<Choice> choices;
  std::vector<Group> groups;

  WeightClasses(std::span<const int> weights, std::int64_t capacity);

  // The best decision as 0 or 1 per item. Ties: of equally valuable items of one class the one with the
  // lowest index first; within a group the first choice of the largest sum of the first two classes, then the
  // first group.
  void solve(std::span<const double> values, std::span<double> take) const;

 private:
  void list_choices(const std::array<std::int64_t, kClasses>& class_weight, std::int64_t capacity);
};

}  // namespace polystep::solvers
