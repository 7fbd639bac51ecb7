#include "data/models/linear_model.hpp"

namespace polystep {

LinearModel parse_linear_model(std::string_view text, const std::string& name, const std::string& format) {
  if (format == "lp") return parse_lp(text, name);
  return parse_mps(text, name, format == "fixed-mps" ? MpsFields::kFixed : MpsFields::kSeparated);
}

}  // namespace polystep
