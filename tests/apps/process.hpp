// A program run as a child process: started, signalled, waited for, and everything it said kept.
//
// Both streams go to unnamed files rather than pipes, so that a child never waits for its reader.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace polystep {

struct Finished {
  int exit_code = -1;       // -1 where a signal ended it
  int signal = 0;           // 0 where it exited by itself
  long peak_kibibytes = 0;  // of memory
  std::string out;
  std::string err;
};

struct ProcessSurroundings {
  std::filesystem::path directory;        // to run in
  std::optional<std::string> data;        // POLYSTEPOR_DATA; unset where there is none
  std::optional<std::size_t> file_bytes;  // no file may grow beyond, as if the disk were full
  std::string
      stdout_path;  // write there instead of keeping what was said; "-": closed, "|": a pipe without reader
  std::string stderr_path = {};  // the same of stderr
};

class Process {
 public:
  Process(const std::string& program, const std::vector<std::string>& arguments,
          const ProcessSurroundings& surroundings)
      : out_(open_unnamed()), err_(open_unnamed()) {
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    id_ = ::fork();
    if (id_ < 0) throw std::runtime_error("cannot start a process");
    if (id_ == 0) become(argv.data(), surroundings);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process() {
    if (id_ <= 0) return;
    ::kill(id_, SIGKILL);
    ::waitpid(id_, nullptr, 0);
  }

  pid_t id() const { return id_; }
  void send(int signal) const { ::kill(id_, signal); }
  bool ended() const {  // it can still be waited for
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == id_;
  }

  Finished wait() {
    int status = 0;
    rusage usage{};
    while (::wait4(id_, &status, 0, &usage) < 0) {
    }
    id_ = 0;
    Finished finished;
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
    finished.peak_kibibytes = usage.ru_maxrss;
    if (WIFSIGNALED(status)) finished.signal = WTERMSIG(status);
    finished.out = contents(out_.get());
    finished.err = contents(err_.get());
    return finished;
  }

 private:
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

  static File open_unnamed() {
    File file(std::tmpfile(), &std::fclose);
    if (!file) throw std::runtime_error("cannot open a temporary file");
    return file;
  }

  static std::string contents(std::FILE* file) {
    std::string text;
    char buffer[4096];
    std::rewind(file);
    while (const std::size_t count = std::fread(buffer, 1, sizeof(buffer), file)) text.append(buffer, count);
    return text;
  }

  static bool connect(int stream, int kept, const std::string& path) {
    if (path == "-") return ::close(stream) == 0;
    if (path == "|") {
      int ends[2];
      return ::pipe(ends) == 0 && ::close(ends[0]) == 0 && ::dup2(ends[1], stream) >= 0 &&
             ::close(ends[1]) == 0;
    }
    return ::dup2(path.empty() ? kept : ::open(path.c_str(), O_WRONLY), stream) >= 0;
  }

  [[noreturn]] void become(char** argv, const ProcessSurroundings& surroundings) const {
    constexpr int kCannotStart = 127;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is stopped leaves nothing running
    if (!connect(STDOUT_FILENO, ::fileno(out_.get()), surroundings.stdout_path) ||
        !connect(STDERR_FILENO, ::fileno(err_.get()), surroundings.stderr_path))
      ::_exit(kCannotStart);
    if (::chdir(surroundings.directory.c_str()) != 0) ::_exit(kCannotStart);
    if (surroundings.data)
      ::setenv("POLYSTEPOR_DATA", surroundings.data->c_str(), 1);
    else
      ::unsetenv("POLYSTEPOR_DATA");
    if (surroundings.file_bytes) {
      const rlimit limit{*surroundings.file_bytes, *surroundings.file_bytes};
      if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(kCannotStart);
    }
    ::execv(argv[0], argv);
    ::_exit(kCannotStart);
  }

  File out_;
  File err_;
  pid_t id_ = 0;
};

}  // namespace polystep
