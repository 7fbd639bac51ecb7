// Whole files, read and written so that a crash or a full disk never leaves half of one behind.
//
// Every failure is an InputError that names the path and gives the system's reason.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace polystep {

// All bytes of a file, pipe or device.
std::string read_file(const std::filesystem::path& path);

// Replaces the file as a whole: after a crash at any moment it holds either its old bytes or all of the new
// ones. The bytes go to a temporary file in the same directory, reach the disk, and are then renamed into
// place. A symbolic link stays one (its target is replaced); a device or pipe (/dev/stdout) is simply written
// to.
void write_file(const std::filesystem::path& path, std::string_view bytes);

// The same, piece by piece: nothing is replaced before complete(), and without it nothing is left behind.
class ReplacedFile {
 public:
  explicit ReplacedFile(const std::filesystem::path& path);
  ReplacedFile(const ReplacedFile&) = delete;
  ReplacedFile& operator=(const ReplacedFile&) = delete;
  ~ReplacedFile();

  void append(std::string_view bytes);
  void complete();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether a file name is that of a temporary file which an interrupted write_file left for `target`.
bool is_temporary_name(std::string_view name, std::string_view target);

// Creates the directory and its parents where they are missing.
void make_directories(const std::filesystem::path& directory);

// Creates the directory if need be and proves that files can be written there, so that a run fails before its
// work and not after it.
void ensure_writable_directory(const std::filesystem::path& directory);

// Deletes a file; one that is not there is fine.
void remove_file(const std::filesystem::path& path);

// Throws "cannot write runs/x/model.bin: No space left on device" for the current value of errno.
[[noreturn]] void throw_system_error(std::string_view action, const std::filesystem::path& path);

}  // namespace polystep
