#include "polystep/predictor.hpp"

#include <cmath>
#include <stdexcept>

#include "polystep/error.hpp"
#include "polystep/random.hpp"

namespace polystep {

std::size_t Predictor::parameters() const {
  std::size_t total = 0;
  for (const TensorShape& tensor : tensors()) total += tensor.size();
  return total;
}

std::vector<std::uint32_t> Predictor::touched_outputs(std::span<const std::uint32_t>) const {
  throw std::logic_error("touched_outputs asked of a predictor that is not affine in its parameters");
}

void Predictor::predict_change(const SparseDirection&, std::span<const std::uint32_t>, std::size_t,
                               const double*, double*) const {
  throw std::logic_error("predict_change asked of a predictor that is not affine in its parameters");
}

std::vector<double> Predictor::initial_parameters(std::uint64_t seed) const {
  std::vector<double> theta;
  theta.reserve(parameters());
  std::size_t fan_in = 1;  // a bias follows its weight matrix and shares its fan-in
  std::uint64_t tensor_number = 0;
  for (const TensorShape& tensor : tensors()) {
    if (tensor.dimensions.size() >= 2) fan_in = tensor.size() / tensor.dimensions.front();
    const double bound = 1.0 / std::sqrt(static_cast<double>(fan_in));
    RandomStream stream(seed, Purpose::kInitialParameters, tensor_number++);
    for (std::size_t i = 0; i < tensor.size(); ++i) theta.push_back(stream.uniform(-bound, bound));
  }
  return theta;
}

std::unique_ptr<Predictor> make_predictor(const std::string& kind, std::size_t features,
                                          std::size_t outputs) {
  if (kind == "linear") return make_linear(features, outputs);
  if (kind == "shared-linear") return make_shared_linear(features, outputs);
  throw InputError("unknown predictor kind '" + kind + "', expected linear or shared-linear");
}

}  // namespace polystep
