#include "methods/inputs/input_reduction.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/inputs/class_means.hpp"
#include "methods/inputs/principal_inputs.hpp"
#include "methods/inputs/table_rows.hpp"
#include "methods/inputs/target_classes.hpp"
#include "methods/starts/prepared_data.hpp"

namespace polystep {
namespace {

constexpr std::size_t kMostInputs = 64;
constexpr double kCovered = 0.5;  // share of a component's square within other directions that makes it one
                                  // of them

// What is to be predicted from the table rows: one target per row where outputs have rows of their own, else
// one per output, [targets × table rows].
std::vector<std::vector<double>> targets_of(const Predictor& predictor, const Split& split) {
  if (predictor.facts().entry == FeatureEntry::kPerOutput) return {split.truth};
  std::vector<std::vector<double>> targets(split.truth_columns);
  for (std::size_t row = 0; row < split.rows; ++row)
    for (std::size_t o = 0; o < split.truth_columns; ++o) targets[o].push_back(split.truth_row(row)[o]);
  return targets;
}

std::span<const double> part(const std::vector<double>& all, std::size_t number, std::size_t size) {
  return std::span(all).subspan(number * size, size);
}

// Orthonormal directions, to tell how much of another one they cover.
class Span {
 public:
  explicit Span(std::size_t columns) : columns_(columns) {}

  double covered(std::span<const double> direction) const {
    std::vector<double> left(direction.begin(), direction.end());
    const double before = square(left);
    take_off(left);
    return before > 0 ? 1 - square(left) / before : 1;
  }

  void add(std::span<const double> direction) {
    std::vector<double> left(direction.begin(), direction.end());
    const double before = square(left);
    take_off(left);
    take_off(left);
    const double size = square(left);
    if (!(size > 1e-12 * before)) return;
    for (double& value : left) value /= std::sqrt(size);
    basis_.insert(basis_.end(), left.begin(), left.end());
  }

 private:
  static double square(std::span<const double> vector) {
    double sum = 0;
    for (const double value : vector) sum += value * value;
    return sum;
  }
  void take_off(std::vector<double>& vector) const {
    for (std::size_t first = 0; first < basis_.size(); first += columns_) {
      double product = 0;
      for (std::size_t c = 0; c < columns_; ++c) product += vector[c] * basis_[first + c];
      for (std::size_t c = 0; c < columns_; ++c) vector[c] -= product * basis_[first + c];
    }
  }

  std::size_t columns_;
  std::vector<double> basis_;  // [directions × columns]
};

// Whether a component tells the classes of any target apart, by its scores or by how far out they lie.
bool tells_apart(std::span<const double> scores, const std::vector<TargetClasses>& targets) {
  std::vector<double> squares(scores.begin(), scores.end());
  for (double& score : squares) score *= score;
  return std::any_of(targets.begin(), targets.end(), [&](const TargetClasses& classes) {
    return variance_ratio(scores, classes) > chance_ratio(classes) ||
           variance_ratio(squares, classes) > chance_ratio(classes);
  });
}

}  // namespace

bool can_reduce_inputs(const Predictor& predictor) {
  const FeatureEntry entry = predictor.facts().entry;
  return absorbs_scaling(predictor) && (entry == FeatureEntry::kWhole || entry == FeatureEntry::kPerOutput);
}

// Scores get deviation 1 over the training rows; fresh rows see the same direction.
void InputReduction::add_input(std::span<const double> direction, std::span<const double> scores,
                               double shrink) {
  double squares = 0;
  for (const double score : scores) squares += score * score;
  const double deviation = shrink * std::sqrt(squares / static_cast<double>(scores.size()));
  if (!(deviation > 0)) return;
  for (const double value : direction) directions_.push_back(value / deviation);
  for (const double score : scores) scores_.push_back(score * shrink / deviation);
}

InputReduction InputReduction::find(const Predictor& predictor, const Split& training, bool use_truth,
                                    Team& team) {
  InputReduction reduction;
  const TableRows table = table_rows(training, predictor.row_features(), team);
  reduction.scaling_ = table.scaling;
  const PrincipalInputs spikes = find_spikes(table, team);
  reduction.spikes_ = spikes.count;
  Span span(table.columns);
  std::vector<TargetClasses> targets;
  if (use_truth) {
    for (const std::vector<double>& target : targets_of(predictor, training))
      targets.push_back(classes_of(target));
    std::vector<ClassMeanInputs> means;
    std::vector<std::array<std::size_t, 2>> order;  // target and direction
    for (const TargetClasses& classes : targets) {
      means.push_back(find_class_means(table, classes, spikes, team));
      for (std::size_t k = 0; k < means.back().count; ++k) order.push_back({means.size() - 1, k});
    }
    const auto strength = [&](const std::array<std::size_t, 2>& one) {
      return means[one[0]].strength[one[1]] / means[one[0]].chance;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return strength(a) > strength(b); });
    for (const auto& [target, k] : order) {
      const auto direction = part(means[target].directions, k, table.columns);
      // Targets that go together have directions that do.
      if (reduction.class_means_ == kMostInputs ||
          (target != order.front()[0] && span.covered(direction) > 0.9))
        continue;
      reduction.add_input(direction, part(means[target].scores, k, table.rows), 1);
      span.add(direction);
      ++reduction.class_means_;
    }
  }
  for (std::size_t k = 0; k < spikes.count; ++k) {
    const auto direction = part(spikes.directions, k, table.columns);
    const auto scores = part(spikes.scores, k, table.rows);
    if (use_truth && (span.covered(direction) > kCovered || !tells_apart(scores, targets))) continue;
    reduction.add_input(direction, scores, spikes.shrink[k]);
  }
  reduction.proven_ = reduction.directions_.size() / table.columns;
  if (reduction.proves_nothing()) {
    reduction.directions_.assign(table.columns, 0.0);
    reduction.scores_.assign(table.rows, 0.0);
  }
  // From [inputs × rows] to [rows × inputs].
  const std::vector<double> by_input = reduction.scores_;
  const std::size_t inputs = reduction.inputs();
  for (std::size_t row = 0; row < table.rows; ++row)
    for (std::size_t k = 0; k < inputs; ++k)
      reduction.scores_[row * inputs + k] = by_input[k * table.rows + row];
  return reduction;
}

