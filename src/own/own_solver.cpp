#include "own/own_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/option_value.hpp"
#include "own/process_problem.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr double kLongestWait = 1e6;            // seconds
constexpr std::int64_t kMostInstances = 65536;  // per frame
constexpr std::int64_t kLargestDecision = 1 << 24;

class OwnSolver final : public OwnKind {
 public:
  explicit OwnSolver(const TaskSection& section) : where_(section.where("decision-size")) {
    command_.words = section.texts("command");
    if (command_.words.empty())
      throw InputError(fmt::format("{}: there is no command, expected a program and its arguments",
                                   section.where("command")));
    if (section.choice("format", "json", {"json", "binary"}) == "binary")
      command_.format = FrameFormat::kBinary;
    const std::string cost = section.choice("cost", "minimise", {"minimise", "maximise", "solver"});
    if (cost != "solver") linear_ = cost == "minimise" ? Sense::kMinimise : Sense::kMaximise;
    if (section.has("decision-size"))
      decision_size_ = section.integer("decision-size", 0, 0, kLargestDecision);
    command_.frame_seconds = section.number("time-limit", command_.frame_seconds, 1e-3, kLongestWait);
    command_.start_seconds = section.number("start-limit", command_.start_seconds, 1e-3, kLongestWait);
    frame_size_ = section.integer("frame-size", 128, 1, kMostInstances);
    files_ = section.texts("files");
    for (const std::string& data : section.texts("send")) {
      if (data != "features" && data != "known" && data != "truth")
        throw InputError(fmt::format("{}: found {}, expected features, known or truth", section.where("send"),
                                     in_quotes(data)));
      (data == "features" ? send_features_ : data == "known" ? send_known_ : send_truth_) = true;
    }
    send_where_ = section.where("send");
    facts_.predicts_constraints = section.flag("predicts-constraints", false);
    section.refuse_unknown();
  }

  std::vector<std::string> files() const override { return files_; }
  ProblemFacts facts() const override { return facts_; }

  OwnProblem make(const OwnTables& tables, const std::filesystem::path& folder) const override {
    ProcessProblemSettings settings;
    settings.command = command_;
    settings.command.directory = folder;
    settings.frame_size = static_cast<std::size_t>(frame_size_);
    settings.outputs = settings.truth_columns = tables.truth.columns.size();
    settings.decision_size = settings.outputs;
    settings.linear = linear_;
    settings.send_truth = send_truth_;
    settings.facts = facts_;
    if (decision_size_) settings.decision_size = static_cast<std::size_t>(*decision_size_);
    if (linear_ && settings.decision_size != settings.outputs)
      throw InputError(
          fmt::format("{}: option 'decision-size' is {}, expected {}, a component per column of {}", where_,
                      settings.decision_size, settings.outputs, tables.truth.name));
    if (settings.decision_size == settings.outputs) settings.decision_names = tables.truth.columns;
    add_known(tables, settings);
    OwnProblem own;
    own.problem = make_process_problem(std::move(settings));
    own.truth_columns.resize(tables.truth.columns.size());
    std::iota(own.truth_columns.begin(), own.truth_columns.end(), std::size_t{0});
    return own;
  }

 private:
  // Of each instance its features, in the units of the table, then its known data.
  void add_known(const OwnTables& tables, ProcessProblemSettings& settings) const {
    if (send_known_ && !tables.known)
      throw InputError(
          fmt::format("{}: there are no known data to send, expected 'known' in [data]", send_where_));
    const std::size_t instances = tables.instances();
    const std::size_t features = send_features_ ? tables.features.values.size() / instances : 0;
    const std::size_t known = send_known_ ? tables.known->columns.size() : 0;
    settings.known_columns = features + known;
    for (std::size_t i = 0; i < instances; ++i) {
      const auto put = [&](const std::vector<double>& values, std::size_t count) {
        const auto first = values.begin() + static_cast<std::ptrdiff_t>(i * count);
        settings.known.insert(settings.known.end(), first, first + static_cast<std::ptrdiff_t>(count));
      };
      put(tables.features.values, features);
      if (known != 0) put(tables.known->values, known);
    }
  }

  SolverCommand command_;
  std::optional<Sense> linear_;
  std::optional<std::int64_t> decision_size_;
  std::int64_t frame_size_ = 0;
  bool send_features_ = false, send_known_ = false, send_truth_ = false;
  ProblemFacts facts_;
  std::vector<std::string> files_;
  std::string where_, send_where_;  // for messages
};

}  // namespace

std::unique_ptr<OwnKind> read_own_solver(const TaskSection& root) {
  return std::make_unique<OwnSolver>(root.section("solver"));
}

}  // namespace polystep
