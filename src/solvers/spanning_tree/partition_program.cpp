#include "solvers/spanning_tree/partition_program.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polystep/tile.hpp"
#include "solvers/spanning_tree/partition_builder.hpp"

namespace polystep::solvers {
namespace {

using namespace simd;

template <class Lanes>
POLYSTEP_INLINE void sweep(const PartitionProgram::View& view, const double* costs, double* value) {
  for (std::size_t state = 1; state < view.states; ++state) {
    const PartitionProgram::Arc* arc = view.arcs + view.first_arc[state];
    const PartitionProgram::Arc* const end = view.arcs + view.first_arc[state + 1];
    auto best = load<Lanes>(costs + kLanes * arc->set) + load<Lanes>(value + kLanes * arc->target);
    for (++arc; arc != end; ++arc) {
      best = Lanes::smaller(
          load<Lanes>(costs + kLanes * arc->set) + load<Lanes>(value + kLanes * arc->target), best);
    }
    store(value + kLanes * state, best);
  }
}

void sweep_baseline(const PartitionProgram::View& view, const double* costs, double* value) {
  for (std::size_t lane = 0; lane < kLanes; lane += FourLanes::kWidth) {
    sweep<FourLanes>(view, costs + lane, value + lane);
  }
}

POLYSTEP_AVX512 void sweep_avx512(const PartitionProgram::View& view, const double* costs, double* value) {
  sweep<EightLanes>(view, costs, value);
}

void fit(AlignedDoubles& numbers, std::size_t size) {
  if (numbers.size() < size) numbers.resize(size);
}

}  // namespace

std::unique_ptr<PartitionProgram> PartitionProgram::build(const DistrictGraph& graph,
                                                          const ConnectedSets& sets,
                                                          const PartitionProgramOptions& options) {
  require_supported(options.instruction_set, "partitions");
  if (graph.units() > kMostUnits) return nullptr;
  PartitionProgramBuilder builder(graph, sets);
  std::unique_ptr<PartitionProgram> program(new PartitionProgram);
  if (!builder.build(options, *program)) return nullptr;
  program->sets_ = sets.size();
  program->districts_ = graph.sizes().count;
  program->sweep_ = options.instruction_set == InstructionSet::kAvx512 ? sweep_avx512 : sweep_baseline;
  return program;
}

// The sweep kept no arcs: the first that attains a state's value is found again on the way back.
void PartitionProgram::walk_back(const double* costs, const double* value, std::size_t stride,
                                 std::uint32_t* chosen) const {
  std::size_t state = states() - 1;
  for (std::size_t k = 0; k < districts_; ++k) {
    const Arc* arc = &arcs_[first_arc_[state]];
    while (costs[stride * arc->set] + value[stride * arc->target] != value[stride * state]) ++arc;
    chosen[k] = arc->set;
    state = arc->target;
  }
  std::sort(chosen, chosen + districts_);
}

double PartitionProgram::solve(std::span<const double> costs, Workspace& work,
                               std::span<std::uint32_t> chosen) const {
  fit(work.value, states());
  double* const value = work.value.data();
  value[0] = 0;
  for (std::size_t state = 1; state < states(); ++state) {
    double best = 0;
    for (std::uint32_t k = first_arc_[state]; k < first_arc_[state + 1]; ++k) {
      const double candidate = costs[arcs_[k].set] + value[arcs_[k].target];
      if (k == first_arc_[state] || candidate < best) best = candidate;
    }
    value[state] = best;
  }
  const double total = value[states() - 1];
  if (std::isfinite(total)) walk_back(costs.data(), value, 1, chosen.data());
  return total;
}

void PartitionProgram::solve_tile(const double* costs, Workspace& work, double* value,
                                  std::uint32_t* chosen) const {
  fit(work.value, states() * kLanes);
  std::fill_n(work.value.data(), kLanes, 0.0);
  sweep_({first_arc_.data(), arcs_.data(), states()}, costs, work.value.data());
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    value[lane] = work.value[(states() - 1) * kLanes + lane];
    if (std::isfinite(value[lane])) {
      walk_back(costs + lane, work.value.data() + lane, kLanes, chosen + lane * districts_);
    }
  }
}

}  // namespace polystep::solvers
