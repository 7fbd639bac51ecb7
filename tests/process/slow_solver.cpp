// A solver process for tests that takes its time: slow_solver PACE LOG
//
// The file PACE holds "QUICK MILLISECONDS": the first QUICK solves of all processes together are quick, every
// later one takes so long. A line goes to LOG when a solve begins, so that the file tells how many did. It
// takes the first item where its prediction is below 0, else none.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "received_frame.hpp"

using polystep::Frame;

namespace {

// How many solves have begun, this one included. Appending is atomic.
long begin_solve(int log) {
  if (::write(log, "+", 1) != 1) std::abort();
  struct stat state {};
  ::fstat(log, &state);
  return static_cast<long>(state.st_size);
}

void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int log = ::open(argv[2], O_WRONLY | O_APPEND | O_CREAT, 0644);
  Frame frame;
  if (log < 0 || !frame.read()) return 1;
  const std::size_t outputs = frame.at<std::uint32_t>(12), size = frame.at<std::uint32_t>(16);
  const std::uint32_t greeting[] = {8, 1, 1};
  std::fwrite(greeting, sizeof(greeting), 1, stdout);
  std::fflush(stdout);
  while (frame.read()) {
    const std::uint64_t number = frame.at<std::uint64_t>(8);
    const std::uint32_t count = frame.at<std::uint32_t>(16);
    std::vector<double> decisions(count * size);
    std::string status((count + 7) / 8 * 8, '\0');
    for (std::uint32_t i = 0; i < count; ++i) {
      long quick = 0, milliseconds = 0;
      if (std::FILE* pace = std::fopen(argv[1], "r")) {
        if (std::fscanf(pace, "%ld %ld", &quick, &milliseconds) != 2) return 3;
        std::fclose(pace);
      }
      if (begin_solve(log) > quick) std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      decisions[i * size] = frame.at<double>(24 + 8 * count + 8 * i * outputs) < 0;
      status[i] = 1;
    }
    std::string answer;
    const std::uint32_t head[] = {3}, tail[] = {count, 0};
    put(answer, head, 4);
    put(answer, &number, 8);
    put(answer, tail, 8);
    answer += status;
    put(answer, decisions.data(), 8 * decisions.size());
    const auto length = static_cast<std::uint32_t>(answer.size());
    std::fwrite(&length, 4, 1, stdout);
    std::fwrite(answer.data(), 1, answer.size(), stdout);
    std::fflush(stdout);
  }
}
