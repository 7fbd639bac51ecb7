#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "base/console.hpp"
#include "base/files.hpp"
#include "base/option_value.hpp"
#include "commands.hpp"
#include "export/exported_model.hpp"
#include "polystep/error.hpp"
#include "runtime/run/run_directory.hpp"

namespace polystep {
namespace {

// Only the model is read: a run can be exported where its data no longer are.
SavedModel trained_model(const std::string& run, std::string& origin) {
  const RunDirectory directory = RunDirectory::open_to_read(run);
  if (run_state(run) == RunState::kUnfinished)
    throw InputError(fmt::format(
        "{} holds an unfinished run, expected a finished one; go on with it by 'train --resume --out {}'",
        run, run));
  origin = directory.model().string();
  return read_model(origin);
}

std::string written(const ExportedModel& model, const ExportArguments& arguments) {
  if (arguments.format == "onnx") return to_onnx(model);
  if (arguments.format == "json") return to_json(model);
  return to_c_header(model, arguments.name);
}

}  // namespace

int export_command(const ExportArguments& arguments) {
  if (!is_c_identifier(arguments.name))
    throw InputError(
        fmt::format("polystepor export: --name is {}, expected letters, digits and underscores, not starting "
                    "with a digit",
                    in_quotes(arguments.name)));
  if (arguments.out && std::filesystem::exists(*arguments.out) && !arguments.force)
    throw InputError(fmt::format(
        "polystepor export: {} exists, expected a new file; give --force to replace it", *arguments.out));
  if (!arguments.out && arguments.format == "onnx" && ::isatty(STDOUT_FILENO) != 0)
    throw InputError("polystepor export: an ONNX file is no text for a terminal, expected --out FILE");
  std::string origin;
  const SavedModel model = trained_model(arguments.run, origin);
  const std::string bytes = written(to_layers(model, origin), arguments);
  if (arguments.out)
    write_file(*arguments.out, bytes);
  else
    write_out(bytes);
  return 0;
}

}  // namespace polystep
