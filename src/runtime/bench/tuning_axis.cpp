#include "runtime/bench/tuning_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/option_value.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::string_view kLinearPrefix = "linear:";
constexpr std::string_view kLogPrefix = "log:";

[[noreturn]] void refuse_axis(std::string_view text, const std::string& where, std::string_view expected) {
  throw InputError(fmt::format("{}: found {}, expected {}", where, in_quotes(text), expected));
}

std::vector<std::string> cut(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (bool more = true; more;) {
    const std::size_t end = text.find(at);
    more = end != std::string_view::npos;
    parts.emplace_back(text.substr(0, end));
    if (more) text.remove_prefix(end + 1);
  }
  return parts;
}

bool any_empty(const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
}

void read_range(TuningAxis& axis, std::string_view range) {
  const std::size_t dots = range.find("..");
  const std::optional<double> low = parse_number(range.substr(0, dots));
  const std::optional<double> high =
      dots == std::string_view::npos ? std::nullopt : parse_number(range.substr(dots + 2));
  if (!low || !high || !(*low < *high))
    refuse_axis(axis.text, axis.where, "a range LOW..HIGH of two numbers, the lower one first");
  if (axis.kind == TuningAxis::Kind::kLogarithmic && !(*low > 0))
    refuse_axis(axis.text, axis.where, "a range above 0, which log: needs");
  axis.low = *low;
  axis.high = *high;
}

void read_choices(TuningAxis& axis, std::string_view values) {
  axis.kind = TuningAxis::Kind::kChoices;
  for (const std::string& choice : cut(values, ',')) {
    std::vector<std::string> parts = cut(choice, '+');
    if (any_empty(parts) || (parts.size() != 1 && parts.size() != axis.options.size()))
      refuse_axis(axis.text, axis.where,
                  "choices a,b,c, each one value, or as many as there are options, joined by +");
    axis.choices.push_back(std::move(parts));
  }
  if (axis.choices.size() < 2) refuse_axis(axis.text, axis.where, "a range or at least two choices");
}

// Decimals that keep three digits of the smallest value of a range.
int decimals(const TuningAxis& axis) {
  const double smallest = axis.low > 0 ? axis.low : axis.high;
  if (!(smallest > 0)) return 4;
  return std::max(4, 2 - static_cast<int>(std::floor(std::log10(smallest))));
}

}  // namespace

TuningAxis parse_axis(std::string_view text, const std::string& where) {
  TuningAxis axis;
  axis.text = text;
  axis.where = where;
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    refuse_axis(text, where, "option=log:LOW..HIGH, option=linear:LOW..HIGH or option=a,b,c");
  axis.options = cut(text.substr(0, equals), '+');
  if (any_empty(axis.options)) refuse_axis(text, where, "the name of an option before '='");
  std::string_view values = text.substr(equals + 1);
  if (const std::size_t star = values.find('*'); star != std::string_view::npos) {
    axis.multiple_of = values.substr(0, star);
    values.remove_prefix(star + 1);
    if (axis.multiple_of.empty()) refuse_axis(text, where, "the name of an option before '*'");
  }
  if (values.starts_with(kLogPrefix)) {
    axis.kind = TuningAxis::Kind::kLogarithmic;
    read_range(axis, values.substr(kLogPrefix.size()));
  } else if (values.starts_with(kLinearPrefix)) {
    read_range(axis, values.substr(kLinearPrefix.size()));
  } else if (!axis.multiple_of.empty()) {
    refuse_axis(text, where, "log:LOW..HIGH or linear:LOW..HIGH after '*'");
  } else {
    read_choices(axis, values);
  }
  return axis;
}

double TuningAxis::number(double coordinate) const {
  const double value = kind == Kind::kLogarithmic
                           ? std::exp(std::log(low) + coordinate * (std::log(high) - std::log(low)))
                           : low + coordinate * (high - low);
  const double unit = std::pow(10.0, decimals(*this));
  return std::nearbyint(value * unit) / unit;
}

std::size_t TuningAxis::choice(double coordinate) const {
  const auto index = static_cast<std::size_t>(coordinate * static_cast<double>(choices.size()));
  return std::min(index, choices.size() - 1);
}

}  // namespace polystep
