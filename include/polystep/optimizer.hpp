// PolyStep: minimises any loss from its values alone, by ask and tell.
//
//   PolyStep optimizer(make_full_space(start), PolyStepOptions{}, seed);
//   for (int t = 0; t < 200; ++t) {
//     const Probes& probes = optimizer.ask();
//     for (std::size_t i = 0; i < probes.size(); ++i) {
//       optimizer.candidate(i, theta);
//       costs[i] = loss(theta);
//     }
//     optimizer.tell(std::span(costs).first(probes.size()));
//   }
//   use(optimizer.parameters());
//
// Each step probes the loss at the vertices of a randomly rotated polytope per block of coordinates, turns
// every block's costs into weights that favour cheap vertices, and moves towards the weighted mean of the
// vertices. The loss may be flat or discontinuous almost everywhere. A cost that is not finite counts as very
// bad.
//
// The same space, options, seed and costs give the same bits, across save and load too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "polystep/archive.hpp"
#include "polystep/optimizer_options.hpp"
#include "polystep/probes.hpp"
#include "polystep/search_space.hpp"

namespace polystep {

// What the last step did.
struct StepReport {
  std::size_t step = 0;  // its number, from 0
  double temperature = 0;
  double step_length = 0;     // s, as used: after the temperature and the adaptive factor, where switched on
  double probe_radius = 0;    // outer radius r, as used, before jitter
  std::size_t radii = 0;      // how many radii were probed
  double mean_cost = 0;       // over all probes
  double best_cost = 0;       // cheapest vertex, averaged over its radii
  double cost_scale = 0;      // what costs were divided by (mean over rows if each row has its own)
  double weight_entropy = 0;  // mean over blocks, relative to uniform weights: 1 uniform, 0 a single vertex
  double displacement = 0;    // distance moved
  std::size_t flat_blocks = 0;           // blocks whose vertices all cost the same
  std::size_t replaced_costs = 0;        // vertices whose cost was not finite
  std::size_t transport_iterations = 0;  // of the Sinkhorn rules
  bool reverted = false;  // the move was not finite; the point stayed and the velocity was dropped
  bool basis_rebuilt = false;
};

class PolyStep {
 public:
  // Throws InputError if the options are out of range or do not fit the space.
  PolyStep(std::unique_ptr<SearchSpace> space, PolyStepOptions options, std::uint64_t seed);
  ~PolyStep();
  PolyStep(PolyStep&&) noexcept;
  PolyStep& operator=(PolyStep&&) noexcept;

  // Multiplies step length and probe radius, from the next ask on, until it is called again. Not part of the
  // saved state: whoever steers the lengths saves what it steers them by.
  void scale_lengths(double factor);

  // This step's probes. Calling it again before tell returns the same ones. Valid until the next tell or
  // load.
  const Probes& ask();

  // One cost per probe, in the order of Probes::index. Moves the point.
  void tell(std::span<const double> costs);

  // Probe number `probe` of the current ask as a whole parameter vector.
  void candidate(std::size_t probe, std::span<double> theta) const;

  std::span<const double> parameters() const;      // theta at the current point
  std::span<const double> coordinates() const;     // y, padding included
  std::span<const double> velocity() const;        // per coordinate
  std::span<const double> last_direction() const;  // D of the last step; each block at most 1 long
  std::size_t step() const;                        // steps finished
  const StepReport& report() const;                // of the last finished step
  const SearchSpace& space() const;
  const PolyStepOptions& options() const;

  // Everything that decides the rest of the run; the report and last direction are not part of it. load
  // expects an optimizer made from the same kind of space, options and seed, and throws InputError if sizes
  // or seed differ. After a throw the optimizer is half loaded: make a new one.
  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace polystep
