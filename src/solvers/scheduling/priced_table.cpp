#include "solvers/scheduling/priced_table.hpp"

#include <algorithm>

namespace polystep::solvers {

PricedTable::PricedTable(std::size_t left, std::size_t right, std::span<const std::uint8_t> same_label)
    : left_(left),
      right_(right),
      assignment_(left, right),
      stride_(assignment_.stride()),
      same_(assignment_.size() * stride_, 0),
      value_(assignment_.size() * stride_, kNever),
      loaded_(assignment_.size() * stride_, kNever) {
  for (std::size_t pair = 0; pair < same_label.size(); ++pair) {
    same_[pair / right * stride_ + pair % right] = -Units{same_label[pair]};
  }
}

void PricedTable::load(std::span<const Units> units) {
  for (std::size_t left = 0; left < left_; ++left) {
    std::copy_n(&units[left * right_], right_, &loaded_[left * stride_]);
  }
  value_ = loaded_;
  forced_.clear();
  forced_partner_.assign(left_, -1);
  changes_.clear();
  fixings_.clear();
  assignments_ = 0;
}

void PricedTable::take(std::size_t left, std::size_t right) {
  const std::size_t place = left * stride_ + right;
  found_.partner[left] = static_cast<std::int8_t>(right);
  found_.value += loaded_[place];
  ++(same_[place] != 0 ? found_.counts.same : found_.counts.different);
}

const PricedMatching& PricedTable::assign(Units price_per_same, Units price_per_different) {
  ++assignments_;
  price_per_same_ = price_per_same;
  price_per_different_ = price_per_different;
  Units* gains = assignment_.gains();
  const Units extra = price_per_same - price_per_different;
  for (std::size_t left = 0; left < assignment_.size(); ++left) {
    const std::size_t first = left * stride_;
    for (std::size_t place = first; place < first + assignment_.size(); ++place) {
      gains[place] = std::max<Units>(0, value_[place] - price_per_different - (same_[place] & extra));
    }
  }
  assignment_.solve_gains();
  found_ = PricedMatching();
  for (std::size_t left = 0; left < left_; ++left) {
    if (assignment_.is_paired(left)) take(left, static_cast<std::size_t>(assignment_.partner(left)));
  }
  for (const auto& [left, right] : forced_) take(left, right);
  return found_;
}

void PricedTable::exclude(std::size_t place) {
  if (value_[place] == kNever) return;
  changes_.push_back({place, value_[place]});
  value_[place] = kNever;
}

void PricedTable::forbid(std::size_t left, std::size_t right) {
  fixings_.push_back({changes_.size(), false});
  exclude(left * stride_ + right);
}

// A forced pair leaves the table: its two articles can have no other partner.
void PricedTable::force(std::size_t left, std::size_t right) {
  fixings_.push_back({changes_.size(), true});
  for (std::size_t other = 0; other < right_; ++other) exclude(left * stride_ + other);
  for (std::size_t other = 0; other < left_; ++other) exclude(other * stride_ + right);
  forced_.push_back({left, right});
  forced_partner_[left] = static_cast<int>(right);
}

void PricedTable::forbid_losing(Units gap) {
  fixings_.push_back({changes_.size(), false});
  const Units* prices = assignment_.prices();
  for (std::size_t left = 0; left < left_; ++left) {
    const Units profit = assignment_.profit(left);
    for (std::size_t right = 0; right < right_; ++right) {
      const std::size_t place = left * stride_ + right;
      if (value_[place] == kNever) continue;
      const Units net = value_[place] - (same_[place] != 0 ? price_per_same_ : price_per_different_);
      if (profit + prices[right] - net > gap) exclude(place);
    }
  }
}

bool PricedTable::respects_fixings(const PricedMatching& matching) const {
  for (std::size_t left = 0; left < left_; ++left) {
    const int right = matching.of(left);
    if (right >= 0 && right != forced_partner_[left] && !is_open(left, right)) return false;
  }
  return true;
}

void PricedTable::release() {
  const Fixing last = fixings_.back();
  fixings_.pop_back();
  if (last.forced) {
    forced_partner_[forced_.back()[0]] = -1;
    forced_.pop_back();
  }
  while (changes_.size() > last.changes_before) {
    value_[changes_.back().place] = changes_.back().before;
    changes_.pop_back();
  }
}

}  // namespace polystep::solvers
