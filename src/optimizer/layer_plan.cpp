#include <algorithm>
#include <cmath>

#include "polystep/error.hpp"
#include "polystep/search_space.hpp"

namespace polystep {
namespace {

bool is_matrix(const TensorShape& tensor) { return tensor.dimensions.size() >= 2; }

// As many coordinates as a factorisation of this rank has entries, but never more than the matrix itself.
std::size_t matrix_coordinates(const TensorShape& tensor, std::size_t rank) {
  const std::size_t out = tensor.dimensions[0];
  const std::size_t in = out == 0 ? 0 : tensor.size() / out;
  return std::min(std::min({rank, out, in}) * (out + in), tensor.size());
}

void apply_cap(std::span<const TensorShape> tensors, std::size_t cap, std::vector<TensorPlan>& plan) {
  std::size_t kept = 0;
  std::size_t reducible = 0;
  for (std::size_t i = 0; i < plan.size(); ++i)
    (is_matrix(tensors[i]) ? reducible : kept) += plan[i].coordinates;
  const std::size_t target = cap > kept ? cap - kept : 1;
  if (kept + reducible <= cap || reducible <= target) return;
  const double scale = static_cast<double>(target) / static_cast<double>(reducible);
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (!is_matrix(tensors[i])) continue;
    const double scaled = std::nearbyint(static_cast<double>(plan[i].coordinates) * scale);  // half to even
    plan[i].coordinates = std::clamp(static_cast<std::size_t>(scaled), std::size_t{1}, plan[i].parameters);
  }
}

std::size_t rank_one_coordinates(std::span<const TensorShape> tensors) {
  std::size_t total = 0;
  for (const TensorShape& tensor : tensors)
    total += is_matrix(tensor) ? matrix_coordinates(tensor, 1) : tensor.size();
  return total;
}

// Shares what identities leave of the cap, at least one coordinate for each, so that the total is exact.
void cap_projected(std::size_t cap, std::vector<TensorPlan>& plan) {
  std::size_t kept = 0, reducible = 0, waiting = 0;
  for (const TensorPlan& tensor : plan) {
    (tensor.identity() ? kept : reducible) += tensor.coordinates;
    waiting += tensor.identity() ? 0 : 1;
  }
  if (kept + reducible <= cap) return;
  std::size_t left = std::max(cap > kept ? cap - kept : 0, waiting);
  const double scale = static_cast<double>(left) / static_cast<double>(reducible);
  for (TensorPlan& tensor : plan) {
    if (tensor.identity()) continue;
    --waiting;
    const double scaled = std::nearbyint(static_cast<double>(tensor.coordinates) * scale);  // half to even
    const std::size_t most = std::min(tensor.parameters, left - waiting);
    tensor.coordinates = std::clamp(static_cast<std::size_t>(scaled), std::size_t{1}, most);
    left -= tensor.coordinates;
  }
}

}  // namespace

std::vector<TensorPlan> plan_layers(std::span<const TensorShape> tensors, const LayerSpaceOptions& options) {
  if (options.rank == 0) throw InputError("search space: rank is 0, expected at least 1");
  std::vector<TensorPlan> plan;
  for (const TensorShape& tensor : tensors) {
    if (tensor.size() == 0)
      throw InputError("search space: tensor '" + tensor.name + "' has no entries, expected at least 1");
    plan.push_back({tensor.name, tensor.size(),
                    is_matrix(tensor) ? matrix_coordinates(tensor, options.rank) : tensor.size()});
  }
  if (options.max_dimension == 0) return plan;
  if (options.cap_rule == CapRule::kMatrices)
    apply_cap(tensors, options.max_dimension, plan);
  else if (rank_one_coordinates(tensors) > kSmallPlan)
    cap_projected(options.max_dimension, plan);
  return plan;
}

}  // namespace polystep
