#include "methods/inputs/principal_inputs.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <span>

#include "polystep/random.hpp"

namespace polystep {
namespace {

using Block = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using ConstRows = Eigen::Map<const Block>;

constexpr std::size_t kFewColumns = 32, kManyColumns = 144;  // of a block
constexpr std::size_t kSpare = 12;  // columns of a block beyond the spikes, which let these converge
constexpr int kRounds = 8;
constexpr double kAboveEdge = 1.12;  // a few rows or uneven columns push the edge out a little

// Products are cut here, so that Eigen's sums do not depend on the caches of a processor.
constexpr Eigen::Index kLongestSum = 240;

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

struct Products {
  const TableRows& table;
  Team& team;
  std::vector<Block> scores;  // [slots], each [rows of the slot × block]
  std::vector<Block> shares;  // [slots], each [columns × block]

  Products(const TableRows& rows, Team& members) : table(rows), team(members) {
    const std::size_t slots = (table.rows + kLongestSum - 1) / kLongestSum;
    scores.resize(slots);
    shares.resize(slots);
  }

  ConstRows rows_of(std::size_t slot) const {
    const std::size_t first = slot * kLongestSum;
    return {table.row(first), std::min(kLongestSum, index(table.rows - first)), index(table.columns)};
  }

  // Into `scores`, and where asked for into `shares`, whose sum is X^T X basis.
  void multiply(const Block& basis, bool back) {
    team.for_each(scores.size(), [&](std::size_t slot, std::size_t) {
      const ConstRows rows = rows_of(slot);
      Block& score = scores[slot];
      score.setZero(rows.rows(), basis.cols());
      for (Eigen::Index first = 0; first < rows.cols(); first += kLongestSum) {
        const Eigen::Index count = std::min(kLongestSum, rows.cols() - first);
        score.noalias() += rows.middleCols(first, count) * basis.middleRows(first, count);
      }
      if (back) shares[slot].noalias() = rows.transpose() * score;
    });
  }

  Eigen::MatrixXd sum_of_shares() const {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(shares.front().rows(), shares.front().cols());
    for (const Block& share : shares) sum += share.cast<double>();
    return sum;
  }

  // scores^T scores, [block × block].
  Eigen::MatrixXd gram() const {
    const Eigen::Index size = scores.front().cols();
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size);
    for (const Block& score : scores)
      for (Eigen::Index row = 0; row < score.rows(); ++row)
        for (Eigen::Index i = 0; i < size; ++i) {
          const double left = score(row, i);
          for (Eigen::Index j = i; j < size; ++j) sum(j, i) += left * score(row, j);
        }
    return sum.selfadjointView<Eigen::Lower>();
  }
};

// Orthonormal columns that span the same, by Gram and Schmidt twice over; one that the others span becomes 0.
void orthonormalise(Eigen::MatrixXd& columns) {
  for (Eigen::Index k = 0; k < columns.cols(); ++k) {
    const double before = columns.col(k).norm();
    for (int pass = 0; pass < 2; ++pass)
      for (Eigen::Index j = 0; j < k; ++j)
        columns.col(k) -= columns.col(j).dot(columns.col(k)) * columns.col(j);
    const double norm = columns.col(k).norm();
    if (norm > 1e-10 * before && norm > 0)
      columns.col(k) /= norm;
    else
      columns.col(k).setZero();
  }
}

struct Leading {
  Eigen::MatrixXd directions;  // [columns × block], most variance first
  Eigen::VectorXd variance;    // [block]
  Eigen::MatrixXd scores;      // [rows × block]
};

Leading leading_components(const TableRows& table, std::size_t block, Team& team) {
  Products products(table, team);
  Eigen::MatrixXd columns(index(table.columns), index(block));
  for (std::size_t k = 0; k < block; ++k) {
    RandomStream stream(0, Purpose::kBasis, k);
    for (Eigen::Index c = 0; c < columns.rows(); ++c) columns(c, index(k)) = stream.normal();
  }
  orthonormalise(columns);
  for (int round = 0; round < kRounds; ++round) {
    products.multiply(columns.cast<float>(), true);
    columns = products.sum_of_shares();
    orthonormalise(columns);
  }
  products.multiply(columns.cast<float>(), false);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(products.gram());
  const Eigen::MatrixXd turn = eigen.eigenvectors().rowwise().reverse();
  Leading leading{columns * turn, eigen.eigenvalues().reverse() / static_cast<double>(table.rows),
                  Eigen::MatrixXd(index(table.rows), index(block))};
  for (std::size_t slot = 0; slot < products.scores.size(); ++slot)
    leading.scores.middleRows(index(slot) * kLongestSum, products.scores[slot].rows()) =
        products.scores[slot].cast<double>() * turn;
  return leading;
}

// How many of the leading variances stand out of what is left without them, and what that is per direction.
std::pair<std::size_t, double> count_spikes(const Eigen::VectorXd& variance, const TableRows& table) {
  const double aspect = static_cast<double>(table.columns) / static_cast<double>(table.rows);
  const double edge = kAboveEdge * (1 + std::sqrt(aspect)) * (1 + std::sqrt(aspect));
  double left = table.variance;
  for (std::size_t k = 0;; ++k) {
    const double noise = left / static_cast<double>(table.columns - k);
    if (k == static_cast<std::size_t>(variance.size()) || k + 1 >= table.columns ||
        !(variance[index(k)] > edge * noise))
      return {k, noise};
    left = std::max(0.0, left - variance[index(k)]);
  }
}

}  // namespace

// A spike that exceeds the noise by l has variance (1 + l)(1 + aspect / l) on its own rows; on fresh ones it
// has what remains of l along a direction that lies a little beside the true one.
double fresh_share(double variance, double aspect) {
  const double middle = variance - 1 - aspect;
  const double root = middle * middle - 4 * aspect;
  if (!(middle > 0) || !(root > 0)) return 1;
  const double l = (middle + std::sqrt(root)) / 2;
  const double fresh = 1 + l * (1 - aspect / (l * l)) / (1 + aspect / l);
  return std::sqrt(std::clamp(fresh / variance, 0.0, 1.0));
}

PrincipalInputs find_spikes(const TableRows& table, Team& team) {
  PrincipalInputs found;
  const std::size_t most = std::min(table.columns, table.rows);
  if (most == 0 || !(table.variance > 0)) return found;
  Leading leading = leading_components(table, std::min(kFewColumns, most), team);
  auto [count, noise] = count_spikes(leading.variance, table);
  if (count + kSpare > kFewColumns && most > kFewColumns) {
    leading = leading_components(table, std::min(kManyColumns, most), team);
    std::tie(count, noise) = count_spikes(leading.variance, table);
  }
  if (most > kManyColumns) count = std::min(count, kManyColumns - kSpare);
  found.count = count;
  found.noise = noise > 0 ? noise : 1;
  const double aspect = static_cast<double>(table.columns) / static_cast<double>(table.rows);
  for (std::size_t k = 0; k < count; ++k) {
    found.variance.push_back(leading.variance[index(k)] / found.noise);
    found.shrink.push_back(fresh_share(found.variance.back(), aspect));
    const auto direction = leading.directions.col(index(k));
    const auto score = leading.scores.col(index(k));
    found.directions.insert(found.directions.end(), direction.begin(), direction.end());
    found.scores.insert(found.scores.end(), score.begin(), score.end());
  }
  return found;
}

}  // namespace polystep
