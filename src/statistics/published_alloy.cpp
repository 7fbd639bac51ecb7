#include "statistics/published_alloy.hpp"

namespace polystep {

const std::vector<PublishedAlloy>& published_alloy_results() {
  static const std::vector<PublishedAlloy> all = {
      {"mse", "paper", .532, .169, .243},
      {"comboptnet", "paper", .896, .181},
      {"sfl", "paper", .991, .019},
      {"two-stage", "paper", .400, 8.539},
      {"sfge", "paper", .739, .268, std::nan(""), "two of five seeds have a regret"},
      {"odece", "paper alpha=0.2", .790, .081},
      {"odece", "paper alpha=0.3", .729, .123, .230},
      {"odece", "paper alpha=0.4", .571, .195},
      {"odece", "paper alpha=0.5", .471, .270},
      {"odece", "paper alpha=0.6", .324, .365},
      {"odece", "paper alpha=0.7", .276, .406},
      {"odece", "paper alpha=0.8", .174, .486, .543},
      {"polystepor", "paper", .555, .154, .231},
  };
  return all;
}

const PublishedAlloy* find_published_alloy(const std::string& method, const std::string& preset) {
  for (const PublishedAlloy& row : published_alloy_results())
    if (row.method == method && row.preset == preset) return &row;
  return nullptr;
}

}  // namespace polystep
