#include "data/benchmarks/numpy_shuffle.hpp"

#include "data/benchmarks/numpy_random.hpp"

namespace polystep {

std::vector<std::size_t> numpy_shuffled(std::size_t count, std::uint64_t seed) {
  return NumpyRandom(seed, "shuffled split").permutation(count);
}

TrainTestOrder numpy_train_test(std::size_t count, std::size_t test, std::uint64_t seed) {
  const std::vector<std::size_t> order = NumpyRandom(seed, "shuffled split").permutation(count);
  const auto cut = order.begin() + static_cast<std::ptrdiff_t>(test);
  return {{cut, order.end()}, {order.begin(), cut}};
}

}  // namespace polystep
