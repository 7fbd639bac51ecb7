// HiGHS as it is found on the machine, opened while the program runs.
//
// Nothing of HiGHS is needed to build: its C interface keeps its functions from release to release, and those
// used here are declared below. So one program works on machines with the library and on machines without it,
// where only asking for it is an error. Looked for are, in this order: the file that POLYSTEPOR_HIGHS names,
// the library that find_package(highs) found when the program was built, libhighs.so.1 and libhighs.so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace polystep::solvers {

struct HighsLibrary {
  using Model = void*;
  // Called now and then during a solve; what it writes to *input, if there is one, ends the solve where it is
  // not 0.
  using Callback = void (*)(int type, const char* message, const void* output, int* input, void* user);

  // The library of this machine. Throws InputError where there is none, or one that cannot be used.
  static const HighsLibrary& get();
  static bool present();

  std::string version;  // "1.11.0"

  Model (*create)();
  void (*destroy)(Model);
  int (*set_bool)(Model, const char* option, int value);
  int (*set_int)(Model, const char* option, int value);
  int (*set_double)(Model, const char* option, double value);
  int (*set_string)(Model, const char* option, const char* value);
  int (*pass_mip)(Model, int columns, int rows, int entries, int format, int sense, double offset,
                  const double* cost, const double* column_lower, const double* column_upper,
                  const double* row_lower, const double* row_upper, const int* starts, const int* indices,
                  const double* values, const int* integrality);
  int (*change_costs)(Model, int first, int last, const double* cost);
  int (*change_column_bounds)(Model, int column, double lower, double upper);
  int (*change_row_bounds)(Model, int row, double lower, double upper);
  int (*change_coefficient)(Model, int row, int column, double value);
  int (*clear_solver)(Model);
  int (*run)(Model);
  int (*model_status)(Model);
  int (*solution)(Model, double* column_value, double* column_dual, double* row_value, double* row_dual);
  int (*int_figure)(Model, const char* name, int* value);
  int (*int64_figure)(Model, const char* name, std::int64_t* value);
  int (*double_figure)(Model, const char* name, double* value);
  int (*set_callback)(Model, Callback, void* user);
  int (*start_callback)(Model, int type);

 private:
  // Says in `why` what is wrong where there is no usable library.
  static std::optional<HighsLibrary> open(std::string& why);
};

}  // namespace polystep::solvers
