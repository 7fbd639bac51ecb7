#include "methods/probes/staged_probes.hpp"

#include <algorithm>

#include "polystep/tile.hpp"

namespace polystep {
namespace {

// A coordinate that moves few parameters is quick to project whenever it is needed.
constexpr std::size_t kFewParameters = 64;

constexpr std::size_t kChunk = 1024;  // of a state: stays in the innermost cache while terms are added

// sum = sum over c of factors[c] * terms[c].
void combine(std::span<const double> factors, std::span<const float* const> terms, std::size_t count,
             float* sum) {
  for (std::size_t first = 0; first < count; first += kChunk) {
    const std::size_t last = std::min(count, first + kChunk);
    std::fill(sum + first, sum + last, 0.0f);
    for (std::size_t c = 0; c < terms.size(); ++c) {
      const auto factor = static_cast<float>(factors[c]);
      const float* term = terms[c];
      for (std::size_t i = first; i < last; ++i) sum[i] += factor * term[i];
    }
  }
}

}  // namespace

StagedProbes::StagedProbes(const StagedPredictor& predictor, const Split& training, std::size_t most_kept)
    : predictor_(predictor),
      training_(training),
      state_size_(predictor.state_size()),
      head_size_(predictor.parameters() - predictor.head_begin()),
      most_kept_(most_kept) {}

void StagedProbes::prepare(const Probes& probes, std::span<const double> theta,
                           std::span<const std::size_t> rows, Team& team) {
  const SearchSpace& space = probes.space();
  const bool same_rows = std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end());
  if (!same_rows) {
    rows_.assign(rows.begin(), rows.end());
    chosen_.clear();  // together, so that the predictor prepares its weights once
    for (const std::size_t row : rows) {
      const std::span<const double> features = training_.feature_row(row);
      chosen_.insert(chosen_.end(), features.begin(), features.end());
    }
  }
  by_row_ = space.fixed() && space.dimension() * training_.rows * state_size_ <= most_kept_;
  if (!projected_ || !space.fixed() || (!by_row_ && !same_rows))
    project(space, by_row_ ? std::span<const double>(training_.features) : chosen_, team);
  projected_ = true;
  states_.resize(rows.size() * state_size_);
  predictor_.states(theta, chosen_, states_.data());
  head_.assign(theta.begin() + static_cast<std::ptrdiff_t>(predictor_.head_begin()), theta.end());
}

void StagedProbes::project(const SearchSpace& space, std::span<const double> features, Team& team) {
  const std::size_t coordinates = space.dimension();
  const std::size_t entries = features.size() / training_.feature_columns * state_size_;
  changes_.resize(coordinates);
  kinds_.resize(coordinates);
  head_changes_.assign(coordinates * head_size_, 0.0);
  std::vector<Direction> directions(team.threads());
  team.for_each(coordinates, [&](std::size_t coordinate, std::size_t worker) {
    Direction& direction = directions[worker];
    const double unit = 1;
    space.direction(coordinate, {&unit, 1}, direction);
    direction.for_each([&](std::size_t parameter, double value) {
      if (parameter >= predictor_.head_begin())
        head_changes_[coordinate * head_size_ + parameter - predictor_.head_begin()] = value;
    });
    kinds_[coordinate] = direction.size() <= kFewParameters        ? Change::kQuick
                         : (coordinate + 1) * entries > most_kept_ ? Change::kTooBig
                                                                   : Change::kKept;
    if (kinds_[coordinate] != Change::kKept) {
      AlignedFloats().swap(changes_[coordinate]);
      return;
    }
    changes_[coordinate].resize(entries);
    predictor_.state_changes(direction, features, changes_[coordinate].data());
  });
}

std::size_t StagedProbes::coordinates(const Probes& probes, std::size_t block) const {
  return std::min(probes.block_direction(block, 0).size(),
                  probes.space().dimension() - probes.first_coordinate(block));
}

