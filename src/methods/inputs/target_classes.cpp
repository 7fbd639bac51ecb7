#include "methods/inputs/target_classes.hpp"

#include <algorithm>
#include <cmath>

namespace polystep {
namespace {

constexpr std::size_t kMostValues = 32;  // different ones that are classes as they are
constexpr std::size_t kBins = 20;
constexpr double kDeviations = 4.4;  // of a normal number, exceeded once in 200,000 times

}  // namespace

TargetClasses classes_of(std::span<const double> targets) {
  std::vector<double> sorted(targets.begin(), targets.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> last(sorted);  // the largest value of every class
  last.erase(std::unique(last.begin(), last.end()), last.end());
  if (last.size() > kMostValues) {
    last.clear();
    for (std::size_t bin = 1; bin <= kBins; ++bin)
      last.push_back(sorted[std::min(sorted.size(), sorted.size() * bin / kBins) - 1]);
    last.erase(std::unique(last.begin(), last.end()), last.end());
  }
  TargetClasses classes;
  classes.count = last.size();
  classes.sizes.assign(classes.count, 0);
  for (const double target : targets) {
    const auto own = std::lower_bound(last.begin(), last.end(), target) - last.begin();
    classes.of.push_back(static_cast<std::uint16_t>(own));
    ++classes.sizes[static_cast<std::size_t>(own)];
  }
  return classes;
}

double variance_ratio(std::span<const double> scores, const TargetClasses& classes) {
  if (classes.count < 2 || scores.size() <= classes.count) return 0;
  std::vector<double> mean(classes.count, 0.0);
  double all = 0;
  for (std::size_t row = 0; row < scores.size(); ++row)
    mean[classes.of[row]] += scores[row], all += scores[row];
  all /= static_cast<double>(scores.size());
  double between = 0, within = 0;
  for (std::size_t c = 0; c < classes.count; ++c) {
    const auto size = static_cast<double>(classes.sizes[c]);
    mean[c] /= size;
    between += size * (mean[c] - all) * (mean[c] - all);
  }
  for (std::size_t row = 0; row < scores.size(); ++row) {
    const double residual = scores[row] - mean[classes.of[row]];
    within += residual * residual;
  }
  if (!(within > 0)) return between > 0 ? 1e300 : 0;
  return between / static_cast<double>(classes.count - 1) /
         (within / static_cast<double>(scores.size() - classes.count));
}

// Wilson and Hilferty's approximation for many rows: a mean of squares is nearly a cubed normal number.
double chance_ratio(const TargetClasses& classes) {
  const double spread = 2.0 / (9.0 * static_cast<double>(std::max<std::size_t>(2, classes.count) - 1));
  const double root = 1 - spread + kDeviations * std::sqrt(spread);
  return root * root * root;
}

}  // namespace polystep
