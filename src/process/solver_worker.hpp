// One solver process: started, greeted, sent requests and watched. It never survives a fault: what it might
// say after one could be the answer to anything.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "process/child_process.hpp"
#include "process/frames.hpp"
#include "process/solver_log.hpp"

namespace polystep {

struct SolverCommand {
  std::vector<std::string> words;        // program and arguments
  std::filesystem::path directory = {};  // to run in; empty: where the engine runs
  FrameFormat format = FrameFormat::kJson;
  double start_seconds = 30;  // to answer the greeting
  double frame_seconds = 10;  // to answer one frame
};

enum class Fault {
  kNone,
  kCrash,    // ended, or closed its output
  kHang,     // did not answer in time
  kGarbage,  // sent something that is not the answer
};

struct Exchange {
  SolveRequest request;  // its number is set on sending
  SolveAnswer answer;
};

struct ExchangeOutcome {
  std::size_t answered = 0;  // exchanges done, from the first
  Fault fault = Fault::kNone;
  std::string reason;  // of the fault: "ended with exit code 1; its last message was '...'"
};

class SolverWorker {
 public:
  // Starts and greets it. Throws InputError where the system cannot start it or it does not greet back.
  SolverWorker(const SolverCommand& command, const FrameCodec& codec, const FrameShape& shape, SolverLog& log,
               std::size_t number);
  ~SolverWorker();

  // Sends the requests, a few ahead of the answers, until all are answered or there is a fault. Where it is
  // to stop (stop.hpp) the process is ended at once, whatever it is at, and Stopped is thrown.
  ExchangeOutcome exchange(std::span<Exchange> exchanges);

  bool fresh() const { return requests_ == 0; }  // was not asked anything yet
  bool running() const { return running_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Stop;  // thrown inside at a fault

  void greet();
  std::size_t await_frame(std::size_t longest, double seconds);
  void wait_for_events(Clock::time_point deadline, double seconds);
  [[noreturn]] void abandon();
  void send_pending();
  bool receive();
  void read_messages();
  ExchangeOutcome fail(const Stop& stop, std::size_t answered);

  const SolverCommand& command_;
  const FrameCodec& codec_;
  const FrameShape& shape_;
  SolverLog& log_;
  std::string name_;  // "worker 2"
  ChildProcess child_;
  bool running_ = true;
  std::uint64_t requests_ = 0;
  bool listening_ = true;     // its standard error is still open
  std::vector<char> buffer_;  // for one read
  std::string to_send_;
  std::size_t sent_ = 0;  // of to_send_
  std::string received_;
  std::size_t consumed_ = 0;  // of received_
  std::string message_;       // standard error, the line under way
  std::string last_message_;
};

}  // namespace polystep
