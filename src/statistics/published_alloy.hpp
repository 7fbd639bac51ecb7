// The published results on alloys, to be shown beside ours: means over training seeds 11 to 15 on 100 test
// instances of the published data, as means over batches (BatchFigures).
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace polystep {

struct PublishedAlloy {
  std::string method;
  std::string preset;  // as a run of the table is recorded: "paper alpha=0.2"
  double infeasible = 0;
  double conditional_regret = 0;
  double regret = std::nan("");  // after recourse; not a number: not published
  std::string remark = {};
};

const std::vector<PublishedAlloy>& published_alloy_results();
const PublishedAlloy* find_published_alloy(const std::string& method, const std::string& preset);

}  // namespace polystep
