// The judge of both polystepor methods: what is handed over, and how good it is on rows that did not train
// it.
//
// Where predictions can be mixed, held-out rows choose the blend of start and trained parameters; where a
// limit on infeasible decisions is asked for, validation rows set price and margin; else parameters are
// judged by their cost on the prepared validation rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "methods/constraints/infeasibility_limit.hpp"
#include "methods/polystepor/blend.hpp"
#include "methods/starts/prepared_data.hpp"
#include "polystep/method.hpp"
#include "polystep/preparation.hpp"

namespace polystep {

class Judge {
 public:
  // `bags`: the training rows of each bag; rows that some bag did not see are held out. No bags: none is.
  // `plain`: without blend and limit, the loop's own validation is enough.
  struct Setting {
    Evaluator& evaluator;
    const PreparedData& data;
    ChargedTask* charged;  // may be null
    const Options& options;
    std::span<const std::vector<std::size_t>> bags;
    bool blends;  // predictions can be mixed, and the method wants it
    bool plain;
    bool all_train = false;  // validation rows are among those of the bags: none is held out besides
  };
  Judge(const Setting& setting, std::vector<double> start);

  // Judges the start itself; `bag_starts` are those of the bags. Solves are reported with the first step.
  void prepare(std::span<const std::vector<double>> bag_starts, Preparation& preparation,
               SolveCounts& solves);

  // What to hand over for the trained parameters of the bags and their mean, in the units of prepared rows.
  // Blend, price and margin are chosen anew; with settle_again those of the last time hold.
  std::vector<double> settle(std::span<const std::vector<double>> bag_starts,
                             std::span<const std::vector<double>> trained, std::span<const double> mean,
                             LearnerReport& report);
  std::vector<double> settle_again(std::span<const double> mean) const;

  // Where the scale of predictions means nothing it drifts; a blend must not tilt for it, and a bag must not
  // count more. Gives parameters the length of `start` there.
  void rescale(std::span<const double> start, std::span<double> theta) const;

  bool blends() const { return held_out_ != nullptr; }
  std::optional<double> trained_share() const {
    return held_out_ ? std::optional(blend_.share) : std::nullopt;
  }
  std::optional<double> selection_cost() const { return selection_cost_; }

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  std::vector<double> mixed(std::span<const double> mean) const;
  void set_limit(std::span<const double> theta, SolveCounts& solves);

  Evaluator& evaluator_;
  const Options& options_;
  ChargedTask* charged_;
  bool scale_free_;
  bool plain_;
  std::vector<double> start_;                  // [parameters], fitted to all training rows
  TiledRows validation_;                       // prepared
  std::unique_ptr<HeldOutRows> held_out_;      // where predictions can be blended
  std::unique_ptr<InfeasibilityLimit> limit_;  // where one is asked for
  Blend blend_;
  std::optional<double> selection_cost_;
};

double length(std::span<const double> vector);  // Euclidean
// Where the scale of predictions means nothing it drifts: makes parameters as long as those they started
// from.
void give_length_of(std::span<const double> start, std::span<double> theta);

}  // namespace polystep
