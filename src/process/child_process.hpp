// A program started as a child with its three standard streams as pipes; ends with this object.
//
// The child leads a process group of its own: Ctrl-C at the terminal reaches the engine alone, which stops in
// its own time, and ending the child also ends whatever it started.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file_descriptor.hpp"

namespace polystep {

class ChildProcess {
 public:
  // Looks the program up in PATH where it has no slash; runs it in `directory` where that is not empty.
  // Throws InputError where the system cannot start it.
  ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& directory);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();  // kills it where it still runs

  // Our ends of its streams, none of which ever blocks.
  int input() const { return input_.number(); }
  int output() const { return output_.number(); }
  int messages() const { return messages_.number(); }

  // Lets it read the end of its input and waits for it to leave, then kills it.
  void close(double patience_seconds);

  // Ends it. Where it ends by itself within the given time, says how: "exit code 3", "signal 11 (Segmentation
  // fault)"; "" where it had to be killed.
  std::string end(double patience_seconds);

 private:
  bool has_ended() const;
  bool ends_within(double seconds) const;

  pid_t id_ = 0;  // 0: it is gone
  FileDescriptor input_, output_, messages_;
};

}  // namespace polystep
