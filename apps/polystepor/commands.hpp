// What the command line understood, and the commands that act on it. Each command returns its exit code.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "polystep/task.hpp"

namespace polystep {

// How long a command may take and whether it shows what it is at.
struct WatchArguments {
  std::optional<double> max_seconds;
  bool quiet = false;
};

struct TrainArguments {
  std::optional<std::string> problem;
  std::optional<std::string> method;
  std::optional<std::string> preset;
  std::optional<std::string> config;
  std::optional<std::string> data;
  std::optional<std::string> out;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> threads;
  std::optional<double> max_seconds;
  std::optional<std::string> budget;
  std::vector<std::pair<std::string, std::string>> flags;  // --degree 8 and the like, by option name
  std::vector<std::string> assignments;                    // --set key=value
  double checkpoint_seconds = 5;
  bool resume = false;
  bool force = false;
  bool quiet = false;
  bool json = false;
};

// What `train` would do; its own flags say where the answer goes.
struct PlanArguments {
  TrainArguments run;
  std::optional<std::string> save;
  bool force = false;
  bool json = false;
  WatchArguments watch;
};

// What `train` would work on, looked at closely; its own flags say how far to go.
struct CheckArguments {
  TrainArguments run;
  bool plan = true;
  WatchArguments watch;
};

struct ExplainArguments {
  std::string run;
  std::optional<std::string> data;
  std::int64_t pairs = 256;  // of an instance and a direction
  bool pairs_given = false;
  bool json = false;
  WatchArguments watch;
};

struct EvaluateArguments {
  std::string run;
  std::optional<std::string> data;
  std::int64_t threads = 1;
  bool json = false;
  std::optional<std::string> against;  // a run to compare with, test row by test row
  std::int64_t fresh = 0;              // fresh rows to measure on besides
  std::int64_t fresh_seed = 77;
  WatchArguments watch;
};

// One model out of several runs.
struct AverageArguments {
  std::vector<std::string> runs;
  std::string out;
  std::optional<std::string> data;
  std::int64_t threads = 1;
  bool force = false;
  WatchArguments watch;
};

struct DecideArguments {
  std::string run;
  std::string features;
  std::optional<std::string> known;  // of tasks with known data
  std::string out;
  std::optional<std::string> data;
  bool force = false;
  WatchArguments watch;
};

struct ExportArguments {
  std::string run;
  std::string format;               // "c-header", "onnx" or "json"
  std::string name = "polystepor";  // starts the identifiers of a C header
  std::optional<std::string> out;   // standard output
  bool force = false;
};

struct DemoArguments {
  std::uint64_t seed = 0;
  std::int64_t degree = 8;
  std::int64_t threads = 1;
  bool quiet = false;
};

// How cities are divided and their tours driven.
struct PlanningArguments {
  std::int64_t iterations = 2000;  // of the search
  std::int64_t chains = 1;
  std::uint64_t seed = 0;  // of the search
  std::int64_t scenarios = 100;
  std::int64_t scenario_seed = 3;
  std::int64_t perturbations = 100;
  std::int64_t threads = 1;
};

struct DistrictArguments {
  std::string city;                   // GeoJSON file, published name, or "synthetic:N"
  std::int64_t target = 0;            // units per district
  std::optional<std::int64_t> units;  // only the first
  std::vector<std::string> models;    // run directories or model.bin files; several are averaged
  std::optional<std::string> method;  // without a model [centre-distance]
  std::optional<std::string> name;    // of the plan
  std::optional<std::string> data;
  std::optional<std::string> out;
  PlanningArguments planning;
  bool force = false;
  bool quiet = false;
};

struct BenchArguments {
  std::string suite;                    // "classical", "in-constraint", "ablation", "alloy" or "districting"
  std::optional<std::string> problems;  // "a,b"
  std::optional<std::string> methods;   // "a,b:preset"
  std::optional<std::string> preset;
  std::optional<std::string> seeds;  // "0-9"
  std::optional<std::string> source;
  std::optional<std::string> data;
  std::vector<std::string> assignments;         // --set key=value
  std::vector<std::string> models;              // districting: NAME=RUN,RUN, a run per seed
  std::vector<std::string> averages;            // districting: NAME=RUN,RUN, one model of all
  std::int64_t predgnn_epochs = 100;            // districting
  std::vector<std::string> iterations_for;      // METHOD=N, districting
  bool small = false;                           // districting: small cities instead
  bool sizes = false;                           // districting: cities of several sizes as well
  bool large = false;                           // districting: Synth2000 as well
  std::optional<std::int64_t> published_limit;  // districting: seconds of the published search
  bool published_tours = false;                 // districting
  std::int64_t drawn = 0;          // districting: so many drawn cities in place of the published ones
  PlanningArguments planning;      // districting; threads are those below
  std::int64_t fresh = 2000;       // alloy: fresh rows to measure on besides
  std::optional<std::string> out;  // runs/bench-SUITE
  std::int64_t threads = 1;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

// Regret against solver calls, for several methods on one setting of a classical problem.
struct CurveArguments {
  std::optional<std::string> problem;
  std::optional<std::string> from;     // a table of runs instead, which are drawn and not trained
  std::optional<std::string> methods;  // "a,b:preset"
  std::optional<std::string> seeds;    // "0-9"
  std::optional<std::string> data;
  std::vector<std::string> assignments;  // --set key=value
  std::optional<std::string> out;        // runs/curve-PROBLEM
  std::int64_t threads = 1;
  bool force = false;
  bool quiet = false;
};

// Cost against infeasible decisions, for one problem whose predictions enter constraints.
struct FrontierArguments {
  std::string problem;
  std::string method = "polystepor";
  std::int64_t points = 8;
  double lowest = 0.02;
  double highest = 0.6;
  std::string seeds = "0,3,6,9,12";  // every published data set once
  std::vector<std::string> assignments;
  std::optional<std::string> data;
  std::optional<std::string> out;  // runs/frontier-PROBLEM
  std::int64_t threads = 1;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

// Options found by trying points of a design.
struct TuneArguments {
  std::string problem;
  std::optional<std::string> method;  // not given: what `train` would take
  std::optional<std::string> preset;
  std::vector<std::string> axes;  // option=log:LOW..HIGH and the like
  std::int64_t points = 32;
  std::uint64_t design_seed = 0;
  std::string seeds = "7,8";
  std::vector<std::string> assignments;  // --set key=value
  std::optional<std::string> data;
  std::optional<std::string> out;  // runs/tune-PROBLEM-METHOD
  std::int64_t threads = 1;
  bool show = false;
  bool resume = false;
  bool force = false;
  bool quiet = false;
};

struct CompareArguments {
  std::vector<std::string> places;  // run directories, results.csv files
  std::optional<std::string> html;
  bool force = false;
};

// Plans of districts as a page or a picture.
struct MapArguments {
  std::vector<std::string> places;     // districting files, or runs that hold one
  std::string format = "html";         // or "svg"
  std::optional<std::string> methods;  // "a,b": these plans, in this order
  std::optional<std::string> out;      // map.html, map.svg
  bool tours = true;
  bool force = false;
};

int train_command(const TrainArguments& arguments, const ProblemRegistry& problems);
int plan_command(const PlanArguments& arguments, const ProblemRegistry& problems);
int check_command(const CheckArguments& arguments, const ProblemRegistry& problems);
int explain_command(const ExplainArguments& arguments, const ProblemRegistry& problems);
int evaluate_command(const EvaluateArguments& arguments, const ProblemRegistry& problems);
int average_command(const AverageArguments& arguments, const ProblemRegistry& problems);
int decide_command(const DecideArguments& arguments, const ProblemRegistry& problems);
int export_command(const ExportArguments& arguments);
int list_command(const ProblemRegistry& problems);
int options_command(const ProblemRegistry& problems);
int bench_command(const BenchArguments& arguments, const ProblemRegistry& problems);
int bench_alloy_command(const BenchArguments& arguments, const ProblemRegistry& problems);
int bench_districting_command(const BenchArguments& arguments, const ProblemRegistry& problems);
int curve_command(const CurveArguments& arguments, const ProblemRegistry& problems);
int frontier_command(const FrontierArguments& arguments, const ProblemRegistry& problems);
int tune_command(const TuneArguments& arguments, const ProblemRegistry& problems);
int compare_command(const CompareArguments& arguments);
int map_command(const MapArguments& arguments);
int district_command(const DistrictArguments& arguments, const ProblemRegistry& problems);
int demo_command(const DemoArguments& arguments, const ProblemRegistry& problems);

}  // namespace polystep
