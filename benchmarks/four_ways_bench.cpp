// One problem, brought in four ways: what each costs per solve.
//
// The 5 × 5 shortest path as the engine has it (tiles of eight), as a user's own class (two plain functions),
// as a linear programme from a model file, and behind a solver process with 128 instances per frame. Python
// is measured by benchmarks/python_callables.py. Tests hold the decisions of all ways equal. Everything runs
// on one core, that of a solver process included, so rates are per second of wall time.
#include <benchmark/benchmark.h>

#include "one_core.hpp"
#include "own/model_problem.hpp"
#include "own/process_problem.hpp"
#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "problems/shortest_path.hpp"
#include "solvers/general_models.hpp"

namespace polystep {
namespace {

constexpr std::size_t kSide = 5;
constexpr std::size_t kTiles = 128;

// What a user would write: decide and cost, nothing else.
class OwnShortestPath final : public Problem {
 public:
  OwnShortestPath() : Problem(solvers::GridPath(kSide).edges(), solvers::GridPath(kSide).edges()) {}
  SolveStatus decide(std::span<const double> prediction, std::size_t,
                     std::span<double> decision) const override {
    grid_.solve(prediction, decision);
    return SolveStatus::kSolved;
  }
  double cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const override {
    double sum = 0;
    for (std::size_t edge = 0; edge < decision.size(); ++edge) sum += decision[edge] * truth[edge];
    return sum;
  }

 private:
  solvers::GridPath grid_{kSide};
};

std::unique_ptr<Problem> from_model_file() {
  ModelSetup setup;
  setup.model.milp = solvers::grid_path_model(kSide);
  for (std::size_t c = 0; c < setup.model.milp.columns.size(); ++c) {
    setup.model.milp.columns[c].integer = false;
    setup.predicted.slots.push_back({SlotKind::kObjective, c, 0, 1.0, c});
    setup.predicted.columns.push_back(c);
  }
  auto problem = std::make_unique<ModelProblem>(std::move(setup));
  problem->set_usual(std::vector<double>(problem->outputs(), 1.0));
  return problem;
}

std::unique_ptr<Problem> behind_a_process() {
  const std::size_t edges = solvers::GridPath(kSide).edges();
  return make_process_problem({.command = {.words = {GRID_SOLVER, std::to_string(kSide)},
                                           .directory = {},
                                           .format = FrameFormat::kBinary},
                               .frame_size = 128,
                               .outputs = edges,
                               .decision_size = edges,
                               .truth_columns = edges,
                               .linear = Sense::kMinimise,
                               .known = {},
                               .decision_names = {}});
}

void decide_tiles(benchmark::State& state, const Problem& problem) {
  const std::size_t size = problem.outputs() * kLanes;
  AlignedDoubles truth(kTiles * size), predictions(kTiles * size);
  RandomStream random(1, Purpose::kTest);
  for (double& cost : truth) cost = random.uniform(0.1, 2.0);
  for (double& cost : predictions) cost = random.uniform(0.1, 2.0);
  std::vector<TileOutcome> outcomes(kTiles);
  std::vector<TileJob> jobs(kTiles);
  for (std::size_t i = 0; i < kTiles; ++i) {
    jobs[i].tile.truth = truth.data() + i * size;
    jobs[i].tile.shape.truth = problem.outputs();
    for (std::size_t lane = 0; lane < kLanes; ++lane) jobs[i].tile.instance[lane] = i * kLanes + lane;
    jobs[i].prediction = predictions.data() + i * size;
    jobs[i].outcome = &outcomes[i];
  }
  const auto solver = problem.make_tile_solver();
  for (auto _ : state) solver->solve_all(jobs);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kTiles * kLanes));
}

void FourWaysNative(benchmark::State& state) {
  const OnOneCore pinned;
  decide_tiles(state, ShortestPath(solvers::GridPath(kSide)));
}
void FourWaysOwnClass(benchmark::State& state) {
  const OnOneCore pinned;
  decide_tiles(state, OwnShortestPath());
}
void FourWaysModelFile(benchmark::State& state) {
  const OnOneCore pinned;
  decide_tiles(state, *from_model_file());
}
void FourWaysProcess(benchmark::State& state) {
  const OnOneCore pinned;
  decide_tiles(state, *behind_a_process());
}

BENCHMARK(FourWaysNative)->UseRealTime();
BENCHMARK(FourWaysOwnClass)->UseRealTime();
BENCHMARK(FourWaysModelFile)->UseRealTime();
BENCHMARK(FourWaysProcess)->UseRealTime();

}  // namespace
}  // namespace polystep
