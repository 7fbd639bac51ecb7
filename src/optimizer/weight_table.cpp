#include "optimizer/weight_table.hpp"

#include "optimizer/weights.hpp"
#include "polystep/error.hpp"

namespace polystep {

WeightTable::WeightTable(const PolyStepOptions& options, VertexRows shape)
    : rule_(options.weight_rule),
      fixed_temperature_(options.fixed_temperature),
      column_penalty_(options.column_penalty),
      top_count_(options.top_count),
      shape_(shape),
      sinkhorn_(options.sinkhorn),
      weight_(shape.size()),
      still_(shape.rows) {
  if (rule_ == WeightRule::kSinkhorn && shape.rows == 1)
    throw InputError(
        "weight rule: found sinkhorn with a single block, where it weighs all vertices alike and never "
        "moves, "
        "expected at least 2 blocks or another rule");
  if (coupled() && shape.ragged())
    throw InputError(
        "weight rule: found a rule that couples blocks with a shrunken last block, expected blocks of equal "
        "size "
        "(a padded last block) or softmax");
}

void WeightTable::assign(const CostRows& costs, double temperature) {
  all_flat_ = costs.flat_rows() == shape_.rows;
  for (std::size_t j = 0; j < shape_.rows; ++j) still_[j] = costs.flat(j);
  if (rule_ == WeightRule::kSinkhorn) {
    sinkhorn_.balanced(costs.scaled(), shape_.width, temperature, weight_);
  } else if (rule_ == WeightRule::kKlSoftmax) {
    sinkhorn_.penalised(costs.scaled(), shape_.width, temperature, column_penalty_, weight_);
  } else {
    for (std::size_t j = 0; j < shape_.rows; ++j)
      assign_row(shape_.row(costs.scaled(), j), temperature, shape_.row(std::span(weight_), j));
  }
}

void WeightTable::assign_row(std::span<const double> costs, double temperature, std::span<double> weights) {
  if (rule_ == WeightRule::kGreedy) {
    greedy_weights(costs, weights);
  } else if (rule_ == WeightRule::kTopCount) {
    top_weights(costs, top_count_, order_, weights);
  } else {
    softmax_weights(costs, rule_ == WeightRule::kTempered ? fixed_temperature_ : temperature, weights);
  }
}

double WeightTable::mean_entropy() const {
  double sum = 0;
  for (std::size_t j = 0; j < shape_.rows; ++j) sum += entropy_share(row(j));
  return sum / static_cast<double>(shape_.rows);
}

}  // namespace polystep
