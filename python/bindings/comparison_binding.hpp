// Finished runs side by side, and the paired tests between them.
#pragma once

#include <pybind11/pybind11.h>

namespace polystep::python {

void bind_comparison(pybind11::module_& module);

}  // namespace polystep::python
