#include "methods/probes/seen_probes.hpp"

#include <algorithm>

#include "polystep/search_space.hpp"
#include "polystep/tile.hpp"

namespace polystep {

bool SeenProbes::serves(const Predictor& predictor) {
  return predictor.staged() != nullptr && predictor.staged()->plain_rows() != 0;
}

SeenProbes::SeenProbes(const StagedPredictor& predictor, const Split& training)
    : predictor_(predictor),
      training_(training),
      units_(predictor.state_size() / predictor.plain_rows()),
      head_size_(predictor.parameters() - predictor.head_begin()) {}

void SeenProbes::prepare(const Probes& probes, std::span<const double> theta,
                         std::span<const std::size_t> rows, Team& team) {
  rows_ = rows.size();
  chosen_.clear();
  for (const std::size_t row : rows) {
    const std::span<const double> features = training_.feature_row(row);
    chosen_.insert(chosen_.end(), features.begin(), features.end());
  }
  shown_.assign(chosen_.begin(), chosen_.end());
  states_.resize(rows_ * predictor_.state_size());
  predictor_.states(theta, chosen_, states_.data());
  head_.assign(theta.begin() + static_cast<std::ptrdiff_t>(predictor_.head_begin()), theta.end());
  SeenColumns& columns = *probes.space().seen();
  columns.show(shown_);
  team.for_each(probes.space().dimension(),
                [&](std::size_t coordinate, std::size_t) { columns.draw(coordinate); });
}

void SeenProbes::predict_incumbent(std::size_t tile, double* prediction) const {
  const std::size_t outputs = predictor_.outputs(), lanes = std::min(kLanes, rows_ - tile * kLanes);
  const std::vector<double> still(head_size_, 0.0), step(1, 0.0);
  std::vector<float> along(outputs);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    const float* state =
        states_.data() + (tile * kLanes + std::min(lane, lanes - 1)) * predictor_.state_size();
    predictor_.predict_along(head_, still, state, state, step, along.data());
    for (std::size_t o = 0; o < outputs; ++o) prediction[o * kLanes + lane] = along[o];
  }
}

void SeenProbes::predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
                         double* predictions) const {
  const SeenColumns& columns = *probes.space().seen();
  const std::size_t outputs = predictor_.outputs(), size = predictor_.state_size();
  const std::size_t lanes = std::min(kLanes, rows_ - tile * kLanes);
  const std::size_t radii = probes.radii().size();
  const std::size_t directions = probes.vertices(block) / (probes.antipodal() ? 2 : 1);
  const std::size_t first = probes.first_coordinate(block);
  const std::size_t coordinates =
      std::min(probes.block_direction(block, 0).size(), probes.space().dimension() - first);
  scratch.change.resize(size);
  scratch.steps.assign(probes.radii().begin(), probes.radii().end());
  if (probes.antipodal())
    for (const double radius : probes.radii()) scratch.steps.push_back(-radius);
  scratch.along.resize(scratch.steps.size() * outputs);
  move_rest(probes, block, coordinates, directions, scratch);
  // Row after row, so that what the coordinates do to it stays in a cache for all directions.
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t at = (tile * kLanes + lane) * size;
    for (std::size_t v = 0; v < directions; ++v) {
      const std::span<const double> coefficients = probes.block_direction(block, v);
      for (std::size_t row = 0; row < size; row += units_) {
        float* change = scratch.change.data() + row;
        std::copy_n(scratch.first_bias.data() + v * units_, units_, change);
        for (std::size_t c = 0; c < coordinates; ++c) {
          const auto factor = static_cast<float>(coefficients[c]);
          if (factor == 0) continue;  // blocks that need no rotation have one coordinate per direction
          const float* term = columns.change(first + c).data() + at + row;
          for (std::size_t u = 0; u < units_; ++u) change[u] += factor * term[u];
        }
      }
      predictor_.predict_along(head_, std::span(scratch.head_change).subspan(v * head_size_, head_size_),
                               states_.data() + at, scratch.change.data(), scratch.steps,
                               scratch.along.data());
      for (std::size_t s = 0; s < scratch.steps.size(); ++s) {
        const std::size_t vertex = s < radii ? v : v + directions;
        double* probe = predictions + (vertex * radii + s % radii) * outputs * kLanes;
        for (std::size_t o = 0; o < outputs; ++o)
          for (std::size_t l = lane; l < (lane + 1 == lanes ? kLanes : lane + 1); ++l)
            probe[o * kLanes + l] = scratch.along[s * outputs + o];
      }
    }
  }
}

void SeenProbes::move_rest(const Probes& probes, std::size_t block, std::size_t coordinates,
                           std::size_t directions, Scratch& scratch) const {
  const SeenColumns& columns = *probes.space().seen();
  scratch.first_bias.assign(directions * units_, 0.0f);
  scratch.head_change.assign(directions * head_size_, 0.0);
  for (std::size_t v = 0; v < directions; ++v)
    for (std::size_t c = 0; c < coordinates; ++c) {
      const double coefficient = probes.block_direction(block, v)[c];
      if (coefficient == 0) continue;
      const std::span<const float> rest = columns.rest(probes.first_coordinate(block) + c);
      for (std::size_t u = 0; u < units_; ++u)
        scratch.first_bias[v * units_ + u] += static_cast<float>(coefficient) * rest[u];
      for (std::size_t i = 0; i < head_size_; ++i)
        scratch.head_change[v * head_size_ + i] += coefficient * static_cast<double>(rest[units_ + i]);
    }
}

}  // namespace polystep
