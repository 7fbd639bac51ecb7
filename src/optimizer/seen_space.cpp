// A moving basis over a large weight matrix whose random columns are never written down.
//
// With X the rows of features in the minibatch and D a random column as a matrix [units × inputs], entries
// independent normal of variance 1/N, a probe sees D through X D^T alone. That is normal too: independent
// between units, with covariance X X^T / N between rows. So it is drawn as L Z / sqrt(N), where L is the
// Cholesky factor of X X^T and Z is standard normal: 640² instead of 640 · 4096 products per unit, and no two
// million random numbers per column.
//
// Of the step that is taken, y, the products G = sum_k y_k X D_k^T are known; the matrix itself is drawn
// given these. With U0 normal of variance |y|² / N it is U0 + (G - X U0^T)^T (X X^T)^-1 X: what X sees is G,
// what it does not see is U0. Remembered steps are real matrices and are multiplied. Where rows are no fewer
// than inputs there is nothing to gain, and columns are drawn.
#include <fmt/core.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "optimizer/moving_options.hpp"
#include "optimizer/principal_directions.hpp"
#include "polystep/aligned.hpp"
#include "polystep/error.hpp"
#include "polystep/random.hpp"
#include "polystep/search_space.hpp"
#include "simd/normal_words.hpp"
#include "simd/packed_products.hpp"

namespace polystep {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t kPanel = kPanelColumns;  // a random matrix needs no packing: it is drawn as panels
constexpr std::size_t kPiece = 256;  // terms that are added in single precision on the way to a double one
constexpr std::size_t kSquare = 16;  // of a transposition
constexpr double kRidge = 1e-6;      // of the mean diagonal: repeated rows leave the factor positive

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

// sums [rows × panels × kPanel] = rows times panels [panels × inputs × kPanel].
void multiply_panels(const PackedRows& rows, const float* panels, std::size_t count, float* sums,
                     const ParallelFor& parallel) {
  for_each_slot(parallel, count, [&](std::size_t panel) {
    multiply_packed(rows, panels + panel * rows.inputs() * kPanel, kPanel, sums + panel * kPanel,
                    count * kPanel);
  });
}

// Rows of a matrix [rows × inputs], packed.
void pack_rows(const float* values, std::size_t rows, std::size_t inputs, PackedRows& packed) {
  packed.pack(rows, inputs, [&](std::size_t row, std::size_t input) { return values[row * inputs + input]; });
}

// to [columns × to_stride] = from [rows × columns], transposed.
void transpose(const float* from, std::size_t rows, std::size_t columns, float* to, std::size_t to_stride) {
  for (std::size_t r = 0; r < rows; r += kSquare)
    for (std::size_t c = 0; c < columns; c += kSquare)
      for (std::size_t k = c; k < std::min(columns, c + kSquare); ++k)
        for (std::size_t i = r; i < std::min(rows, r + kSquare); ++i)
          to[k * to_stride + i] = from[i * columns + k];
}

// What the shown rows are, and what follows from them.
class ShownRows {
 public:
  void show(std::span<const float> rows, std::size_t inputs, const ParallelFor& parallel) {
    inputs_ = inputs;
    count_ = rows.size() / inputs;
    rows_.assign(rows.begin(), rows.end());
    // Rows as columns, and inputs as columns; what is left of a last panel is 0.
    row_panels_.assign(panels_for(count_) * inputs * kPanel, 0.0f);
    input_panels_.assign(panels_for(inputs) * count_ * kPanel, 0.0f);
    for_each_slot(parallel, panels_for(count_), [&](std::size_t panel) {
      const std::size_t first = panel * kPanel, own = std::min(kPanel, count_ - first);
      transpose(rows_.data() + first * inputs, own, inputs, row_panels_.data() + panel * inputs * kPanel,
                kPanel);
    });
    for (std::size_t panel = 0; panel < panels_for(inputs); ++panel)
      for (std::size_t r = 0; r < count_; ++r)
        std::copy_n(rows_.data() + r * inputs + panel * kPanel, std::min(kPanel, inputs - panel * kPanel),
                    input_panels_.data() + (panel * count_ + r) * kPanel);
    if (wide())
      factorise(parallel);
    else
      pack_rows(rows_.data(), count_, inputs_, factor_);
  }

