// The engine's own path solver as a solver process: grid_solver SIDE. What comes through the protocol must be
// what comes without it.
#include <cstdlib>

#include "received_frame.hpp"
#include "solvers/grid/grid_path.hpp"

using namespace polystep;

int main(int argc, char** argv) {
  const solvers::GridPath grid(argc > 1 ? std::atoi(argv[1]) : 5);
  Frame frame;
  if (!frame.read()) return 1;
  const std::size_t edges = frame.at<std::uint32_t>(12);
  const std::uint32_t greeting[] = {8, 1, 1};
  std::fwrite(greeting, sizeof(greeting), 1, stdout);
  std::fflush(stdout);
  while (frame.read()) {
    const auto number = frame.at<std::uint64_t>(8);
    const auto count = frame.at<std::uint32_t>(16);
    std::vector<double> predictions(count * edges), decisions(count * edges);
    std::memcpy(predictions.data(), frame.bytes.data() + 24 + 8 * count, 8 * predictions.size());
    for (std::size_t i = 0; i < count; ++i)
      grid.solve(std::span(predictions).subspan(i * edges, edges),
                 std::span(decisions).subspan(i * edges, edges));
    std::vector<char> status((count + 7) / 8 * 8);
    for (std::size_t i = 0; i < count; ++i) status[i] = 1;
    const auto length = static_cast<std::uint32_t>(20 + status.size() + 8 * decisions.size());
    const std::uint32_t head[] = {length, 3}, tail[] = {count, 0};
    std::fwrite(head, sizeof(head), 1, stdout);
    std::fwrite(&number, sizeof(number), 1, stdout);
    std::fwrite(tail, sizeof(tail), 1, stdout);
    std::fwrite(status.data(), 1, status.size(), stdout);
    std::fwrite(decisions.data(), 8, decisions.size(), stdout);
    std::fflush(stdout);
  }
}
