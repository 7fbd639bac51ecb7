#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "base/console.hpp"
#include "base/files.hpp"
#include "base/option_value.hpp"
#include "commands.hpp"
#include "data/data_directory.hpp"
#include "districting/bench_grid.hpp"
#include "districting/city_division.hpp"
#include "districting/small_cities.hpp"
#include "interrupts.hpp"
#include "polystep/error.hpp"
#include "report/districting_markdown.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/benchmark_grid.hpp"
#include "runtime/run/progress.hpp"

namespace polystep {
namespace {

constexpr const char* kWhere = "polystepor bench districting";
constexpr const char* kRegressionMethod = "predgnn";

struct NamedRuns {
  std::string name;
  std::vector<std::string> runs;
};

// "NAME=RUN,RUN"
NamedRuns parse_runs(const std::string& text, const std::string& flag) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError(fmt::format("{}: {} is '{}', expected NAME=RUN,RUN", kWhere, flag, text));
  NamedRuns named{text.substr(0, equals), parse_names(text.substr(equals + 1), flag)};
  if (named.name.find_first_of(",\n\r|") != std::string::npos)
    throw InputError(fmt::format("{}: {} names a method '{}', expected a name without commas and bars",
                                 kWhere, flag, named.name));
  return named;
}

// Trained methods come first: the first of them is what the others are compared with.
std::vector<BenchMethod> methods_of(const BenchArguments& arguments, const ProblemRegistry& problems) {
  std::vector<BenchMethod> methods;
  std::set<std::string> names;
  const auto take_name = [&](const std::string& name) {
    if (!names.insert(name).second)
      throw InputError(fmt::format("{}: method '{}' comes twice, expected each once", kWhere, name));
  };
  for (const std::string& text : arguments.models) {
    const NamedRuns named = parse_runs(text, "--models");
    take_name(named.name);
    std::set<std::string> seeds;
    for (const std::string& run : named.runs) {
      methods.push_back({.name = named.name, .model = load_district_model(run, problems)});
      if (!seeds.insert(methods.back().model->label).second)
        throw InputError(fmt::format("{}: --models {} has two runs of seed {}, expected each seed once",
                                     kWhere, named.name, methods.back().model->label));
    }
  }
  for (const std::string& text : arguments.averages) {
    const NamedRuns named = parse_runs(text, "--averages");
    take_name(named.name);
    methods.push_back(
        {.name = named.name, .model = load_averaged_model(named.runs, arguments.data, problems)});
  }
  std::vector<std::string> untrained(std::begin(kUntrainedMethods), std::end(kUntrainedMethods));
  if (arguments.methods) untrained = parse_names(*arguments.methods, "--methods");
  for (const std::string& name : untrained) {
    if (name == "none" && untrained.size() == 1 && !methods.empty()) break;
    if (name == kRegressionMethod) {
      take_name(name);
      for (const std::uint64_t seed : parse_seeds(arguments.seeds.value_or("1"), "--seeds"))
        methods.push_back({.name = name, .seed = std::to_string(seed)});
      continue;
    }
    if (std::ranges::find(kUntrainedMethods, name) == std::end(kUntrainedMethods))
      throw InputError(
          fmt::format("{}: --methods has '{}', expected some of {}, {}, or none; trained ones go by "
                      "--models NAME=RUN",
                      kWhere, name, fmt::join(kUntrainedMethods, ", "), kRegressionMethod));
    take_name(name);
    methods.push_back({.name = name});
  }
  if (arguments.seeds && !names.contains(kRegressionMethod))
    throw InputError(
        fmt::format("{}: found --seeds, expected it beside --methods {} alone; models are trained already "
                    "(--models NAME=RUN)",
                    kWhere, kRegressionMethod));
  return methods;
}

void require_data(const std::string& data_directory) {
  if (!holds_districting_data(data_directory))
    throw InputError(
        fmt::format("{}: found no districting data, expected them in --data or POLYSTEPOR_DATA; "
                    "see docs/data.md",
                    kWhere));
}

std::vector<BenchProblem> problems_of(const BenchArguments& arguments, const std::string& data_directory) {
  std::vector<BenchProblem> problems =
      arguments.drawn > 0 ? bench_drawn(static_cast<std::size_t>(arguments.drawn)) : bench_cities();
  const auto add = [&](const std::vector<BenchProblem>& more) {
    problems.insert(problems.end(), more.begin(), more.end());
  };
  if (arguments.sizes) add(bench_sizes());
  if (arguments.large) add(bench_large());
  if (arguments.problems) {  // "London" or "London:12"
    std::vector<BenchProblem> chosen;
    for (const std::string& name : parse_names(*arguments.problems, "--problems")) {
      const std::size_t before = chosen.size();
      for (const BenchProblem& problem : problems)
        if (name == problem.city || name == fmt::format("{}:{}", problem.city, problem.target))
          chosen.push_back(problem);
      if (chosen.size() == before)
        throw InputError(fmt::format(
            "{}: --problems has '{}', expected a city of the benchmark, alone or as CITY:TARGET; Synth2000 "
            "needs --large",
            kWhere, name));
    }
    problems = std::move(chosen);
  }
  const bool drawn = std::ranges::all_of(problems, [](const BenchProblem& problem) {
    return problem.city == "Synth2000" || problem.group == "drawn";
  });
  if (!drawn) require_data(data_directory);
  return problems;
}

void refuse_foreign_flags(const BenchArguments& arguments) {
  const char* found = arguments.preset                 ? "--preset"
                      : arguments.source               ? "--source"
                      : !arguments.assignments.empty() ? "--set"
                                                       : nullptr;
  if (found != nullptr)
    throw InputError(fmt::format("{}: found {}, expected models that are trained already (--models NAME=RUN)",
                                 kWhere, found));
}

BenchSettings settings_of(const BenchArguments& arguments, const std::vector<BenchMethod>& methods) {
  const PlanningArguments& planning = arguments.planning;
  BenchSettings settings;
  settings.data_directory = find_data_directory(arguments.data.value_or(""));
  settings.iterations = static_cast<std::size_t>(planning.iterations);
  for (const std::string& text : arguments.iterations_for) {
    const std::size_t equals = text.find('=');
    const std::optional<std::int64_t> count =
        equals == std::string::npos ? std::nullopt : parse_integer(text.substr(equals + 1));
    const auto named = [&](const BenchMethod& method) { return method.name == text.substr(0, equals); };
    if (!count || *count < 0 || std::ranges::none_of(methods, named))
      throw InputError(fmt::format(
          "{}: --iterations-for is '{}', expected METHOD=N of a method that is compared", kWhere, text));
    settings.iterations_for[text.substr(0, equals)] = static_cast<std::size_t>(*count);
  }
  settings.chains = static_cast<std::size_t>(planning.chains);
  settings.seed = planning.seed;
  if (arguments.published_limit) {
    if (settings.chains > 1 || !settings.iterations_for.empty() || arguments.small)
      throw InputError(
          fmt::format("{}: found --published-limit beside --chains, --iterations-for or --small, expected it "
                      "without: the published search is one chain that ends by its limit",
                      kWhere));
    settings.published_limit = static_cast<std::uint64_t>(*arguments.published_limit);
  }
  settings.routing.demand.scenarios = static_cast<std::size_t>(planning.scenarios);
  settings.routing.demand.seed = static_cast<std::uint32_t>(planning.scenario_seed);
  settings.routing.perturbations = static_cast<std::size_t>(planning.perturbations);
  settings.routing.published_tours = arguments.published_tours;
  return settings;
}

// Fits what is to be fitted, or reads it back from the directory of the results. False where it was stopped.
bool fit_regressions(const BenchArguments& arguments, const BenchSettings& settings,
                     const std::filesystem::path& directory, std::vector<BenchMethod>& methods) {
  std::optional<PricedSamples> priced;
  for (BenchMethod& method : methods) {
    if (method.name != kRegressionMethod || method.model) continue;
    if (!priced) {
      require_data(settings.data_directory);
      ensure_writable_directory(directory);
      priced = published_samples(settings.data_directory);
    }
    RegressionSettings fit;
    fit.seed = std::stoull(method.seed);
    fit.epochs = static_cast<std::size_t>(arguments.predgnn_epochs);
    Progress progress(progress_style_for_stderr(arguments.quiet));
    std::optional<DistrictRegression> fitted =
        fit_regression(*priced, fit, directory / fmt::format("predgnn-{}.bin", fit.seed), interrupt_requested,
                       [&](std::size_t done, std::size_t of) {
                         progress.update({.step = static_cast<std::int64_t>(done),
                                          .steps = static_cast<std::int64_t>(of),
                                          .unit = "predgnn, batch"});
                       });
    if (!fitted) return false;
    method.regression = std::make_shared<const DistrictRegression>(*std::move(fitted));
  }
  return true;
}

int stopped_fitting() {
  print_err("Stopped; the same command goes on with the fit of {}.\n", kRegressionMethod);
  return kInterrupted;
}

// The small cities take seconds: what is there is asked for again, not gone on with.
int bench_small_cities(const BenchArguments& arguments, std::vector<BenchMethod>& methods,
                       const BenchSettings& settings, const std::filesystem::path& directory) {
  if (arguments.sizes || arguments.large || arguments.drawn > 0 || arguments.problems || arguments.resume)
    throw InputError(
        fmt::format("{}: found --small beside --sizes, --large, --drawn, --problems or --resume, expected it "
                    "without",
                    kWhere));
  require_data(settings.data_directory);
  const std::filesystem::path table = directory / "small.md", costs = directory / "small.csv";
  for (const std::filesystem::path& file : {table, costs})
    if (std::filesystem::exists(file) && !arguments.force)
      throw InputError(fmt::format("{}: {} exists, expected a new file; give --force to replace it", kWhere,
                                   file.string()));
  if (!fit_regressions(arguments, settings, directory, methods)) return stopped_fitting();
  ensure_writable_directory(directory);
  SmallCityResults results;
  {
    ThreadTeam team(static_cast<std::size_t>(arguments.threads));
    Progress progress(progress_style_for_stderr(arguments.quiet));
    results = divide_small_cities(methods, settings, team, interrupt_requested,
                                  [&](std::size_t done, std::size_t of) {
                                    progress.update({.step = static_cast<std::int64_t>(done),
                                                     .steps = static_cast<std::int64_t>(of),
                                                     .unit = "city"});
                                  });
  }
  if (results.stopped) {
    print_err("Stopped; nothing is written.\n");
    return kInterrupted;
  }
  std::string lines = "method,seed,city,cost,optimal\n";
  for (const SmallCityCosts& one : results.found)
    for (std::size_t city = 0; city < one.costs.size(); ++city)
      lines += fmt::format("{},{},{},{},{}\n", one.method, one.seed, results.cities[city], one.costs[city],
                           results.optimal[city]);
  const std::string markdown =
      render_small_city_table(compare_small_cities(results.found, results.optimal), results.optimal.size());
  write_file(costs, lines);
  write_file(table, markdown);
  print_out("{}written to {}\n", markdown, directory.string());
  return 0;
}

}  // namespace

