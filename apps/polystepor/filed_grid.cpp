#include "filed_grid.hpp"

#include <chrono>

#include "base/console.hpp"
#include "base/files.hpp"
#include "interrupts.hpp"
#include "run_arguments.hpp"
#include "runtime/bench/finished_runs.hpp"

namespace polystep {
namespace {

constexpr int kSomeFailed = 2;

}  // namespace

FiledGrid::FiledGrid(const GridFiling& filing, const std::vector<GridCell>& cells,
                     const std::function<void()>& before)
    : filing_(filing), cells_(cells.size()) {
  const auto start = std::chrono::steady_clock::now();
  const ExistingResults existing = existing_results(filing.command, filing.resume, filing.force);
  ensure_writable_directory(filing.directory);
  const std::filesystem::path table = filing.directory / "results.csv";
  catch_interrupts();
  {
    ResultsFile results(table, existing);
    if (before) before();
    Progress progress(progress_style_for_stderr(filing.quiet));
    ThreadTeam team(static_cast<std::size_t>(filing.threads));
    outcome_ = run_grid(cells, results, team, progress, [] { return interrupt_requested(); });
  }
  runs_ = load_finished_runs(table).runs;
  seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int FiledGrid::finish(const std::string& text) const {
  print_out("{}\n{} runs trained, {} found already; written to {}, in {:.0f} seconds\n", text,
            outcome_.trained, outcome_.skipped, filing_.directory.string(), seconds_);
  if (!outcome_.failures.empty())
    print_err("{} run{} failed:\n", outcome_.failures.size(), outcome_.failures.size() == 1 ? "" : "s");
  for (const std::string& failure : outcome_.failures) print_err("  {}\n", failure);
  if (outcome_.interrupted) {
    print_err("Stopped with {} of {} runs done; go on with the same command and --resume ({}).\n",
              outcome_.trained + outcome_.skipped, cells_, filing_.directory.string());
    return kInterrupted;
  }
  return outcome_.failures.empty() ? 0 : kSomeFailed;
}

}  // namespace polystep
