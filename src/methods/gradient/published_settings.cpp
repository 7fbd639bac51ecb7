#include "methods/gradient/published_settings.hpp"

namespace polystep {
namespace {

// What a problem's runs have in common.
struct Protocol {
  const char* problem;
  const char* setting;           // the option that distinguishes its settings
  std::vector<double> settings;  // ascending
  std::int64_t epochs;
  std::int64_t batch;
  double l1;
  PublishedProtocol peculiarities = {};
};

const std::vector<Protocol>& protocols() {
  static const std::vector<Protocol> all = {
      {"shortest-path", "degree", {1, 2, 4, 6, 8}, 30, 32, 1e-5, {.extra_division = true}},
      {"portfolio", "degree", {1, 4, 8, 16}, 30, 32, 1e-5, {.extra_division = true, .wrong_sign = true}},
      {"knapsack", "capacity", {60, 120, 180}, 35, 128, 0},
      {"energy-scheduling", "load", {1, 2, 3}, 20, 64, 0},
      {"matching", "type", {1, 2, 3}, 30, 128, 0},
  };
  return all;
}

// One method on one problem: the rate and up to two parameters per setting.
struct Published {
  const char* method;
  const char* problem;
  std::vector<const char*> parameters;      // option names after "rate"
  std::vector<std::vector<double>> values;  // [settings × (rate, parameters)]
};

const std::vector<Published>& table() {
  static const std::vector<Published> all = {
      {"mse", "shortest-path", {}, {{1}, {.05}, {.05}, {1}, {.05}}},
      {"spo+", "shortest-path", {}, {{.01}, {.05}, {.1}, {1}, {1}}},
      {"dbb", "shortest-path", {"lambda"}, {{.1, 10}, {.1, 1}, {.05, 1}, {.05, .1}, {.1, .1}}},
      {"imle",
       "shortest-path",
       {"beta", "noise-scale"},
       {{.5, 100, 1}, {.5, 100, .1}, {.5, 100, 2}, {.5, 10, .5}, {.5, 100, 2}}},
      {"fenchel-young", "shortest-path", {"sigma"}, {{1, 5}, {.1, .1}, {.1, .1}, {.05, 5}, {.1, 5}}},
      {"listwise", "shortest-path", {"tau"}, {{.1, .1}, {.1, .1}, {1, .1}, {.1, 1}, {1, 1}}},
      {"pairwise", "shortest-path", {"margin"}, {{1, 1}, {.1, .5}, {.1, 1}, {1, 10}, {1, 10}}},
      {"pairwise-diff", "shortest-path", {}, {{.1}, {.1}, {.5}, {.1}, {1}}},
      {"map", "shortest-path", {}, {{.1}, {.1}, {1}, {1}, {1}}},

      {"mse", "portfolio", {}, {{.01}, {.05}, {.1}, {.05}}},
      {"spo+", "portfolio", {}, {{.5}, {1}, {.5}, {.5}}},
      {"dbb", "portfolio", {"lambda"}, {{.1, 1}, {.1, 1}, {.1, 1}, {.1, 1}}},
      {"imle",
       "portfolio",
       {"beta", "noise-scale"},
       {{.5, .1, .1}, {.5, .1, .5}, {.5, .1, .05}, {.5, .1, .05}}},
      {"fenchel-young", "portfolio", {"sigma"}, {{.1, .01}, {.5, .01}, {1, .01}, {1, 2}}},
      {"listwise", "portfolio", {"tau"}, {{.1, .01}, {.1, .01}, {.1, .01}, {.05, .005}}},
      {"pairwise", "portfolio", {"margin"}, {{.01, .01}, {.01, .1}, {.01, .01}, {.1, .05}}},
      {"pairwise-diff", "portfolio", {}, {{.1}, {.1}, {.1}, {.05}}},
      {"map", "portfolio", {}, {{.01}, {1}, {.05}, {1}}},

      {"mse", "knapsack", {}, {{.5}, {1}, {1}}},
      {"spo+", "knapsack", {}, {{.5}, {1}, {1}}},
      {"dbb", "knapsack", {"lambda"}, {{.5, .1}, {1, 1}, {.5, 1}}},
      {"imle", "knapsack", {"beta", "noise-scale"}, {{.5, .1, .5}, {.5, .1, .1}, {.5, .1, 5}}},
      {"fenchel-young", "knapsack", {"sigma"}, {{1, .005}, {1, .5}, {.5, .5}}},
      {"listwise", "knapsack", {"tau"}, {{1, .001}, {1, .001}, {.5, .0001}}},
      {"pairwise", "knapsack", {"margin"}, {{.5, 10}, {.5, 10}, {.5, 10}}},
      {"pairwise-diff", "knapsack", {}, {{1}, {1}, {1}}},
      {"map", "knapsack", {}, {{1}, {1}, {1}}},

      {"mse", "energy-scheduling", {}, {{.5}, {.5}, {.5}}},
      {"spo+", "energy-scheduling", {}, {{1}, {.5}, {.5}}},
      {"dbb", "energy-scheduling", {"lambda"}, {{.01, .1}, {.5, 1}, {.5, 1}}},
      {"imle", "energy-scheduling", {"beta", "noise-scale"}, {{.5, 1, 2}, {.5, 1, 1}, {.5, 1, 1}}},
      {"fenchel-young", "energy-scheduling", {"sigma"}, {{.01, .1}, {.5, 5}, {.01, .1}}},
      {"listwise", "energy-scheduling", {"tau"}, {{.1, 5}, {.1, 5}, {.1, 5}}},
      {"pairwise", "energy-scheduling", {"margin"}, {{.1, 1}, {.1, 5}, {.1, 50}}},
      {"pairwise-diff", "energy-scheduling", {}, {{.5}, {.5}, {.1}}},
      {"map", "energy-scheduling", {}, {{.5}, {.5}, {.5}}},

      {"mse", "matching", {}, {{.01}, {.01}, {.0005}}},
      {"spo+", "matching", {}, {{.001}, {.001}, {.005}}},
      {"dbb", "matching", {"lambda"}, {{.01, 10}, {.01, .1}, {.01, .1}}},
      {"imle", "matching", {"beta", "noise-scale"}, {{.001, 100, .5}, {.001, 100, .5}, {.001, 100, .5}}},
      {"fenchel-young", "matching", {"sigma"}, {{.001, .5}, {.001, .01}, {.001, 5}}},
      {"listwise", "matching", {"tau"}, {{.001, 5}, {.01, 5}, {.01, 50}}},
      {"pairwise", "matching", {"margin"}, {{.005, 5}, {.01, 50}, {.01, 50}}},
      {"pairwise-diff", "matching", {}, {{.001}, {.01}, {.005}}},
      {"map", "matching", {}, {{.001}, {.01}, {.005}}},
  };
  return all;
}

std::size_t nearest_setting(const Protocol& protocol, const Options& settings) {
  const auto value = static_cast<double>(settings.integer(protocol.setting));
  for (std::size_t i = 0; i < protocol.settings.size(); ++i)
    if (value <= protocol.settings[i]) return i;
  return protocol.settings.size() - 1;
}

// Alloys: a constant rate, no choice among epochs. Other methods that were run on them have their own.
OptionValues published_alloy_values(const std::string& method) {
  if (method != "mse") return {};
  return {{"rate", 0.001},   {"epochs", std::int64_t{20}},          {"batch", std::int64_t{32}},
          {"shuffle", true}, {"schedule", std::string("constant")}, {"start", std::string("twister")}};
}

}  // namespace

OptionValues published_values(const std::string& method, const PresetContext& context) {
  if (context.published == "alloy") return published_alloy_values(method);
  for (const Protocol& protocol : protocols()) {
    if (context.published != protocol.problem) continue;
    for (const Published& published : table()) {
      if (method != published.method || context.published != published.problem) continue;
      const std::vector<double>& row = published.values[nearest_setting(protocol, context.settings)];
      OptionValues values = {{"rate", row[0]},
                             {"epochs", protocol.epochs},
                             {"batch", protocol.batch},
                             {"l1", protocol.l1},
                             {"start", std::string("twister")}};
      for (std::size_t p = 0; p < published.parameters.size(); ++p)
        values.emplace_back(published.parameters[p], row[p + 1]);
      return values;
    }
  }
  return {};
}

PublishedProtocol published_protocol(const PresetContext& context) {
  for (const Protocol& protocol : protocols())
    if (context.published == protocol.problem) return protocol.peculiarities;
  return {};
}

}  // namespace polystep
