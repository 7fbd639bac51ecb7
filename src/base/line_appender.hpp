// A file that grows line by line and can be cut back to a known length: the metrics of a run.
//
// A checkpoint stores offset(); a resumed run opens the file cut to that offset, so lines written after the
// last checkpoint and before the crash do not appear twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "base/file_descriptor.hpp"

namespace polystep {

class LineAppender {
 public:
  // Opens or creates the file and keeps its first `keep_bytes` bytes. A file shorter than that is an
  // InputError.
  LineAppender(std::filesystem::path path, std::uint64_t keep_bytes);

  // Writes the line and a line break at once. On failure (a full disk) the file is cut back to whole lines.
  void append(std::string_view line);

  // Waits until all lines are on the disk; a checkpoint must not remember lines that a power cut can still
  // take.
  void sync();

  std::uint64_t offset() const { return offset_; }  // length of the file in bytes

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  bool regular_ = true;  // false: a device or pipe, which can be neither cut nor synced
  std::uint64_t offset_ = 0;
};

}  // namespace polystep
