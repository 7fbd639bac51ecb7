// A moving basis over a large weight matrix whose random columns are never written down.
//
// With X the rows of features in the minibatch and D a random column as a matrix [units × inputs], entries
// independent normal of variance 1/N, a probe sees D through X D^T alone. That is normal too: independent
// between units, with covariance X X^T / N between rows. So it is drawn as L Z / sqrt(N), where L is the
// Cholesky factor of X X^T and Z is standard normal: 640² instead of 640 · 4096 products per unit, and no two
// million random numbers per column.
//
// Of the step that is taken, y, the products G = sum_k y_k X D_k^T are known; the matrix itself is drawn given
// these. With U0 normal of variance |y|² / N it is U0 + (G - X U0^T)^T (X X^T)^-1 X: what X sees is G, what it
// does not see is U0. Remembered steps are real matrices and are multiplied.
#include <fmt/core.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "optimizer/moving_options.hpp"
#include "optimizer/principal_directions.hpp"
#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/search_space.hpp"
#include "simd/row_products.hpp"

namespace polystep {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Floats = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

// Eigen cuts long sums by the sizes of the processor's caches. These are short enough for any.
constexpr std::size_t kLongestSum = 240;
constexpr std::size_t kStrip = 40;     // rows of the triangular factor that are multiplied together
constexpr std::size_t kSquare = 16;    // of a transposition
constexpr double kRidge = 1e-6;        // of the mean diagonal: repeated rows leave the factor positive

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

// to [columns × rows] = from [rows × columns], transposed.
void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t r = 0; r < rows; r += kSquare)
    for (std::size_t c = 0; c < columns; c += kSquare)
      for (std::size_t i = r; i < std::min(rows, r + kSquare); ++i)
        for (std::size_t k = c; k < std::min(columns, c + kSquare); ++k) to[k * rows + i] = from[i * columns + k];
}

// sums [rows × units] = values [rows × inputs] weight [inputs × units]; rows in strips for lent threads.
void multiply(const float* values, std::size_t rows, std::size_t inputs, const float* weight,
              std::size_t units, float* sums, const ParallelFor& parallel) {
  constexpr std::size_t kRows = 320;
  for_each_slot(parallel, (rows + kRows - 1) / kRows, [&](std::size_t slot) {
    const std::size_t first = slot * kRows;
    multiply_rows({.values = values + first * inputs,
                   .rows = std::min(kRows, rows - first),
                   .inputs = inputs,
                   .value_stride = inputs,
                   .weight = weight,
                   .units = units,
                   .sums = sums + first * units,
                   .sum_stride = units});
  });
}

// What the shown rows are, and what follows from them.
class ShownRows {
 public:
  void show(std::span<const float> rows, std::size_t inputs) {
    inputs_ = inputs;
    count_ = rows.size() / inputs;
    padded_ = padded_units(count_);
    rows_.assign(rows.begin(), rows.end());
    rows_.resize(padded_ * inputs, 0.0f);
    by_input_.resize(inputs * padded_);
    transpose(rows_.data(), padded_, inputs, by_input_.data());
    Matrix gram = Matrix::Zero(index(count_), index(count_));
    const Floats x(rows_.data(), index(count_), index(inputs));
    for (std::size_t first = 0; first < inputs; first += kLongestSum) {
      const Matrix piece =
          x.middleCols(index(first), index(std::min(kLongestSum, inputs - first))).cast<double>();
      gram.selfadjointView<Eigen::Lower>().rankUpdate(piece);
    }
    const double ridge = kRidge * gram.diagonal().mean();
    gram.diagonal().array() += ridge > 0 ? ridge : 1.0;
    cholesky_.compute(gram);
    factor_.assign(count_ * count_, 0.0f);
    const Matrix lower = cholesky_.matrixL();
    for (std::size_t r = 0; r < count_; ++r)
      for (std::size_t c = 0; c <= r; ++c) factor_[r * count_ + c] = static_cast<float>(lower(index(r), index(c)));
  }

  std::size_t count() const { return count_; }
  std::size_t padded() const { return padded_; }
  const float* rows() const { return rows_.data(); }          // [padded × inputs]
  const float* by_input() const { return by_input_.data(); }  // [inputs × padded]

  // products [count × units] = L normal, strip by strip: what lies above the diagonal is not multiplied.
  void correlate(const float* normal, std::size_t units, float* products) const {
    for (std::size_t first = 0; first < count_; first += kStrip) {
      const std::size_t last = std::min(count_, first + kStrip);
      multiply_rows({.values = factor_.data() + first * count_,
                     .rows = last - first,
                     .inputs = last,
                     .value_stride = count_,
                     .weight = normal,
                     .units = units,
                     .sums = products + first * units,
                     .sum_stride = units});
    }
  }

  // (X X^T)^-1 right, [count × units], in place.
  void solve(float* right, std::size_t units) const {
    Matrix wide = Floats(right, index(count_), index(units)).cast<double>();
    cholesky_.solveInPlace(wide);
    for (std::size_t i = 0; i < count_ * units; ++i) right[i] = static_cast<float>(wide.data()[i]);
  }

