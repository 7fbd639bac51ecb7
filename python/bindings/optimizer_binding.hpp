// The PolyStep optimizer by ask and tell.
#pragma once

#include <pybind11/pybind11.h>

namespace polystep::python {

void bind_optimizer(pybind11::module_& module);

}  // namespace polystep::python