Split InputReduction::training(const Split& training) const {
  return with_scores(training, scaling_.mean.size(), inputs(), scores_);
}

Split InputReduction::fresh(const Split& rows, Team& team) const {
  return projected(rows, scaling_, directions_, inputs(), team);
}

std::unique_ptr<Predictor> InputReduction::small_predictor(const Predictor& predictor) const {
  PredictorShape shape = predictor.shape();
  shape.features = inputs();
  std::unique_ptr<Predictor> small = make_predictor(shape);
  if (predictor.output_scaling() == nullptr) return small;
  return make_scaled(std::move(small), *predictor.output_scaling());
}

std::vector<double> InputReduction::fold(const Predictor& predictor, std::span<const double> theta) const {
  const std::size_t columns = scaling_.mean.size(), units = predictor.tensors()[1].size(), count = inputs();
  std::vector<double> folded(predictor.parameters());
  for (std::size_t unit = 0; unit < units; ++unit) {
    double* weights = folded.data() + unit * columns;
    for (std::size_t k = 0; k < count; ++k)
      for (std::size_t c = 0; c < columns; ++c)
        weights[c] += theta[unit * count + k] * directions_[k * columns + c];
    double bias = theta[units * count + unit];
    for (std::size_t c = 0; c < columns; ++c) {
      weights[c] /= scaling_.deviation[c];
      bias -= weights[c] * scaling_.mean[c];
    }
    folded[units * columns + unit] = bias;
  }
  const auto head = theta.subspan(units * count + units);
  std::copy(head.begin(), head.end(), folded.end() - static_cast<std::ptrdiff_t>(head.size()));
  return folded;
}

std::vector<double> InputReduction::numbers() const {
  std::vector<double> numbers = {static_cast<double>(scaling_.mean.size()), static_cast<double>(inputs()),
                                 static_cast<double>(proven_), static_cast<double>(spikes_),
                                 static_cast<double>(class_means_)};
  for (const std::vector<double>* values : {&scaling_.mean, &scaling_.deviation, &directions_, &scores_})
    numbers.insert(numbers.end(), values->begin(), values->end());
  return numbers;
}

InputReduction InputReduction::from_numbers(std::span<const double> numbers) {
  InputReduction reduction;
  const auto columns = static_cast<std::size_t>(numbers[0]), inputs = static_cast<std::size_t>(numbers[1]);
  reduction.proven_ = static_cast<std::size_t>(numbers[2]);
  reduction.spikes_ = static_cast<std::size_t>(numbers[3]);
  reduction.class_means_ = static_cast<std::size_t>(numbers[4]);
  std::span<const double> left = numbers.subspan(5);
  const auto take = [&](std::size_t count) {
    const std::vector<double> taken(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(count));
    left = left.subspan(count);
    return taken;
  };
  reduction.scaling_.mean = take(columns);
  reduction.scaling_.deviation = take(columns);
  reduction.directions_ = take(inputs * columns);
  reduction.scores_ = take(left.size());
  return reduction;
}

}  // namespace polystep
