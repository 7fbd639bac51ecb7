#include "own/model_kind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

std::vector<Penalty> match_penalties(const ModelSpec& spec, const LinearModel& model,
                                     const std::string& file) {
  std::vector<Penalty> penalties;
  std::map<std::pair<bool, std::size_t>, const PenaltyRule*> seen;
  for (const PenaltyRule& rule : spec.penalties) {
    const std::vector<std::size_t> matched = rule.rows ? match_rows(rule.pattern, model, file, rule.where)
                                                       : match_columns(rule.pattern, model, file, rule.where);
    for (const std::size_t index : matched) {
      if (!seen.emplace(std::pair(rule.rows, index), &rule).second)
        throw InputError(fmt::format(
            "{}: {} '{}' has a second penalty, expected one", rule.where, rule.rows ? "row" : "column",
            rule.rows ? model.milp.rows[index].name : model.milp.columns[index].name));
      penalties.push_back({index, rule.rows, rule.below, rule.above});
    }
  }
  return penalties;
}

std::vector<double> known_values(const SlotTable& known, const CsvTable& table) {
  std::vector<double> values;
  for (std::size_t row = 0; row < table.rows; ++row)
    for (const std::size_t column : known.columns) values.push_back(table.row(row)[column]);
  return values;
}

std::vector<double> mean_truth(const Split& training) {
  std::vector<double> mean(training.truth_columns);
  for (std::size_t row = 0; row < training.rows; ++row)
    for (std::size_t o = 0; o < mean.size(); ++o) mean[o] += training.truth_row(row)[o];
  for (double& value : mean) value /= static_cast<double>(training.rows);
  return mean;
}

std::vector<std::string> describe(const ModelSetup& setup, const ModelSpec& spec) {
  const solvers::MilpModel& milp = setup.model.milp;
  std::size_t integers = 0, entries = 0;
  for (const solvers::MilpColumn& column : milp.columns) integers += column.integer ? 1 : 0;
  for (const solvers::MilpRow& row : milp.rows) entries += row.entries.size();
  std::vector<std::string> lines = {
      fmt::format("model {}: {} {} columns ({} of them whole numbers), {} rows, {} entries", spec.file,
                  milp.sense == solvers::Sense::kMinimise ? "minimises over" : "maximises over",
                  milp.columns.size(), integers, milp.rows.size(), entries)};
  if (setup.engine != solvers::MilpEngine::kCoin)
    lines.push_back("solved by " + solvers::engine_text(setup.engine) + ", where it is not small");
  for (const std::string& match : setup.predicted.matches) lines.push_back("predicted: " + match);
  for (const std::string& match : setup.known.matches) lines.push_back("known: " + match);
  if (!setup.penalties.empty())
    lines.push_back(fmt::format("recourse: {} rows or columns have a penalty", setup.penalties.size()));
  if (!setup.free_columns.empty())
    lines.push_back(fmt::format("recourse: {} columns are chosen again", setup.free_columns.size()));
  return lines;
}

class ModelKind final : public OwnKind {
 public:
  explicit ModelKind(ModelSpec spec) : spec_(std::move(spec)) {}

  std::vector<std::string> files() const override { return {spec_.file}; }
  ProblemFacts facts() const override {
    ProblemFacts facts;
    facts.predicts_constraints =
        std::any_of(spec_.predicted.begin(), spec_.predicted.end(),
                    [](const SlotRule& rule) { return rule.kind != SlotKind::kObjective; });
    facts.has_recourse =
        facts.predicts_constraints || !spec_.penalties.empty() || !spec_.free_columns.empty();
    return facts;
  }
  OwnProblem make(const OwnTables& tables, const std::filesystem::path& folder) const override {
    auto problem = std::make_unique<ModelProblem>(make_model_setup(spec_, tables, folder));
    ModelProblem* model = problem.get();
    OwnProblem own;
    own.truth_columns = model->setup().predicted.columns;
    own.description = describe(model->setup(), spec_);
    own.problem = std::move(problem);
    own.prepare = [model](const Split& training) { model->set_usual(mean_truth(training)); };
    return own;
  }

 private:
  ModelSpec spec_;
};

}  // namespace

ModelSetup make_model_setup(const ModelSpec& spec, const OwnTables& tables,
                            const std::filesystem::path& folder) {
  if (tables.long_format())
    throw InputError(
        fmt::format("{}: a model file has one size and tables are in long format, expected format = \"wide\" "
                    "in section [data], or a section [solver]",
                    spec.predicted.front().where));
  const std::string file = (folder / spec.file).string();
  ModelSetup setup;
  setup.model = parse_linear_model(read_file(file), file, spec.format);
  setup.predicted = match_slots(spec.predicted, setup.model, file, tables.truth);
  if (!spec.known.empty()) {
    if (!tables.known)
      throw InputError(
          fmt::format("{}: there is a section [[known]] and no table of known data, expected "
                      "known = \"...\" in section [data]",
                      spec.known.front().where));
    setup.known = match_slots(spec.known, setup.model, file, *tables.known, &setup.predicted);
    setup.known_values = known_values(setup.known, *tables.known);
  }
  setup.penalties = match_penalties(spec, setup.model, file);
  for (const std::string& pattern : spec.free_columns)
    for (const std::size_t column : match_columns(pattern, setup.model, file, spec.free_where))
      setup.free_columns.push_back(column);
  solvers::require_engine(spec.engine);
  setup.engine = spec.engine;
  setup.limits = spec.limits;
  setup.usual_decision_on_failure = spec.on_failure == ModelSpec::OnFailure::kUsualDecision;
  return setup;
}

std::unique_ptr<OwnKind> read_model_kind(const TaskSection& root) {
  return std::make_unique<ModelKind>(parse_model_spec(root));
}

}  // namespace polystep