int bench_districting_command(const BenchArguments& arguments, const ProblemRegistry& problems) {
  refuse_foreign_flags(arguments);
  const ExistingResults existing = existing_results(kWhere, arguments.resume, arguments.force);
  std::vector<BenchMethod> methods = methods_of(arguments, problems);
  const BenchSettings settings = settings_of(arguments, methods);
  const std::filesystem::path directory = arguments.out.value_or("runs/bench-districting");
  catch_interrupts();
  if (arguments.small) return bench_small_cities(arguments, methods, settings, directory);
  const std::vector<BenchProblem> cells = problems_of(arguments, settings.data_directory);
  if (!fit_regressions(arguments, settings, directory, methods)) return stopped_fitting();
  ensure_writable_directory(directory);
  BenchOutcome outcome;
  std::string markdown;
  {
    DistrictingResults results(directory / "districting.csv", existing);
    NumberMemory memory(directory / "tours.bin");
    ThreadTeam team(static_cast<std::size_t>(arguments.threads));
    Progress progress(progress_style_for_stderr(arguments.quiet));
    const auto total = static_cast<std::int64_t>(cells.size() * methods.size());
    outcome = run_districting_bench(
        cells, methods, settings, results, memory, team, interrupt_requested, [&](std::size_t done) {
          progress.update({.step = static_cast<std::int64_t>(done), .steps = total, .unit = "districting"});
        });
    std::vector<std::string> order;
    for (const BenchMethod& method : methods)
      if (std::ranges::find(order, method.name) == order.end()) order.push_back(method.name);
    // Of what was asked for now: a file may hold results of other settings too.
    std::vector<DistrictingRecord> records;
    for (const DistrictingRecord& record : results.records())
      if (is_asked(record, cells, methods, settings)) records.push_back(record);
    markdown = render_districting_tables(compare_districtings(records, order));
  }
  write_file(directory / "districting.md", markdown);
  print_out("{}{} districtings priced, {} found already; written to {}\n", markdown, outcome.priced,
            outcome.found, directory.string());
  if (!outcome.stopped) return 0;
  print_err("Stopped; go on with --resume.\n");
  return kInterrupted;
}

}  // namespace polystep
