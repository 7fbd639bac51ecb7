#include "own/model_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decision_hash.hpp"
#include "own/model_worker.hpp"
#include "polystep/solver_monitor.hpp"
#include "polystep/stop.hpp"
#include "problems/recourse.hpp"

namespace polystep {
namespace {

using solvers::MilpStatus;

// Every number of the objective is predicted as it stands, each by the output of its column's number. What is
// known of instances may make their constraints differ.
std::optional<Sense> linear_sense(const ModelSetup& setup) {
  const solvers::MilpModel& model = setup.model.milp;
  const auto plain = [](const ModelSlot& slot) {
    return slot.kind == SlotKind::kObjective && slot.index == slot.source && slot.factor == 1;
  };
  const auto in_objective = [](const ModelSlot& slot) { return slot.kind == SlotKind::kObjective; };
  const bool linear = setup.predicted.slots.size() == model.columns.size() &&
                      setup.predicted.columns.size() == model.columns.size() &&
                      std::all_of(setup.predicted.slots.begin(), setup.predicted.slots.end(), plain) &&
                      std::none_of(setup.known.slots.begin(), setup.known.slots.end(), in_objective) &&
                      setup.penalties.empty() && setup.free_columns.empty() && setup.model.constant == 0;
  if (!linear) return std::nullopt;
  return model.sense == solvers::Sense::kMinimise ? Sense::kMinimise : Sense::kMaximise;
}

ProblemFacts facts_of(const ModelSetup& setup) {
  ProblemFacts facts;
  facts.optimises_prediction = facts.cost_is_truth_times_decision = linear_sense(setup);
  facts.predicts_constraints =
      std::any_of(setup.predicted.slots.begin(), setup.predicted.slots.end(),
                  [](const ModelSlot& slot) { return slot.kind != SlotKind::kObjective; });
  facts.has_recourse = facts.predicts_constraints || !setup.penalties.empty() || !setup.free_columns.empty();
  facts.binary_decisions = std::all_of(setup.model.milp.columns.begin(), setup.model.milp.columns.end(),
                                       [](const solvers::MilpColumn& column) {
                                         return column.integer && column.lower >= 0 && column.upper <= 1;
                                       });
  // A continuous column follows what a constraint is predicted to be; an objective only chooses vertices.
  facts.decisions_recur = !facts.predicts_constraints ||
                          std::all_of(setup.model.milp.columns.begin(), setup.model.milp.columns.end(),
                                      [](const solvers::MilpColumn& column) { return column.integer; });
  return facts;
}

class ModelMonitor final : public SolverMonitor {
 public:
  explicit ModelMonitor(std::shared_ptr<const ModelFailures> failures) : failures_(std::move(failures)) {}
  std::vector<std::pair<std::string, std::uint64_t>> counts() const override { return {}; }
  std::string failures() const override { return failures_->text(); }
  void log_to(const std::filesystem::path&) override {}

 private:
  std::shared_ptr<const ModelFailures> failures_;
};

// Lane by lane, with a model of its own.
class ModelTileSolver final : public TileSolver {
 public:
  explicit ModelTileSolver(const ModelProblem& problem)
      : problem_(problem),
        worker_(problem.make_worker()),
        prediction_(problem.outputs()),
        truth_(problem.outputs()),
        decision_(problem.decision_size()) {}

  bool takes_any_width() const override { return true; }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = outcome.infeasible = outcome.changed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      for (std::size_t o = 0; o < prediction_.size(); ++o) {
        prediction_[o] = prediction[o * tile.width + lane];
        truth_[o] = tile.truth[o * tile.width + lane];
      }
      const Realisation found = solve_lane(tile.instance[lane]);
      write_lane(found, lane, outcome);
      outcome.signature[lane] = (outcome.failed >> lane) & 1u ? 0 : hash_decision(decision_);
    }
  }

 private:
  Realisation solve_lane(std::size_t instance) try {
    stop_if_wanted();
    const MilpStatus status = worker_->decide(prediction_, instance, decision_);
    if (status != MilpStatus::kOptimal && status != MilpStatus::kLimit) {
      const std::vector<double>& usual = problem_.usual_decision();
      if (usual.empty()) return {std::nan(""), {}};
      decision_ = usual;
    }
    return worker_->realise(decision_, truth_, instance);
  } catch (const std::exception&) {  // a solver that throws has failed on this instance alone
    return {std::nan(""), {}};
  }

