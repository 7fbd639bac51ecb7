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
  explicit OwnSolver(const TaskSection& section)
      : where_(section.where("decision-size")), format_where_(section.where("format")) {
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
    settings.outputs = settings.truth_columns = tables.long_format() ? kVaries : tables.truth.columns.size();
    settings.decision_size = settings.outputs;
    settings.linear = linear_;
    settings.send_truth = send_truth_;
    settings.facts = facts_;
    if (decision_size_) settings.decision_size = static_cast<std::size_t>(*decision_size_);
    if (tables.long_format()) return make_long(tables, std::move(settings));
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
  // Instances of any size, each with a true parameter per output.
  OwnProblem make_long(const OwnTables& tables, ProcessProblemSettings settings) const {
    if (command_.format == FrameFormat::kBinary)
      throw InputError(fmt::format(
          "{}: frames are binary and tables in long format, expected format = \"json\", which can "
          "say how large each instance is",
          format_where_));
    if (linear_ && settings.decision_size != kVaries)
      throw InputError(
          fmt::format("{}: option 'decision-size' is {}, expected none, a component per row of {}", where_,
                      settings.decision_size, tables.truth.name));
    add_long_known(tables, settings);
    std::vector<InstanceShape> shapes;
    std::vector<std::size_t> groups;
    std::size_t fewest = kVaries, most = 0;
    for (std::size_t i = 0; i < tables.instances(); ++i) {
      const std::size_t outputs = tables.begin[i + 1] - tables.begin[i];
      shapes.push_back({outputs, settings.decision_size == kVaries ? outputs : settings.decision_size});
      groups.push_back(outputs);
      fewest = std::min(fewest, outputs);
      most = std::max(most, outputs);
    }
    // Where nothing but predictions is sent, instances of one size have the same decisions.
    if (settings.known_columns != 0) groups.clear();
    settings.instances = std::make_shared<const Instances>(std::move(shapes), std::move(groups));
    OwnProblem own;
    own.problem = make_process_problem(std::move(settings));
    own.description = {fmt::format("{} instances of {} to {} outputs", tables.instances(), fewest, most)};
    return own;
  }

  void add_long_known(const OwnTables& tables, ProcessProblemSettings& settings) const {
    require_known(tables);
    if (!send_features_ && !send_known_) return;
    settings.known_columns = kVaries;
    settings.known_begin.push_back(0);
    for (std::size_t i = 0; i < tables.instances(); ++i) {
      const auto put = [&](const CsvTable& table, const std::vector<std::size_t>& begin) {
        for (std::size_t row = begin[i]; row < begin[i + 1]; ++row)
          settings.known.insert(settings.known.end(), table.row(row).begin(), table.row(row).end());
      };
      if (send_features_) put(tables.features, tables.begin);
      if (send_known_) put(*tables.known, tables.known_begin);
      settings.known_begin.push_back(settings.known.size());
    }
  }

  void require_known(const OwnTables& tables) const {
    if (send_known_ && !tables.known)
      throw InputError(
          fmt::format("{}: there are no known data to send, expected 'known' in [data]", send_where_));
  }

  // Of each instance its features, in the units of the table, then its known data.
  void add_known(const OwnTables& tables, ProcessProblemSettings& settings) const {
    require_known(tables);
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
  std::string where_, format_where_, send_where_;  // for messages
};

}  // namespace

std::unique_ptr<OwnKind> read_own_solver(const TaskSection& root) {
  return std::make_unique<OwnSolver>(root.section("solver"));
}

}  // namespace polystep
