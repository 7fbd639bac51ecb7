#include "process/batch_exchange.hpp"

#include <algorithm>
#include <cmath>

#include "polystep/stop.hpp"

namespace polystep {
namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
}

template <class Values>
auto rows_of(Values& values, const RowCuts& cuts, std::size_t begin, std::size_t end) {
  return std::span(values).subspan(cuts.at(begin), cuts.at(end) - cuts.at(begin));
}

constexpr RowCuts kOneEach{1, {}};

std::span<const std::size_t> part(const RowCuts& cuts, std::size_t begin, std::size_t end) {
  return cuts.begin.empty() ? cuts.begin : cuts.begin.subspan(begin, end - begin + 1);
}

}  // namespace

BatchExchange::BatchExchange(WorkerPool& pool, SolveBatch& batch)
    : pool_(pool),
      batch_(batch),
      predictions_{pool.shape().outputs, batch.prediction_begin},
      features_{pool.shape().feature_columns, batch.feature_begin},
      truth_{pool.shape().truth_columns, batch.truth_begin},
      decisions_{pool.shape().decision_size, batch.decision_begin} {
  const std::size_t count = batch.instances.size();
  batch_.solved.assign(count, 0);
  batch_.decisions.assign(decisions_.at(count), 0.0);
  batch_.costs.assign(batch.wants_cost ? count : 0, 0.0);
}

void BatchExchange::run() {
  line_up();
  if (waiting_.empty()) return;
  worker_ = pool_.take();
  while (!waiting_.empty()) {
    stop_if_wanted();
    if (!worker_->running()) {
      worker_.reset();
      worker_ = pool_.restart();
    }
    const bool fresh = worker_->fresh();
    exchanges_.clear();
    for (std::size_t i = 0; i < frames_to_send(); ++i) exchanges_.push_back(exchange_of(waiting_[i]));
    const ExchangeOutcome outcome = worker_->exchange(exchanges_);
    for (std::size_t i = 0; i < outcome.answered; ++i) {
      accept(waiting_.front());
      waiting_.pop_front();
    }
    if (outcome.fault != Fault::kNone) settle_fault(outcome, fresh && exchanges_.size() == 1);
  }
  pool_.give_back(std::move(worker_));
}

// Stretches of instances in order, the suspects last and one by one: a newly started worker that meets one of
// them may just as well meet the next.
void BatchExchange::line_up() {
  const std::set<std::uint64_t> suspects = pool_.suspects();
  const std::size_t count = batch_.instances.size();
  std::size_t begin = 0;
  std::vector<Stretch> last;
  const auto cut = [&](std::size_t end) {
    if (begin < end) waiting_.push_back({begin, end, false});
    begin = end;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const bool sendable = all_finite(rows_of(batch_.predictions, predictions_, i, i + 1));
    const bool suspect = suspects.contains(batch_.instances[i]);
    if (!sendable || suspect) {
      cut(i);
      begin = i + 1;
      if (suspect && sendable) last.push_back({i, i + 1, true});
      if (!sendable) give_up(i, "its prediction is not finite");
    } else if (i + 1 - begin == pool_.frame_size()) {
      cut(i + 1);
    }
  }
  cut(count);
  waiting_.insert(waiting_.end(), last.begin(), last.end());
}

std::size_t BatchExchange::frames_to_send() const {
  if (waiting_.front().suspect) return 1;
  const auto end = std::find_if(waiting_.begin(), waiting_.end(), [](const Stretch& s) { return s.suspect; });
  return static_cast<std::size_t>(end - waiting_.begin());
}

Exchange BatchExchange::exchange_of(const Stretch& stretch) {
  const auto [begin, end, suspect] = stretch;
  Exchange exchange;
  exchange.request.instances = rows_of(batch_.instances, kOneEach, begin, end);
  exchange.request.predictions = rows_of(batch_.predictions, predictions_, begin, end);
  if (!batch_.features.empty()) exchange.request.features = rows_of(batch_.features, features_, begin, end);
  if (!batch_.truth.empty()) exchange.request.truth = rows_of(batch_.truth, truth_, begin, end);
  exchange.request.begins = {part(predictions_, begin, end), part(features_, begin, end),
                             part(truth_, begin, end), part(decisions_, begin, end)};
  exchange.request.wants_cost = batch_.wants_cost;
  exchange.answer.solved = rows_of(batch_.solved, kOneEach, begin, end);
  exchange.answer.decisions = rows_of(batch_.decisions, decisions_, begin, end);
  if (batch_.wants_cost) exchange.answer.costs = rows_of(batch_.costs, kOneEach, begin, end);
  return exchange;
}

void BatchExchange::accept(const Stretch& stretch) {
  std::uint64_t solved = 0, declined = 0;
  for (std::size_t i = stretch.begin; i < stretch.end; ++i) {
    const bool finite = all_finite(rows_of(batch_.decisions, decisions_, i, i + 1)) &&
                        (!batch_.wants_cost || std::isfinite(batch_.costs[i]));
    if (!finite) {
      pool_.count_fault(Fault::kGarbage);
      give_up(i, "its answer has numbers that are not finite");
    } else if (batch_.solved[i]) {
      ++solved;
    } else {
      ++declined;
    }
  }
  pool_.count_answers(solved, declined);
  if (stretch.suspect && stretch.end - stretch.begin == 1 && batch_.solved[stretch.begin])
    pool_.acquit(batch_.instances[stretch.begin]);
}

// The first stretch was not answered. `conclusive`: it travelled alone, to a new worker.
void BatchExchange::settle_fault(const ExchangeOutcome& outcome, bool conclusive) {
  pool_.count_fault(outcome.fault);
  const Stretch guilty = waiting_.front();
  if (guilty.end - guilty.begin > 1) {
    const std::size_t middle = guilty.begin + (guilty.end - guilty.begin) / 2;
    waiting_.front() = {middle, guilty.end, true};
    waiting_.push_front({guilty.begin, middle, true});
  } else if (!conclusive) {
    waiting_.front().suspect = true;
  } else {
    waiting_.pop_front();
    pool_.suspect(batch_.instances[guilty.begin]);
    give_up(guilty.begin, "the solver " + outcome.reason);
  }
}

void BatchExchange::give_up(std::size_t position, const std::string& reason) {
  const std::span<double> decision = rows_of(batch_.decisions, decisions_, position, position + 1);
  batch_.solved[position] = 0;
  std::fill(decision.begin(), decision.end(), 0.0);
  if (batch_.wants_cost) batch_.costs[position] = 0;
  pool_.charge(batch_.instances[position], reason);
}

}  // namespace polystep
