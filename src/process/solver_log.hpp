// What solver processes say on standard error, and what the engine says about them, line by line.
//
// Kept in memory until a run directory is there to write to. The file stops growing at a fixed size: a solver
// that chats must not fill the disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

#include "base/file_descriptor.hpp"

namespace polystep {

class SolverLog {
 public:
  static constexpr std::size_t kLargest = 16u << 20;  // bytes

  // One whole line, without its end; `speaker` starts it: "worker 2", "polystepor".
  void add(std::string_view speaker, std::string_view line);

  // From now on to the end of this file, what was kept first. Throws InputError where it cannot be written.
  void write_to(const std::filesystem::path& file);

 private:
  void put(std::string_view text);

  std::mutex mutex_;
  std::string kept_;     // until there is a file
  FileDescriptor file_;  // open once there is one
  std::size_t size_ = 0;
};

}  // namespace polystep
