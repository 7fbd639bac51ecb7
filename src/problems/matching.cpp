#include "problems/matching.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "data/benchmarks/cora_data.hpp"
#include "problems/data_source.hpp"

namespace polystep {
namespace {

using solvers::DiverseMatching;

constexpr std::size_t kMatchingUnits = 200;
constexpr double kShares[] = {0.1, 0.25, 0.5};  // of same-field and of cross-field pairs, by type

// Solves pairs' weights as the model says; choice is [left × right].
void choose(const DiverseMatching& matching, MatchingModel model, std::span<const double> weights,
            DiverseMatching::Workspace& workspace, std::vector<int>& partner, std::span<double> choice) {
  if (model == MatchingModel::kRelaxed) {
    matching.solve_relaxation(weights, workspace, choice);
    return;
  }
  partner.resize(matching.left());
  matching.solve(weights, workspace, partner);
  std::fill(choice.begin(), choice.end(), 0.0);
  for (std::size_t i = 0; i < partner.size(); ++i)
    if (partner[i] >= 0) choice[i * matching.right() + static_cast<std::size_t>(partner[i])] = 1;
}

double value_of(std::span<const double> choice, std::span<const double> truth) {
  double value = 0;
  for (std::size_t pair = 0; pair < choice.size(); ++pair)
    if (choice[pair] != 0) value += choice[pair] * truth[pair];
  return value;
}

// Two different decisions share a 64-bit hash with probability 2^-64.
std::uint64_t hash_choice(std::span<const double> choice) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t pair = 0; pair < choice.size(); ++pair) {
    if (choice[pair] == 0) continue;
    hash = (hash ^ pair ^ std::bit_cast<std::uint64_t>(choice[pair])) * 0x100000001b3u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Lane by lane, with a workspace per instance: its prices are a good start for the instance's next solve.
class MatchingTileSolver final : public TileSolver {
 public:
  MatchingTileSolver(const std::vector<DiverseMatching>& instances, MatchingModel model)
      : instances_(instances), model_(model), workspaces_(instances.size()) {
    const std::size_t pairs = instances.front().left() * instances.front().right();
    weights_.resize(kLanes * pairs);
    truth_.resize(kLanes * pairs);
    choice_.resize(pairs);
  }

  void solve(const Tile& tile, const double* prediction, TileOutcome& outcome) override {
    outcome.failed = 0;
    take_lanes_apart(prediction, weights_);
    take_lanes_apart(tile.truth, truth_);
    for (std::size_t lane = 0; lane < tile.lanes; ++lane) {
      outcome.cost[lane] = 0;
      outcome.signature[lane] = 0;
      if (!solve_lane(tile, lane, outcome)) outcome.failed |= 1u << lane;
    }
  }

 private:
  bool solve_lane(const Tile& tile, std::size_t lane, TileOutcome& outcome) {
    const std::size_t instance = tile.instance[lane], pairs = choice_.size();
    const auto weights = std::span<const double>(weights_).subspan(lane * pairs, pairs);
    for (const double weight : weights)
      if (!std::isfinite(weight)) return false;
    auto& workspace = workspaces_[instance];
    if (!workspace) workspace.emplace(instances_[instance]);
    choose(instances_[instance], model_, weights, *workspace, partner_, choice_);
    outcome.cost[lane] = -value_of(choice_, std::span<const double>(truth_).subspan(lane * pairs, pairs));
    outcome.signature[lane] = hash_choice(choice_);
    return true;
  }

  // [pairs × kLanes] as [kLanes × pairs].
  void take_lanes_apart(const double* tile, std::vector<double>& lanes) const {
    const std::size_t pairs = choice_.size();
    for (std::size_t pair = 0; pair < pairs; ++pair)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        lanes[lane * pairs + pair] = tile[pair * kLanes + lane];
  }

  const std::vector<DiverseMatching>& instances_;
  MatchingModel model_;
  std::vector<std::optional<DiverseMatching::Workspace>> workspaces_;  // [instances]
  std::vector<double> weights_, truth_;                                // [kLanes × pairs]
  std::vector<double> choice_;                                         // [pairs], of one lane
  std::vector<int> partner_;                                           // [left], of one lane
};

// Instances first..last-1: the words of both sides, left then right, and which pairs are joined.
Split take_instances(const CoraData& cora, std::size_t first, std::size_t last) {
  Split split;
  split.rows = last - first;
  split.feature_columns = 2 * kCoraSide * kCoraWords;
  split.truth_columns = kCoraPairs;
  split.features.assign(split.rows * split.feature_columns, 0.0);
  for (std::size_t row = 0; row < split.rows; ++row) {
    const CoraInstance& sides = cora.instances[first + row];
    double* features = split.features.data() + row * split.feature_columns;
    for (std::size_t k = 0; k < 2 * kCoraSide; ++k, features += kCoraWords) {
      const std::size_t article = k < kCoraSide ? sides.left[k] : sides.right[k - kCoraSide];
      for (const std::uint16_t word : cora.articles[article].words) features[word] = 1;
    }
    const std::vector<double> truth = cora.weights(first + row);
    split.truth.insert(split.truth.end(), truth.begin(), truth.end());
    split.instances.push_back(first + row);
  }
  return split;
}

Dataset make_data(const CoraData& cora, bool test_validates) {
  constexpr std::size_t kTest = kCoraInstances - kCoraTestInstances;
  constexpr std::size_t kValidation = kTest - kCoraValidationInstances;
  Dataset data;
  data.training = take_instances(cora, 0, test_validates ? kTest : kValidation);
  data.test = take_instances(cora, kTest, kCoraInstances);
  data.validation = test_validates ? data.test : take_instances(cora, kValidation, kTest);
  for (std::size_t word = 0; word < kCoraWords; ++word)
    data.feature_names.push_back(fmt::format("word_{}", word));
  return data;
}

Task make_matching(const Options& options, const TaskContext& context) {
  const auto type = static_cast<std::size_t>(options.integer("type"));
  const bool test_validates = options.text("split") == "test-validates";
  Task task;
  task.setting = fmt::format("type={}", type);
  CoraData cora;
  if (wants_published("matching", options, context)) {
    cora = read_cora(context.data_directory);
  } else {
    cora = generate_cora(data_seed(options));
    task.setting += fmt::format(" data-seed={}", data_seed(options));
  }
  const bool relaxed = options.text("model") == "lp";
  if (!relaxed) task.setting += " model=ilp";  // published results are of the relaxation
  std::vector<DiverseMatching> instances;
  for (std::size_t k = 0; k < kCoraInstances; ++k)
    instances.emplace_back(kCoraSide, kCoraSide, cora.same_label(k), kShares[type - 1], kShares[type - 1]);
  task.problem = std::make_unique<Matching>(std::move(instances),
                                            relaxed ? MatchingModel::kRelaxed : MatchingModel::kIntegral);
  task.predictor = make_pair_network(kCoraWords, kCoraSide, kCoraSide, kMatchingUnits);
  task.data = make_data(cora, test_validates);
  return task;
}

}  // namespace

Matching::Matching(std::vector<DiverseMatching> instances, MatchingModel model)
    : Problem(instances.at(0).left() * instances.at(0).right(),
              instances.at(0).left() * instances.at(0).right()),
      instances_(std::move(instances)),
      model_(model) {}

// A workspace of its own for every call: nothing is shared between threads, and nothing remembered.
SolveStatus Matching::decide(std::span<const double> prediction, std::size_t instance,
                             std::span<double> decision) const {
  for (const double weight : prediction)
    if (!std::isfinite(weight)) return SolveStatus::kFailed;
  const DiverseMatching& matching = instances_.at(instance);
  DiverseMatching::Workspace workspace(matching);
  std::vector<int> partner;
  choose(matching, model_, prediction, workspace, partner, decision);
  return SolveStatus::kSolved;
}

double Matching::cost(std::span<const double> decision, std::span<const double> truth, std::size_t) const {
  return -value_of(decision, truth);
}

std::unique_ptr<TileSolver> Matching::make_tile_solver() const {
  return std::make_unique<MatchingTileSolver>(instances_, model_);
}

std::string Matching::decision_name(std::size_t component) const {
  const std::size_t right = instances_.front().right();
  return fmt::format("pair_{}_{}", component / right, component % right);
}

ProblemEntry matching_entry() {
  ProblemEntry entry;
  entry.name = "matching";
  entry.help =
      "pair articles that cite one another, within and across fields, citations predicted from words";
  entry.options
      .integer("type", 1, 1, 3,
               "shares of same-field and of cross-field pairs: at least 10 %, 25 % or 50 % each")
      .choice("model", "ilp", {"ilp", "lp"},
              "whole matchings, or the linear relaxation that the published runs solved")
      .choice("split", "held-out", {"held-out", "test-validates"},
              "5 of 22 instances validate, or train on all 22 and validate on the test set as published "
              "baselines did");
  add_source_options(entry.options);
  entry.settle = settle_source;
  entry.make = make_matching;
  entry.facts = [](const Options& options) {
    return Matching::stated_facts(options.text("model") == "lp" ? MatchingModel::kRelaxed
                                                                : MatchingModel::kIntegral);
  };
  entry.published = "matching";
  return entry;
}

}  // namespace polystep
