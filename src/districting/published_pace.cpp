#include "districting/published_pace.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace polystep {
namespace {

// Copying a graph of 120 units, each with eight attributes, and its edges; and the subgraphs that show
// whether districts stay in one piece.
constexpr double kMovePerUnit = 0.002 / 120;

constexpr double kTreeValue = 0.0001;   // a subgraph with its attributes and its lightest tree
constexpr double kFormulaValue = 0.01;  // 100 scenarios of a hundred customers, a microsecond each
constexpr double kNetworkValue = 0.01;  // features of all units and 20 million multiplications

// A tour: the city's file is parsed, at 87 ms for a megabyte (measured) by a library that is built, as its
// build files say, without optimisation; then files are written and a solver's process solves four to forty
// points.
constexpr double kParsedMegabyte = 0.087, kTourProcess = 0.010;

struct CityFile {
  std::string_view city;
  double megabytes;
};
constexpr CityFile kFiles[] = {
    {"Leeds", 0.43}, {"London", 3.75}, {"Manchester", 0.32}, {"Marseille", 2.20}, {"Paris", 0.54}};
constexpr double kMegabytesPerUnit = 0.0043;  // of others: the mean of Paris and London

double file_megabytes(const BenchProblem& problem) {
  const auto* known = std::ranges::find(kFiles, problem.city, &CityFile::city);
  return known != std::end(kFiles) ? known->megabytes
                                   : kMegabytesPerUnit * static_cast<double>(problem.units);
}

double value_seconds(const BenchMethod& method, const BenchProblem& problem) {
  if (method.regression) return kNetworkValue;
  if (method.model || method.name == kCentreDistanceMethod) return kTreeValue;
  if (method.name == "avgtsp") return kParsedMegabyte * file_megabytes(problem) + kTourProcess;
  return kFormulaValue;
}

}  // namespace

solvers::PublishedPace published_pace(const BenchMethod& method, const BenchProblem& problem) {
  return {.move = kMovePerUnit * static_cast<double>(problem.units), .value = value_seconds(method, problem)};
}

}  // namespace polystep
