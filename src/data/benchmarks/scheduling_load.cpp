#include "data/benchmarks/scheduling_load.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "data/benchmarks/energy_days.hpp"
#include "data/data_directory.hpp"
#include "polystep/error.hpp"

namespace polystep {
namespace {

using solvers::Scheduling;
using solvers::SchedulingInstance;
using solvers::SchedulingTask;

constexpr int kSlotMinutes = 30;

// Walks the lines of a load file: numbers separated by single blanks.
class LoadFile {
 public:
  explicit LoadFile(std::string path) : path_(std::move(path)), bytes_(read_file(path_)) {}

  void expect_line(std::size_t field_count, std::string_view meaning) {
    ++line_;
    const std::string_view rest = std::string_view(bytes_).substr(position_);
    if (rest.empty()) fail(fmt::format("found the end of the file, expected {}", meaning));
    std::string_view line = rest.substr(0, rest.find('\n'));
    position_ += line.size() + (line.size() < rest.size() ? 1 : 0);
    fields_.clear();
    for (std::size_t blank = line.find(' '); blank != std::string_view::npos; blank = line.find(' ')) {
      fields_.push_back(line.substr(0, blank));
      line.remove_prefix(blank + 1);
    }
    fields_.push_back(line);
    if (fields_.size() != field_count)
      fail(fmt::format("found {} fields, expected {}: {}", fields_.size(), field_count, meaning));
  }
  void expect_end() {
    ++line_;
    if (position_ != bytes_.size()) fail("found another line, expected the end of the file");
  }

  double number(std::size_t field, std::string_view name, double low, double high) const {
    double value = 0;
    if (!parses(fields_[field], value) || !(value >= low && value <= high))
      fail(fmt::format("found {} '{}', expected a number from {} to {}", name, fields_[field], low, high));
    return value;
  }
  int whole(std::size_t field, std::string_view name, int low, int high) const {
    int value = 0;
    if (!parses(fields_[field], value) || value < low || value > high)
      fail(fmt::format("found {} '{}', expected a whole number from {} to {}", name, fields_[field], low,
                       high));
    return value;
  }
  [[noreturn]] void fail(std::string_view what) const {
    throw InputError(fmt::format("{} line {}: {}", path_, line_, what));
  }

 private:
  template <class Number>
  static bool parses(std::string_view text, Number& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  }

  std::string path_;
  std::string bytes_;
  std::size_t position_ = 0;
  std::size_t line_ = 0;                  // number of the current line, from 1
  std::vector<std::string_view> fields_;  // of the current line, into bytes_
};

void read_machines(LoadFile& file, SchedulingInstance& instance) {
  file.expect_line(1, "the number of machines");
  const int machines = file.whole(0, "number of machines", 1, static_cast<int>(Scheduling::kMostMachines));
  for (int machine = 0; machine < machines; ++machine) {
    file.expect_line(4, "a machine's id and its idle, up and down costs");
    file.whole(0, "machine id", machine, machine);
    for (std::size_t cost = 1; cost < 4; ++cost) file.number(cost, "machine cost", 0, 1e12);  // not used
    file.expect_line(1, "the machine's capacity");
    instance.capacities.push_back(file.whole(0, "capacity", 0, Scheduling::kMostResource));
  }
}

void read_tasks(LoadFile& file, SchedulingInstance& instance) {
  file.expect_line(1, "the number of tasks");
  const int tasks = file.whole(0, "number of tasks", 1, static_cast<int>(Scheduling::kMostTasks));
  for (int number = 0; number < tasks; ++number) {
    file.expect_line(5, "a task's id, duration, earliest start, latest end and power");
    file.whole(0, "task id", number, number);
    SchedulingTask task;
    task.duration = file.whole(1, "duration", 1, instance.slots);
    task.earliest = file.whole(2, "earliest start", 0, instance.slots - task.duration);
    task.latest_end = file.whole(3, "latest end", task.earliest + task.duration, instance.slots);
    task.power = file.number(4, "power", 0, 1e12);
    file.expect_line(1, "the task's resource use");
    task.resource = file.whole(0, "resource use", 0, Scheduling::kMostResource);
    instance.tasks.push_back(task);
  }
}

}  // namespace

SchedulingInstance read_scheduling_load(const std::string& path) {
  LoadFile file(path);
  SchedulingInstance instance;
  instance.slots = static_cast<int>(kSlotsPerDay);
  instance.slot_hours = kSlotMinutes / 60.0;
  file.expect_line(1, "the length of a slot in minutes");
  file.whole(0, "slot length", kSlotMinutes, kSlotMinutes);
  file.expect_line(1, "the number of resources");
  file.whole(0, "number of resources", 1, 1);
  read_machines(file, instance);
  read_tasks(file, instance);
  file.expect_end();
  return instance;
}

SchedulingInstance published_scheduling_load(const std::string& data_directory, int load) {
  return read_scheduling_load(classical_file(data_directory, fmt::format("energy/load{}.txt", load)));
}

}  // namespace polystep
