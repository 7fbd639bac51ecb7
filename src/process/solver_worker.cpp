#include "process/solver_worker.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>

#include <array>
#include <cerrno>
#include <cmath>

#include "base/option_value.hpp"
#include "polystep/error.hpp"
#include "polystep/stop.hpp"

namespace polystep {
namespace {

constexpr std::size_t kWindow = 4;           // requests under way: the worker never waits for the next one
constexpr std::size_t kReadBytes = 1 << 16;  // the capacity of a pipe
constexpr std::size_t kLongestMessage = 4096;
constexpr double kPatienceAtTheEnd = 0.5;  // seconds, for a worker to leave by itself when its input ends
constexpr double kMomentToEnd = 0.05;      // seconds that a process takes to be gone after its output ended
constexpr double kLongestWait = 0.1;       // seconds between two looks at whether to stop

// Writing to a process that is gone raises a signal whose default is to end the program. Held back here, for
// this thread alone, so that neither the program's nor its threads' ways with signals change.
class WithoutPipeSignal {
 public:
  WithoutPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutPipeSignal() {
    const int error = errno;
    if (raised_) {
      const timespec at_once{};
      ::sigtimedwait(&pipe_, nullptr, &at_once);
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  void raised() { raised_ = true; }

 private:
  sigset_t pipe_, before_;
  bool raised_ = false;
};

ssize_t write_some(int file, std::string_view bytes) {
  WithoutPipeSignal guard;
  const ssize_t count = ::write(file, bytes.data(), bytes.size());
  if (count < 0 && errno == EPIPE) guard.raised();
  return count;
}

std::string seconds_text(double seconds) { return fmt::format("{:g} s", seconds); }

}  // namespace

struct SolverWorker::Stop {
  Fault fault;
  std::string reason;
};

SolverWorker::SolverWorker(const SolverCommand& command, const FrameCodec& codec, const FrameShape& shape,
                           SolverLog& log, std::size_t number)
    : command_(command),
      codec_(codec),
      shape_(shape),
      log_(log),
      name_(fmt::format("worker {}", number)),
      child_(command.words, command.directory),
      buffer_(kReadBytes) {
  greet();
}

SolverWorker::~SolverWorker() {
  if (running_) {
    child_.close(kPatienceAtTheEnd);
    read_messages();
  }
  if (!message_.empty()) log_.add(name_, message_);
}

void SolverWorker::greet() {
  codec_.write_greeting(shape_, to_send_);
  try {
    const std::size_t length = await_frame(codec_.longest_greeting(), command_.start_seconds);
    codec_.read_greeting(std::string_view(received_).substr(consumed_, length));
    consumed_ += length;
  } catch (const FrameError& error) {
    throw InputError(fmt::format("solver {}: in its greeting {}", in_quotes(command_.words.front()),
                                 fail({Fault::kGarbage, error.what()}, 0).reason));
  } catch (const Stop& stop) {
    throw InputError(fmt::format("solver {} {}, expected an answer to the greeting",
                                 in_quotes(command_.words.front()), fail(stop, 0).reason));
  }
}

ExchangeOutcome SolverWorker::exchange(std::span<Exchange> exchanges) {
  std::size_t answered = 0, encoded = 0;
  try {
    if (consumed_ != received_.size()) throw Stop{Fault::kGarbage, "sent more than the answers asked for"};
    while (answered < exchanges.size()) {
      if (stop_wanted()) abandon();
      // Requests are written down only as they are needed: the bytes waiting stay few.
      for (; encoded < exchanges.size() && encoded - answered < kWindow; ++encoded) {
        exchanges[encoded].request.number = requests_++;
        codec_.write_request(shape_, exchanges[encoded].request, to_send_);
      }
      const auto& [request, answer] = exchanges[answered];
      const std::size_t length = await_frame(codec_.longest_answer(shape_, request), command_.frame_seconds);
      codec_.read_answer(shape_, request, std::string_view(received_).substr(consumed_, length), answer);
      consumed_ += length;
      ++answered;
    }
  } catch (const FrameError& error) {
    return fail({Fault::kGarbage, fmt::format("sent garbage: {}", error.what())}, answered);
  } catch (const Stop& stop) {
    return fail(stop, answered);
  }
  return {answered, Fault::kNone, ""};
}

// Sends what is pending and receives until a whole frame is there; its length.
std::size_t SolverWorker::await_frame(std::size_t longest, double seconds) {
  const auto deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  if (consumed_ == received_.size()) {
    received_.clear();
    consumed_ = 0;
  }
  while (true) {
    send_pending();
    const std::size_t length = codec_.frame_length(std::string_view(received_).substr(consumed_), longest);
    if (length != 0) return length;
    wait_for_events(deadline, seconds);
  }
}

void SolverWorker::wait_for_events(Clock::time_point deadline, double seconds) {
  const double left = std::chrono::duration<double>(deadline - Clock::now()).count();
  if (stop_wanted()) abandon();
  if (left <= 0) throw Stop{Fault::kHang, fmt::format("gave no answer within {}", seconds_text(seconds))};
  const short sending = sent_ < to_send_.size() ? POLLOUT : 0;
  // A negative descriptor is one that poll leaves out.
  std::array<pollfd, 3> files = {pollfd{child_.output(), POLLIN, 0},
                                 pollfd{sending ? child_.input() : -1, sending, 0},
                                 pollfd{listening_ ? child_.messages() : -1, POLLIN, 0}};
  const int ready =
      ::poll(files.data(), files.size(), static_cast<int>(std::ceil(std::min(left, kLongestWait) * 1e3)));
  if (ready <= 0) return;
  if (files[2].revents != 0) read_messages();
  if (files[0].revents != 0 && !receive()) throw Stop{Fault::kCrash, ""};
}

// Ends it in the middle of whatever it is at: nobody waits for the answer.
void SolverWorker::abandon() {
  child_.end(0);
  read_messages();
  running_ = false;
  log_.add("polystepor", fmt::format("{} was stopped on request", name_));
  throw Stopped();
}

void SolverWorker::send_pending() {
  while (sent_ < to_send_.size()) {
    const ssize_t count = write_some(child_.input(), std::string_view(to_send_).substr(sent_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) break;  // it no longer listens; its output will tell how it ended
    sent_ += static_cast<std::size_t>(count);
  }
  to_send_.clear();
  sent_ = 0;
}

// False where its output has ended.
bool SolverWorker::receive() {
  const ssize_t count = ::read(child_.output(), buffer_.data(), buffer_.size());
  if (count > 0) received_.append(buffer_.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

void SolverWorker::read_messages() {
  while (listening_) {
    const ssize_t count = ::read(child_.messages(), buffer_.data(), buffer_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    if (count == 0) listening_ = false;
    for (const char letter : std::string_view(buffer_.data(), static_cast<std::size_t>(count))) {
      if (letter != '\n') message_ += letter;
      if (letter != '\n' && message_.size() < kLongestMessage) continue;
      log_.add(name_, message_);
      if (!message_.empty()) last_message_ = message_;
      message_.clear();
    }
  }
}

ExchangeOutcome SolverWorker::fail(const Stop& stop, std::size_t answered) {
  ExchangeOutcome outcome{answered, stop.fault, stop.reason};
  const std::string ending = child_.end(stop.fault == Fault::kCrash ? kMomentToEnd : 0);
  read_messages();
  running_ = false;
  if (stop.fault == Fault::kCrash)
    outcome.reason = ending.empty() ? "closed its output" : fmt::format("ended with {}", ending);
  const std::string& said = message_.empty() ? last_message_ : message_;
  if (!said.empty()) outcome.reason += fmt::format(" (its last message: {})", in_quotes(said));
  log_.add("polystepor", fmt::format("{} {}", name_, outcome.reason));
  return outcome;
}

}  // namespace polystep
