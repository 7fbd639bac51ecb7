// The published benchmarks shuffle with NumPy's legacy generator; this gives the same orders without NumPy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polystep {

// The numbers 0 .. count-1 as numpy.random.RandomState(seed).shuffle leaves them. NumPy's legacy seeds have
// 32 bits; a larger one is an InputError, as it is there.
std::vector<std::size_t> numpy_shuffled(std::size_t count, std::uint64_t seed);

// What scikit-learn's train_test_split(..., test_size, random_state = seed) makes of 0 .. count-1: the first
// `test` numbers of the shuffled order are for test, the others for training.
struct TrainTestOrder {
  std::vector<std::size_t> training;
  std::vector<std::size_t> test;
};
TrainTestOrder numpy_train_test(std::size_t count, std::size_t test, std::uint64_t seed);

}  // namespace polystep
