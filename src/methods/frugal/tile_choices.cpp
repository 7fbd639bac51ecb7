#include "methods/frugal/tile_choices.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace polystep {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// Decisions whose logarithm of probability is this far below that of the likeliest are left out: most are.
constexpr double kUnlikely = -16;

// Rows that differ in shape come one by one.
struct OneLane {
  static constexpr std::size_t kWidth = 1;
  using Real = double;
  using Word = std::int64_t;
  static Real all(double x) { return x; }
  static Real smaller(Real a, Real b) { return a < b ? a : b; }
  static Real larger(Real a, Real b) { return a > b ? a : b; }
};

// For x from kUnlikely to 0, to ten digits: a power of two times a polynomial. Written out, since the library
// has none for several lanes.
template <class Lanes>
POLYSTEP_INLINE typename Lanes::Real exponential(typename Lanes::Real x) {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  const Real shift = Lanes::all(0x1.8p52);  // added and taken away, it rounds; its last bits are the number
  const Real rounded = x * Lanes::all(1.4426950408889634) + shift;
  const Real power = rounded - shift;
  const Real rest = x - power * Lanes::all(0.6931471805599453);
  Real sum = Lanes::all(1.0 / 40320);
  for (const double coefficient : {1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5, 1.0, 1.0})
    sum = sum * rest + Lanes::all(coefficient);
  const Word bits = std::bit_cast<Word>(rounded) << 52;
  return std::bit_cast<Real>(std::bit_cast<Word>(sum) + bits);
}

struct Choices {
  const RememberedDecisions& decisions;
  std::span<const std::uint32_t> numbers;
  const double* costs;
  const std::int64_t* cheapest;
  std::size_t width;
};
struct Places {
  const double* prediction;
  double* gradient;
  double* work;
};

// Pooled SPO+: the weight of the cheapest decision in reality less that of the one that tempts most. Soft
// choice: of the expected cost where decisions are taken with probability ∝ exp(-worth / temperature).
template <class Lanes>
POLYSTEP_INLINE void add_lanes(const Choices& of, const ChoiceLoss& loss, const Places& at, std::size_t first) {
  using Real = typename Lanes::Real;
  using Word = typename Lanes::Word;
  constexpr std::size_t kWide = Lanes::kWidth;
  const std::size_t stride = of.width;
  const Real none = Lanes::all(0.0), never = Lanes::all(kNever), sense = Lanes::all(of.decisions.sense());
  const Word wanted = simd::load<Lanes>(of.cheapest + first);
  Word tempting = wanted;
  Real lowest = never, lowest_bound = never;
  for (std::size_t n = 0; n < of.numbers.size(); ++n) {
    const RememberedDecisions::Decision decision = of.decisions.decision(of.numbers[n]);
    Real sum = none;
    for (std::size_t k = 0; k < decision.index.size(); ++k)
      sum += Lanes::all(decision.value[k]) * simd::load<Lanes>(at.prediction + decision.index[k] * stride + first);
    const Real cost = simd::load<Lanes>(of.costs + n * stride + first);
    const Real worth = cost < never ? sense * sum : never;
    const Real bound = cost < never ? worth + worth - cost : never;
    const Word here = Word{} + static_cast<std::int64_t>(n);
    tempting = bound < lowest_bound ? here : tempting;
    lowest_bound = Lanes::smaller(bound, lowest_bound);
    lowest = Lanes::smaller(worth, lowest);
    simd::store(at.work + n * kWide, worth);
  }
  const Real unlikely = Lanes::all(kUnlikely), temperature = Lanes::all(loss.temperature);
  Real total = none, mean = none;
  for (std::size_t n = 0; n < of.numbers.size(); ++n) {
    const Real cost = simd::load<Lanes>(of.costs + n * stride + first);
    const Real exponent = cost < never ? (lowest - simd::load<Lanes>(at.work + n * kWide)) / temperature : unlikely;
    const Real likely = exponential<Lanes>(Lanes::larger(exponent, unlikely));
    const Real probability = exponent > unlikely ? likely : none;
    total += probability;
    mean += probability * (cost < never ? cost : none);
    simd::store(at.work + n * kWide, probability);
  }
  total = total > none ? total : Lanes::all(1.0);
  mean /= total;
  const Real scale = Lanes::all(loss.soft_share) / (total * temperature), hard = Lanes::all(1 - loss.soft_share);
  for (std::size_t n = 0; n < of.numbers.size(); ++n) {
    const Word here = Word{} + static_cast<std::int64_t>(n);
    const Real cost = simd::load<Lanes>(of.costs + n * stride + first);
    const Real excess = (cost < never ? cost : none) - mean;
    Real weight = none - scale * simd::load<Lanes>(at.work + n * kWide) * excess;
    weight += here == wanted ? hard : none;
    weight -= here == tempting ? hard : none;
    double each[kWide];
    simd::store(each, weight);
    bool any = false;
    for (std::size_t lane = 0; lane < kWide; ++lane) any |= each[lane] != 0;
    if (!any) continue;
    weight *= sense;
    const RememberedDecisions::Decision decision = of.decisions.decision(of.numbers[n]);
    for (std::size_t k = 0; k < decision.index.size(); ++k) {
      double* of_output = at.gradient + decision.index[k] * stride + first;
      simd::store(of_output, simd::load<Lanes>(of_output) + weight * Lanes::all(decision.value[k]));
    }
  }
}