  // Fewer rows than inputs: what they see of a column is less than the column. Else it is drawn itself.
  bool wide() const { return count_ < inputs_; }
  std::size_t numbers_per_unit() const { return std::min(count_, inputs_); }  // that a fresh column takes

  std::size_t count() const { return count_; }
  std::size_t padded() const { return panels_for(count_) * kPanel; }

  // products [units × padded] of a matrix [units × inputs] with every row.
  void multiply(const float* matrix, std::size_t units, float* products, const ParallelFor& parallel) const {
    static thread_local PackedRows packed;
    const PackedRows& rows = packed;  // of this thread, for those that help it
    pack_rows(matrix, units, inputs_, packed);
    multiply_panels(rows, row_panels_.data(), panels_for(count_), products, parallel);
  }

  // products [count × panels × kPanel] = L normal, for normal [panels × numbers per unit × kPanel]; what lies
  // above the diagonal is not multiplied. X itself is the factor of few inputs.
  void correlate(const float* normal, std::size_t panels, float* products) const {
    multiply_panels(factor_, normal, panels, products, {});
  }

  // matrix [units × inputs] += (X X^T)^-1 applied to `missing` [units × count], times X: the smallest change
  // whose products with the rows are `missing`.
  void add_seen(const float* missing, std::size_t units, float* matrix, const ParallelFor& parallel) {
    Matrix wide(index(count_), index(units));
    for (std::size_t u = 0; u < units; ++u)
      for (std::size_t r = 0; r < count_; ++r) wide(index(r), index(u)) = missing[u * count_ + r];
    cholesky_.solveInPlace(wide);
    shares_.resize(units * count_);
    for (std::size_t u = 0; u < units; ++u)
      for (std::size_t r = 0; r < count_; ++r)
        shares_[u * count_ + r] = static_cast<float>(wide(index(r), index(u)));
    const std::size_t panels = panels_for(inputs_);
    change_.resize(units * panels * kPanel);
    pack_rows(shares_.data(), units, count_, packed_shares_);
    multiply_panels(packed_shares_, input_panels_.data(), panels, change_.data(), parallel);
    for (std::size_t u = 0; u < units; ++u)
      for (std::size_t i = 0; i < inputs_; ++i) matrix[u * inputs_ + i] += change_[u * panels * kPanel + i];
  }

 private:
  // The Cholesky factor of X X^T. Short sums are single precision, what they add up to is double: the
  // smallest eigenvalues are some two thousand times smaller than the largest.
  void factorise(const ParallelFor& parallel) {
    Matrix gram = Matrix::Zero(index(count_), index(count_));
    for_each_slot(parallel, panels_for(count_), [&](std::size_t panel) {
      const std::size_t top = panel * kPanel, rows = count_ - top;  // the lower triangle
      AlignedFloats piece(rows * kPanel);
      PackedRows packed;
      for (std::size_t first = 0; first < inputs_; first += kPiece) {
        const float* from = rows_.data() + top * inputs_ + first;
        packed.pack(rows, std::min(kPiece, inputs_ - first),
                    [&](std::size_t r, std::size_t i) { return from[r * inputs_ + i]; });
        multiply_packed(packed, row_panels_.data() + (panel * inputs_ + first) * kPanel, kPanel, piece.data(),
                        kPanel);
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t c = 0; c < std::min(kPanel, count_ - top); ++c)
            gram(index(top + r), index(top + c)) += piece[r * kPanel + c];
      }
    });
    double ridge = kRidge * gram.diagonal().mean();
    if (!(ridge > 0)) ridge = 1;
    do {  // rows that repeat each other may take more than the least
      gram.diagonal().array() += ridge;
      cholesky_.compute(gram);
      ridge *= 9;
    } while (cholesky_.info() != Eigen::Success && std::isfinite(ridge));
    const Matrix& lower = cholesky_.matrixLLT();
    factor_.pack(
        count_, count_, [&](std::size_t r, std::size_t c) { return lower(index(r), index(c)); }, true);
  }

