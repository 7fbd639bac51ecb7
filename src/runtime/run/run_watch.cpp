#include "runtime/run/run_watch.hpp"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <utility>

namespace polystep {
namespace {

constexpr double kDrawInterval = 0.05;  // seconds

// Good to some milliseconds, and cheap enough to be read once per solve.
double coarse_seconds() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

}  // namespace

RunWatch::RunWatch(Setting setting)
    : setting_(std::move(setting)), begin_(coarse_seconds()), end_(setting_.seconds) {}

double RunWatch::seconds() const { return coarse_seconds() - begin_; }

bool RunWatch::wanted() const noexcept {
  if (mine()) look();
  return interrupted_.load(std::memory_order_relaxed) || out_of_time();
}

void RunWatch::look() const noexcept {
  try {
    if (setting_.interrupted && setting_.interrupted()) interrupted_ = true;
    const double now = seconds();
    if (now - drawn_ < kDrawInterval) return;
    drawn_ = now;
    draw();
  } catch (...) {
    thrown_ = std::current_exception();
    interrupted_ = true;
  }
}

bool RunWatch::interrupted() const {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  if (mine() && setting_.interrupted && setting_.interrupted()) interrupted_ = true;
  return interrupted_;
}

bool RunWatch::stop(std::size_t done, std::size_t of) {
  if (done <= batch_done_ || of != batch_of_) batch_begin_ = seconds();
  batch_done_ = done;
  batch_of_ = of;
  draw();
  return interrupted() || out_of_time();
}

void RunWatch::stage(const std::string& what) {
  unit_ = what;
  state_ = {};
  state_.timed = false;
  in_stage_ = true;
  left_ = {};
  batch_done_ = batch_of_ = 0;
  stage_begin_ = seconds();
  draw();
}

void RunWatch::show(const ProgressState& state, std::optional<double> left) {
  unit_ = state.unit;
  state_ = state;
  in_stage_ = false;
  left_ = left;
  batch_done_ = batch_of_ = 0;
  stage_begin_ = seconds();
  draw();
}

// Within a stage the time left is told from the batch under way, else from what was expected.
void RunWatch::draw() const {
  if (setting_.progress == ProgressStyle::kQuiet || unit_.empty()) return;
  const double now = seconds();
  if (now < setting_.silence) return;
  if (!progress_) progress_ = std::make_unique<Progress>(setting_.progress);
  ProgressState state = state_;
  state.unit = unit_;
  const auto done = static_cast<double>(batch_done_), of = static_cast<double>(batch_of_);
  const bool counted = batch_of_ > 1 && batch_done_ < batch_of_;  // one alone, or all of them, are no measure
  std::string unit;
  state.counted = counted || !in_stage_;
  if (in_stage_ && counted) {
    state.unit = unit = unit_ + ", batch";
    state.step = static_cast<std::int64_t>(batch_done_);
    state.steps = static_cast<std::int64_t>(batch_of_);
    if (batch_done_ > 1) state.left = (now - batch_begin_) / (done - 1) * (of - done);
  } else if (!in_stage_) {
    // What takes longer than expected is not about to end: then only what it took is said.
    const double left = left_.value_or(0) - (now - stage_begin_);
    state.timed = !left_;
    if (left > 0) state.left = left;
    if (counted) detail_ = fmt::format("batch {}/{}", batch_done_, batch_of_);
    if (counted) state.detail = detail_;
  }
  progress_->update(state);
}

void RunWatch::finish(const ProgressState& state) {
  if (setting_.progress == ProgressStyle::kQuiet) return;
  if (!progress_) progress_ = std::make_unique<Progress>(setting_.progress);
  progress_->finish(state);
  clear();
}

void RunWatch::clear() {
  progress_.reset();
  unit_.clear();
}

CappedWatch::CappedWatch(Watch* outer, double seconds) : outer_(outer), end_(coarse_seconds() + seconds) {}

bool CappedWatch::capped() const noexcept { return coarse_seconds() >= end_; }

bool CappedWatch::stop(std::size_t done, std::size_t of) {
  return (outer_ != nullptr && outer_->stop(done, of)) || capped();
}

}  // namespace polystep
