// What must be solved before the first step, as a stage of a run: the failure cost, references, margins,
// starts.
//
// The stage consists of parts, each found once. What a part found is kept with the run's checkpoints, so that
// a resumed run takes it from there instead of solving it again. Whoever runs the stage is told where each
// part begins and ends, to show it, to write a checkpoint or to stop.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/counts.hpp"

namespace polystep {

// Numbers that it took solves to find.
struct Found {
  std::vector<double> numbers;
  SolveCounts solves;
};

class Preparation {
 public:
  // Called before a part is solved, with its name for a person ("reference costs"), and after it.
  std::function<void(const std::string& part)> on_begin = {};
  std::function<void()> on_end = {};

  // What `solve` finds, or found when this run came here before. Names of a run's parts differ.
  const Found& part(const std::string& name, const std::function<Found()>& solve);

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  std::map<std::string, Found> found_;
};

}  // namespace polystep
