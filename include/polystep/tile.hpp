// A tile: instances of one shape side by side, the form in which fast solvers see data.
//
// Arrays inside a tile are [rows × width]: row r of all lanes lies together, so one SIMD instruction serves
// one row of eight instances. The width is kLanes where all rows of the data have one shape, and 1 where they
// do not: it depends on the data alone, not on the machine, so that sums run in the same order everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace polystep {

inline constexpr std::size_t kLanes = 8;

// How many numbers the data hold of one row. What is predicted and decided for it, the problem knows.
struct RowShape {
  std::size_t features = 0;
  std::size_t truth = 0;

  friend bool operator==(const RowShape&, const RowShape&) = default;
};

struct Tile {
  const double* features = nullptr;  // [shape.features × width]
  const double* truth = nullptr;     // [shape.truth × width]
  RowShape shape;
  std::size_t width = kLanes;                  // kLanes or 1
  std::array<std::size_t, kLanes> instance{};  // row of each lane in its data set
  std::size_t lanes = kLanes;                  // lanes in use; the rest of the width repeat the last one
};

// What became of kLanes decisions.
struct TileOutcome {
  alignas(64) std::array<double, kLanes> cost{};              // realised cost, lower is better
  alignas(64) std::array<std::uint64_t, kLanes> signature{};  // equal decisions have equal signatures
  std::uint32_t failed = 0;                                   // bit per lane: the solver gave no decision
  std::uint32_t infeasible = 0;  // bit per lane, where the problem has recourse: see problem.hpp
  std::uint32_t changed = 0;
};

// One tile to decide with one set of predictions.
struct TileJob {
  Tile tile;
  const double* prediction = nullptr;  // [outputs × width]
  TileOutcome* outcome = nullptr;      // where the answer goes
};

// Solves whole tiles. Each thread has its own, so an implementation may keep workspaces in it.
class TileSolver {
 public:
  virtual ~TileSolver() = default;

  // Decides every lane for its predicted parameters [outputs × width] and reports what the decisions really
  // cost.
  virtual void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) = 0;

  // Decides several tiles at once, each by its own predictions. Worth overriding where every call is dear,
  // such as a message to another process; `jobs_at_once` then says how many jobs callers should collect for
  // it. What becomes of a job must not depend on the jobs beside it.
  virtual void solve_all(std::span<const TileJob> jobs) {
    for (const TileJob& job : jobs) solve(job.tile, job.prediction, *job.outcome);
  }
  virtual std::size_t jobs_at_once() const { return 1; }

  // Whether tiles of width 1 are welcome too. A solver that says no is only ever shown full width; data of
  // several shapes then go through decide and realise of its problem.
  virtual bool takes_any_width() const { return false; }

  // Optional: how far each predicted parameter may move before the decision can change, [outputs × kLanes].
  // |margin| is a lower bound on how much worse, in predicted cost, the best decision is that differs from
  // the optimal one in this parameter's variable; its sign is the direction of change that favours such a
  // decision (+: raising the parameter). Returns false where the solver knows no margins; then nothing is
  // ever skipped.
  //
  // Only for decisions whose every variable is 0 or 1 and whose predicted cost is linear in them. There a
  // variable can change in one direction and by one unit, so that a change of its parameter is worth its own
  // size to a rival. A variable of 0, 1 or 2 may change by two units, or either way, and margins of this
  // definition then certify decisions that do change: return false (stability_test.cpp has an example).
  virtual bool margins(const Tile& tile, const double* prediction, double* margin) {
    (void)tile, (void)prediction, (void)margin;
    return false;
  }
};

}  // namespace polystep
