// All parameters as coordinates, in an order that puts those together which should share a block.
#include <fmt/core.h>

#include <algorithm>

#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

class OrderedSpace final : public SearchSpace {
 public:
  OrderedSpace(std::vector<double> theta0, std::vector<std::uint32_t> order)
      : SearchSpace(std::move(theta0)), order_(std::move(order)) {}

  std::size_t dimension() const override { return order_.size(); }

  void place(std::span<const double> y, std::span<double> theta) const override {
    for (std::size_t i = 0; i < order_.size(); ++i) theta[order_[i]] = origin_[order_[i]] + y[i];
  }

  void direction(std::size_t first, std::span<const double> coefficients, Direction& out) const override {
    out.clear();
    const std::size_t count = std::min(coefficients.size(), order_.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      if (coefficients[i] != 0) out.add(order_[first + i], coefficients[i]);
    }
  }

  void support(std::size_t first, std::size_t count, std::vector<std::uint32_t>& out) const override {
    const auto begin = order_.begin() + static_cast<std::ptrdiff_t>(first);
    out.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(count, order_.size() - first)));
    std::sort(out.begin(), out.end());
  }

 private:
  std::vector<std::uint32_t> order_;  // [coordinates] the parameter that each coordinate moves
};

}  // namespace

std::unique_ptr<SearchSpace> make_ordered_space(std::vector<double> theta0,
                                                std::vector<std::uint32_t> order) {
  std::vector<std::uint32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool each_once = sorted.size() == theta0.size() && !sorted.empty();
  for (std::size_t i = 0; each_once && i < sorted.size(); ++i) each_once = sorted[i] == i;
  if (!each_once)
    throw InputError(
        fmt::format("search space: found an order of {} parameters, expected each of {} exactly once",
                    order.size(), theta0.size()));
  return std::make_unique<OrderedSpace>(std::move(theta0), std::move(order));
}

}  // namespace polystep
