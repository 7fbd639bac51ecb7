#include "solvers/milp/highs_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "polystep/error.hpp"

namespace polystep::solvers {
namespace {

std::vector<std::string> candidates() {
  if (const char* named = std::getenv("POLYSTEPOR_HIGHS"); named != nullptr && *named != '\0') return {named};
  std::vector<std::string> names;
#ifdef POLYSTEP_HIGHS_LIBRARY
  names.push_back(POLYSTEP_HIGHS_LIBRARY);
#endif
  names.push_back("libhighs.so.1");
  names.push_back("libhighs.so");
  return names;
}

// The functions of an open library by name; the first that is missing is remembered.
class Functions {
 public:
  explicit Functions(void* library) : library_(library) {}

  template <class Function>
  void take(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library_, name));
    if (function == nullptr && missing_.empty()) missing_ = name;
  }
  const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

}  // namespace

// The library stays open: solvers on other threads may be using it when the program ends.
std::optional<HighsLibrary> HighsLibrary::open(std::string& why) {
  void* opened = nullptr;
  std::string found;
  for (const std::string& name : candidates()) {
    opened = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (opened != nullptr) {
      found = name;
      break;
    }
    why += fmt::format("{}{}", why.empty() ? "looked for " : ", ", name);
  }
  if (opened == nullptr) return std::nullopt;
  HighsLibrary library;
  Functions functions(opened);
  const char* (*version)() = nullptr;
  int (*size_of_int)(Model) = nullptr;
  functions.take(version, "Highs_version");
  functions.take(size_of_int, "Highs_getSizeofHighsInt");
  functions.take(library.create, "Highs_create");
  functions.take(library.destroy, "Highs_destroy");
  functions.take(library.set_bool, "Highs_setBoolOptionValue");
  functions.take(library.set_int, "Highs_setIntOptionValue");
  functions.take(library.set_double, "Highs_setDoubleOptionValue");
  functions.take(library.set_string, "Highs_setStringOptionValue");
  functions.take(library.pass_mip, "Highs_passMip");
  functions.take(library.change_costs, "Highs_changeColsCostByRange");
  functions.take(library.change_column_bounds, "Highs_changeColBounds");
  functions.take(library.change_row_bounds, "Highs_changeRowBounds");
  functions.take(library.change_coefficient, "Highs_changeCoeff");
  functions.take(library.clear_solver, "Highs_clearSolver");
  functions.take(library.run, "Highs_run");
  functions.take(library.model_status, "Highs_getModelStatus");
  functions.take(library.solution, "Highs_getSolution");
  functions.take(library.int_figure, "Highs_getIntInfoValue");
  functions.take(library.int64_figure, "Highs_getInt64InfoValue");
  functions.take(library.double_figure, "Highs_getDoubleInfoValue");
  functions.take(library.set_callback, "Highs_setCallback");
  functions.take(library.start_callback, "Highs_startCallback");
  if (!functions.missing().empty()) {
    why = fmt::format("{} has no function {}", found, functions.missing());
    return std::nullopt;
  }
  library.version = version();
  const Model model = library.create();
  const int size = size_of_int(model);
  library.destroy(model);
  if (size != static_cast<int>(sizeof(int))) {
    why = fmt::format("{} counts in whole numbers of {} bytes", found, size);
    return std::nullopt;
  }
  return library;
}

const HighsLibrary& HighsLibrary::get() {
  static std::string why;
  static const std::optional<HighsLibrary> library = open(why);
  if (!library)
    throw InputError(
        fmt::format("HiGHS: {}; expected a library of version 1.7 or newer, with whole numbers of {} bytes "
                    "(POLYSTEPOR_HIGHS can name its file; backend = \"coin\" needs none)",
                    why, sizeof(int)));
  return *library;
}

bool HighsLibrary::present() {
  try {
    get();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace polystep::solvers
