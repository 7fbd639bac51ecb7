#include "districting/bench_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>

#include "base/files.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

constexpr std::string_view kHeader =
    "group,city,units,target,method,seed,model,iterations,chains,published_limit,search_seed,"
    "scenarios,scenario_seed,perturbations,published_tours,cost,districts,feasible,search_seconds,tour_"
    "seconds";
constexpr std::size_t kColumns = 20;

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t end = line.find(',');
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

template <class Number>
Number number(std::string_view text, const std::string& where) {
  Number value{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size() || !std::isfinite(static_cast<double>(value)))
    throw InputError(fmt::format("{}: found '{}', expected a number", where, text));
  return value;
}

auto question(const DistrictingRecord& r) {
  return std::tie(r.group, r.city, r.units, r.target, r.method, r.seed, r.model, r.iterations, r.chains,
                  r.published_limit, r.search_seed, r.scenarios, r.scenario_seed, r.perturbations,
                  r.published_tours);
}

}  // namespace

bool same_question(const DistrictingRecord& a, const DistrictingRecord& b) {
  return question(a) == question(b);
}

std::string districting_results_header() { return std::string(kHeader); }

std::string render_districting_line(const DistrictingRecord& r) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{:.3f},{:.3f}", r.group, r.city,
                     r.units, r.target, r.method, r.seed, r.model, r.iterations, r.chains, r.published_limit,
                     r.search_seed, r.scenarios, r.scenario_seed, r.perturbations, r.published_tours ? 1 : 0,
                     r.cost, r.districts, r.feasible ? 1 : 0, r.search_seconds, r.tour_seconds);
}

std::vector<DistrictingRecord> parse_districting_results(std::string_view text, const std::string& name) {
  std::vector<DistrictingRecord> records;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) break;  // torn
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::string where = fmt::format("{} line {}", name, line);
    if (line == 1) {
      if (row != kHeader)
        throw InputError(fmt::format("{}: found other columns, expected '{}'", where, kHeader));
      continue;
    }
    const std::vector<std::string_view> f = split(row);
    if (f.size() != kColumns)
      throw InputError(fmt::format("{}: found {} fields, expected {}", where, f.size(), kColumns));
    const auto count = [&](std::size_t field) { return number<std::size_t>(f[field], where); };
    records.push_back({.group = std::string(f[0]),
                       .city = std::string(f[1]),
                       .units = count(2),
                       .target = count(3),
                       .method = std::string(f[4]),
                       .seed = std::string(f[5]),
                       .model = std::string(f[6]),
                       .iterations = count(7),
                       .chains = count(8),
                       .published_limit = count(9),
                       .search_seed = count(10),
                       .scenarios = count(11),
                       .scenario_seed = count(12),
                       .perturbations = count(13),
                       .published_tours = count(14) != 0,
                       .cost = number<double>(f[15], where),
                       .districts = count(16),
                       .feasible = count(17) != 0,
                       .search_seconds = number<double>(f[18], where),
                       .tour_seconds = number<double>(f[19], where)});
  }
  return records;
}

DistrictingResults::DistrictingResults(const std::filesystem::path& path, ExistingResults existing)
    : lock_(lock_results(path, existing)), lines_([&] {
        if (existing == ExistingResults::kReplace) return LineAppender(path, 0);
        const std::string text = read_file(path);
        records_ = parse_districting_results(text, path.string());
        const std::size_t end = text.rfind('\n');
        return LineAppender(path, end == std::string::npos ? 0 : end + 1);
      }()) {
  if (lines_.offset() == 0) lines_.append(kHeader);
}

bool DistrictingResults::holds(const DistrictingRecord& asked) const {
  return std::ranges::any_of(records_,
                             [&](const DistrictingRecord& record) { return same_question(record, asked); });
}

void DistrictingResults::append(const DistrictingRecord& record) {
  lines_.append(render_districting_line(record));
  records_.push_back(record);
}

}  // namespace polystep
