// Any bytes as the contents of a model.bin.
//
// A checksum stands before the reader and would refuse nearly every mutation, so the input is only what is
// sealed: it is sealed here, under the heading of a file that the program wrote itself, and then read.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "base/checksum.hpp"
#include "base/files.hpp"
#include "runtime/run/model_file.hpp"

namespace {

// The magic word and the version: the first 12 bytes.
std::string heading_of_a_model() {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("model_fuzz_" + std::to_string(getpid()))).string();
  polystep::SavedModel model;
  model.predictor = {.kind = "linear", .features = 1, .outputs = 1};
  model.parameters = {0, 0};
  polystep::write_model(path, model);
  std::string heading = polystep::read_file(path).substr(0, 12);
  polystep::remove_file(path);
  return heading;
}

template <class T>
void put(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// A file in memory; a write to a disk per input would be most of the work.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("model", 0)) {
    if (file_ < 0) std::abort();
  }

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

  void replace(std::string_view bytes) const {
    if (ftruncate(file_, 0) != 0) std::abort();
    if (pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  }

 private:
  int file_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string heading = heading_of_a_model();
  static const MemoryFile file;
  std::string bytes = heading;
  put(bytes, static_cast<std::uint64_t>(size));
  bytes.append(reinterpret_cast<const char*>(data), size);
  put(bytes, polystep::checksum(bytes));
  file.replace(bytes);
  polystep::accepts_or_refuses([&] { polystep::read_model(file.path()); });
  return 0;
}
