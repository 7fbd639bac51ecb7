#include "statistics/paired_tests.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "polystep/random.hpp"

namespace polystep {
namespace {

// The ranks of the magnitudes of non-zero differences. Doubled, average ranks are whole numbers and every
// sum of them is exact.
struct SignedRanks {
  std::vector<std::int64_t> doubled;  // [non-zero differences]
  std::int64_t total = 0;             // of all doubled ranks
  std::int64_t positive = 0;          // of those of positive differences
  double tie_cubes = 0;               // sum over groups of t equal magnitudes of t^3 - t
};

SignedRanks rank(std::span<const double> differences) {
  std::vector<double> sorted;
  for (const double difference : differences)
    if (difference != 0) sorted.push_back(difference);
  std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  SignedRanks ranks;
  for (std::size_t first = 0, end = 0; first < sorted.size(); first = end) {
    while (end < sorted.size() && std::abs(sorted[end]) == std::abs(sorted[first])) ++end;
    const auto doubled_average = static_cast<std::int64_t>(first + 1 + end);
    for (std::size_t i = first; i < end; ++i) {
      ranks.doubled.push_back(doubled_average);
      ranks.total += doubled_average;
      if (sorted[i] > 0) ranks.positive += doubled_average;
    }
    const auto tied = static_cast<double>(end - first);
    ranks.tie_cubes += tied * tied * tied - tied;
  }
  return ranks;
}

// The share of sign patterns whose sum of positive ranks is at least as far from its centre.
double exact_p(const SignedRanks& ranks) {
  std::vector<std::uint64_t> patterns(static_cast<std::size_t>(ranks.total) + 1);  // by sum of positive ranks
  patterns[0] = 1;
  for (const std::int64_t rank : ranks.doubled)
    for (std::int64_t sum = ranks.total; sum >= rank; --sum)
      patterns[static_cast<std::size_t>(sum)] += patterns[static_cast<std::size_t>(sum - rank)];
  const std::int64_t observed = std::abs(2 * ranks.positive - ranks.total);
  std::uint64_t extreme = 0;
  for (std::int64_t sum = 0; sum <= ranks.total; ++sum)
    if (std::abs(2 * sum - ranks.total) >= observed) extreme += patterns[static_cast<std::size_t>(sum)];
  return std::ldexp(static_cast<double>(extreme), -static_cast<int>(ranks.doubled.size()));
}

double approximate_p(const SignedRanks& ranks) {
  const auto n = static_cast<double>(ranks.doubled.size());
  const double from_centre = std::abs(static_cast<double>(2 * ranks.positive - ranks.total)) / 4;
  const double variance = n * (n + 1) * (2 * n + 1) / 24 - ranks.tie_cubes / 48;
  const double continuity = 0.5;
  return std::erfc(std::max(0.0, from_centre - continuity) / std::sqrt(2 * variance));
}

// Patterns of the signs from `next` on whose total lies at least `bound` from zero. Every sum is added up in
// the same order, so its rounding stays far below the tolerance in `bound`.
std::uint64_t count_extreme(std::span<const double> differences, std::size_t next, double sum, double bound) {
  if (next == differences.size()) return std::abs(sum) >= bound ? 1 : 0;
  return count_extreme(differences, next + 1, sum + differences[next], bound) +
         count_extreme(differences, next + 1, sum - differences[next], bound);
}

std::uint64_t count_random_extreme(std::span<const double> differences, double bound) {
  std::uint64_t extreme = 0;
  for (std::size_t draw = 0; draw < kSignFlipDraws; ++draw) {
    RandomStream stream(0, Purpose::kSignFlip, draw);
    std::uint64_t signs = 0;
    double sum = 0;
    for (std::size_t i = 0; i < differences.size(); ++i, signs >>= 1) {
      if (i % 64 == 0) signs = stream.bits();
      sum += (signs & 1) != 0 ? differences[i] : -differences[i];
    }
    if (std::abs(sum) >= bound) ++extreme;
  }
  return extreme;
}

}  // namespace

double wilcoxon_signed_rank(std::span<const double> differences) {
  const SignedRanks ranks = rank(differences);
  if (ranks.doubled.empty()) return 1;
  return ranks.doubled.size() <= kExactPairs ? exact_p(ranks) : approximate_p(ranks);
}

double sign_flip_test(std::span<const double> differences) {
  double sum = 0, magnitude = 0;
  for (const double difference : differences) {
    sum += difference;
    magnitude += std::abs(difference);
  }
  if (magnitude == 0) return 1;
  const double rounding = 1e-12 * magnitude;
  const double bound = std::abs(sum) - rounding;
  if (differences.size() > kExactPairs)
    return static_cast<double>(1 + count_random_extreme(differences, bound)) /
           static_cast<double>(1 + kSignFlipDraws);
  // Turning all signs leaves the distance from zero alone: half of the patterns tell about all of them.
  const std::uint64_t half = count_extreme(differences, 1, differences[0], bound);
  return std::ldexp(static_cast<double>(half), 1 - static_cast<int>(differences.size()));
}

}  // namespace polystep