  const ModelProblem& problem_;
  std::unique_ptr<ModelWorker> worker_;
  std::vector<double> prediction_, truth_, decision_;
};

}  // namespace

ModelProblem::ModelProblem(ModelSetup setup)
    : Problem(setup.predicted.columns.size(), setup.model.milp.columns.size()),
      setup_(std::make_shared<const ModelSetup>(std::move(setup))),
      facts_(facts_of(*setup_)),
      monitor_(std::make_unique<ModelMonitor>(setup_->failures)) {}

std::string ModelFailures::text() const {
  std::string text;
  const auto add = [&](const std::atomic<std::uint64_t>& count, const char* what) {
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.load(), what);
  };
  add(limit, "reached a limit without a solution");
  add(infeasible, "infeasible");
  add(unbounded, "unbounded");
  add(numerical, "given up by the solver for numerical reasons");
  add(not_finite, "asked with a prediction that is not finite");
  add(broken, "decided, but the truth broke a constraint that has no price");
  return text;
}

ModelProblem::~ModelProblem() = default;

void ModelProblem::set_usual(std::vector<double> parameters) {
  usual_ = std::move(parameters);
  usual_setup_ = setup_;
  idle_.clear();
}

const std::vector<double>& ModelProblem::usual_decision() const {
  const std::lock_guard lock(usual_mutex_);
  if (!usual_decision_) {
    std::vector<double> decision;
    if (usual_setup_ && usual_setup_->usual_decision_on_failure) {
      decision.assign(decision_size(), 0.0);
      const MilpStatus status = ModelWorker(usual_setup_, usual_).decide(usual_, 0, decision);
      if (status != MilpStatus::kOptimal && status != MilpStatus::kLimit) decision.clear();
    }
    usual_decision_ = std::move(decision);
  }
  return *usual_decision_;
}

void ModelProblem::replace_known(const CsvTable& table) {
  ModelSetup setup = *setup_;
  setup.known_values.clear();
  std::vector<std::size_t> columns;
  for (const std::string& name : setup.known.names) columns.push_back(table.column(name));
  for (std::size_t row = 0; row < table.rows; ++row)
    for (const std::size_t column : columns) setup.known_values.push_back(table.row(row)[column]);
  setup_ = std::make_shared<const ModelSetup>(std::move(setup));
  idle_.clear();
}

std::unique_ptr<ModelWorker> ModelProblem::make_worker() const {
  return std::make_unique<ModelWorker>(setup_, usual_);
}

// Borrows a worker; answers do not depend on which.
template <class Work>
auto ModelProblem::with_worker(const Work& work) const {
  std::unique_ptr<ModelWorker> worker;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      worker = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!worker) worker = make_worker();
  auto result = work(*worker);
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(worker));
  return result;
}

ModelAnswer ModelProblem::answer(std::span<const double> prediction, std::size_t instance,
                                 std::span<double> decision) const {
  ModelAnswer answer;
  answer.status =
      with_worker([&](ModelWorker& worker) { return worker.decide(prediction, instance, decision); });
  answer.decided = answer.status == MilpStatus::kOptimal || answer.status == MilpStatus::kLimit;
  if (answer.decided) return answer;
  const std::vector<double>& usual = usual_decision();
  if (usual.empty()) return answer;
  std::copy(usual.begin(), usual.end(), decision.begin());
  answer.decided = answer.fallback = true;
  return answer;
}

SolveStatus ModelProblem::decide(std::span<const double> prediction, std::size_t instance,
                                 std::span<double> decision) const {
  return answer(prediction, instance, decision).decided ? SolveStatus::kSolved : SolveStatus::kFailed;
}

Realisation ModelProblem::realise(std::span<const double> decision, std::span<const double> truth,
                                  std::size_t instance) const {
  return with_worker([&](ModelWorker& worker) { return worker.realise(decision, truth, instance); });
}

bool ModelProblem::common() const { return facts_.linear_objective() && setup_->known.slots.empty(); }

bool ModelProblem::admits(std::span<const double> decision, std::size_t instance) const {
  if (common()) return true;
  if (!facts_.linear_objective()) return false;   // what is predicted may change the set
  const std::vector<double> any(outputs(), 0.0);  // the objective has no part in it
  return std::isfinite(realise(decision, any, instance).cost);
}

std::unique_ptr<TileSolver> ModelProblem::make_tile_solver() const {
  return std::make_unique<ModelTileSolver>(*this);
}

std::string ModelProblem::decision_name(std::size_t component) const {
  return setup_->model.milp.columns[component].name;
}

}  // namespace polystep
