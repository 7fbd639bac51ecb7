// Training into a run directory, as the command line does it.
#pragma once

#include <pybind11/pybind11.h>

namespace polystep::python {

void bind_training(pybind11::module_& module);

}  // namespace polystep::python
