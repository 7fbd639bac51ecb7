// What is solved before the first step: found once, kept with checkpoints, and stopped on request.
#include "polystep/preparation.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/files.hpp"
#include "polystep/team.hpp"
#include "problems/shortest_path.hpp"
#include "runtime/run/training_run.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

TEST(Preparation, FindsEveryPartOnceAndTellsOfThoseItSolves) {
  Preparation first;
  std::vector<std::string> begun;
  int solved = 0, ended = 0;
  const auto find = [&](Preparation& preparation, const std::string& name) {
    return preparation.part(name, [&]() -> Found { return {{1.5, double(++solved)}, {.requested = 7}}; });
  };
  first.on_begin = [&](const std::string& part) { begun.push_back(part); };
  first.on_end = [&] { ++ended; };
  find(first, "start");
  EXPECT_EQ(find(first, "start").numbers, (std::vector<double>{1.5, 1}));
  find(first, "margin");
  EXPECT_EQ(begun, (std::vector<std::string>{"start", "margin"}));
  EXPECT_EQ(ended, 2);

  ArchiveWriter archive;
  first.save(archive);
  Preparation second;
  ArchiveReader reader(archive.bytes(), "test");
  second.load(reader);
  EXPECT_TRUE(reader.exhausted());
  EXPECT_EQ(find(second, "margin").numbers, (std::vector<double>{1.5, 2}));
  EXPECT_EQ(find(second, "margin").solves.requested, 7u);
  EXPECT_EQ(solved, 2);
}

// Counts down; says stop at 0.
class Countdown final : public Watch {
 public:
  explicit Countdown(int left) : left_(left) {}
  bool stop(std::size_t, std::size_t) override { return --left_ < 0; }
  bool over() const { return left_ < 0; }

 private:
  std::atomic<int> left_;
};

TEST(Watch, StopsATeamBetweenItems) {
  for (const std::size_t threads : {1u, 3u}) {
    ThreadTeam team(threads);
    Countdown countdown(3);
    std::atomic<int> done{0};
    // Only the first thread asks: the others wait, lest they do everything while it gets no processor.
    const auto work = [&](std::size_t, std::size_t member) {
      ++done;
      while (member != 0 && !countdown.over()) std::this_thread::yield();
    };
    {
      const Watching watching(team, &countdown);
      EXPECT_THROW(team.for_each(100000, work), Stopped);
    }
    EXPECT_GE(done, 4);
    EXPECT_LT(done, 100000);
    done = 0;
    team.for_each(50, work);  // nobody watches any more
    EXPECT_EQ(done, 50);
  }
}

// Shortest paths, one by one, that count how often they are asked.
class Counted final : public Problem {
 public:
  Counted(std::unique_ptr<Problem> inner, std::atomic<std::uint64_t>& calls)
      : Problem(inner->instances()), inner_(std::move(inner)), calls_(calls) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    ++calls_;
    return inner_->decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner_->cost(decision, truth, instance);
  }
  ProblemFacts facts() const override { return linear_facts(Sense::kMinimise); }

 private:
  std::unique_ptr<Problem> inner_;
  std::atomic<std::uint64_t>& calls_;
};

struct InterruptedRuns : testing::TestWithParam<const char*> {
  std::atomic<std::uint64_t> calls{0};
  TemporaryDirectory directory;
  ProblemRegistry problems;

  InterruptedRuns() {
    problems.add(
        {.name = "counted", .help = "", .options = {}, .make = [this](const Options&, const TaskContext&) {
           const ProblemEntry entry = shortest_path_entry();
           Options options(entry.options);
           options.set_text("source", "generated", "test");
           Task task = entry.make(options, {"", 0});
           task.problem = std::make_unique<Counted>(std::move(task.problem), calls);
           return task;
         }});
  }
  RunRequest request() const {
    RunConfig config;
    config.problem = "counted";
    config.method = GetParam();
    std::vector<GivenOption> given;
    for (const auto& [key, value] :
         {std::pair{"steps", "2"}, {"bags", "2"}, {"batch", "20"}, {"epochs", "1"}, {"checks", "1"}})
      if (find_method(GetParam(), "test").options.find(key) != nullptr) given.push_back({key, value, "test"});
    return resolve_run(problems, config, "test", given);
  }
};

// Stopped after more and more solves, a run goes on from the parts it had found, to the same bits.
TEST_P(InterruptedRuns, GoOnFromWhatWasFound) {
  ThreadTeam team(1);  // so that a run is stopped after a known number of solves
  const RunDirectory whole = RunDirectory::open_new(directory / "whole", false);
  TrainingRun(request(), team).execute(whole, false);
  const std::uint64_t needed = calls;
  calls = 0;
  int stops = 0;
  for (std::uint64_t enough = 50;; enough += 700) {
    const std::filesystem::path path = directory / "stopped";
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
    RunControls controls;
    controls.interrupted = [&] { return calls >= limit; };
    TrainingRun run(request(), team, controls);
    const RunDirectory place =
        stops == 0 ? RunDirectory::open_new(path, false) : RunDirectory::open_to_resume(path);
    limit = calls + enough;
    if (!run.execute(place, stops > 0).interrupted) break;
    EXPECT_TRUE(std::filesystem::exists(place.checkpoint()));
    EXPECT_FALSE(std::filesystem::exists(place.model()));
    ASSERT_LT(++stops, 200);
  }
  EXPECT_GE(stops, 2);
  EXPECT_EQ(read_file(directory / "stopped" / "model.bin"), read_file(directory / "whole" / "model.bin"));
  EXPECT_GE(calls, needed);
}

INSTANTIATE_TEST_SUITE_P(Methods, InterruptedRuns,
                         testing::Values("polystepor", "polystepor-output", "spo+", "listwise"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase_if(name, [](char c) { return !std::isalnum(c); });
                           return name;
                         });

}  // namespace
}  // namespace polystep