void add_baseline(const Choices& of, const ChoiceLoss& loss, const Places& at) {
  for (std::size_t first = 0; first < kLanes; first += simd::FourLanes::kWidth)
    add_lanes<simd::FourLanes>(of, loss, at, first);
}

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 void add_avx512(const Choices& of, const ChoiceLoss& loss, const Places& at) {
  add_lanes<simd::EightLanes>(of, loss, at, 0);
}
#endif

}  // namespace

TileChoices::TileChoices(const RememberedDecisions& decisions, const TiledRows& rows, std::size_t tile)
    : decisions_(decisions), width_(rows.tile(tile).width), cheapest_(width_) {
  const std::size_t lanes = rows.tile(tile).lanes;
  const auto members = [&](std::size_t lane) {
    return decisions.members(rows.row_numbers()[tile * rows.width() + lane]);
  };
  for (std::size_t lane = 0; lane < lanes; ++lane)
    for (const auto& member : members(lane)) numbers_.push_back(member.decision);
  std::ranges::sort(numbers_);
  numbers_.erase(std::unique(numbers_.begin(), numbers_.end()), numbers_.end());
  costs_.assign(numbers_.size() * width_, kNever);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto place = [&](std::uint32_t number) {
      return static_cast<std::size_t>(std::ranges::lower_bound(numbers_, number) - numbers_.begin());
    };
    for (const auto& member : members(lane)) costs_[place(member.decision) * width_ + lane] = member.cost;
    if (members(lane).empty()) continue;
    const std::size_t cheapest = decisions.cheapest(rows.row_numbers()[tile * rows.width() + lane]);
    cheapest_[lane] = static_cast<std::int64_t>(place(members(lane)[cheapest].decision));
  }
}

void TileChoices::add_gradient(const double* prediction, const ChoiceLoss& loss, double* gradient, Workspace& work,
                               simd::InstructionSet set) const {
  work.resize(numbers_.size() * kLanes);
  const Choices of{decisions_, numbers_, costs_.data(), cheapest_.data(), width_};
  const Places at{prediction, gradient, work.data()};
  if (width_ == 1) return add_lanes<OneLane>(of, loss, at, 0);
#if POLYSTEP_HAS_AVX512_VARIANT
  if (set == simd::InstructionSet::kAvx512) return add_avx512(of, loss, at);
#endif
  (void)set;
  add_baseline(of, loss, at);
}

}  // namespace polystep