 private:
  std::size_t inputs_ = 0, count_ = 0, padded_ = 0;
  AlignedFloats rows_, by_input_;
  AlignedFloats factor_;  // L, [count × count]
  Eigen::LLT<Matrix> cholesky_;
};

class SeenSpace final : public SearchSpace {
 public:
  SeenSpace(std::vector<double> origin, const MovingSpaceOptions& options, const SeenMatrix& matrix,
            std::uint64_t seed, ParallelFor parallel)
      : SearchSpace(std::move(origin)),
        options_(options),
        matrix_(matrix),
        seed_(seed),
        parallel_(std::move(parallel)),
        columns_(*this) {}

  bool fixed() const override { return false; }
  std::size_t dimension() const override { return options_.dimension; }
  SeenColumns* seen() const override { return &columns_; }

  // Only the present point, or where the step drawn from the shown rows leads.
  void place(std::span<const double> y, std::span<double> theta) const override {
    std::copy(origin_.begin(), origin_.end(), theta.begin());
    if (std::ranges::all_of(y, [](double coordinate) { return coordinate == 0; })) return;
    columns_.realise(y);
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] += columns_.step()[i];
  }

  void direction(std::size_t, std::span<const double>, Direction&) const override {
    throw std::logic_error("a column that is drawn as it is seen has no direction of its own");
  }
  void support(std::size_t, std::size_t, std::vector<std::uint32_t>& out) const override {
    out.resize(origin_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  }

  bool finish_step(std::span<const double> y, std::span<const double>) override {
    std::vector<float> step(origin_.size(), 0.0f);
    if (std::ranges::any_of(y, [](double coordinate) { return coordinate != 0; })) {
      columns_.realise(y);
      std::ranges::copy(columns_.step(), step.begin());
    }
    for (std::size_t i = 0; i < step.size(); ++i) origin_[i] += step[i];
    if (history_.size() == options_.history) history_.erase(history_.begin());
    history_.push_back(std::move(step));
    ++steps_;
    remember();
    return true;
  }

  void save(ArchiveWriter& archive) const override {
    SearchSpace::save(archive);
    archive.put<std::uint64_t>(steps_);
    archive.put<std::uint64_t>(history_.size());
    for (const std::vector<float>& step : history_) archive.put(std::span<const float>(step));
  }

  void load(ArchiveReader& archive) override {
    SearchSpace::load(archive);
    steps_ = archive.get<std::uint64_t>();
    const auto remembered = archive.get<std::uint64_t>();
    if (remembered > options_.history)
      throw InputError(fmt::format("checkpoint: its search space remembers {} steps, this run's at most {}",
                                   remembered, options_.history));
    history_.clear();
    for (std::uint64_t i = 0; i < remembered; ++i) {
      history_.push_back(archive.get_floats());
      if (history_.back().size() != origin_.size())
        throw InputError(fmt::format("checkpoint: a remembered step has {} parameters, expected {}",
                                     history_.back().size(), origin_.size()));
    }
    remember();
  }

 private:
  class Columns final : public SeenColumns {
   public:
    explicit Columns(const SeenSpace& space) : space_(space) {}

    void show(std::span<const float> rows) override {
      if (rows.empty() || rows.size() % space_.matrix_.inputs != 0)
        throw std::logic_error("shown rows are not whole");
      rows_.show(rows, space_.matrix_.inputs);
      changes_.resize(space_.options_.dimension);
      rests_.resize(space_.options_.dimension);
      realised_.clear();
    }

    void draw(std::size_t coordinate) override {
      const std::size_t units = space_.matrix_.units;
      changes_[coordinate].resize(rows_.count() * units);
      rests_[coordinate].resize(space_.rest_size());
      if (coordinate < space_.kept_.size())
        multiply_kept(coordinate);
      else
        draw_fresh(coordinate);
    }

    std::span<const float> change(std::size_t coordinate) const override { return changes_[coordinate]; }
    std::span<const float> rest(std::size_t coordinate) const override { return rests_[coordinate]; }

    // The step with these coordinates, as parameters; kept until other rows are shown.
    void realise(std::span<const double> y) {
      if (std::ranges::equal(y, realised_)) return;
      const std::size_t units = space_.matrix_.units, inputs = space_.matrix_.inputs;
      step_.assign(space_.origin_.size(), 0.0f);
      // Fresh columns first: their products, then a matrix [inputs × units] that has them.
      AlignedFloats wanted(rows_.count() * units, 0.0f), unseen(inputs * units);
      double squares = 0;
      for (std::size_t k = space_.kept_.size(); k < y.size(); ++k) {
        squares += y[k] * y[k];
        add_scaled(changes_[k], static_cast<float>(y[k]), wanted.data());
      }
      const double deviation = std::sqrt(squares / static_cast<double>(space_.origin_.size()));
      draw_normal(this->unseen(), deviation, unseen);
      AlignedFloats products(rows_.padded() * units);
      multiply(rows_.rows(), rows_.count(), inputs, unseen.data(), units, products.data(), space_.parallel_);
      for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] -= products[i];
      rows_.solve(wanted.data(), units);
      AlignedFloats correction(inputs * units);
      AlignedFloats weights(rows_.padded() * units, 0.0f);
      std::ranges::copy(wanted, weights.begin());
      multiply(rows_.by_input(), inputs, rows_.padded(), weights.data(), units, correction.data(),
               space_.parallel_);
      for (std::size_t i = 0; i < unseen.size(); ++i) unseen[i] += correction[i];
      transpose(unseen.data(), inputs, units, step_.data());
      for (std::size_t k = 0; k < y.size(); ++k)
        if (k < space_.kept_.size())
          add_scaled(space_.kept_[k], static_cast<float>(y[k]), step_.data());
        else
          add_scaled(rests_[k], static_cast<float>(y[k]), step_.data() + space_.matrix_.size());
      realised_.assign(y.begin(), y.end());
    }
    std::span<const float> step() const { return step_; }

   private:
    template <class Values>
    static void add_scaled(const Values& values, float factor, float* sums) {
      for (std::size_t i = 0; i < values.size(); ++i) sums[i] += factor * values[i];
    }

    // What a step draws: products and other entries of every column, and what nobody saw of the step.
    std::uint64_t products_of(std::size_t column) const { return column; }
    std::uint64_t rest_of(std::size_t column) const { return space_.options_.dimension + column; }
    std::uint64_t unseen() const { return 2 * space_.options_.dimension; }

    void draw_normal(std::uint64_t what, double deviation, std::span<float> out) const {
      RandomStream(space_.seed_, Purpose::kBasis, space_.steps_, what).fill_normal(out);
      for (float& entry : out) entry *= static_cast<float>(deviation);
    }

    void multiply_kept(std::size_t coordinate) {
      const std::size_t units = space_.matrix_.units;
      const std::vector<float>& kept = space_.kept_[coordinate];
      AlignedFloats products(units * rows_.padded());
      multiply(kept.data(), units, space_.matrix_.inputs, rows_.by_input(), rows_.padded(), products.data(), {});
      for (std::size_t r = 0; r < rows_.count(); ++r)
        for (std::size_t u = 0; u < units; ++u)
          changes_[coordinate][r * units + u] = products[u * rows_.padded() + r];
      std::copy(kept.begin() + static_cast<std::ptrdiff_t>(space_.matrix_.size()), kept.end(),
                rests_[coordinate].begin());
    }

    void draw_fresh(std::size_t coordinate) {
      const double deviation = 1 / std::sqrt(static_cast<double>(space_.origin_.size()));
      static thread_local AlignedFloats normal;
      normal.resize(changes_[coordinate].size());
      draw_normal(products_of(coordinate), deviation, normal);
      rows_.correlate(normal.data(), space_.matrix_.units, changes_[coordinate].data());
      draw_normal(rest_of(coordinate), deviation, rests_[coordinate]);
    }

    const SeenSpace& space_;
    ShownRows rows_;
    std::vector<AlignedFloats> changes_;     // [dimension], each [rows × units]
    std::vector<std::vector<float>> rests_;  // [dimension], each [parameters behind the matrix]
    std::vector<double> realised_;           // the coordinates that step_ is for
    std::vector<float> step_;                // [parameters]
  };

  std::size_t rest_size() const { return origin_.size() - matrix_.size(); }

  // The main directions of the remembered steps become the first columns.
  void remember() {
    const std::size_t wanted = directions_to_keep(options_, steps_, history_.size());
    kept_.assign(wanted, std::vector<float>(origin_.size()));
    std::vector<std::span<const float>> remembered(history_.begin(), history_.end());
    std::vector<std::span<float>> outputs(kept_.begin(), kept_.end());
    kept_.resize(wanted == 0 ? 0 : principal_directions<float>(remembered, outputs, parallel_));
  }

  MovingSpaceOptions options_;
  SeenMatrix matrix_;
  std::uint64_t seed_;
  ParallelFor parallel_;
  std::vector<std::vector<float>> history_;  // recent steps, oldest first
  std::vector<std::vector<float>> kept_;     // main directions of these
  std::uint64_t steps_ = 0;
  mutable Columns columns_;
};

}  // namespace

std::unique_ptr<SearchSpace> make_seen_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                             const SeenMatrix& matrix, std::uint64_t seed,
                                             ParallelFor parallel) {
  check_moving_options(options, theta0.size());
  if (options.interval != 1)
    throw InputError(fmt::format(
        "moving space: interval is {}, expected 1 where columns are drawn as they are seen", options.interval));
  if (matrix.size() == 0 || matrix.size() > theta0.size() || matrix.units % kUnitsAtOnce != 0)
    throw InputError(
        fmt::format("moving space: found a matrix of {} units and {} inputs among {} parameters, expected one "
                    "within them whose units are a multiple of {}",
                    matrix.units, matrix.inputs, theta0.size(), kUnitsAtOnce));
  return std::make_unique<SeenSpace>(std::move(theta0), options, matrix, seed, std::move(parallel));
}

}  // namespace polystep
