#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "optimizer/cost_rows.hpp"
#include "optimizer/motion.hpp"
#include "optimizer/probe_builder.hpp"
#include "optimizer/radii.hpp"
#include "optimizer/weight_table.hpp"
#include "polystep/error.hpp"
#include "polystep/optimizer.hpp"

namespace polystep {
namespace {

PolyStepOptions checked(PolyStepOptions options) {
  check_options(options);
  return options;
}

std::unique_ptr<SearchSpace> checked(std::unique_ptr<SearchSpace> space) {
  if (!space) throw InputError("optimizer: found no search space, expected one");
  return space;
}

double length(std::span<const double> vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  return std::sqrt(sum);
}

}  // namespace

struct PolyStep::State {
  State(std::unique_ptr<SearchSpace> space_in, PolyStepOptions options_in, std::uint64_t seed_in)
      : space(checked(std::move(space_in))),
        options(checked(std::move(options_in))),
        seed(seed_in),
        builder(*space, options, seed),
        costs(builder.row_shape()),
        weights(options, builder.row_shape()),
        motion(builder.layout().padded_dimension()),
        radii_counter(options.radii_rule),
        radius_factor(options.adaptive_radius),
        direction(builder.layout().padded_dimension(), 0.0),
        theta(space->origin().begin(), space->origin().end()) {}

  std::span<const double> real_coordinates(const std::vector<double>& padded) const {
    return std::span(padded).first(builder.layout().dimension);
  }
  double temperature() const { return options.temperature.value(step); }
  double length_factor() const {
    return steering * radius_factor.value() * (options.lengths_relative_to_temperature ? temperature() : 1.0);
  }

  void build_probes();
  void choose_direction();
  void move();
  void fill_report();

