// Every choice the PolyStep optimizer offers, with its default.
//
// The defaults suit a loss of unknown scale: costs are normalised each step, temperature and lengths are
// constant. Lengths are physical (distances in parameter space) unless lengths_relative_to_temperature is
// set.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "polystep/schedule.hpp"

namespace polystep {

enum class PolytopeKind {
  kOrthoplex,  // ±1 along each of q axes: 2q vertices in opposite pairs
  kSimplex,    // q + 1 vertices, the fewest that surround a point
  kCube,       // 2^q sign vectors, scaled to unit length
};
inline constexpr std::array<std::pair<std::string_view, PolytopeKind>, 3> kPolytopeKinds = {
    {{"orthoplex", PolytopeKind::kOrthoplex},
     {"simplex", PolytopeKind::kSimplex},
     {"cube", PolytopeKind::kCube}}};

enum class RotationKind {
  kHaar,      // uniform on the rotations of the block, fresh for each block and step
  kIdentity,  // none: the polytope's own axes, for experiments that can be followed by hand
};
inline constexpr std::array<std::pair<std::string_view, RotationKind>, 2> kRotationKinds = {
    {{"haar", RotationKind::kHaar}, {"identity", RotationKind::kIdentity}}};

// Where the optimizer's random numbers come from.
enum class Draws {
  kStreams,  // streams named by seed, step and block (polystep/random.hpp)
  kTwister,  // the draws of the released runs: with their seeds, their search directions up to rounding
};
inline constexpr std::array<std::pair<std::string_view, Draws>, 2> kDraws = {
    {{"streams", Draws::kStreams}, {"twister", Draws::kTwister}}};

// What happens when the block size does not divide the number of coordinates.
enum class LastBlock {
  kPadded,    // dummy coordinates fill it up; they rotate along and are dropped from the parameters
  kShrunken,  // it has fewer coordinates and fewer vertices
};
inline constexpr std::array<std::pair<std::string_view, LastBlock>, 2> kLastBlocks = {
    {{"padded", LastBlock::kPadded}, {"shrunken", LastBlock::kShrunken}}};

// What the costs are divided by before the temperature. Weights see only differences within a row (one
// block's costs), so these differ in the scale alone. Where an average is so small that dividing would
// amplify rounding noise, a floor takes its place.
enum class CostScale {
  kRowShiftMatrixMean,     // mean over all blocks of cost minus its row's minimum
  kRowShiftRowMean,        // the same mean, each row its own
  kMatrixShiftMatrixMean,  // mean over all blocks of cost minus the overall minimum
  kRawMean,                // mean absolute cost
  kMax,                    // largest absolute cost
  kFixed,                  // fixed_scale
  kNone,                   // 1
};
inline constexpr std::array<std::pair<std::string_view, CostScale>, 7> kCostScales = {
    {{"matrix-mean", CostScale::kRowShiftMatrixMean},
     {"row-mean", CostScale::kRowShiftRowMean},
     {"matrix-min-mean", CostScale::kMatrixShiftMatrixMean},
     {"raw-mean", CostScale::kRawMean},
     {"max", CostScale::kMax},
     {"fixed", CostScale::kFixed},
     {"none", CostScale::kNone}}};

// How a cost row becomes weights over its vertices.
enum class WeightRule {
  kSoftmax,    // exp(-cost / temperature), normalised
  kSinkhorn,   // entropic transport: besides, every vertex index gets equal mass over all blocks; needs two
               // blocks
  kKlSoftmax,  // between the two: unequal mass per vertex index costs column_penalty * KL
  kTempered,   // softmax at fixed_temperature, whatever the schedule says
  kGreedy,     // all mass on the cheapest vertex (the first of equals)
  kTopCount,   // equal mass on the top_count cheapest vertices (the first of equals)
};
inline constexpr std::array<std::pair<std::string_view, WeightRule>, 6> kWeightRules = {
    {{"softmax", WeightRule::kSoftmax},
     {"sinkhorn", WeightRule::kSinkhorn},
     {"kl-softmax", WeightRule::kKlSoftmax},
     {"tempered", WeightRule::kTempered},
     {"greedy", WeightRule::kGreedy},
     {"top", WeightRule::kTopCount}}};

// When a step may probe at a single radius instead of all `radii`.
enum class RadiiRule {
  kFixed,     // never
  kPaper,     // after three decreases of the mean cost in a row, until one step fails to decrease
  kUpstream,  // after five positive, strictly decreasing mean costs, and not before step 22
};
inline constexpr std::array<std::pair<std::string_view, RadiiRule>, 3> kRadiiRules = {
    {{"fixed", RadiiRule::kFixed}, {"paper", RadiiRule::kPaper}, {"upstream", RadiiRule::kUpstream}}};

struct SinkhornLimits {
  std::size_t max_iterations = 2000;
  std::size_t check_every = 10;
  double tolerance = 1e-6;  // on the largest row-sum error; 0 or less: always max_iterations
};

struct PolyStepOptions {
  // Probes.
  std::size_t block_size = 8;  // q
  LastBlock last_block = LastBlock::kPadded;
  PolytopeKind polytope = PolytopeKind::kOrthoplex;
  RotationKind rotation = RotationKind::kHaar;
  Draws draws = Draws::kStreams;                    // of rotations; a space's basis has an option of its own
  Schedule probe_radius = Schedule::constant(0.5);  // r; probes sit at r * k / (radii + 1), k = 1..radii
  std::size_t radii = 1;                            // K
  RadiiRule radii_rule = RadiiRule::kFixed;
  double radius_jitter = 0;  // all of a step's radii are multiplied by one factor uniform in 1 ± this

  // Weights.
  Schedule temperature = Schedule::constant(0.5);  // must stay above 0
  CostScale cost_scale = CostScale::kRowShiftMatrixMean;
  double fixed_scale = 1;  // for kFixed
  WeightRule weight_rule = WeightRule::kSoftmax;
  double fixed_temperature = 1;  // for kTempered
  double column_penalty = 1;     // for kKlSoftmax; 0 is softmax, large values approach kSinkhorn
  std::size_t top_count = 3;     // for kTopCount
  SinkhornLimits sinkhorn;       // for kSinkhorn and kKlSoftmax

  // Move.
  Schedule step_length = Schedule::constant(1.0);  // distance to a vertex that has all the weight
  Schedule momentum = Schedule::constant(0.0);     // in [0, 1): velocity = momentum * velocity + step
  double velocity_gain = 1;                        // the point moves by this times the velocity
  bool lengths_relative_to_temperature = false;    // multiply step length and probe radius by the temperature
  bool adaptive_radius =
      false;  // grow both lengths (to 3x) when costs stall, shrink them (to 0.5x) as they fall
};

// Throws InputError if a field is outside its range.
void check_options(const PolyStepOptions& options);

}  // namespace polystep
