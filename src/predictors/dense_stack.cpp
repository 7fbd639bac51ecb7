#include "predictors/dense_stack.hpp"

#include <fmt/core.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#ifdef EIGEN_HAS_OPENMP
#error "a product must run on the thread that asks for it"
#endif

namespace polystep {
namespace {

// Eigen cuts long sums by the sizes of the processor's caches. These are short enough for any, so that sums
// run in the same order everywhere.
constexpr Eigen::Index kLongestSum = 240;

template <class Real>
using RowMajor = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class Real>
using Rows = Eigen::Map<RowMajor<Real>, 0, Eigen::OuterStride<>>;
template <class Real>
using ConstRows = Eigen::Map<const RowMajor<Real>, 0, Eigen::OuterStride<>>;

Eigen::Index index(std::size_t size) { return static_cast<Eigen::Index>(size); }

template <class Real>
Rows<Real> rows_at(Real* first, std::size_t rows, std::size_t columns, std::size_t stride) {
  return {first, index(rows), index(columns), Eigen::OuterStride<>(index(stride))};
}
template <class Real>
ConstRows<Real> rows_at(const Real* first, std::size_t rows, std::size_t columns, std::size_t stride) {
  return {first, index(rows), index(columns), Eigen::OuterStride<>(index(stride))};
}

// product(first, count) for consecutive pieces of a sum.
template <class Product>
void in_pieces(std::size_t terms, const Product& product) {
  for (Eigen::Index first = 0; first < index(terms); first += kLongestSum)
    product(first, std::min(kLongestSum, index(terms) - first));
}

}  // namespace

template <class Real>
void add_products(const Real* values, std::size_t rows, std::size_t inputs, const Real* weight,
                  std::size_t stride, std::size_t units, Real* sums) {
  const auto from = rows_at(values, rows, inputs, inputs);
  const auto by = rows_at(weight, units, inputs, stride);
  auto to = rows_at(sums, rows, units, units);
  in_pieces(inputs, [&](Eigen::Index first, Eigen::Index count) {
    to.noalias() += from.middleCols(first, count) * by.middleCols(first, count).transpose();
  });
}
template void add_products(const double*, std::size_t, std::size_t, const double*, std::size_t, std::size_t,
                           double*);
template void add_products(const float*, std::size_t, std::size_t, const float*, std::size_t, std::size_t,
                           float*);

void add_weight_gradient(const double* sums, std::size_t rows, std::size_t units, const double* values,
                         std::size_t inputs, std::size_t stride, double* weight) {
  const auto from = rows_at(sums, rows, units, units);
  const auto by = rows_at(values, rows, inputs, inputs);
  auto to = rows_at(weight, units, inputs, stride);
  in_pieces(rows, [&](Eigen::Index first, Eigen::Index count) {
    to.noalias() += from.middleRows(first, count).transpose() * by.middleRows(first, count);
  });
}

void pull_back(const double* above, std::size_t rows, std::size_t units, const double* weight,
               std::size_t inputs, double* below) {
  const auto from = rows_at(above, rows, units, units);
  const auto by = rows_at(weight, units, inputs, inputs);
  auto to = rows_at(below, rows, inputs, inputs);
  to.setZero();
  in_pieces(units, [&](Eigen::Index first, Eigen::Index count) {
    to.noalias() += from.middleCols(first, count) * by.middleRows(first, count);
  });
}

void add_rows(const double* sums, std::size_t rows, std::size_t units, double* total) {
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t u = 0; u < units; ++u) total[u] += sums[row * units + u];
}

void StackWork::prepare(const DenseStack& stack, std::size_t rows) {
  units.resize(std::max(units.size(), stack.layers().size()));
  for (std::size_t l = 0; l < stack.layers().size(); ++l) units[l].resize(rows * stack.layers()[l].units);
}

DenseStack::DenseStack(std::size_t inputs, const std::vector<std::size_t>& hidden, std::size_t outputs,
                       bool logistic)
    : logistic_(logistic) {
  std::size_t next = 0;
  const auto add = [&](std::size_t units) {
    layers_.push_back({inputs, units, next, next + units * inputs});
    next = layers_.back().bias + units;
    inputs = units;
  };
  for (const std::size_t units : hidden) add(units);
  add(outputs);
}

std::vector<TensorShape> DenseStack::tensors() const {
  std::vector<TensorShape> tensors;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    tensors.push_back({fmt::format("layer{}.weight", l), {layers_[l].units, layers_[l].inputs}});
    tensors.push_back({fmt::format("layer{}.bias", l), {layers_[l].units}});
  }
  return tensors;
}

void DenseStack::forward(std::span<const double> head, std::size_t rows, StackWork& work) const {
  for (std::size_t l = 1; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    for (double& unit : work.units[l - 1]) unit = std::max(unit, 0.0);
    const double* bias = head.data() + (layer.bias - head_begin());
    for (std::size_t row = 0; row < rows; ++row)
      std::copy_n(bias, layer.units, work.units[l].data() + row * layer.units);
    add_products(work.units[l - 1].data(), rows, layer.inputs, head.data() + (layer.weight - head_begin()),
                 layer.inputs, layer.units, work.units[l].data());
  }
  if (!logistic_) return;
  for (double& unit : work.units[layers_.size() - 1]) unit = 1 / (1 + std::exp(-unit));
}

void DenseStack::backward(std::span<const double> head, std::size_t rows, StackWork& work,
                          std::span<double> head_gradient) const {
  const AlignedDoubles& outputs = work.units[layers_.size() - 1];
  if (logistic_)
    for (std::size_t i = 0; i < outputs.size(); ++i) work.above[i] *= outputs[i] * (1 - outputs[i]);
  for (std::size_t l = layers_.size() - 1; l > 0; --l) {
    const Layer& layer = layers_[l];
    const AlignedDoubles& inputs = work.units[l - 1];
    add_weight_gradient(work.above.data(), rows, layer.units, inputs.data(), layer.inputs, layer.inputs,
                        head_gradient.data() + (layer.weight - head_begin()));
    add_rows(work.above.data(), rows, layer.units, head_gradient.data() + (layer.bias - head_begin()));
    work.below.resize(rows * layer.inputs);
    pull_back(work.above.data(), rows, layer.units, head.data() + (layer.weight - head_begin()), layer.inputs,
              work.below.data());
    // A rectified unit passes on what comes back where it is above 0.
    for (std::size_t i = 0; i < work.below.size(); ++i)
      if (!(inputs[i] > 0)) work.below[i] = 0;
    std::swap(work.above, work.below);
  }
}

}  // namespace polystep
