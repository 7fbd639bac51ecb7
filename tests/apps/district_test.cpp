// `polystepor district` and `polystepor bench districting` from outside: cities drawn and brought, models,
// refusals, interrupts.
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <nlohmann/json.hpp>
#include <thread>

#include "apps/refusals.hpp"
#include "data/cities/districting_file.hpp"

namespace polystep {
namespace {

// Squares of about a kilometre, as somebody's own GeoJSON.
std::string square_geojson(int columns, int rows) {
  std::string features;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      const double west = 7 + 0.014 * column, south = 50 + 0.009 * row;
      const double east = 7 + 0.014 * (column + 1), north = 50 + 0.009 * (row + 1);
      features += fmt::format(
          R"({}{{"type":"Feature","properties":{{"POPULATION":{}}},"geometry":{{"type":"Polygon","coordinates":[[[{},{}],[{},{}],[{},{}],[{},{}],[{},{}]]]}}}})",
          features.empty() ? "" : ",", 5000 + 100 * column, west, south, east, south, east, north, west,
          north, west, south);
    }
  return R"({"type":"FeatureCollection","features":[)" + features + "]}";
}

const Arguments kQuick = {"--scenarios", "4", "--perturbations", "5", "--iterations", "3", "--quiet"};

class DistrictCommand : public Refusals {
 protected:
  Finished district(const Arguments& arguments) const {
    return polystepor(Arguments{"district"} + arguments + kQuick);
  }
  // Waits until something holds of a process that still runs.
  template <class Condition>
  static void await(const Process& process, const Condition& holds) {
    while (!holds()) {
      siginfo_t ended{};
      ::waitid(P_PID, static_cast<id_t>(process.id()), &ended, WEXITED | WNOHANG | WNOWAIT);
      ASSERT_EQ(ended.si_pid, 0) << "it ended by itself";
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  static double processor_seconds(const Process& process) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(process.id(), &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }
  DistrictingFile plan(const std::string& name) const { return parse_districting(bytes(name), name); }
};

TEST_F(DistrictCommand, DividesADrawnCity) {
  const Finished run = district({"synthetic:90", "--target", "12"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const std::string place = "runs/district-synthetic-90-12-centre-distance/districting.json";
  EXPECT_NE(run.out.find(place), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("districts        7"), std::string::npos) << run.out;
  const DistrictingFile file = plan(place);
  EXPECT_EQ(file.city.units.size(), 90u);
  EXPECT_EQ(file.target, 12u);
  ASSERT_EQ(file.plans.size(), 1u);
  EXPECT_EQ(file.plans[0].method, "centre distance");
  for (const PlannedDistrict& district : file.plans[0].districts) {
    EXPECT_GT(district.cost.value_or(0), 0);
    EXPECT_GT(district.customers.value_or(0), 0);
    EXPECT_FALSE(district.tour.empty());
  }
  expect_refusal({"it is there",
                  Arguments{"district", "synthetic:90", "--target", "12"} + kQuick,
                  {place + " exists", "--force"}});
  const std::string before = bytes(place);
  ASSERT_EQ(district({"synthetic:90", "--target", "12", "--force", "--threads", "2"}).exit_code, 0);
  EXPECT_EQ(bytes(place), before);
  ASSERT_EQ(polystepor({"map", place}).exit_code, 0);
}

TEST_F(DistrictCommand, DividesACityOfTheUsersOwnByEveryEstimate) {
  put("town.geojson", square_geojson(5, 4));
  for (const std::string method : {"bd", "fig", "avgtsp", "centre-distance"}) {
    SCOPED_TRACE(method);
    const Finished run = district(
        {"town.geojson", "--target", "4", "--method", method, "--name", "mine", "--out", method + ".json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_NE(run.out.find("exactly"), std::string::npos) << run.out;
    const DistrictingFile file = plan(method + ".json");
    EXPECT_EQ(file.plans[0].method, "mine");
    EXPECT_EQ(file.plans[0].districts.size(), 5u);
  }
  ASSERT_EQ(district({"town.geojson", "--target", "3", "--units", "15", "--out", "place"}).exit_code, 0);
  EXPECT_EQ(plan("place/districting.json").city.units.size(), 15u);
}

TEST_F(DistrictCommand, TakesTrainedModels) {
  const Arguments training = {"districting",
                              "--network",
                              "linear",
                              "--cities",
                              "2",
                              "--scenarios",
                              "2",
                              "--perturbations",
                              "2",
                              "--routing-memory",
                              "prices.bin",
                              "--method",
                              "polystepor-output",
                              "--steps",
                              "1"};
  train(training + Arguments{"--seed", "1"}, "one");
  train(training + Arguments{"--seed", "2"}, "two");
  train(training + Arguments{"--distances", "degrees"}, "degrees");
  Finished run = district({"synthetic:40", "--target", "5", "--model", "one", "--out", "a.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(plan("a.json").plans[0].method, "polystepor-output");
  run = district({"synthetic:40", "--target", "5", "--model", "one/model.bin", "--out", "b.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(bytes("a.json"), bytes("b.json"));
  run = district({"synthetic:40", "--target", "5", "--model", "one", "two", "--out", "c.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(plan("c.json").plans[0].method, "polystepor-output (mean of 2)");

  // An average that is kept divides as one made on the way, and can be measured again.
  run = polystepor({"average", "one", "two", "--out", "mean", "--quiet"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("preset best, mean of 2"), std::string::npos) << run.out;
  run = district({"synthetic:40", "--target", "5", "--model", "mean", "--name",
                  "polystepor-output (mean of 2)", "--out", "d.json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_EQ(bytes("c.json"), bytes("d.json"));
  const auto written = nlohmann::json::parse(bytes("mean/result.json"));
  run = polystepor({"evaluate", "mean", "--json"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto measured = nlohmann::json::parse(run.out);
  for (const char* figure : {"validation_cost", "test_cost", "test_regret"})
    EXPECT_EQ(measured.at(figure), written.at(figure)) << figure;

  // The benchmark, on the one city that is drawn.
  const Arguments bench =
      Arguments{"bench",        "districting",     "--large",  "--problems",  "Synth2000",
                "--methods",    "centre-distance", "--models", "net=one,two", "--averages",
                "mean=one,two", "--out",           "bench"} +
      Arguments{"--scenarios", "1", "--perturbations", "0", "--iterations", "0", "--quiet"};
  run = polystepor(bench);
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("4 districtings priced, 0 found"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("| net | 2 |"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("| centre-distance | 1 |"), std::string::npos) << run.out;
  const std::string table = bytes("bench/districting.csv"), page = bytes("bench/districting.md");
  put("bench/districting.csv", table.substr(0, table.size() - 5));  // killed while writing
  run = polystepor(bench + Arguments{"--resume"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 districtings priced, 3 found"), std::string::npos) << run.out;
  EXPECT_EQ(bytes("bench/districting.md"), page);
  // Another search is another question, of one method alone.
  run = polystepor(bench + Arguments{"--resume", "--iterations-for", "centre-distance=1"});
  ASSERT_EQ(run.exit_code, 0) << run.err;
  EXPECT_NE(run.out.find("1 districtings priced, 3 found"), std::string::npos) << run.out;

  put("alone/model.bin", bytes("one/model.bin"));
  train(kShortPath, "path");
  const Arguments city = {"district", "synthetic:40", "--target", "5", "--out", "d.json"};
  expect_refusals({
      {"no configuration",
       city + Arguments{"--model", "alone/model.bin"},
       {"alone/model.bin", "config.toml"}},
      {"no model", city + Arguments{"--model", "none"}, {"none", "no such file"}},
      {"another problem", city + Arguments{"--model", "path"}, {"path", "shortest-path", "districting"}},
      {"two units of distance", city + Arguments{"--model", "one", "degrees"}, {"degrees", "another unit"}},
      {"both", city + Arguments{"--model", "one", "--method", "bd"}, {"--method", "--model"}},
      {"results are there", bench, {"districting.csv exists", "--resume"}},
      {"a method twice", bench + Arguments{"--models", "net=one", "--resume"}, {"'net'", "twice"}},
      {"iterations of nobody",
       bench + Arguments{"--iterations-for", "fig=3", "--resume"},
       {"--iterations-for", "'fig=3'", "METHOD=N"}},
      {"iterations without number",
       bench + Arguments{"--iterations-for", "net=3x", "--resume"},
       {"--iterations-for", "'net=3x'"}},
      {"a seed twice", bench + Arguments{"--models", "new=one,one", "--resume"}, {"two runs of seed 1"}},
      {"no runs", bench + Arguments{"--models", "new", "--resume"}, {"--models", "NAME=RUN"}},
      {"an average of one", {"average", "one", "--out", "few"}, {"1 run", "at least two"}},
      {"an average of two tasks",
       {"average", "one", "degrees", "--out", "few"},
       {"degrees", "distances=kilometres"}},
      {"an average of an average", {"average", "mean", "one", "--out", "few"}, {"model"}},
      {"an average in the way", {"average", "one", "two", "--out", "mean"}, {"mean", "--force"}},
  });
}

TEST_F(DistrictCommand, RefusesWhatItCannotDivide) {
  put("town.geojson", square_geojson(5, 4));
  put("broken.geojson", "{");
  expect_refusals({
      {"no city", {"district", "--target", "3"}, {"polystepor district", "city"}},
      {"no target", {"district", "synthetic:40"}, {"--target"}},
      {"target 0", {"district", "synthetic:40", "--target", "0"}, {"--target", "0"}},
      {"target too large", {"district", "synthetic:40", "--target", "60"}, {"40"}},
      {"no such city", {"district", "Atlantis", "--target", "3"}, {"'Atlantis'", "docs/data.md"}},
      {"no such file", {"district", "none.geojson", "--target", "3"}, {"none.geojson", "No such file"}},
      {"half a file", {"district", "broken.geojson", "--target", "3"}, {"broken.geojson"}},
      {"units", {"district", "town.geojson", "--target", "3", "--units", "21"}, {"20 units", "21"}},
      {"method", {"district", "town.geojson", "--target", "3", "--method", "net"}, {"'net'", "--model RUN"}},
      {"a number", {"district", "town.geojson", "--target", "3", "--chains", "x"}, {"--chains", "x"}},
      {"an empty place", {"district", "town.geojson", "--target", "3", "--out", ""}, {"--out is empty"}},
      {"bench without data", {"bench", "districting"}, {"no districting data", "docs/data.md"}},
      {"bench with seeds", {"bench", "districting", "--seeds", "1"}, {"--seeds", "--models", "predgnn"}},
      {"a fit without data", {"bench", "districting", "--methods", "predgnn"}, {"no districting data"}},
      {"small without data", {"bench", "districting", "--small"}, {"no districting data", "docs/data.md"}},
      {"small and large", {"bench", "districting", "--small", "--large"}, {"--small", "--large"}},
      {"a limit and chains",
       {"bench", "districting", "--published-limit", "5", "--chains", "2", "--large", "--problems",
        "Synth2000"},
       {"--published-limit", "--chains"}},
      {"a limit of another suite", {"bench", "classical", "--published-limit", "5"}, {"--published-limit"}},
      {"other suites", {"bench", "classical", "--large"}, {"bench classical", "--large"}},
      {"problems", {"bench", "districting", "--problems", "Rome"}, {"--problems", "'Rome'", "CITY:TARGET"}},
  });
}

// One long unit with eight small ones along it, which touch nothing else: whoever has the long one leaves the
// others alone.
TEST_F(DistrictCommand, RefusesACityWithoutAPartitionBeforeAnythingIsWritten) {
  std::string features;
  const auto add = [&](double west, double south, double east, double north) {
    features += fmt::format(
        R"({}{{"type":"Feature","properties":{{"POPULATION":5000}},"geometry":{{"type":"Polygon","coordinates":[[[{},{}],[{},{}],[{},{}],[{},{}],[{},{}]]]}}}})",
        features.empty() ? "" : ",", west, south, east, south, east, north, west, north, west, south);
  };
  add(7, 50, 7.32, 50.01);
  for (int k = 0; k < 8; ++k) add(7 + 0.04 * k, 50.01, 7.02 + 0.04 * k, 50.02);
  put("comb.geojson", R"({"type":"FeatureCollection","features":[)" + features + "]}");
  expect_refusal({"no partition",
                  Arguments{"district", "comb.geojson", "--target", "3", "--out", "fresh/comb.json"} + kQuick,
                  {"3 connected districts of 2 to 4 units"}});
  EXPECT_FALSE(std::filesystem::exists(root() / "fresh"));
}

TEST_F(DistrictCommand, InterruptLeavesTheBestFoundSoFar) {
  put("said.txt", "");
  ProcessSurroundings where = surroundings();
  where.stderr_path = (root() / "said.txt").string();
  Process search(POLYSTEPOR_PROGRAM,
                 {"district", "synthetic:120", "--target", "12", "--iterations", "1000000000", "--scenarios",
                  "2", "--out", "stopped.json"},
                 where);
  while (bytes("said.txt").empty()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  search.send(SIGINT);
  const Finished run = search.wait();
  EXPECT_EQ(run.exit_code, 130);
  EXPECT_NE(bytes("said.txt").find("Stopped while searching"), std::string::npos) << bytes("said.txt");
  const DistrictingFile file = plan("stopped.json");
  EXPECT_EQ(file.plans[0].districts.size(), 10u);
  EXPECT_FALSE(file.plans[0].districts[0].cost);
}

// Tours of so many perturbations that nobody could wait for one of them: whoever answers a signal does so in
// the middle of a tour. Where no line of progress says that tours are under way, two seconds of work are
// waited for: what comes before them takes far less, and has to answer as well.
TEST_F(DistrictCommand, InterruptIsAnsweredWhileToursAreDriven) {
  const Arguments endless = {"--scenarios", "50", "--perturbations", "1000000"};
  struct Case {
    std::string name;
    Arguments arguments;
    std::string told;  // when tours are under way
    std::string says;
  };
  const std::vector<Case> cases = {
      {"district",
       Arguments{"district", "synthetic:40", "--target", "5", "--iterations", "0", "--out", "plan.json"} +
           endless,
       "district", "Stopped while driving tours"},
      {"bench",
       Arguments{"bench", "districting", "--drawn", "1", "--methods", "centre-distance,bd", "--iterations",
                 "0", "--out", "bench"} +
           endless,
       "", "go on with --resume"},
      {"train",
       Arguments{"train", "districting", "--source", "generated", "--cities", "2", "--network", "linear",
                 "--routing-memory", "none", "--out", "trained"} +
           endless,
       "", "Stopped"},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.name);
    const std::string said = one.name + ".txt";
    put(said, "");
    ProcessSurroundings where = surroundings();
    where.stderr_path = (root() / said).string();
    Process command(POLYSTEPOR_PROGRAM, one.arguments, where);
    await(command, [&] {
      return one.told.empty() ? processor_seconds(command) > 2
                              : bytes(said).find(one.told) != std::string::npos;
    });
    command.send(SIGINT);
    EXPECT_EQ(command.wait().exit_code, 130);
    EXPECT_NE(bytes(said).find(one.says), std::string::npos) << bytes(said);
  }
  const DistrictingFile file = plan("plan.json");
  EXPECT_EQ(file.plans[0].districts.size(), 8u);
  EXPECT_FALSE(file.plans[0].districts.back().cost);
}

}  // namespace
}  // namespace polystep
