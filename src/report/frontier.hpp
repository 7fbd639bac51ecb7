// Cost against infeasibility: the mean of finished runs, one point per limit and per other method, as a table
// and as a picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/plot_svg.hpp"
#include "statistics/run_record.hpp"

namespace polystep {

struct FrontierPoint {
  std::string method;
  std::optional<double> limit;  // max-infeasibility it was trained under; none: trained freely
  std::size_t runs = 0;
  double infeasible = 0;  // mean share of test decisions, before recourse
  double regret = 0;      // mean over runs
  double deviation = 0;   // of the regret, population, over runs
  double failed = 0;      // mean share of failed test rows, see failed_share
};

// Limits first, rising, then the other methods in the order of the runs. Runs without recourse are left out.
std::vector<FrontierPoint> tabulate_frontier(const std::vector<RunRecord>& runs);

std::string frontier_csv(const std::vector<FrontierPoint>& points);
std::string frontier_text(const std::vector<FrontierPoint>& points);  // for people
Plot frontier_plot(const std::vector<FrontierPoint>& points, const std::string& title);

}  // namespace polystep
