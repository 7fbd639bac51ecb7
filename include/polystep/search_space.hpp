// Where the optimizer moves: an affine map from search coordinates y to parameters, theta = theta0 + A y.
//
// Three maps are provided. The full space takes every parameter as a coordinate. The layer space gives each
// tensor a fixed basis whose size is that of a low-rank factor pair. The moving space keeps one small basis
// over all parameters and rebuilds it around the directions that recent steps took. In each, a unit step in y
// is a unit step in theta, because the columns of A are orthonormal.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/direction.hpp"
#include "polystep/optimizer_options.hpp"
#include "polystep/parallel_for.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// A weight matrix of millions of entries enters a step only through its products with the rows of features in
// the minibatch. Random columns of a basis then need not exist: what they do to those products is drawn
// instead, and of the matrix only the step that was taken.
class SeenColumns {
 public:
  virtual ~SeenColumns() = default;

  // The rows of features [rows × inputs] that the matrix is multiplied by, until the step is finished.
  virtual void show(std::span<const float> rows) = 0;

  // Coordinates from this one on have random columns, independent and alike: how these are rotated among each
  // other changes nothing in distribution, so that blocks of them are probed as they are.
  virtual std::size_t first_fresh() const = 0;

  // Finds what a coordinate does to the products of the shown rows with the matrix, and to the parameters
  // behind it. Different coordinates may be drawn by different threads at once.
  virtual void draw(std::size_t coordinate) = 0;
  virtual std::span<const float> change(std::size_t coordinate) const = 0;  // as drawn, [rows × units]
  virtual std::span<const float> rest(std::size_t coordinate) const = 0;    // [parameters behind the matrix]
};

class SearchSpace {
 public:
  explicit SearchSpace(std::vector<double> origin) : origin_(std::move(origin)) {}
  virtual ~SearchSpace() = default;

  virtual std::size_t dimension() const = 0;  // search coordinates, d
  std::size_t parameter_count() const { return origin_.size(); }
  std::span<const double> origin() const { return origin_; }  // theta0, where y = 0

  // theta = theta0 + A y.
  virtual void place(std::span<const double> y, std::span<double> theta) const = 0;

  // A times the vector that is `coefficients` on the coordinates from `first` on and 0 elsewhere. Overwrites
  // `out` and keeps its capacity; entries that no coefficient reaches are left out. Safe to call from several
  // threads at once.
  virtual void direction(std::size_t first, std::span<const double> coefficients, Direction& out) const = 0;

  // The parameters that coordinates first .. first+count-1 can change, ascending.
  virtual void support(std::size_t first, std::size_t count, std::vector<std::uint32_t>& out) const = 0;

  // Set where columns are drawn as they are seen. Directions can then not be had: only place() after all
  // coordinates were drawn, for the step that is taken.
  virtual SeenColumns* seen() const { return nullptr; }

  // Whether A stays the same from step to step.
  virtual bool fixed() const { return true; }

  // Called after every step with the new point and the step just made. Returns true if the basis was rebuilt;
  // the space has then folded y into theta0, and the caller must continue from y = 0 with no velocity.
  virtual bool finish_step(std::span<const double> y, std::span<const double> displacement) {
    (void)y, (void)displacement;
    return false;
  }

  // The part of the state that the constructor's arguments do not determine.
  virtual void save(ArchiveWriter& archive) const { archive.put(origin_); }
  virtual void load(ArchiveReader& archive);

 protected:
  std::vector<double> origin_;  // [parameters]
};

// Every parameter is a search coordinate: A = I.
std::unique_ptr<SearchSpace> make_full_space(std::vector<double> theta0);

// Every parameter is a search coordinate, in the given order: blocks then hold the parameters that follow
// each other in it.
std::unique_ptr<SearchSpace> make_ordered_space(std::vector<double> theta0, std::vector<std::uint32_t> order);

// Who pays for a cap on the coordinates of all layers. Biases never do.
enum class CapRule {
  kMatrices,  // every matrix, in proportion
  // Only matrices that have fewer coordinates than entries, in proportion and to the exact total; and none at
  // all while a plan of rank one would have at most kSmallPlan coordinates. The rule of the released runs.
  kProjected,
};
inline constexpr std::array<std::pair<std::string_view, CapRule>, 2> kCapRules = {
    {{"matrices", CapRule::kMatrices}, {"projected", CapRule::kProjected}}};
inline constexpr std::size_t kSmallPlan = 1024;

struct LayerSpaceOptions {
  std::size_t rank = 8;  // a matrix of shape (out, in) gets min(rank, out, in) * (out + in) coordinates
  std::size_t max_dimension = 0;  // scale the matrices' coordinates down to about this total; 0: no cap
  CapRule cap_rule = CapRule::kMatrices;
  Draws draws = Draws::kStreams;  // of the basis
};

// How many coordinates one tensor gets.
struct TensorPlan {
  std::string name;
  std::size_t parameters = 0;   // N
  std::size_t coordinates = 0;  // k, at most N

  bool identity() const { return coordinates == parameters; }
};

// The plan of a layer space. Biases and other one-dimensional tensors keep all their coordinates, cap or no
// cap.
std::vector<TensorPlan> plan_layers(std::span<const TensorShape> tensors, const LayerSpaceOptions& options);

// A fixed basis per tensor: the identity where the plan keeps all coordinates, else random orthonormal
// columns.
std::unique_ptr<SearchSpace> make_layer_space(std::span<const TensorShape> tensors,
                                              std::vector<double> theta0, const LayerSpaceOptions& options,
                                              std::uint64_t seed);

struct MovingSpaceOptions {
  std::size_t dimension = 128;  // d, columns of the basis
  std::size_t interval = 1;     // rebuild after every this many steps
  std::size_t history = 5;      // how many recent steps are remembered
  double kept_start = 0;        // share of the basis given to remembered directions at step 0 ...
  double kept_end = 0.5;        // ... and from step `horizon` on; never more directions than remembered steps
  std::size_t horizon = 50;
  // Basis and remembered steps as 4-byte numbers: half the memory, and a basis that is built in about half
  // the time. Parameters, and sums over rows or columns, stay in double precision.
  bool single_precision = false;
};

// One basis over all parameters, rebuilt from recent steps and fresh random columns. Every rebuild folds y
// into theta0, so the parameters do not jump. `parallel` lends threads to everything but direction() and
// support(); it must outlive the space, and none of its threads may be inside another of its calls then. The
// bits are the same with and without it.
std::unique_ptr<SearchSpace> make_moving_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                               std::uint64_t seed, ParallelFor parallel = {});

// The first of the parameters: a weight matrix [units × inputs].
struct SeenMatrix {
  std::size_t units = 0;
  std::size_t inputs = 0;

  std::size_t size() const { return units * inputs; }
};

// The moving space, rebuilt after every step, with random columns that are drawn as they are seen (`seen()`
// is set). The same in distribution but for this: random columns are orthonormal only to 1 /
// sqrt(parameters). Remembered steps are single precision.
std::unique_ptr<SearchSpace> make_seen_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                             const SeenMatrix& matrix, std::uint64_t seed,
                                             ParallelFor parallel = {});

}  // namespace polystep
