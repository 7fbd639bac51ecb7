// A solver process for tests that misbehaves on chosen instances: faulty_solver [FAULT:EVERY:OFFSET]...
//
// On instances with number % EVERY == OFFSET it does FAULT: crash, hang, quit, decline, or one of the kinds
// of garbage: short (a frame that is too short), number (an answer to another frame), nan (a decision that is
// none), status (a status nobody knows). It takes the item with the lowest prediction; where costs are
// wanted, that item's truth. "leak:N" crashes after N frames, whatever they are.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "received_frame.hpp"

using polystep::Frame;

namespace {

struct Rule {
  std::string fault;
  std::uint64_t every = 1, offset = 0;
};

std::vector<Rule> rules_of(int argc, char** argv) {
  std::vector<Rule> rules;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const std::size_t first = text.find(':'), second = text.find(':', first + 1);
    rules.push_back(
        {text.substr(0, first), std::strtoull(text.c_str() + first + 1, nullptr, 10),
         second == std::string::npos ? 0 : std::strtoull(text.c_str() + second + 1, nullptr, 10)});
  }
  return rules;
}

void put(std::string& bytes, const void* from, std::size_t size) {
  bytes.append(static_cast<const char*>(from), size);
}

// The fault of the first instance in the frame that has one.
std::string fault_of(const Frame& frame, const std::vector<Rule>& rules, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i)
    for (const Rule& rule : rules)
      if (rule.fault != "leak" && rule.fault != "decline" && rule.fault != "nan" &&
          frame.at<std::uint64_t>(24 + 8 * i) % rule.every == rule.offset)
        return rule.fault;
  return "";
}

bool is(const Frame& frame, const std::vector<Rule>& rules, const char* fault, std::uint32_t i) {
  return std::any_of(rules.begin(), rules.end(), [&](const Rule& rule) {
    return rule.fault == fault && frame.at<std::uint64_t>(24 + 8 * i) % rule.every == rule.offset;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Rule> rules = rules_of(argc, argv);
  Frame frame;
  if (!frame.read()) return 1;
  const std::size_t outputs = frame.at<std::uint32_t>(12), size = frame.at<std::uint32_t>(16);
  const std::size_t features = frame.at<std::uint32_t>(20), truths = frame.at<std::uint32_t>(24);
  const std::uint32_t greeting[] = {8, 1, 1};
  std::fwrite(greeting, sizeof(greeting), 1, stdout);
  std::fflush(stdout);
  for (std::uint64_t served = 0; frame.read(); ++served) {
    std::uint64_t number = frame.at<std::uint64_t>(8);
    const std::uint32_t count = frame.at<std::uint32_t>(16), flags = frame.at<std::uint32_t>(20);
    const std::string fault = fault_of(frame, rules, count);
    if (fault == "crash") std::abort();
    if (fault == "quit") {
      std::fputs("this instance is too much for me\n", stderr);
      return 3;
    }
    if (fault == "hang") ::sleep(1000);
    for (const Rule& rule : rules)
      if (rule.fault == "leak" && served == rule.every) std::abort();
    std::vector<double> decisions(count * size), costs(count);
    std::string status((count + 7) / 8 * 8, '\0');
    const std::size_t predictions = 24 + 8 * count, truth = predictions + 8 * count * (outputs + features);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::size_t best = 0;
      for (std::size_t o = 1; o < outputs; ++o)
        if (frame.at<double>(predictions + 8 * (i * outputs + o)) <
            frame.at<double>(predictions + 8 * (i * outputs + best)))
          best = o;
      if (size != 0) decisions[i * size + best] = is(frame, rules, "nan", i) ? std::nan("") : 1;
      if (flags & 4u) costs[i] = frame.at<double>(truth + 8 * (i * truths + best));
      status[i] = fault == "status" ? 7 : !is(frame, rules, "decline", i);
    }
    if (fault == "number") ++number;
    std::string answer;
    const std::uint32_t head[] = {3}, tail[] = {count, 0};
    put(answer, head, 4);
    put(answer, &number, 8);
    put(answer, tail, 8);
    answer += status;
    put(answer, decisions.data(), 8 * decisions.size());
    if (flags & 4u) put(answer, costs.data(), 8 * costs.size());
    if (fault == "short") answer.resize(answer.size() - 8);
    const auto length = static_cast<std::uint32_t>(answer.size());
    std::fwrite(&length, 4, 1, stdout);
    std::fwrite(answer.data(), 1, answer.size(), stdout);
    std::fflush(stdout);
  }
}
