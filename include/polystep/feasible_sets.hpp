// What a problem knows of its instances' feasible decisions before anything is predicted or solved.
//
// An interface beside Problem, for problems whose predictions change no feasible set. Methods that remember
// decisions may then offer those of one instance to another.
#pragma once

#include <cstddef>
#include <span>

#include "polystep/problem.hpp"

namespace polystep {

class FeasibleSets {
 public:
  virtual ~FeasibleSets() = default;

  virtual bool common() const = 0;  // all instances have the same feasible decisions
  // Whether a decision that was found for another instance of the same shape is feasible for this one too.
  virtual bool admits(std::span<const double> decision, std::size_t instance) const = 0;
};

// The same for all instances.
class CommonFeasibleSet : public FeasibleSets {
 public:
  bool common() const final { return true; }
  bool admits(std::span<const double>, std::size_t) const final { return true; }
};

// nullptr: the problem does not tell, and decisions are kept to the instances they were found for.
inline const FeasibleSets* feasible_sets_of(const Problem& problem) {
  return dynamic_cast<const FeasibleSets*>(&problem);
}

}  // namespace polystep
