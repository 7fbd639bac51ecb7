// One chain of the district search: a partition, its districts' costs, and the moves between them.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "polystep/random.hpp"
#include "solvers/spanning_tree/district_search.hpp"
#include "solvers/spanning_tree/districting.hpp"
#include "solvers/spanning_tree/priced_districts.hpp"

namespace polystep::solvers {

class DistrictChain {
 public:
  DistrictChain(const DistrictGraph& graph, std::unique_ptr<DistrictValue> value, Districting start,
                const DistrictSearchOptions& options, std::size_t chain);

  DistrictSearchResult run();

 private:
  static constexpr std::uint32_t kNoUnit = DistrictMove::kNoUnit;

  struct Looked {  // at a pair of districts, without finding an improvement
    std::uint64_t pair = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t versions[2] = {0, 0};
  };

  bool improve();  // to a local optimum; false where the caller stopped it
  bool improve_pair(std::uint32_t a, std::uint32_t b, bool& changed);
  void move_at_random();
  void move_pair_at_random(std::uint32_t a, std::uint32_t b);
  void shuffle_districts();
  void collect_earlier(std::size_t at);
  Looked& looked_at(std::uint32_t a, std::uint32_t b);

  bool allows(std::uint32_t a, std::uint32_t b, const DistrictMove& move) const;
  void apply(std::uint32_t a, std::uint32_t b, const DistrictMove& move);
  bool asked_to_stop() { return stopped_ = stopped_ || (options_.stop && options_.stop()); }
  void remember_best();

  const DistrictGraph& graph_;
  PricedDistricts priced_;
  Districting& districts_;  // of priced_
  DistrictSearchOptions options_;
  std::size_t chain_;
  RandomStream random_;

  std::vector<std::uint64_t> version_;  // [districts], when it last changed
  std::uint64_t changes_ = 0;
  std::vector<Looked> looked_;  // by a hash of the pair; one that is overwritten is looked at again
  std::vector<std::uint32_t> order_, place_;  // [districts], the pass at hand
  std::vector<std::uint32_t> earlier_;        // districts beside the one at hand with an earlier place
  std::vector<std::uint32_t> border_a_, border_b_;

  std::vector<std::uint32_t> best_;  // [units]
  double best_cost_ = std::numeric_limits<double>::infinity();
  std::uint64_t moves_ = 0;
  bool stopped_ = false;
};

}  // namespace polystep::solvers