// A tile's rows together, so that a direction of many parameters is made once for all of them.
void StagedProbes::project_tile(const Probes& probes, std::size_t block, std::size_t tile, std::size_t lanes,
                                Scratch& scratch) const {
  const std::size_t first = probes.first_coordinate(block), count = coordinates(probes, block);
  for (std::size_t c = 0; c < count; ++c) {
    if (kinds_[first + c] != Change::kTooBig) continue;
    scratch.tile_changes.resize(count * kLanes * state_size_);
    const double unit = 1;
    probes.space().direction(first + c, {&unit, 1}, scratch.moved);
    predictor_.state_changes(scratch.moved, chosen_rows(tile * kLanes, lanes),
                             scratch.tile_changes.data() + c * kLanes * state_size_);
  }
}

const float* StagedProbes::coordinate_change(const Probes& probes, std::size_t block, std::size_t c,
                                             std::size_t slot, Scratch& scratch) const {
  const std::size_t coordinate = probes.first_coordinate(block) + c;
  if (kinds_[coordinate] == Change::kKept)
    return changes_[coordinate].data() + (by_row_ ? rows_[slot] : slot) * state_size_;
  if (kinds_[coordinate] == Change::kTooBig)
    return scratch.tile_changes.data() + (c * kLanes + slot % kLanes) * state_size_;
  float* change = scratch.changes.data() + c * state_size_;
  const double unit = 1;
  probes.space().direction(coordinate, {&unit, 1}, scratch.moved);
  predictor_.state_changes(scratch.moved, chosen_rows(slot, 1), change);
  return change;
}

void StagedProbes::predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
                           double* predictions) const {
  const std::size_t outputs = predictor_.outputs();
  const std::size_t count = probes.vertices(block) * probes.radii().size();
  const std::size_t lanes = std::min(kLanes, rows_.size() - tile * kLanes);
  scratch.predictions.resize(kLanes * count * outputs);
  project_tile(probes, block, tile, lanes, scratch);
  for (std::size_t lane = 0; lane < lanes; ++lane)
    predict_row(probes, block, tile * kLanes + lane, scratch,
                scratch.predictions.data() + lane * count * outputs);
  for (std::size_t probe = 0; probe < count; ++probe)
    for (std::size_t o = 0; o < outputs; ++o)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        predictions[(probe * outputs + o) * kLanes + lane] =
            scratch.predictions[(std::min(lane, lanes - 1) * count + probe) * outputs + o];
}

void StagedProbes::predict_row(const Probes& probes, std::size_t block, std::size_t slot, Scratch& scratch,
                               float* predictions) const {
  const std::size_t first = probes.first_coordinate(block);
  const std::size_t count = coordinates(probes, block);
  scratch.changes.resize(count * state_size_);
  scratch.direction.resize(state_size_);
  scratch.state.resize(state_size_);
  scratch.head.resize(predictor_.scratch_size());
  scratch.head_parameters.resize(head_size_);
  std::vector<const float*> changes(count);
  for (std::size_t c = 0; c < count; ++c) changes[c] = coordinate_change(probes, block, c, slot, scratch);

  const float* base = states_.data() + slot * state_size_;
  const std::size_t outputs = predictor_.outputs();
  const std::size_t directions = probes.vertices(block) / (probes.antipodal() ? 2 : 1);
  const std::size_t radii = probes.radii().size();
  const auto predict_at = [&](double step, std::size_t vertex, std::size_t radius) {
    const auto factor = static_cast<float>(step);
    for (std::size_t i = 0; i < state_size_; ++i) scratch.state[i] = base[i] + factor * scratch.direction[i];
    for (std::size_t i = 0; i < head_size_; ++i)
      scratch.head_parameters[i] = head_[i] + step * scratch.head_direction[i];
    predictor_.predict_from_state(scratch.head_parameters, scratch.state.data(), scratch.head.data(),
                                  predictions + (vertex * radii + radius) * outputs);
  };
  for (std::size_t v = 0; v < directions; ++v) {
    const std::span<const double> coefficients = probes.block_direction(block, v);
    combine(coefficients, changes, state_size_, scratch.direction.data());
    scratch.head_direction.assign(head_size_, 0.0);
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t i = 0; i < head_size_; ++i)
        scratch.head_direction[i] += coefficients[c] * head_changes_[(first + c) * head_size_ + i];
    for (std::size_t k = 0; k < radii; ++k) {
      predict_at(probes.radii()[k], v, k);
      if (probes.antipodal()) predict_at(-probes.radii()[k], v + directions, k);
    }
  }
}

}  // namespace polystep
