#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "optimizer/dense_columns.hpp"
#include "optimizer/moving_options.hpp"
#include "optimizer/principal_directions.hpp"
#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

// Real: how the basis and remembered steps are stored.
template <class Real>
class MovingSpace final : public SearchSpace {
 public:
  MovingSpace(std::vector<double> origin, const MovingSpaceOptions& options, std::uint64_t seed,
              ParallelFor parallel)
      : SearchSpace(std::move(origin)),
        options_(options),
        seed_(seed),
        parallel_(std::move(parallel)),
        columns_(origin_.size(), options.dimension) {
    fill_columns();
  }

  bool fixed() const override { return false; }
  std::size_t dimension() const override { return options_.dimension; }

  void place(std::span<const double> y, std::span<double> theta) const override {
    std::copy(origin_.begin(), origin_.end(), theta.begin());
    columns_.add_to(0, y, theta, parallel_);
  }

  void direction(std::size_t first, std::span<const double> coefficients, Direction& out) const override {
    columns_.combine(first, coefficients, out.make_dense(0, origin_.size()));
  }

  void support(std::size_t, std::size_t, std::vector<std::uint32_t>& out) const override {
    out.resize(origin_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  }

  bool finish_step(std::span<const double> y, std::span<const double> displacement) override {
    remember(displacement);
    ++steps_;
    if (steps_ % options_.interval != 0) return false;
    columns_.add_to(0, y, origin_, parallel_);
    ++rebuilds_;
    basis_history_ = history_;
    basis_step_ = steps_ - 1;
    fill_columns();
    return true;
  }

  // The basis itself, by far the largest part, is not written: it is a function of the history at its last
  // rebuild. Steps that are remembered now and were so then are written once.
  void save(ArchiveWriter& archive) const override {
    SearchSpace::save(archive);
    archive.put<std::uint64_t>(sizeof(Real));
    archive.put<std::uint64_t>(steps_);
    archive.put<std::uint64_t>(rebuilds_);
    archive.put<std::uint64_t>(basis_step_);
    const std::size_t shared = shared_steps();
    archive.put<std::uint64_t>(basis_history_.size());
    archive.put<std::uint64_t>(history_.size());
    archive.put<std::uint64_t>(shared);
    for (const Step& step : basis_history_) archive.put(std::span<const Real>(*step));
    for (std::size_t i = shared; i < history_.size(); ++i) archive.put(std::span<const Real>(*history_[i]));
  }

  void load(ArchiveReader& archive) override {
    SearchSpace::load(archive);
    if (const auto bytes = archive.get<std::uint64_t>(); bytes != sizeof(Real))
      throw InputError(fmt::format("checkpoint: its search space has numbers of {} bytes, this run's of {}",
                                   bytes, sizeof(Real)));
    steps_ = archive.get<std::uint64_t>();
    rebuilds_ = archive.get<std::uint64_t>();
    basis_step_ = archive.get<std::uint64_t>();
    const auto then = archive.get<std::uint64_t>(), now = archive.get<std::uint64_t>(),
               shared = archive.get<std::uint64_t>();
    if (std::max(then, now) > options_.history || shared > std::min(then, now))
      throw InputError(
          fmt::format("checkpoint: its search space remembers {} and {} steps, {} of them in common, this "
                      "run's at most {}",
                      then, now, shared, options_.history));
    basis_history_.clear();
    for (std::uint64_t i = 0; i < then; ++i) basis_history_.push_back(load_step(archive));
    history_.assign(basis_history_.end() - static_cast<std::ptrdiff_t>(shared), basis_history_.end());
    while (history_.size() < now) history_.push_back(load_step(archive));
    fill_columns();
  }

 private:
  using Step = std::shared_ptr<const std::vector<Real>>;  // [parameters]

  // How many of the oldest steps of history_ are the latest ones of basis_history_.
  std::size_t shared_steps() const {
    std::size_t shared = 0;
    for (const Step& step : history_)
      shared += static_cast<std::size_t>(std::count(basis_history_.begin(), basis_history_.end(), step));
    return shared;
  }

  // Steps are remembered in parameter space, where they keep their meaning when the basis changes.
  void remember(std::span<const double> displacement) {
    std::vector<double> moved(origin_.size());
    columns_.combine(0, displacement, moved, parallel_);
    if (history_.size() == options_.history) history_.erase(history_.begin());
    if constexpr (std::is_same_v<Real, double>)
      history_.push_back(std::make_shared<const std::vector<Real>>(std::move(moved)));
    else
      history_.push_back(std::make_shared<const std::vector<Real>>(moved.begin(), moved.end()));
  }

  void fill_columns() {
    std::vector<std::span<const Real>> remembered;
    for (const Step& step : basis_history_) remembered.emplace_back(*step);
    std::vector<std::span<Real>> kept;
    const std::size_t wanted = directions_to_keep(options_, basis_step_, basis_history_.size());
    for (std::size_t j = 0; j < wanted; ++j) kept.push_back(columns_.column(j));
    const std::size_t found = kept.empty() ? 0 : principal_directions<Real>(remembered, kept, parallel_);
    columns_.draw_gaussian(seed_, rebuilds_, found, parallel_);
    columns_.orthonormalize(parallel_);
  }

  Step load_step(ArchiveReader& archive) const {
    std::vector<Real> step;
    if constexpr (std::is_same_v<Real, double>)
      step = archive.get_doubles();
    else
      step = archive.get_floats();
    if (step.size() != origin_.size())
      throw InputError(fmt::format("checkpoint: a remembered step has {} parameters, expected {}",
                                   step.size(), origin_.size()));
    return std::make_shared<const std::vector<Real>>(std::move(step));
  }

  MovingSpaceOptions options_;
  std::uint64_t seed_;
  ParallelFor parallel_;
  ColumnsOf<Real> columns_;          // A, [parameters × dimension]
  std::vector<Step> history_;        // recent steps, oldest first
  std::vector<Step> basis_history_;  // what history_ was when A was last rebuilt
  std::uint64_t steps_ = 0;
  std::uint64_t rebuilds_ = 0;
  std::uint64_t basis_step_ = 0;  // the step after which A was last rebuilt
};

}  // namespace

std::unique_ptr<SearchSpace> make_moving_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                               std::uint64_t seed, ParallelFor parallel) {
  check_moving_options(options, theta0.size());
  if (options.single_precision)
    return std::make_unique<MovingSpace<float>>(std::move(theta0), options, seed, std::move(parallel));
  return std::make_unique<MovingSpace<double>>(std::move(theta0), options, seed, std::move(parallel));
}

}  // namespace polystep
