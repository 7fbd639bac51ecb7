// The draws of NumPy's legacy generator, numpy.random.RandomState(seed), without NumPy: published benchmarks
// that are drawn and not shipped can be drawn again, number for number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace polystep {

class NumpyRandom {
 public:
  // NumPy's legacy seeds have 32 bits; a larger one is an InputError, as it is there. `where` names the user.
  explicit NumpyRandom(std::uint64_t seed, const char* where = "numpy generator");

  double uniform();                         // in [0, 1), 53 bits
  double uniform(double low, double high);  // of [low, high)
  std::uint32_t up_to(std::uint32_t last);  // of 0 .. last, as randint, choice and shuffle draw
  bool coin();                              // binomial(1, 0.5)
  double gumbel(double location, double scale);

  // The numbers 0 .. count-1 as shuffle leaves them, which is permutation(count).
  std::vector<std::size_t> permutation(std::size_t count);

 private:
  std::mt19937 words_;
};

}  // namespace polystep
