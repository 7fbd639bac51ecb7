#include "problems/data_source.hpp"

#include "data/data_directory.hpp"
#include "polystep/error.hpp"

namespace polystep {

void add_source_options(OptionTable& table) {
  table
      .choice("source", "auto", {"auto", "published", "generated"},
              "data: the benchmark's files, drawn afresh, or the files where they are found")
      .integer("data-seed", 0, 0, INT64_MAX, "of generated data");
}

void settle_source(Options& options, const TaskContext& context) {
  const std::string& place = context.data_directory;
  const bool for_others = holds_constraint_data(place) && !holds_classical_data(place);
  settle_source_where(options, !place.empty() && !for_others);
}

void settle_source_where(Options& options, bool found) {
  if (options.text("source") != "auto") return;
  const bool published = found && !options.is_set("data-seed");
  options.set("source", std::string(published ? "published" : "generated"), "source");
}

bool wants_published(const std::string& problem, const Options& options, const TaskContext& context) {
  if (options.text("source") != "published") return false;
  if (context.data_directory.empty())
    throw InputError(problem + ": the published data were not found; give --data DIR or --source generated");
  return true;
}

std::uint64_t data_seed(const Options& options) {
  return static_cast<std::uint64_t>(options.integer("data-seed"));
}

}  // namespace polystep
