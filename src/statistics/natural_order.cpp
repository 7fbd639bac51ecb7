#include "statistics/natural_order.hpp"

namespace polystep {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

// Cuts the leading digits off the text and returns them without leading zeros: the longer is the larger.
std::string_view take_number(std::string_view& text) {
  std::size_t end = 0, start = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  while (start < end && text[start] == '0') ++start;
  const std::string_view number = text.substr(start, end - start);
  text.remove_prefix(end);
  return number;
}

}  // namespace

bool NaturalOrder::operator()(std::string_view a, std::string_view b) const {
  const std::string_view whole_a = a, whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const std::string_view left = take_number(a), right = take_number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;  // "07" and "7" still need an order
}

}  // namespace polystep