  std::unique_ptr<SearchSpace> space;
  PolyStepOptions options;
  std::uint64_t seed;
  ProbeBuilder builder;
  CostRows costs;
  WeightTable weights;
  Motion motion;
  RadiiCounter radii_counter;
  RadiusFactor radius_factor;
  std::vector<double> direction;  // D, [padded coordinates]
  std::vector<double> theta;      // [parameters]
  double steering = 1;            // see scale_lengths
  std::size_t step = 0;
  bool asked = false;
  StepReport report;
};

void PolyStep::State::build_probes() {
  const double outer =
      options.probe_radius.value(step) * length_factor() * jitter_factor(options.radius_jitter, seed, step);
  std::vector<double> radii;
  if (radii_counter.single()) {
    radii.assign(1, single_radius(outer, options.radii));
  } else {
    spread_radii(outer, options.radii, radii);
  }
  builder.build(step, std::move(radii));
  asked = true;
}

void PolyStep::State::choose_direction() {
  const BlockLayout& layout = builder.layout();
  for (std::size_t block = 0; block < layout.blocks; ++block) {
    const auto part = std::span(direction).subspan(layout.first(block), layout.size(block));
    if (weights.still(block)) {
      std::fill(part.begin(), part.end(), 0.0);
    } else {
      builder.block_direction(block, weights.row(block), part);
    }
  }
}

void PolyStep::State::move() {
  const double step_length = options.step_length.value(step) * length_factor();
  report.reverted =
      !motion.advance(direction, step_length, options.momentum.value(step), options.velocity_gain);
  report.displacement = length(real_coordinates(motion.displacement));
  space->place(real_coordinates(motion.y), theta);
  report.basis_rebuilt =
      space->finish_step(real_coordinates(motion.y), real_coordinates(motion.displacement));
  if (report.basis_rebuilt) motion.reset();
}

void PolyStep::State::fill_report() {
  report.step = step;
  report.temperature = temperature();
  report.step_length = options.step_length.value(step) * length_factor();
  report.probe_radius = options.probe_radius.value(step) * length_factor();
  report.radii = builder.probes().radii().size();
  report.mean_cost = costs.mean();
  report.best_cost = costs.lowest();
  report.cost_scale = costs.divisor();
  report.weight_entropy = weights.mean_entropy();
  report.flat_blocks = costs.flat_rows();
  report.replaced_costs = costs.replaced();
  report.transport_iterations = weights.iterations();
}

PolyStep::PolyStep(std::unique_ptr<SearchSpace> space, PolyStepOptions options, std::uint64_t seed)
    : state_(std::make_unique<State>(std::move(space), std::move(options), seed)) {}
PolyStep::~PolyStep() = default;
PolyStep::PolyStep(PolyStep&&) noexcept = default;
PolyStep& PolyStep::operator=(PolyStep&&) noexcept = default;

void PolyStep::scale_lengths(double factor) {
  if (!(factor > 0) || !std::isfinite(factor))
    throw InputError(fmt::format("length factor: found {}, expected a finite number above 0", factor));
  state_->steering = factor;
}

const Probes& PolyStep::ask() {
  if (!state_->asked) state_->build_probes();
  return state_->builder.probes();
}

void PolyStep::tell(std::span<const double> costs) {
  const Probes& probes = ask();
  if (costs.size() != probes.size())
    throw InputError(
        fmt::format("tell: found {} costs, expected {}, one per probe", costs.size(), probes.size()));
  State& s = *state_;
  s.costs.assign(costs, probes.radii().size(), s.options.cost_scale, s.options.fixed_scale);
  s.weights.assign(s.costs, s.temperature());
  s.choose_direction();
  s.fill_report();
  s.move();
  s.radii_counter.finish_step(s.costs.mean());
  s.radius_factor.finish_step(s.costs.mean());
  ++s.step;
  s.asked = false;
}

void PolyStep::candidate(std::size_t probe, std::span<double> theta) const {
  const Probes& probes = state_->builder.probes();
  if (!state_->asked || probe >= probes.size() || theta.size() != state_->theta.size())
    throw InputError(fmt::format(
        "candidate: found probe {} and {} parameters, expected, after ask, a probe below {} and {} "
        "parameters",
        probe, theta.size(), state_->asked ? probes.size() : 0, state_->theta.size()));
  const ProbeAddress at = probes.address(probe);
  Direction direction;
  probes.direction(at.block, at.vertex, direction);
  std::copy(state_->theta.begin(), state_->theta.end(), theta.begin());
  direction.add_to(probes.radii()[at.radius], theta);
}

std::span<const double> PolyStep::parameters() const { return state_->theta; }
std::span<const double> PolyStep::coordinates() const { return state_->motion.y; }
std::span<const double> PolyStep::velocity() const { return state_->motion.velocity; }
std::span<const double> PolyStep::last_direction() const { return state_->direction; }
std::size_t PolyStep::step() const { return state_->step; }
const StepReport& PolyStep::report() const { return state_->report; }
const SearchSpace& PolyStep::space() const { return *state_->space; }
const PolyStepOptions& PolyStep::options() const { return state_->options; }

void PolyStep::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(state_->seed);
  archive.put<std::uint64_t>(state_->step);
  state_->motion.save(archive);
  state_->radii_counter.save(archive);
  state_->radius_factor.save(archive);
  state_->weights.save(archive);
  state_->space->save(archive);
}

void PolyStep::load(ArchiveReader& archive) {
  State& s = *state_;
  const auto seed = archive.get<std::uint64_t>();
  if (seed != s.seed)
    throw InputError(fmt::format("checkpoint: its seed is {}, this run's is {}", seed, s.seed));
  s.step = static_cast<std::size_t>(archive.get<std::uint64_t>());
  s.motion.load(archive);
  s.radii_counter.load(archive);
  s.radius_factor.load(archive);
  s.weights.load(archive);
  s.space->load(archive);
  s.space->place(s.real_coordinates(s.motion.y), s.theta);
  s.asked = false;
}

}  // namespace polystep
