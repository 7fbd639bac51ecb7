// Golden values shipped with the data of the benchmarks whose predictions enter constraints.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "data/data_directory.hpp"

namespace polystep::testing {

// The lines of a table after its header, split at commas.
inline std::vector<std::vector<std::string>> constraint_table(const std::string& name) {
  std::ifstream file(constraint_file(find_data_directory(""), name));
  std::vector<std::vector<std::string>> rows;
  std::string line, field;
  std::getline(file, line);
  while (std::getline(file, line)) {
    rows.emplace_back();
    std::istringstream fields(line);
    while (std::getline(fields, field, ',')) rows.back().push_back(field);
  }
  return rows;
}

// Optimal objectives of all instances of a data set ("wsmc_5x25", 0).
inline std::vector<double> constraint_optima(const std::string& problem, std::size_t dataset) {
  std::vector<double> optima;
  for (const auto& row : constraint_table(problem + "/seed" + std::to_string(dataset) + "/optimal.csv"))
    optima.push_back(std::stod(row[0]));
  return optima;
}

}  // namespace polystep::testing
