// The clock and the signals of one command: whether it should end, and what it shows meanwhile.
//
// Teams ask it between pieces of work and long solves in the middle of them (polystep/stop.hpp). The outside
// is asked, and the display redrawn, only on the thread that made the watch; the others follow what it found.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "polystep/team.hpp"
#include "runtime/run/progress.hpp"

namespace polystep {

class RunWatch final : public Watch {
 public:
  struct Setting {
    std::function<bool()> interrupted = {};  // asked often; may throw, which ends the work too
    double seconds = std::numeric_limits<double>::infinity();  // from now on
    ProgressStyle progress = ProgressStyle::kQuiet;
    double silence = 0;  // seconds in which nothing is shown: for commands that are usually short
  };
  explicit RunWatch(Setting setting);  // the clock starts

  bool wanted() const noexcept override;
  bool stop(std::size_t done, std::size_t of) override;

  // Why work should end. What asking threw is thrown again here.
  bool interrupted() const;
  bool out_of_time() const { return seconds() >= end_.load(std::memory_order_relaxed); }

  double seconds() const;  // since it was made
  double seconds_allowed() const { return setting_.seconds; }
  void end_at(double seconds) { end_ = std::min(seconds, setting_.seconds); }  // on this clock

  // What is under way from now on: a stage that teams report the progress of, or a state to show, with the
  // seconds that its present step and all after it are expected to take.
  void stage(const std::string& what);
  void show(const ProgressState& state, std::optional<double> left = {});
  void finish(const ProgressState& state);  // shows it for good
  void clear();                             // nothing is under way

 private:
  bool mine() const { return std::this_thread::get_id() == owner_; }
  void look() const noexcept;  // at the outside; redraws now and then
  void draw() const;

  Setting setting_;
  std::thread::id owner_ = std::this_thread::get_id();
  double begin_;
  std::atomic<double> end_;
  mutable std::atomic<bool> interrupted_{false};
  mutable std::exception_ptr thrown_;
  mutable double drawn_ = -1;
  // The display.
  mutable std::unique_ptr<Progress> progress_;
  std::string unit_;
  mutable std::string detail_;
  ProgressState state_;
  bool in_stage_ = false;
  double stage_begin_ = 0;
  std::optional<double> left_;  // when the stage began
  std::size_t batch_done_ = 0, batch_of_ = 0;
  double batch_begin_ = 0;
};

// A watch within another one: it ends by itself after some seconds, which is its own affair, or with the
// outer one, which is everybody's.
class CappedWatch final : public Watch {
 public:
  CappedWatch(Watch* outer, double seconds);

  bool wanted() const noexcept override { return outer_wanted() || capped(); }
  bool stop(std::size_t done, std::size_t of) override;
  bool outer_wanted() const noexcept { return outer_ != nullptr && outer_->wanted(); }
  bool capped() const noexcept;

 private:
  Watch* outer_;
  double end_;
};

}  // namespace polystep
