// What a problem does unless it knows better.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Warray-bounds"  // a false alarm of g++ 12 about a string in the header
#endif
#include "polystep/problem.hpp"

#include <exception>
#include <stdexcept>
#include <vector>

#include "polystep/batch_problem.hpp"
#include "polystep/error.hpp"
#include "polystep/stop.hpp"

namespace polystep {

void Problem::decide_several(std::span<const double> predictions, std::size_t instance,
                             std::span<double> decisions, std::span<SolveStatus> statuses) const {
  if (const BatchProblem* many = batched()) {
    const std::vector<std::size_t> instances(statuses.size(), instance);
    many->decide_rows(predictions, instances, decisions, statuses);
    return;
  }
  const std::size_t size = outputs(instance), decided = decision_size(instance);
  for (std::size_t i = 0; i < statuses.size(); ++i) try {
      stop_if_wanted();
      statuses[i] =
          decide(predictions.subspan(i * size, size), instance, decisions.subspan(i * decided, decided));
    } catch (const SolverLost&) {
      throw;
    } catch (const std::exception&) {
      statuses[i] = SolveStatus::kFailed;
    }
}

void Problem::prior(std::size_t, std::span<double>) const {
  throw std::logic_error("a prior prediction asked of a problem that states none");
}

}  // namespace polystep
