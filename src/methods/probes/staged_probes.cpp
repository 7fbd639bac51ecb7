#include "methods/probes/staged_probes.hpp"

#include <algorithm>

#include "polystep/tile.hpp"

namespace polystep {
namespace {

// A coordinate that moves few parameters is quick to project whenever it is needed.
constexpr std::size_t kFewParameters = 64;

// Beyond this, coordinates are projected again for every probe that uses them: slower, but it fits.
constexpr std::size_t kMostKeptEntries = std::size_t{1} << 29;

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

StagedProbes::StagedProbes(const StagedPredictor& predictor, const Split& training)
    : predictor_(predictor),
      training_(training),
      state_size_(predictor.state_size()),
      head_size_(predictor.parameters() - predictor.head_begin()) {}

void StagedProbes::prepare(const Probes& probes, std::span<const double> theta,
                           std::span<const std::size_t> rows, Executor& executor) {
  rows_.assign(rows.begin(), rows.end());
  states_.resize(rows.size() * state_size_);
  std::vector<double> chosen;  // together, so that the predictor prepares its weights once
  chosen.reserve(rows.size() * training_.feature_columns);
  for (const std::size_t row : rows) chosen.insert(chosen.end(), features(row).begin(), features(row).end());
  predictor_.states(theta, chosen, states_.data());
  by_slot_ = !probes.space().fixed();
  if (by_slot_)
    project(probes.space(), chosen, executor);
  else if (changes_.empty())
    project(probes.space(), training_.features, executor);
  head_.assign(theta.begin() + static_cast<std::ptrdiff_t>(predictor_.head_begin()), theta.end());
}

void StagedProbes::project(const SearchSpace& space, std::span<const double> features, Executor& executor) {
  const std::size_t coordinates = space.dimension();
  const std::size_t entries = features.size() / training_.feature_columns * state_size_;
  changes_.assign(coordinates, {});
  head_changes_.assign(coordinates * head_size_, 0.0);
  executor.for_each(coordinates, [&](std::size_t coordinate, std::size_t) {
    SparseDirection direction;
    const double unit = 1;
    space.direction(coordinate, {&unit, 1}, direction);
    for (std::size_t n = 0; n < direction.index.size(); ++n)
      if (direction.index[n] >= predictor_.head_begin())
        head_changes_[coordinate * head_size_ + direction.index[n] - predictor_.head_begin()] =
            direction.value[n];
    if (direction.index.size() <= kFewParameters || (coordinate + 1) * entries > kMostKeptEntries) return;
    changes_[coordinate].resize(entries);
    predictor_.state_changes(direction, features, changes_[coordinate].data());
  });
}

const float* StagedProbes::coordinate_change(const SearchSpace& space, std::size_t coordinate,
                                             std::size_t slot, float* scratch) const {
  if (!changes_[coordinate].empty())
    return changes_[coordinate].data() + (by_slot_ ? slot : rows_[slot]) * state_size_;
  SparseDirection direction;
  const double unit = 1;
  space.direction(coordinate, {&unit, 1}, direction);
  predictor_.state_changes(direction, features(rows_[slot]), scratch);
  return scratch;
}

void StagedProbes::predict(const Probes& probes, std::size_t block, std::size_t tile, Scratch& scratch,
                           double* predictions) const {
  const std::size_t outputs = predictor_.outputs();
  const std::size_t count = probes.vertices(block) * probes.radii().size();
  const std::size_t lanes = std::min(kLanes, rows_.size() - tile * kLanes);
  scratch.predictions.resize(kLanes * count * outputs);
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
  const std::size_t coordinates =
      std::min(probes.block_direction(block, 0).size(), probes.space().dimension() - first);
  scratch.changes.resize(coordinates * state_size_);
  scratch.direction.resize(state_size_);
  scratch.state.resize(state_size_);
  scratch.head.resize(predictor_.scratch_size());
  scratch.head_parameters.resize(head_size_);
  std::vector<const float*> changes(coordinates);
  for (std::size_t c = 0; c < coordinates; ++c)
    changes[c] = coordinate_change(probes.space(), first + c, slot, scratch.changes.data() + c * state_size_);

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
    for (std::size_t c = 0; c < coordinates; ++c)
      for (std::size_t i = 0; i < head_size_; ++i)
        scratch.head_direction[i] += coefficients[c] * head_changes_[(first + c) * head_size_ + i];
    for (std::size_t k = 0; k < radii; ++k) {
      predict_at(probes.radii()[k], v, k);
      if (probes.antipodal()) predict_at(-probes.radii()[k], v + directions, k);
    }
  }
}

}  // namespace polystep
