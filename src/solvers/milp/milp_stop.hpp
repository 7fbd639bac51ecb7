// Lets CLP and CBC be stopped in the middle of a solve (polystep/stop.hpp).
//
// Both ask a handler of theirs now and then: CLP after every iteration, CBC after every node, round of cuts
// and heuristic. What they hand back after they were stopped is no answer, so callers throw Stopped then.
#pragma once

#include <CbcEventHandler.hpp>
#include <ClpEventHandler.hpp>

#include "polystep/stop.hpp"

namespace polystep::solvers {

class SimplexStop final : public ClpEventHandler {
 public:
  int event(Event what) override {
    constexpr int kGoOn = -1, kEnd = 0;
    return (what == endOfIteration || what == endOfFactorization) && stop_wanted() ? kEnd : kGoOn;
  }
  ClpEventHandler* clone() const override { return new SimplexStop(*this); }
};

class SearchStop final : public CbcEventHandler {
 public:
  CbcAction event(CbcEvent) override { return stop_wanted() ? stop : noAction; }
  CbcAction event(CbcEvent, void*) override { return stop_wanted() ? stop : noAction; }
  CbcEventHandler* clone() const override { return new SearchStop(*this); }
};

}  // namespace polystep::solvers
