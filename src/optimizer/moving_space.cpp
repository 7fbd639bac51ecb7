#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "optimizer/dense_columns.hpp"
#include "optimizer/principal_directions.hpp"
#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

class MovingSpace final : public SearchSpace {
 public:
  MovingSpace(std::vector<double> origin, const MovingSpaceOptions& options, std::uint64_t seed)
      : SearchSpace(std::move(origin)),
        options_(options),
        seed_(seed),
        columns_(origin_.size(), options.dimension) {
    fill_columns();
  }

  bool fixed() const override { return false; }
  std::size_t dimension() const override { return options_.dimension; }

  void place(std::span<const double> y, std::span<double> theta) const override {
    std::copy(origin_.begin(), origin_.end(), theta.begin());
    columns_.add_to(0, y, theta);
  }

  void direction(std::size_t first, std::span<const double> coefficients,
                 SparseDirection& out) const override {
    out.value.assign(origin_.size(), 0.0);
    columns_.add_to(first, coefficients, out.value);
    all_parameters(out.index);
  }

  void support(std::size_t, std::size_t, std::vector<std::uint32_t>& out) const override {
    all_parameters(out);
  }

  bool finish_step(std::span<const double> y, std::span<const double> displacement) override {
    remember(displacement);
    ++steps_;
    if (steps_ % options_.interval != 0) return false;
    std::vector<double> theta(origin_.size());
    place(y, theta);
    origin_ = std::move(theta);
    ++rebuilds_;
    basis_history_ = history_;
    basis_step_ = steps_ - 1;
    fill_columns();
    return true;
  }

  // The basis itself, by far the largest part, is not written: it is a function of the history at its last
  // rebuild.
  void save(ArchiveWriter& archive) const override {
    SearchSpace::save(archive);
    archive.put<std::uint64_t>(steps_);
    archive.put<std::uint64_t>(rebuilds_);
    archive.put<std::uint64_t>(basis_step_);
    save_vectors(archive, history_);
    save_vectors(archive, basis_history_);
  }

  void load(ArchiveReader& archive) override {
    SearchSpace::load(archive);
    steps_ = archive.get<std::uint64_t>();
    rebuilds_ = archive.get<std::uint64_t>();
    basis_step_ = archive.get<std::uint64_t>();
    load_vectors(archive, history_);
    load_vectors(archive, basis_history_);
    fill_columns();
  }

 private:
  void all_parameters(std::vector<std::uint32_t>& index) const {
    index.resize(origin_.size());
    for (std::size_t i = 0; i < index.size(); ++i) index[i] = static_cast<std::uint32_t>(i);
  }

  // Steps are remembered in parameter space, where they keep their meaning when the basis changes.
  void remember(std::span<const double> displacement) {
    std::vector<double> moved(origin_.size(), 0.0);
    columns_.add_to(0, displacement, moved);
    if (history_.size() == options_.history) history_.erase(history_.begin());
    history_.push_back(std::move(moved));
  }

  std::size_t directions_to_keep() const {
    const double progress =
        std::min(1.0, static_cast<double>(basis_step_) / static_cast<double>(options_.horizon));
    const double share = options_.kept_start + progress * (options_.kept_end - options_.kept_start);
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(options_.dimension));
    return std::min({basis_history_.size(), std::max<std::size_t>(1, wanted), options_.dimension});
  }

  void fill_columns() {
    std::vector<std::span<double>> kept;
    for (std::size_t j = 0; j < directions_to_keep(); ++j) kept.push_back(columns_.column(j));
    const std::size_t found = kept.empty() ? 0 : principal_directions(basis_history_, kept);
    columns_.draw_gaussian(seed_, rebuilds_, found);
    columns_.orthonormalize();
  }

  static void save_vectors(ArchiveWriter& archive, const std::vector<std::vector<double>>& vectors) {
    archive.put<std::uint64_t>(vectors.size());
    for (const auto& vector : vectors) archive.put(vector);
  }

  void load_vectors(ArchiveReader& archive, std::vector<std::vector<double>>& vectors) const {
    const auto count = archive.get<std::uint64_t>();
    if (count > options_.history)
      throw InputError(fmt::format("checkpoint: its search space remembers {} steps, this run's at most {}",
                                   count, options_.history));
    vectors.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
      vectors.push_back(archive.get_doubles());
      if (vectors.back().size() != origin_.size())
        throw InputError(fmt::format("checkpoint: a remembered step has {} parameters, expected {}",
                                     vectors.back().size(), origin_.size()));
    }
  }

  MovingSpaceOptions options_;
  std::uint64_t seed_;
  DenseColumns columns_;                            // A, [parameters × dimension]
  std::vector<std::vector<double>> history_;        // recent steps, oldest first, each [parameters]
  std::vector<std::vector<double>> basis_history_;  // what history_ was when A was last rebuilt
  std::uint64_t steps_ = 0;
  std::uint64_t rebuilds_ = 0;
  std::uint64_t basis_step_ = 0;  // the step after which A was last rebuilt
};

void check(const MovingSpaceOptions& options, std::size_t parameters) {
  if (options.dimension == 0 || options.dimension > parameters)
    throw InputError(fmt::format("moving space: dimension is {}, expected 1 to the {} parameters there are",
                                 options.dimension, parameters));
  if (options.interval == 0) throw InputError("moving space: interval is 0, expected at least 1");
  if (options.history == 0) throw InputError("moving space: history is 0, expected at least 1");
  if (options.horizon == 0) throw InputError("moving space: horizon is 0, expected at least 1");
  for (const double share : {options.kept_start, options.kept_end})
    if (!(share >= 0 && share <= 1))
      throw InputError(fmt::format("moving space: kept share is {}, expected 0 to 1", share));
}

}  // namespace

std::unique_ptr<SearchSpace> make_moving_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                               std::uint64_t seed) {
  check(options, theta0.size());
  return std::make_unique<MovingSpace>(std::move(theta0), options, seed);
}

}  // namespace polystep
