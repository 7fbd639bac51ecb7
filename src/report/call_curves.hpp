// Test regret against solver calls, from a table of runs that were each cut to a number of calls: one picture
// per setting, with a line per method through the means over its seeds.
//
// benchmarks/dear_solves.py writes such tables. Calls are those really made, per training row.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "report/plot_svg.hpp"

namespace polystep {

struct CutRun {
  std::string setting;
  std::string method;
  double calls = 0;  // granted per training row; 0: as many as the method takes by itself
  double made = 0;   // per training row
  double regret = 0;
};

// The columns setting, method, calls, made and regret; others may hold anything. Throws InputError.
std::vector<CutRun> read_cut_runs(const std::filesystem::path& path);

struct CallCurve {
  std::string setting;
  Plot plot;
};

// In the order settings and methods first appear. A method that was never cut is a point; runs of another
// that were not cut are left out.
std::vector<CallCurve> call_curves(const std::vector<CutRun>& runs);

// "shortest-path-degree-8" for "shortest path, degree 8".
std::string file_stem(const std::string& setting);

}  // namespace polystep