  std::size_t inputs_ = 0, count_ = 0;
  AlignedFloats rows_;          // X, [count × inputs]
  AlignedFloats row_panels_;    // its rows as columns
  AlignedFloats input_panels_;  // its inputs as columns
  PackedRows factor_;           // L, or X where inputs are few
  Eigen::LLT<Matrix> cholesky_;
  AlignedFloats shares_, change_;  // of add_seen, kept from step to step
  PackedRows packed_shares_;       // likewise
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
    if (std::ranges::all_of(y, [](double coordinate) { return coordinate == 0; })) {
      std::copy(origin_.begin(), origin_.end(), theta.begin());
      return;
    }
    columns_.realise(y);
    const float* step = columns_.step().data();
    for (std::size_t i = 0; i < theta.size(); ++i) theta[i] = origin_[i] + step[i];
  }

  void direction(std::size_t, std::span<const double>, Direction&) const override {
    throw std::logic_error("a column that is drawn as it is seen has no direction of its own");
  }
  void support(std::size_t, std::size_t, std::vector<std::uint32_t>& out) const override {
    out.resize(origin_.size());
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<std::uint32_t>(i);
  }

  bool finish_step(std::span<const double> y, std::span<const double>) override {
    std::vector<float> step;
    if (history_.size() == options_.history) {  // the oldest makes room
      step = std::move(history_.front());
      history_.erase(history_.begin());
      products_.erase(products_.begin());
    }
    if (std::ranges::any_of(y, [](double coordinate) { return coordinate != 0; })) {
      columns_.realise(y);
      columns_.take_step(step);
    } else {
      step.assign(origin_.size(), 0.0f);
    }
    for (std::size_t i = 0; i < step.size(); ++i) origin_[i] += step[i];
    history_.push_back(std::move(step));
    multiply_last();
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
    products_.clear();
    for (std::uint64_t i = 0; i < remembered; ++i) {
      history_.push_back(archive.get_floats());
      if (history_.back().size() != origin_.size())
        throw InputError(fmt::format("checkpoint: a remembered step has {} parameters, expected {}",
                                     history_.back().size(), origin_.size()));
      multiply_last();
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
      rows_.show(rows, space_.matrix_.inputs, space_.parallel_);
      changes_.resize(space_.options_.dimension);
      rests_.resize(space_.options_.dimension);
      realised_.clear();
    }

    std::size_t first_fresh() const override { return space_.kept_.size(); }

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
      const std::size_t kept = space_.kept_.size();
      step_.resize(space_.origin_.size());
      const std::span<float> matrix = std::span(step_).first(space_.matrix_.size());
      const std::span<float> rest = std::span(step_).subspan(space_.matrix_.size());
      if (rows_.wide())
        realise_unseen(y, matrix);
      else
        add_columns(y, matrix);
      std::ranges::fill(rest, 0.0f);
      for (std::size_t k = 0; k < kept; ++k)
        add_scaled(space_.kept_[k], static_cast<float>(y[k]), step_.data());
      for (std::size_t k = kept; k < y.size(); ++k)
        add_scaled(rests_[k], static_cast<float>(y[k]), rest.data());
      realised_.assign(y.begin(), y.end());
    }
    std::span<const float> step() const { return step_; }

    // Hands the step over for the memory of another.
    void take_step(std::vector<float>& step) {
      std::swap(step, step_);
      realised_.clear();
    }

   private:
    // Fresh columns that were never drawn: a matrix given what the rows see of them.
    void realise_unseen(std::span<const double> y, std::span<float> matrix) {
      const std::size_t units = space_.matrix_.units, kept = space_.kept_.size(), count = rows_.count();
      double squares = 0;
      for (std::size_t k = kept; k < y.size(); ++k) squares += y[k] * y[k];
      draw_normal(unseen(), std::sqrt(squares / static_cast<double>(space_.origin_.size())), matrix);
      // What the rows should see of fresh columns, less what they see of this draw.
      wanted_.assign(count * units, 0.0f);
      missing_.resize(units * count);
      products_.resize(units * rows_.padded());
      add_changes(y.subspan(kept), kept);
      transpose(wanted_.data(), count, units, missing_.data(), count);
      rows_.multiply(matrix.data(), units, products_.data(), space_.parallel_);
      for (std::size_t u = 0; u < units; ++u)
        for (std::size_t r = 0; r < count; ++r) missing_[u * count + r] -= products_[u * rows_.padded() + r];
      rows_.add_seen(missing_.data(), units, matrix.data(), space_.parallel_);
    }

    // wanted_ += sum of y[i] times what coordinate first + i does, a piece that stays in a cache at a time.
    void add_changes(std::span<const double> y, std::size_t first) {
      constexpr std::size_t kTogether = 4096;
      for_each_slot(space_.parallel_, (wanted_.size() + kTogether - 1) / kTogether, [&](std::size_t slot) {
        const std::size_t begin = slot * kTogether, count = std::min(kTogether, wanted_.size() - begin);
        for (std::size_t i = 0; i < y.size(); ++i)
          add_scaled(std::span<const float>(changes_[first + i]).subspan(begin, count),
                     static_cast<float>(y[i]), wanted_.data() + begin);
      });
    }

    // Fresh columns that were drawn: once more, and added up.
    void add_columns(std::span<const double> y, std::span<float> matrix) {
      const std::size_t units = space_.matrix_.units, inputs = space_.matrix_.inputs;
      wanted_.assign(panels_for(units) * inputs * kPanel, 0.0f);
      products_.resize(wanted_.size());
      for (std::size_t k = space_.kept_.size(); k < y.size(); ++k) {
        draw_normal(products_of(k), fresh_deviation(), products_);
        add_scaled(products_, static_cast<float>(y[k]), wanted_.data());
      }
      for (std::size_t u = 0; u < units; ++u)
        for (std::size_t i = 0; i < inputs; ++i)
          matrix[u * inputs + i] = wanted_[(u / kPanel * inputs + i) * kPanel + u % kPanel];
    }

    double fresh_deviation() const { return 1 / std::sqrt(static_cast<double>(space_.origin_.size())); }

    template <class Values>
    static void add_scaled(const Values& values, float factor, float* sums) {
      for (std::size_t i = 0; i < values.size(); ++i) sums[i] += factor * values[i];
    }

    // What a step draws: products and other entries of every column, and what nobody saw of the step.
    std::uint64_t products_of(std::size_t column) const { return column; }
    std::uint64_t rest_of(std::size_t column) const { return space_.options_.dimension + column; }
    std::uint64_t unseen() const { return 2 * space_.options_.dimension; }

    void draw_normal(std::uint64_t what, double deviation, std::span<float> out) const {
      RandomStream keys(space_.seed_, Purpose::kBasis, space_.steps_, what);
      fill_counted_normals(keys.bits(), static_cast<float>(deviation), out.data(), out.size());
    }

    void multiply_kept(std::size_t coordinate) {
      const std::size_t units = space_.matrix_.units;
      const std::vector<float>& kept = space_.kept_[coordinate];
      static thread_local AlignedFloats products;
      products.resize(units * rows_.padded());
      rows_.multiply(kept.data(), units, products.data(), {});
      for (std::size_t u = 0; u < units; u += kSquare)
        for (std::size_t r = 0; r < rows_.count(); ++r)
          for (std::size_t own = u; own < std::min(units, u + kSquare); ++own)
            changes_[coordinate][r * units + own] = products[own * rows_.padded() + r];
      std::copy(kept.begin() + static_cast<std::ptrdiff_t>(space_.matrix_.size()), kept.end(),
                rests_[coordinate].begin());
    }

    void draw_fresh(std::size_t coordinate) {
      const std::size_t units = space_.matrix_.units, panels = panels_for(units);
      static thread_local AlignedFloats normal, products;
      normal.resize(panels * rows_.numbers_per_unit() * kPanel);
      draw_normal(products_of(coordinate), fresh_deviation(), normal);
      AlignedFloats& change = changes_[coordinate];
      if (panels * kPanel == units) {
        rows_.correlate(normal.data(), panels, change.data());
      } else {  // the last panel has columns to spare
        products.resize(rows_.count() * panels * kPanel);
        rows_.correlate(normal.data(), panels, products.data());
        for (std::size_t r = 0; r < rows_.count(); ++r)
          std::copy_n(products.data() + r * panels * kPanel, units, change.data() + r * units);
      }
      draw_normal(rest_of(coordinate), fresh_deviation(), rests_[coordinate]);
    }

    const SeenSpace& space_;
    ShownRows rows_;
    std::vector<AlignedFloats> changes_;         // [dimension], each [rows × units]
    std::vector<std::vector<float>> rests_;      // [dimension], each [parameters behind the matrix]
    std::vector<double> realised_;               // the coordinates that step_ is for
    std::vector<float> step_;                    // [parameters]
    AlignedFloats wanted_, missing_, products_;  // of realise, kept from step to step
  };

  std::size_t rest_size() const { return origin_.size() - matrix_.size(); }

  // Of the last remembered step with itself and those before it. Lanes of sums, so that many run at once.
  void multiply_last() {
    constexpr std::size_t kSums = 16;
    std::vector<double>& own = products_.emplace_back();
    const std::vector<float>& last = history_.back();
    for (const std::vector<float>& other : history_) {
      std::array<double, kSums> sums{};
      const std::size_t whole = last.size() / kSums * kSums;
      for (std::size_t i = 0; i < whole; i += kSums)
        for (std::size_t s = 0; s < kSums; ++s)
          sums[s] += static_cast<double>(last[i + s]) * static_cast<double>(other[i + s]);
      for (std::size_t i = whole; i < last.size(); ++i)
        sums[0] += static_cast<double>(last[i]) * static_cast<double>(other[i]);
      own.push_back(std::accumulate(sums.begin(), sums.end(), 0.0));
    }
  }

  // products_ holds, for every remembered step, its products with the steps that were remembered when it was
  // made: the last of them is its own square.
  std::vector<double> gram() const {
    const std::size_t n = history_.size();
    std::vector<double> gram(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        gram[i * n + j] = gram[j * n + i] = products_[i][products_[i].size() - 1 - (i - j)];
    return gram;
  }

  // The main directions of the remembered steps become the first columns.
  void remember() {
    const std::size_t wanted = directions_to_keep(options_, steps_, history_.size());
    kept_.resize(wanted);
    for (std::vector<float>& direction : kept_) direction.resize(origin_.size());
    std::vector<std::span<const float>> remembered(history_.begin(), history_.end());
    std::vector<std::span<float>> outputs(kept_.begin(), kept_.end());
    kept_.resize(wanted == 0 ? 0 : principal_directions<float>(remembered, gram(), outputs, parallel_));
  }

  MovingSpaceOptions options_;
  SeenMatrix matrix_;
  std::uint64_t seed_;
  ParallelFor parallel_;
  std::vector<std::vector<float>> history_;    // recent steps, oldest first
  std::vector<std::vector<double>> products_;  // [recent steps], see gram()
  std::vector<std::vector<float>> kept_;       // main directions of these
  std::uint64_t steps_ = 0;
  mutable Columns columns_;
};

}  // namespace

std::unique_ptr<SearchSpace> make_seen_space(std::vector<double> theta0, const MovingSpaceOptions& options,
                                             const SeenMatrix& matrix, std::uint64_t seed,
                                             ParallelFor parallel) {
  check_moving_options(options, theta0.size());
  if (options.interval != 1)
    throw InputError(
        fmt::format("moving space: interval is {}, expected 1 where columns are drawn as they are seen",
                    options.interval));
  if (matrix.size() == 0 || matrix.size() > theta0.size())
    throw InputError(
        fmt::format("moving space: found a matrix of {} units and {} inputs among {} parameters, expected "
                    "one within them",
                    matrix.units, matrix.inputs, theta0.size()));
  return std::make_unique<SeenSpace>(std::move(theta0), options, matrix, seed, std::move(parallel));
}

}  // namespace polystep
