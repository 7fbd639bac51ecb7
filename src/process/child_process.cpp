#include "process/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

using Clock = std::chrono::steady_clock;

struct Pipe {
  FileDescriptor from, to;
};

Pipe make_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    throw InputError(fmt::format("cannot open a pipe to the solver: {}", std::strerror(errno)));
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

void never_block(const FileDescriptor& file) { ::fcntl(file.number(), F_SETFL, O_NONBLOCK); }

// Streams, directory, process group and signals of the child to be.
class SpawnPlan {
 public:
  SpawnPlan(const std::filesystem::path& directory, int input, int output, int messages) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    posix_spawn_file_actions_adddup2(&actions_, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, messages, STDERR_FILENO);
    if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions_, directory.c_str());
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGXFSZ}) sigaddset(&usual, signal);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
    posix_spawnattr_setpgroup(&attributes_, 0);
    posix_spawnattr_setflags(&attributes_,
                             POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }

  int spawn(pid_t& id, char** argv) const {
    return ::posix_spawnp(&id, argv[0], &actions_, &attributes_, argv, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

std::string describe(int status) {
  if (WIFEXITED(status)) return fmt::format("exit code {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  const char* name = ::sigdescr_np(signal);
  return fmt::format("signal {} ({})", signal, name != nullptr ? name : "unknown");
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::filesystem::path& directory) {
  Pipe input = make_pipe(), output = make_pipe(), messages = make_pipe();
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const SpawnPlan plan(directory, input.from.number(), output.to.number(), messages.to.number());
  if (const int error = plan.spawn(id_, argv.data()); error != 0) {
    id_ = 0;
    throw InputError(fmt::format("cannot start the solver {}{}: {}", in_quotes(command.front()),
                                 directory.empty() ? "" : fmt::format(" in {}", directory.string()),
                                 std::strerror(error)));
  }
  input_ = std::move(input.to);
  output_ = std::move(output.from);
  messages_ = std::move(messages.from);
  for (const FileDescriptor* file : {&input_, &output_, &messages_}) never_block(*file);
}

ChildProcess::~ChildProcess() { end(0); }

// Leaves it unreaped: as long as it is, no other process can be given its number.
bool ChildProcess::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == id_;
}

bool ChildProcess::ends_within(double seconds) const {
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  for (auto pause = std::chrono::microseconds(50); !has_ended(); pause *= 2) {
    if (Clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::min<Clock::duration>(pause, std::chrono::milliseconds(10)));
  }
  return true;
}

void ChildProcess::close(double patience_seconds) {
  if (id_ == 0) return;
  input_ = FileDescriptor();
  ends_within(patience_seconds);
  end(0);
}

std::string ChildProcess::end(double patience_seconds) {
  if (id_ == 0) return "";
  const bool by_itself = ends_within(patience_seconds);
  ::kill(-id_, SIGKILL);  // the group: what the child started must not outlive it
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return by_itself ? describe(status) : "";
}

}  // namespace polystep
