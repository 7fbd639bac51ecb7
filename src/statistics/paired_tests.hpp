// Is one method really better than another, or only luckier? Two tests on paired differences.
//
// Both are two-sided and take the differences of two methods on the same seeds. The null hypothesis is that
// each difference could as well have had the other sign. Small samples are counted exactly over all sign
// patterns, so ten seeds that all favour one method give p = 2/1024 in both tests.
#pragma once

#include <cstddef>
#include <span>

namespace polystep {

// Up to this many differences all sign patterns are counted.
inline constexpr std::size_t kExactPairs = 20;

// Wilcoxon's signed-rank test. Differences of zero are dropped, equal magnitudes share their average rank;
// with ties, too, the exact distribution is that of the ranks at hand. Above kExactPairs non-zero
// differences: normal approximation with corrections for continuity and ties. Nothing left: 1.
double wilcoxon_signed_rank(std::span<const double> differences);

// How often a random choice of signs has a mean at least as far from zero as the observed one. Sums that
// differ by no more than rounding count as equal. Above kExactPairs: kSignFlipDraws random patterns from a
// fixed stream, the observed one counted among them, so that equal data give an equal p.
inline constexpr std::size_t kSignFlipDraws = 200000;
double sign_flip_test(std::span<const double> differences);

}  // namespace polystep
