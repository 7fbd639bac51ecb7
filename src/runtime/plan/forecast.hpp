// What a run will take before it starts, from a rehearsal: the same training with fewer steps and bags.
//
// Isolated solves would tell little: most probes are never solved, and how many are depends on how far out
// the probes lie. A rehearsal's schedules run from their start to their end within its few steps, so its mean
// step stands for the mean step of the whole run. What it solves is fixed by the task, the options and the
// seed; only its clock readings vary.
#pragma once

#include <cstdint>

#include "polystep/method.hpp"
#include "runtime/run/run_request.hpp"

namespace polystep {

// The options that decide how much a run does.
struct Pace {
  std::int64_t bags = 1;
  std::int64_t steps = 1;
  std::int64_t batch = 1;
  std::int64_t checks = 1;
};

// As the options say; a method without bags has one. `where` starts the InputError about a method that has no
// steps to choose.
Pace pace_of(const MethodEntry& method, const Options& options, const std::string& where);
void set_pace(Options& options, const Pace& pace);

struct Work {
  double solves = 0;  // requested
  double seconds = 0;

  Work& operator+=(const Work& other);
  friend Work operator*(double times, const Work& work) {
    return {times * work.solves, times * work.seconds};
  }
};

// By the parts of result.json. Runs that may stop early can take less.
struct Forecast {
  Work setup;       // reading data, initial fits, the failure cost
  Work training;    // steps, and the held-out decisions a learner chooses its blend by
  Work validation;  // by the training loop
  Work evaluation;  // of the test rows, by predicted and by true parameters

  Work total() const;
};

// How a method's work grows with its pace on one task.
struct WorkModel {
  Work reading;  // of the data
  Work start;    // learner's and loop's set-up with `rehearsed_fits` initial fits; 0: fits take no time
  double rehearsed_fits = 1;
  Work row_step;                 // one row of one bag in one step
  double early_share = 0;        // of the steps, which do other work:
  Work early_step;               // one of them, whatever the number of bags
  double early_row_seconds = 0;  // and besides, one row of one bag
  Work first;                    // of the first step besides: what the learner solved to get ready
  double first_row_seconds = 0;  // what it takes longer for one row of one bag
  Work check;                    // of the learner itself
  Work validation;               // by the loop, once
  Work evaluation;
  std::size_t training_rows = 1;
  double bag_share = 1;       // of the training rows in a bag, where there are several
  bool bags_count = true;     // false: the predictor trains one bag whatever is asked for
  bool repeats_rows = false;  // minibatches may be larger than their bag

  double rows_per_step(const Pace& pace) const;  // of all bags
  Forecast forecast(const Pace& pace) const;
};

// How a method's options and the task's rows bear on the work: which rows a step has.
void set_rows(const Task& task, const Options& options, WorkModel& model);

// Validations of a run after its start.
std::int64_t checks_made(const Pace& pace);

// What a rehearsal of a run of the given pace trains.
Pace rehearsal_pace(const Pace& pace, const Predictor& predictor);

// Trains a throw-away copy, several times where steps are short. Where it is to stop after the first of them,
// those before count. `reading_seconds`: what making the task took.
WorkModel rehearse(const Task& task, const RunRequest& request, const Pace& pace, double reading_seconds,
                   Team& team);

}  // namespace polystep
