// numpy arrays in and out. Everything is copied: Python code may keep an array longer than the engine keeps
// the memory.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace polystep::python {

namespace py = pybind11;

// Anything numpy can turn into doubles, row by row.
using DoubleArray = py::array_t<double, py::array::c_style | py::array::forcecast>;
using IndexArray = py::array_t<std::int64_t, py::array::c_style | py::array::forcecast>;

inline DoubleArray to_array(std::span<const double> values) {
  DoubleArray array(static_cast<py::ssize_t>(values.size()));
  std::copy(values.begin(), values.end(), array.mutable_data());
  return array;
}

inline DoubleArray to_array(std::span<const double> values, std::size_t rows, std::size_t columns) {
  DoubleArray array({static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(columns)});
  std::copy_n(values.begin(), rows * columns, array.mutable_data());
  return array;
}

inline std::span<const double> view(const DoubleArray& array) {
  return {array.data(), static_cast<std::size_t>(array.size())};
}

inline std::vector<double> to_vector(const DoubleArray& array) {
  return {array.data(), array.data() + array.size()};
}

inline std::string shape_text(const py::array& array) { return py::str(array.attr("shape")); }

}  // namespace polystep::python
