// The methods the program knows: one line each.
#include "methods/constraints/comboptnet.hpp"
#include "methods/constraints/gaussian.hpp"
#include "methods/constraints/odece.hpp"
#include "methods/constraints/sfge.hpp"
#include "methods/constraints/sfl.hpp"
#include "methods/constraints/two_stage.hpp"
#include "methods/gradient/dbb.hpp"
#include "methods/gradient/fenchel_young.hpp"
#include "methods/gradient/imle.hpp"
#include "methods/gradient/mse.hpp"
#include "methods/gradient/ranking.hpp"
#include "methods/gradient/spo_plus.hpp"
#include "methods/polystepor/polystepor.hpp"
#include "methods/polystepor/polystepor_output.hpp"
#include "polystep/method.hpp"

namespace polystep {

const std::vector<MethodEntry>& methods() {
  static const std::vector<MethodEntry> all = {
      polystepor_method(),    polystepor_output_method(),
      mse_method(),           spo_plus_method(),
      dbb_method(),           imle_method(),
      fenchel_young_method(), listwise_method(),
      pairwise_method(),      pairwise_diff_method(),
      map_method(),           gaussian_method(),
      sfge_method(),          comboptnet_method(),
      odece_method(),         sfl_method(),
      two_stage_method(),
  };
  return all;
}

const MethodEntry& find_method(const std::string& name, const std::string& where) {
  std::vector<std::string> names;
  for (const MethodEntry& entry : methods()) {
    if (entry.name == name) return entry;
    names.push_back(entry.name);
  }
  throw_unknown_name(where, "method", name, names);
}

const Preset& MethodEntry::preset(const std::string& wanted, const std::string& where) const {
  std::vector<std::string> names;
  for (const Preset& preset : presets) {
    if (preset.name == wanted) return preset;
    names.push_back(preset.name);
  }
  throw_unknown_name(where, "preset of method " + name, wanted, names);
}

}  // namespace polystep
