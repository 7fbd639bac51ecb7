// Every decision ever found, and what each would really cost the rows it is feasible for.
//
// Where predictions are the coefficients of a linear objective, a decision once feasible for a row stays so,
// and the truth says what it costs: no solve is needed to choose among remembered decisions. A row remembers
// what it was given itself. Where its feasible set is known to hold decisions of other rows as well, all of
// them form one store that it can take from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "polystep/archive.hpp"
#include "polystep/dataset.hpp"
#include "polystep/feasible_sets.hpp"
#include "polystep/problem.hpp"

namespace polystep {

class RememberedDecisions {
 public:
  // `rows` are prepared: true parameters, and with them costs, in units of their own. Both must outlive this.
  // The problem must have a linear objective.
  RememberedDecisions(const Problem& problem, const Split& rows);

  // What a decision was, by its number in the store: the entries that are not 0.
  struct Decision {
    std::span<const std::uint32_t> index;
    std::span<const double> value;
    std::size_t size = 0;  // entries in all
  };
  // One that a row may choose.
  struct Member {
    std::uint32_t decision = 0;
    double cost = 0;  // to the row, in reality
  };

  // Returns its number in the store.
  std::uint32_t remember(std::size_t row, std::span<const double> decision);
  // The answer to the row's truth: something to train towards, and no member, for it would flatter whoever
  // chooses among members.
  std::uint32_t remember_reference(std::size_t row, std::span<const double> decision);

  std::size_t rows() const { return members_.size(); }
  std::span<const Member> members(std::size_t row) const { return members_[row]; }
  const Member* reference(std::size_t row) const {  // nullptr: none is known
    return references_[row] ? &*references_[row] : nullptr;
  }
  bool has_references() const { return has_references_; }
  Decision decision(std::uint32_t number) const {
    const Stored& stored = store_[number];
    return {std::span(indices_).subspan(stored.begin, stored.entries),
            std::span(values_).subspan(stored.begin, stored.entries), stored.size};
  }
  std::size_t distinct() const { return store_.size(); }
  double mean_size() const;  // decisions per row
  // The size of what is decided: the mean size of an entry that is not 0, each counting as much as it is
  // large; 1 where all are 0 or 1.
  double typical_entry() const;

  // Of a row's members, the cheapest in reality, the first of equals; it must have one.
  std::size_t cheapest(std::size_t row) const { return cheapest_[row]; }
  // The one that a solver with only these to choose from would take.
  std::size_t chosen(std::size_t row, std::span<const double> prediction) const;
  double sense() const { return sense_; }  // 1 to minimise, -1 to maximise
  // sense × prediction . decision
  double value(std::uint32_t number, const double* prediction) const {
    const Stored& stored = store_[number];
    const std::uint32_t* index = indices_.data() + stored.begin;
    const double* entry = values_.data() + stored.begin;
    double sum = 0;
    for (std::size_t k = 0; k < stored.entries; ++k) sum += entry[k] * prediction[index[k]];
    return sense_ * sum;
  }

  // The decisions that rows may take from the store, those found most often, at most `most` of them.
  std::vector<std::uint32_t> offered(std::size_t most) const;
  // Of these, the best ones for some predictions that the row's feasible set is known to hold; where it is
  // not known to hold any, none. `predictions` lie side by side, [outputs × kTogether]; of them `count` are
  // looked at, and as many numbers are returned.
  static constexpr std::size_t kTogether = 16;
  std::vector<std::uint32_t> best_of(std::span<const std::uint32_t> offered, std::size_t row,
                                     std::span<const double> predictions, std::size_t count) const;
  void take(std::size_t row, std::uint32_t number);  // nothing where the row has it already

  void save(ArchiveWriter& archive) const;
  void load(ArchiveReader& archive);

 private:
  // All entries lie in two rows, one decision after the other: trainings read little else.
  struct Stored {
    std::size_t begin = 0, entries = 0;
    std::size_t size = 0;
    std::uint64_t found = 0;  // how often solves ended here
  };

  std::uint32_t number_of(std::span<const double> decision);
  void set_reference(std::size_t row, std::uint32_t number);
  void fill_dense(std::uint32_t number, std::vector<double>& dense) const;

  const Problem& problem_;
  const Split& split_;
  double sense_;
  const FeasibleSets* sets_;  // nullptr: rows keep to their own decisions
  std::vector<Stored> store_;
  std::vector<std::uint32_t> indices_;  // of the entries that are not 0
  std::vector<double> values_;          // as many
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_;
  std::vector<std::vector<Member>> members_;       // [rows]
  std::vector<std::size_t> cheapest_;              // [rows], among the members
  std::vector<std::optional<Member>> references_;  // [rows]
  bool has_references_ = false;
};

}  // namespace polystep
