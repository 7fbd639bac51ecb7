// Solves per second of problems that users bring as model files, beside CLP and CBC called plainly on the
// same numbers: the model stays loaded, what is predicted is set, and the solver is called. CLP starts from
// its last basis, as it would anywhere; own models always start from the same one.
//
//   - the 5 × 5 shortest path as a linear programme;
//   - orders for four goods, placed before demands are known, and purchases after: a decision and its
//   recourse;
//   - knapsacks of 16 items and 2 rows and of 60 items and 5 rows, with values of degree 8.
#include <benchmark/benchmark.h>

#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <cmath>
#include <vector>

#include "own/model_problem.hpp"
#include "own/model_worker.hpp"
#include "polystep/random.hpp"
#include "solvers/general_models.hpp"

namespace polystep {
namespace {

using solvers::MilpModel;
using solvers::MilpSolver;
using solvers::MilpStatus;

constexpr std::uint64_t kTurns = 256;  // different predictions

// Numbers for one turn after the other, drawn before the clock runs.
template <class Draw>
std::vector<std::vector<double>> draw_turns(std::size_t size, const Draw& draw) {
  std::vector<std::vector<double>> turns(kTurns, std::vector<double>(size));
  for (std::uint64_t turn = 0; turn < kTurns; ++turn) {
    RandomStream stream(turn, Purpose::kTest);
    for (double& number : turns[turn]) number = draw(stream);
  }
  return turns;
}

void predict_objective(ModelSetup& setup) {
  for (std::size_t c = 0; c < setup.model.milp.columns.size(); ++c) {
    setup.predicted.slots.push_back({SlotKind::kObjective, c, 0, 1.0, c});
    setup.predicted.columns.push_back(c);
  }
}

ModelSetup grid_setup(bool whole_numbers) {
  ModelSetup setup;
  setup.model.milp = solvers::grid_path_model(5);
  for (solvers::MilpColumn& column : setup.model.milp.columns) column.integer = whole_numbers;
  predict_objective(setup);
  return setup;
}

ModelSetup knapsack_setup(std::size_t items, std::size_t rows) {
  ModelSetup setup;
  MilpModel& model = setup.model.milp;
  model.sense = solvers::Sense::kMaximise;
  RandomStream random(1, Purpose::kTest, items);
  for (std::size_t item = 0; item < items; ++item) model.add_binary(1.0);
  for (std::size_t row = 0; row < rows; ++row) {
    std::vector<solvers::MilpEntry> entries;
    double total = 0;
    for (std::size_t item = 0; item < items; ++item) {
      entries.push_back({item, static_cast<double>(3 + random.below(20))});
      total += entries.back().coefficient;
    }
    model.add_row(std::move(entries), -solvers::kUnbounded, std::floor(total / 3));
  }
  predict_objective(setup);
  return setup;
}

double draw_cost(RandomStream& stream) { return stream.uniform(0.1, 2.0); }
double draw_value(RandomStream& stream) {
  return (std::pow(stream.uniform(0.0, 1.7), 8) + 1) * stream.uniform(0.5, 1.5);
}

void decide_own(benchmark::State& state, ModelSetup setup, double (*draw)(RandomStream&), double usual) {
  ModelProblem problem(std::move(setup));
  problem.set_usual(std::vector<double>(problem.outputs(), usual));
  const auto worker = problem.make_worker();
  const auto predictions = draw_turns(problem.outputs(), draw);
  std::vector<double> decision(problem.decision_size());
  std::uint64_t turn = 0;
  for (auto _ : state)
    if (worker->decide(predictions[turn++ % kTurns], 0, decision) != MilpStatus::kOptimal)
      return state.SkipWithError("a solve found no optimum");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void decide_plainly(benchmark::State& state, const ModelSetup& setup, double (*draw)(RandomStream&)) {
  MilpSolver solver(setup.model.milp);
  const auto predictions = draw_turns(setup.model.milp.columns.size(), draw);
  std::uint64_t turn = 0;
  for (auto _ : state) {
    solver.set_objective(predictions[turn++ % kTurns]);
    if (solver.solve().status != MilpStatus::kOptimal) return state.SkipWithError("a solve found no optimum");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

// CLP itself, loaded once.
ClpSimplex loaded(const MilpModel& model) {
  CoinPackedMatrix matrix(false, 0.0, 0.0);
  matrix.setDimensions(0, static_cast<int>(model.columns.size()));
  std::vector<double> lower, upper, row_lower, row_upper, objective;
  for (const solvers::MilpRow& row : model.rows) {
    std::vector<int> columns;
    std::vector<double> coefficients;
    for (const solvers::MilpEntry& entry : row.entries) {
      columns.push_back(static_cast<int>(entry.column));
      coefficients.push_back(entry.coefficient);
    }
    matrix.appendRow(static_cast<int>(columns.size()), columns.data(), coefficients.data());
    row_lower.push_back(std::isfinite(row.lower) ? row.lower : -COIN_DBL_MAX);
    row_upper.push_back(std::isfinite(row.upper) ? row.upper : COIN_DBL_MAX);
  }
  for (const solvers::MilpColumn& column : model.columns) {
    lower.push_back(column.lower);
    upper.push_back(std::isfinite(column.upper) ? column.upper : COIN_DBL_MAX);
    objective.push_back(column.objective);
  }
  ClpSimplex simplex;
  simplex.setLogLevel(0);
  simplex.loadProblem(matrix, lower.data(), upper.data(), objective.data(), row_lower.data(),
                      row_upper.data());
  return simplex;
}

void OwnGrid(benchmark::State& state) { decide_own(state, grid_setup(false), draw_cost, 1.0); }
void OwnGridPlain(benchmark::State& state) {
  ClpSimplex simplex = loaded(grid_setup(false).model.milp);
  const auto costs = draw_turns(static_cast<std::size_t>(simplex.numberColumns()), draw_cost);
  std::uint64_t turn = 0;
  for (auto _ : state) {
    std::copy(costs[turn % kTurns].begin(), costs[turn % kTurns].end(), simplex.objective());
    ++turn;
    simplex.primal();
    if (simplex.status() != 0) return state.SkipWithError("a solve found no optimum");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}
void OwnGridWhole(benchmark::State& state) { decide_own(state, grid_setup(true), draw_cost, 1.0); }
void OwnGridWholePlain(benchmark::State& state) { decide_plainly(state, grid_setup(true), draw_cost); }

void OwnKnapsack(benchmark::State& state) {
  decide_own(
      state,
      knapsack_setup(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))),
      draw_value, 5.0);
}
void OwnKnapsackPlain(benchmark::State& state) {
  decide_plainly(
      state,
      knapsack_setup(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))),
      draw_value);
}

// Four goods: ordered at 2 before demands are known, limited by two resources; bought at 5 afterwards,
// limited by what the market has; and what is short even then is paid for.
constexpr std::size_t kGoods = 4;

ModelSetup orders_setup(bool free) {
  ModelSetup setup;
  MilpModel& model = setup.model.milp;
  std::vector<solvers::MilpEntry> machine, store, market;
  for (std::size_t good = 0; good < kGoods; ++good) {
    const auto weight = static_cast<double>(good);
    machine.push_back({model.add_column(0, 20, 2 + 0.1 * weight), 1 + weight});
    store.push_back({good, 3 - 0.5 * weight});
  }
  for (std::size_t good = 0; good < kGoods; ++good)
    market.push_back({model.add_column(0, solvers::kUnbounded, 5 + 0.2 * static_cast<double>(good)), 1});
  for (std::size_t good = 0; good < kGoods; ++good) {
    model.add_row({{good, 1}, {kGoods + good, 1}}, 8, solvers::kUnbounded);
    setup.predicted.slots.push_back({SlotKind::kRightSide, good, 0, 1.0, good});
    setup.predicted.columns.push_back(good);
    setup.penalties.push_back({.index = good, .row = true, .below = 9});
    if (free) setup.free_columns.push_back(kGoods + good);
  }
  model.add_row(std::move(machine), -solvers::kUnbounded, 90);
  model.add_row(std::move(store), -solvers::kUnbounded, 70);
  model.add_row(std::move(market), -solvers::kUnbounded, 12);
  return setup;
}

double draw_demand(RandomStream& stream) { return stream.uniform(4, 12); }

struct Orders {
  std::vector<std::vector<double>> predictions = draw_turns(kGoods, draw_demand);
  const std::vector<double>& truth(std::uint64_t turn) const { return predictions[(turn + 1) % kTurns]; }
};

void OwnRecourse(benchmark::State& state) {
  ModelProblem problem(orders_setup(true));
  problem.set_usual(std::vector<double>(kGoods, 8.0));
  const auto worker = problem.make_worker();
  const Orders orders;
  std::vector<double> decision(2 * kGoods);
  std::uint64_t turn = 0;
  for (auto _ : state) {
    worker->decide(orders.predictions[turn % kTurns], 0, decision);
    const Realisation outcome = worker->realise(decision, orders.truth(turn), 0);
    if (!std::isfinite(outcome.cost)) return state.SkipWithError("a decision could not be carried out");
    ++turn;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

// The model with what recourse adds, as one would write it down by hand.
MilpModel orders_model() {
  MilpModel model = orders_setup(true).model.milp;
  for (std::size_t good = 0; good < kGoods; ++good)
    model.rows[good].entries.push_back({model.add_column(0, solvers::kUnbounded, 9), 1});
  return model;
}

// The recourse by the general solver, from a basis of its own; the decision as above.
void OwnRecourseGeneral(benchmark::State& state) {
  ModelProblem problem(orders_setup(false));
  problem.set_usual(std::vector<double>(kGoods, 8.0));
  const auto worker = problem.make_worker();
  MilpSolver again(orders_model());
  again.start_from_here();
  const Orders orders;
  std::vector<double> decision(2 * kGoods);
  std::uint64_t turn = 0;
  for (auto _ : state) {
    worker->decide(orders.predictions[turn % kTurns], 0, decision);
    for (std::size_t good = 0; good < kGoods; ++good) {
      again.set_row_bounds(good, orders.truth(turn)[good], solvers::kUnbounded);
      again.set_column_bounds(good, decision[good], decision[good]);
    }
    if (again.solve().status != MilpStatus::kOptimal) return state.SkipWithError("a solve found no optimum");
    ++turn;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

void OwnRecoursePlain(benchmark::State& state) {
  ClpSimplex first = loaded(orders_setup(false).model.milp), second = loaded(orders_model());
  const Orders orders;
  std::uint64_t turn = 0;
  for (auto _ : state) {
    std::copy_n(orders.predictions[turn % kTurns].begin(), kGoods, first.rowLower());
    first.dual();
    std::copy_n(orders.truth(turn).begin(), kGoods, second.rowLower());
    std::copy_n(first.primalColumnSolution(), kGoods, second.columnLower());
    std::copy_n(first.primalColumnSolution(), kGoods, second.columnUpper());
    second.dual();
    if (first.status() != 0 || second.status() != 0) return state.SkipWithError("a solve found no optimum");
    ++turn;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()));
}

BENCHMARK(OwnGrid)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnGridPlain)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnGridWhole)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnGridWholePlain)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnRecourse)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnRecourseGeneral)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnRecoursePlain)->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnKnapsack)->Args({16, 2})->Args({60, 5})->Unit(benchmark::kMicrosecond);
BENCHMARK(OwnKnapsackPlain)->Args({16, 2})->Args({60, 5})->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace polystep
