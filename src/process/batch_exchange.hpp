// One batch on its way through a worker: frames, retries and the isolation of guilty instances.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "process/worker_pool.hpp"

namespace polystep {

class BatchExchange {
 public:
  BatchExchange(WorkerPool& pool, SolveBatch& batch);

  void run();

 private:
  // Neighbouring instances that travel as one frame. A suspect stretch travels with nothing behind it, so
  // that a fault can only be its own.
  struct Stretch {
    std::size_t begin, end;
    bool suspect;
  };

  void line_up();
  std::size_t frames_to_send() const;
  Exchange exchange_of(const Stretch& stretch);
  void accept(const Stretch& stretch);
  void settle_fault(const ExchangeOutcome& outcome, bool conclusive);
  void give_up(std::size_t position, const std::string& reason);

  WorkerPool& pool_;
  SolveBatch& batch_;
  const RowCuts predictions_, features_, truth_, decisions_;  // of the batch's arrays
  std::unique_ptr<SolverWorker> worker_;
  std::deque<Stretch> waiting_;
  std::vector<Exchange> exchanges_;
};

}  // namespace polystep
