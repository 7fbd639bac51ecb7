#include "base/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/write_all.hpp"

namespace polystep {
namespace {

[[noreturn]] void fail() {
  throw OutputError("cannot write to standard output, expected room for the result");
}

}  // namespace

void prepare_console() {
  std::signal(SIGPIPE, SIG_IGN);
  // Opened for reading alone, so that writing there still fails. Streams are numbered from 0, and the lowest
  // free number is taken.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) == -1 && ::open("/dev/null", O_RDONLY) < 0) return;
}

void write_out(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void finish_out() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) fail();
}

void write_err(std::string_view text) noexcept { write_all(STDERR_FILENO, text); }

}  // namespace polystep
