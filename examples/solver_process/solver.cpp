// A solver process in C++, speaking binary frames: orders from the supplier whose predicted price is lowest.
// docs/solver-protocol.md has the layout of the frames.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static std::vector<char> frame;  // the one being read, from its length on

static bool read_frame() {
  std::uint32_t length = 0;
  if (std::fread(&length, 4, 1, stdin) != 1) return false;  // the end of input: no more work
  frame.resize(4 + length);
  return std::fread(frame.data() + 4, 1, length, stdin) == length;
}

template <class Number>
static Number number_at(std::size_t offset) {
  Number value;
  std::memcpy(&value, frame.data() + offset, sizeof(value));
  return value;
}

// The cheapest item gets 1, the others 0.
static void decide(const double* price, std::size_t items, double* decision) {
  std::fill_n(decision, items, 0.0);
  decision[std::min_element(price, price + items) - price] = 1;
}

int main() {
  if (!read_frame()) return 1;
  const std::size_t outputs = number_at<std::uint32_t>(12);
  const std::uint32_t greeting[] = {8, 1, 1};  // length, kind 1: greeting, version 1
  std::fwrite(greeting, sizeof(greeting), 1, stdout);
  std::fflush(stdout);

  std::vector<double> price, decisions;
  std::vector<char> status;
  while (read_frame()) {
    const std::uint64_t number = number_at<std::uint64_t>(8);
    const std::uint32_t count = number_at<std::uint32_t>(16);
    price.resize(count * outputs);
    std::memcpy(price.data(), frame.data() + 24 + 8 * count, 8 * price.size());
    decisions.resize(count * outputs);
    for (std::size_t i = 0; i < count; ++i)
      decide(price.data() + i * outputs, outputs, decisions.data() + i * outputs);

    status.assign((count + 7) / 8 * 8, 0);
    std::fill_n(status.begin(), count, 1);  // 1: solved
    const std::uint32_t length = static_cast<std::uint32_t>(20 + status.size() + 8 * decisions.size());
    const std::uint32_t head[] = {length, 3}, tail[] = {count, 0};  // kind 3: answer
    std::fwrite(head, sizeof(head), 1, stdout);
    std::fwrite(&number, sizeof(number), 1, stdout);
    std::fwrite(tail, sizeof(tail), 1, stdout);
    std::fwrite(status.data(), 1, status.size(), stdout);
    std::fwrite(decisions.data(), 8, decisions.size(), stdout);
    std::fflush(stdout);
  }
}
