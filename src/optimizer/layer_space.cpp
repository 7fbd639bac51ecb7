#include <fmt/core.h>

#include <algorithm>

#include "optimizer/dense_columns.hpp"
#include "optimizer/released_draws.hpp"
#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

// One tensor's share of A.
struct Segment {
  std::size_t first_parameter = 0;
  std::size_t parameters = 0;
  std::size_t first_coordinate = 0;
  std::size_t coordinates = 0;
  DenseColumns columns;  // [parameters × coordinates]; empty for an identity

  bool identity() const { return coordinates == parameters; }
};

// Part of a segment covered by a range of coordinates.
struct Overlap {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool empty() const { return begin >= end; }
};

Overlap overlap(const Segment& segment, std::size_t first, std::size_t count) {
  return {std::max(first, segment.first_coordinate),
          std::min(first + count, segment.first_coordinate + segment.coordinates)};
}

void append_range(std::vector<std::uint32_t>& index, std::size_t first, std::size_t count) {
  const std::size_t old_size = index.size();
  index.resize(old_size + count);
  for (std::size_t i = 0; i < count; ++i) index[old_size + i] = static_cast<std::uint32_t>(first + i);
}

class LayerSpace final : public SearchSpace {
 public:
  LayerSpace(std::vector<double> origin, std::vector<Segment> segments)
      : SearchSpace(std::move(origin)), segments_(std::move(segments)) {
    dimension_ = segments_.back().first_coordinate + segments_.back().coordinates;
  }

  std::size_t dimension() const override { return dimension_; }

  void place(std::span<const double> y, std::span<double> theta) const override {
    std::copy(origin_.begin(), origin_.end(), theta.begin());
    for (const Segment& segment : segments_) {
      const auto part = theta.subspan(segment.first_parameter, segment.parameters);
      const auto coordinates = y.subspan(segment.first_coordinate, segment.coordinates);
      if (segment.identity()) {
        for (std::size_t i = 0; i < part.size(); ++i) part[i] += coordinates[i];
      } else {
        segment.columns.add_to(0, coordinates, part);
      }
    }
  }

  // Dense where one tensor with a basis of its own is all it reaches.
  void direction(std::size_t first, std::span<const double> coefficients, Direction& out) const override {
    out.clear();
    if (const Segment* only = only_segment(first, coefficients.size());
        only != nullptr && !only->identity()) {
      if (!all_zero(coefficients))
        only->columns.combine(first - only->first_coordinate, coefficients,
                              out.make_dense(only->first_parameter, only->parameters));
      return;
    }
    for (const Segment& segment : segments_) {
      const Overlap range = overlap(segment, first, coefficients.size());
      if (range.empty()) continue;
      const auto part = coefficients.subspan(range.begin - first, range.end - range.begin);
      const std::size_t begin = range.begin - segment.first_coordinate;
      if (segment.identity()) {
        append_identity(segment.first_parameter + begin, part, out);
      } else {
        append_dense(segment, begin, part, out);
      }
    }
  }

  void support(std::size_t first, std::size_t count, std::vector<std::uint32_t>& out) const override {
    out.clear();
    for (const Segment& segment : segments_) {
      const Overlap range = overlap(segment, first, count);
      if (range.empty()) continue;
      if (segment.identity()) {
        append_range(out, segment.first_parameter + range.begin - segment.first_coordinate,
                     range.end - range.begin);
      } else {
        append_range(out, segment.first_parameter, segment.parameters);
      }
    }
  }

 private:
  // The segment that holds all of these coordinates; nullptr: they belong to several.
  const Segment* only_segment(std::size_t first, std::size_t count) const {
    const auto holds = [&](const Segment& segment) {
      return first >= segment.first_coordinate &&
             first + count <= segment.first_coordinate + segment.coordinates;
    };
    const auto found = std::find_if(segments_.begin(), segments_.end(), holds);
    return found == segments_.end() ? nullptr : &*found;
  }

  static bool all_zero(std::span<const double> coefficients) {
    return std::all_of(coefficients.begin(), coefficients.end(), [](double c) { return c == 0; });
  }

  static void append_identity(std::size_t parameter, std::span<const double> coefficients, Direction& out) {
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      if (coefficients[i] != 0) out.add(static_cast<std::uint32_t>(parameter + i), coefficients[i]);
  }

  static void append_dense(const Segment& segment, std::size_t begin, std::span<const double> coefficients,
                           Direction& out) {
    if (all_zero(coefficients)) return;
    segment.columns.combine(begin, coefficients, out.add_range(segment.first_parameter, segment.parameters));
  }

  std::vector<Segment> segments_;  // in parameter order
  std::size_t dimension_ = 0;
};

}  // namespace

void SearchSpace::load(ArchiveReader& archive) {
  std::vector<double> origin = archive.get_doubles();
  if (origin.size() != origin_.size())
    throw InputError(fmt::format("checkpoint: its search space has {} parameters, this run's has {}",
                                 origin.size(), origin_.size()));
  origin_ = std::move(origin);
}

std::unique_ptr<SearchSpace> make_full_space(std::vector<double> theta0) {
  if (theta0.empty()) throw InputError("search space: found 0 parameters, expected at least 1");
  std::vector<Segment> segments(1);
  segments[0].parameters = segments[0].coordinates = theta0.size();
  return std::make_unique<LayerSpace>(std::move(theta0), std::move(segments));
}

std::unique_ptr<SearchSpace> make_layer_space(std::span<const TensorShape> tensors,
                                              std::vector<double> theta0, const LayerSpaceOptions& options,
                                              std::uint64_t seed) {
  if (tensors.empty()) throw InputError("search space: found 0 tensors, expected at least 1");
  std::vector<Segment> segments;
  std::size_t parameters = 0;
  std::size_t coordinates = 0;
  for (const TensorPlan& plan : plan_layers(tensors, options)) {
    segments.push_back({parameters, plan.parameters, coordinates, plan.coordinates, {}});
    parameters += plan.parameters;
    coordinates += plan.coordinates;
  }
  if (parameters != theta0.size())
    throw InputError(fmt::format("search space: found {} initial parameters, expected {} for these tensors",
                                 theta0.size(), parameters));
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].identity()) continue;
    segments[i].columns = DenseColumns(segments[i].parameters, segments[i].coordinates);
    if (options.draws == Draws::kTwister) {
      draw_released_basis(seed, tensors[i], segments[i].columns);
    } else {
      segments[i].columns.draw_gaussian(seed, i);
      segments[i].columns.orthonormalize();
    }
  }
  return std::make_unique<LayerSpace>(std::move(theta0), std::move(segments));
}

}  // namespace polystep
