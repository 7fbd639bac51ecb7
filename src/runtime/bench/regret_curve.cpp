#include "runtime/bench/regret_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "polystep/team.hpp"
#include "runtime/run/training_session.hpp"

namespace polystep {
namespace {

constexpr std::int64_t kChecks = 15;

std::string curve_name(const GridCell& cell) {
  if (cell.request.method->presets.size() < 2) return cell.request.method->name;
  return fmt::format("{} ({})", cell.request.method->name, cell.preset);
}

// More checks show more of what a run would hand over. They have no say in it where it is never stopped
// early.
void check_often(Options& options) {
  if (options.table().find("checks") == nullptr || options.table().find("patience") == nullptr) return;
  if (options.integer("patience") == 0)
    options.set("checks", std::min(options.integer("steps"), kChecks), "curve");
}

// One point per traced step.
std::vector<CurvePoint> trace(const GridCell& cell) {
  RunRequest request = cell.request;
  check_often(request.method_options);
  const Task task = make_task(request);
  ThreadTeam alone(1);
  TrainingSession session(task, *request.method, request.method_options, request.seed, alone);
  session.prepare();
  session.start();
  std::vector<CurvePoint> points;
  for (const std::size_t step : traced_steps(session.loop().plan().steps)) {
    while (session.loop().step() < step && !session.finished()) session.advance();
    if (session.loop().step() < step) {
      points.push_back(points.back());
    } else {
      const TrainingSession::TestRegret now = session.test_regret_now();
      points.push_back({step, static_cast<double>(session.solver_calls()), now.regret, now.failed});
    }
  }
  return points;
}

void add(std::vector<CurvePoint>& sum, const std::vector<CurvePoint>& points) {
  if (sum.empty()) sum.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    sum[i].step = std::max(sum[i].step, points[i].step);
    sum[i].solves += points[i].solves;
    sum[i].regret += points[i].regret;
    sum[i].failed += points[i].failed;
  }
}

}  // namespace

std::vector<std::size_t> traced_steps(std::size_t steps) {
  std::vector<std::size_t> traced = {0};
  while (traced.back() < steps) traced.push_back(std::min(steps, traced.back() + 1 + traced.back() / 4));
  return traced;
}

std::vector<RegretCurve> regret_curves(const std::vector<GridCell>& cells, Team& team, Progress& progress) {
  std::vector<std::vector<CurvePoint>> traces(cells.size());
  ProgressState state;
  state.steps = static_cast<std::int64_t>(cells.size());
  state.unit = "run";
  std::mutex mutex;
  team.for_each(cells.size(), [&](std::size_t cell, std::size_t) {
    traces[cell] = trace(cells[cell]);
    const std::lock_guard lock(mutex);
    ++state.step;
    progress.update(state);
  });
  progress.finish(state);
  std::vector<RegretCurve> curves;
  std::vector<double> runs;
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const std::string name = curve_name(cells[cell]);
    auto curve = std::find_if(curves.begin(), curves.end(),
                              [&](const RegretCurve& other) { return other.method == name; });
    if (curve == curves.end()) {
      curves.push_back({name, {}});
      runs.push_back(0);
      curve = curves.end() - 1;
    }
    add(curve->points, traces[cell]);
    ++runs[static_cast<std::size_t>(curve - curves.begin())];
  }
  for (std::size_t i = 0; i < curves.size(); ++i)
    for (CurvePoint& point : curves[i].points) {
      point.solves /= runs[i];
      point.regret /= runs[i];
      point.failed /= runs[i];
    }
  return curves;
}

std::optional<double> solves_to_reach(const RegretCurve& curve, double regret) {
  std::optional<double> solves;
  for (auto point = curve.points.rbegin(); point != curve.points.rend() && point->regret <= regret; ++point)
    solves = point->solves;
  return solves;
}

}  // namespace polystep
