// The built-in problems with their data: splits, decisions and realised costs as arrays.
#pragma once

#include <pybind11/pybind11.h>

namespace polystep::python {

void bind_problems(pybind11::module_& module);

}  // namespace polystep::python
