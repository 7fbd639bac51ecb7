#include "methods/polystepor/decision_pool.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "methods/gradient/batch_predictions.hpp"

namespace polystep {

// The cheapest member for the predictions, the first of equals; its number is its signature.
class DecisionPool::Solver final : public TileSolver {
 public:
  explicit Solver(const DecisionPool& pool) : pool_(pool) {}

  bool takes_any_width() const override { return true; }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = 0;
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      const std::vector<Member>& members = pool_.members_[pool_.row_of_instance_[tile.instance[lane]]];
      const std::size_t best = cheapest(members, prediction + lane, tile.width);
      outcome.cost[lane] = best < members.size() ? members[best].cost : 0;
      outcome.signature[lane] = best;
      if (best == members.size()) outcome.failed |= 1u << lane;
    }
  }

 private:
  std::size_t cheapest(const std::vector<Member>& members, const double* coefficients,
                       std::size_t width) const {
    double lowest = std::numeric_limits<double>::infinity();
    std::size_t best = members.size();
    for (std::size_t m = 0; m < members.size(); ++m) {
      double value = 0;
      for (std::size_t k = 0; k < members[m].index.size(); ++k)
        value += members[m].value[k] * coefficients[members[m].index[k] * width];
      value *= pool_.oracle_.sense();
      if (!(value < lowest)) continue;
      lowest = value;
      best = m;
    }
    return best;
  }

  const DecisionPool& pool_;
};

// Only ever used for its tile solvers.
class DecisionPool::Pooled final : public Problem {
 public:
  Pooled(const Problem& inner, const DecisionPool& pool)
      : Problem(inner.instances()), inner_(inner), pool_(pool) {}

  ProblemFacts facts() const override { return inner_.facts(); }

  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return inner_.decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner_.cost(decision, truth, instance);
  }
  std::unique_ptr<TileSolver> make_tile_solver() const override { return std::make_unique<Solver>(pool_); }

 private:
  const Problem& inner_;
  const DecisionPool& pool_;
};

bool DecisionPool::serves(const Task& task) {
  const ProblemFacts facts = task.problem->facts();
  if (!facts.linear_objective() || !facts.decisions_recur) return false;
  const Split& training = task.data.training;
  std::vector<std::size_t> instances;
  for (std::size_t row = 0; row < training.rows; ++row) instances.push_back(training.instance(row));
  std::ranges::sort(instances);
  return std::ranges::adjacent_find(instances) == instances.end();
}

DecisionPool::DecisionPool(Evaluator& evaluator, const Split& training)
    : oracle_(evaluator, "polystepor"),
      training_(training),
      all_rows_(training.rows),
      members_(training.rows),
      problem_(std::make_unique<Pooled>(*evaluator.task().problem, *this)) {
  std::iota(all_rows_.begin(), all_rows_.end(), std::size_t{0});
  for (const std::size_t row : all_rows_) {
    const std::size_t instance = training.instance(row);
    if (instance >= row_of_instance_.size()) row_of_instance_.resize(instance + 1);
    row_of_instance_[instance] = row;
  }
}

DecisionPool::~DecisionPool() = default;

void DecisionPool::learn(std::span<const double> theta, SolveCounts& counts) {
  BatchPredictions batch(*oracle_.task().predictor);
  batch.predict(training_, all_rows_, theta);
  // The rows learned from may be more than the task's own training rows: the oracle is told which.
  const RowLayout places(*oracle_.task().problem, training_, all_rows_);
  std::vector<double> decisions(places.total());
  const std::vector<SolveStatus> statuses =
      oracle_.decide(training_, all_rows_, batch.predictions(), decisions, counts);
  for (const std::size_t row : all_rows_)
    if (statuses[row] == SolveStatus::kSolved) remember(row, places.row(decisions, row));
}

void DecisionPool::remember(std::size_t row, std::span<const double> decision) {
  Member member;
  for (std::size_t k = 0; k < decision.size(); ++k) {
    if (decision[k] == 0) continue;
    member.index.push_back(static_cast<std::uint32_t>(k));
    member.value.push_back(decision[k]);
  }
  for (const Member& known : members_[row])
    if (known.index == member.index && known.value == member.value) return;
  member.cost = oracle_.task().problem->cost(decision, training_.truth_row(row), training_.instance(row));
  members_[row].push_back(std::move(member));
}

double DecisionPool::mean_size() const {
  std::size_t sum = 0;
  for (const std::vector<Member>& members : members_) sum += members.size();
  return static_cast<double>(sum) / static_cast<double>(members_.size());
}

void DecisionPool::save(ArchiveWriter& archive) const {
  for (const std::size_t row : all_rows_) {
    archive.put<std::uint64_t>(members_[row].size());
    for (const Member& member : members_[row]) {
      std::vector<double> decision(oracle_.task().problem->decision_size(training_.instance(row)), 0.0);
      for (std::size_t k = 0; k < member.index.size(); ++k) decision[member.index[k]] = member.value[k];
      archive.put(decision);
    }
  }
}

void DecisionPool::load(ArchiveReader& archive) {
  for (const std::size_t row : all_rows_) {
    members_[row].clear();
    const auto count = archive.get<std::uint64_t>();
    const std::size_t size = oracle_.task().problem->decision_size(training_.instance(row));
    for (std::uint64_t m = 0; m < count; ++m)
      remember(row, archive.get_doubles(size, "a remembered decision"));
  }
}

}  // namespace polystep
