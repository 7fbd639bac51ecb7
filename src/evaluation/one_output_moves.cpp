#include "evaluation/one_output_moves.hpp"

#include <algorithm>
#include <cmath>

#include "simd/lanes.hpp"

namespace polystep {
namespace {

struct Question {
  const OneOutputMoves& moves;
  const double* margin;
  const Rival& rival;
  const TileOutcome& incumbent;
  std::size_t lanes;
  double* sums;
  std::uint32_t& moved;
};

// Calls visit(adverse move, probe) for every probe. A move is adverse along the sign of the margin.
template <class Lanes, class Visit>
POLYSTEP_INLINE void for_each_move(const Question& question, std::size_t first, const Visit& visit) {
  using simd::load;
  using Real = typename Lanes::Real;
  const OneOutputMoves& moves = question.moves;
  const Real margin = load<Lanes>(question.margin + first);
  const Real sign = margin < Lanes::all(0.0) ? Lanes::all(-1.0) : Lanes::all(1.0);
  for (std::size_t v = 0; v < moves.directions; ++v) {
    const Real change = sign * load<Lanes>(moves.change + v * moves.stride + first);
    for (std::size_t k = 0; k < moves.radii.size(); ++k) {
      const Real move = Lanes::all(moves.radii[k]) * change;
      visit(move, v * moves.radii.size() + k);
      if (moves.antipodal) visit(Lanes::all(0.0) - move, (v + moves.directions) * moves.radii.size() + k);
    }
  }
}

// The furthest move that the rival is not known to answer.
template <class Lanes>
POLYSTEP_INLINE typename Lanes::Real furthest_open(const Question& question, std::size_t first) {
  using Real = typename Lanes::Real;
  const Real above = simd::load<Lanes>(question.rival.changes_above.data() + first);
  const Real zero = Lanes::all(0.0);
  Real furthest = zero;
  for_each_move<Lanes>(
      question, first, [&](Real move, std::size_t) __attribute__((always_inline)) {
        furthest = Lanes::larger(move > above ? zero : move, furthest);
      });
  return furthest;
}

template <class Lanes>
POLYSTEP_INLINE typename Lanes::Real add_costs(const Question& question, std::size_t first) {
  using Real = typename Lanes::Real;
  const Real zero = Lanes::all(0.0);
  const Real one = Lanes::all(1.0);
  const Real below = simd::load<Lanes>(question.rival.stays_below.data() + first);
  const Real incumbent = simd::load<Lanes>(question.incumbent.cost.data() + first);
  const Real rival = simd::load<Lanes>(question.rival.outcome.cost.data() + first);
  Real flips = zero;
  for_each_move<Lanes>(
      question, first, [&](Real move, std::size_t probe) __attribute__((always_inline)) {
        double* sum = question.sums + probe * kLanes + first;
        const auto stays = Lanes::larger(move, zero) < below;
        simd::store(sum, simd::load<Lanes>(sum) + (stays ? incumbent : rival));
        flips += stays ? zero : one;
      });
  return flips;
}

// Both passes; -1 where a lane is left open, else the lanes that flipped, all probes together.
template <class Lanes>
POLYSTEP_INLINE double answer(const Question& question) {
  alignas(64) std::array<double, kLanes> open;
  for (std::size_t first = 0; first < kLanes; first += Lanes::kWidth)
    simd::store(open.data() + first, furthest_open<Lanes>(question, first));
  bool answered = true;
  for (std::size_t lane = 0; lane < kLanes; ++lane) answered &= open[lane] < question.rival.stays_below[lane];
  if (!answered) return -1;
  alignas(64) std::array<double, kLanes> flips;
  for (std::size_t first = 0; first < kLanes; first += Lanes::kWidth)
    simd::store(flips.data() + first, add_costs<Lanes>(question, first));
  double sum = 0;
  for (std::size_t lane = 0; lane < question.lanes; ++lane) {
    sum += flips[lane];
    question.moved |= static_cast<std::uint32_t>(flips[lane] > 0) << lane;
  }
  return sum;
}

double answer_baseline(const Question& question) { return answer<simd::FourLanes>(question); }

#if POLYSTEP_HAS_AVX512_VARIANT
POLYSTEP_AVX512 double answer_avx512(const Question& question) { return answer<simd::EightLanes>(question); }
#endif

using Answer = double (*)(const Question&);

Answer best_variant() {
#if POLYSTEP_HAS_AVX512_VARIANT
  if (simd::best_instruction_set() == simd::InstructionSet::kAvx512) return answer_avx512;
#endif
  return answer_baseline;
}

const Answer best_answer = best_variant();

}  // namespace

std::array<double, kLanes> OneOutputMoves::reach() const {
  std::array<double, kLanes> furthest{};
  for (std::size_t v = 0; v < directions; ++v)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      furthest[lane] = std::max(furthest[lane], std::abs(change[v * stride + lane]));
  for (double& lane : furthest) lane *= radii.back();
  return furthest;
}

bool add_moves(const OneOutputMoves& moves, const double* margin, const Rival& rival,
               const TileOutcome& incumbent, std::size_t lanes, double* sums, std::uint64_t& flips,
               std::uint32_t& moved) {
  const double flipped = best_answer({moves, margin, rival, incumbent, lanes, sums, moved});
  if (flipped < 0) return false;
  flips += static_cast<std::uint64_t>(flipped);
  return true;
}

}  // namespace polystep
