#include "solvers/cover/two_row_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace polystep::solvers {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kEqualCosts = 1e-9;  // of a cost, what two equal ones may differ by

// The least whole number from 0 on that is at least required / content, past what division rounds.
double units_for(double required, double content) {
  double units = std::max(0.0, std::ceil(required / content));
  if (units >= 1 && (units - 1) * content >= required) --units;
  if (units * content < required) ++units;
  return units;
}

// The most whole units of a negative content that leave `required`, which is below 0, met.
double units_within(double required, double content) {
  double units = std::floor(required / content);
  if (units > 0 && units * content < required) --units;
  return units;
}

}  // namespace

TwoRowCover::TwoRowCover(std::size_t suppliers)
    : polygons_(suppliers + 1), amounts_(suppliers), best_(suppliers) {
  suppliers_.reserve(suppliers);
  spare_.corners.resize(suppliers + 4);
  for (Polygon& polygon : polygons_) polygon.corners.resize(suppliers + 4);
}

void TwoRowCover::keep_undominated(std::span<const double> prices, std::span<const double> contents) {
  const std::size_t count = prices.size();
  const double *first = contents.data(), *second = first + count;
  suppliers_.clear();
  for (std::size_t j = 0; j < count; ++j) {
    if (!(first[j] > 0) && !(second[j] > 0)) continue;  // of no use
    bool beaten = false;
    for (std::size_t k = 0; k < count && !beaten; ++k) {
      if (k == j || prices[k] > prices[j] || first[k] < first[j] || second[k] < second[j]) continue;
      const bool equal = prices[k] == prices[j] && first[k] == first[j] && second[k] == second[j];
      beaten = !equal || k < j;
    }
    if (!beaten) suppliers_.push_back({prices[j], first[j], second[j], j});
  }
}

// Keeps the side first u + second v <= price w. Where an edge crosses the line, its ends are mixed so that no
// coordinate changes sign: a crossing between two directions is a direction, exactly.
void TwoRowCover::cut(const Polygon& from, const Supplier& supplier, Polygon& to) {
  to.count = 0;
  const auto side = [&](const Corner& corner) {
    return supplier.price * corner.w - supplier.first * corner.u - supplier.second * corner.v;
  };
  Corner last = from.corners[from.count - 1];
  double last_side = side(last);
  for (std::size_t i = 0; i < from.count; ++i) {
    const Corner& next = from.corners[i];
    const double next_side = side(next);
    if ((last_side > 0 && next_side < 0) || (last_side < 0 && next_side > 0)) {
      const double a = std::abs(next_side), b = std::abs(last_side);
      Corner mixed{last.u * a + next.u * b, last.v * a + next.v * b, last.w * a + next.w * b};
      const double unit = mixed.w > 0 ? mixed.w : mixed.u + mixed.v;
      mixed = {mixed.u / unit, mixed.v / unit, mixed.w > 0 ? 1.0 : 0.0};
      to.corners[to.count++] = mixed;
    }
    if (next_side >= 0) to.corners[to.count++] = next;
    last = next;
    last_side = next_side;
  }
}

double TwoRowCover::bound(const Polygon& polygon, const Residual& rest) const {
  double most = 0;  // the corner (0, 0) is always there
  for (std::size_t i = 0; i < polygon.count; ++i) {
    const Corner& corner = polygon.corners[i];
    const double value = rest.first * corner.u + rest.second * corner.v;
    if (corner.w > 0)
      most = std::max(most, value);
    else if (value > kShort * (required_.first + required_.second))  // rounding must not close a node
      return kInfinite;
  }
  return most;
}

// False where the first polygon has a corner at infinity: both requirements are above 0, so that the dual
// then grows without end and no purchase meets them.
bool TwoRowCover::order_by_reduced_cost() {
  Polygon *now = &polygons_[0], *next = &spare_;
  now->corners[0] = {0, 0, 1};
  now->corners[1] = {1, 0, 0};
  now->corners[2] = {0, 1, 0};
  now->count = 3;
  for (const Supplier& supplier : suppliers_) {
    cut(*now, supplier, *next);
    std::swap(now, next);
  }
  Corner best{0, 0, 1};
  double most = 0;
  for (std::size_t i = 0; i < now->count; ++i) {
    const Corner& corner = now->corners[i];
    if (corner.w == 0) return false;
    const double value = required_.first * corner.u + required_.second * corner.v;
    if (value > most) {
      most = value;
      best = corner;
    }
  }
  const auto reduced = [&](const Supplier& supplier) {
    return supplier.price - supplier.first * best.u - supplier.second * best.v;
  };
  std::ranges::sort(suppliers_, [&](const Supplier& a, const Supplier& b) {
    const double left = reduced(a), right = reduced(b);
    return left > right || (left == right && a.number > b.number);
  });
  return true;
}

// The relaxation buys from the last supplier, or from two of them. Scaled so that rounding up cannot leave
// anything short, whatever the signs, it is a purchase: whoever can be served is served.
void TwoRowCover::start_from_relaxation() {
  const std::size_t count = suppliers_.size();
  const auto offer_mix = [&](const Supplier& one, const Supplier& two, double first_units,
                             double second_units) {
    const double lost_first = std::max(0.0, -one.first) + std::max(0.0, -two.first);
    const double lost_second = std::max(0.0, -one.second) + std::max(0.0, -two.second);
    const double scale = 1 + std::max(lost_first / required_.first, lost_second / required_.second);
    std::ranges::fill(amounts_, 0.0);
    amounts_[one.number] = std::ceil(first_units * scale);
    if (one.number != two.number) amounts_[two.number] = std::ceil(second_units * scale);
    const double first = one.first * amounts_[one.number] + two.first * amounts_[two.number];
    const double second = one.second * amounts_[one.number] + two.second * amounts_[two.number];
    const bool enough = one.number == two.number || (first >= required_.first * (1 - kShort) &&
                                                     second >= required_.second * (1 - kShort));
    const double cost = one.price * amounts_[one.number] +
                        (one.number == two.number ? 0.0 : two.price * amounts_[two.number]);
    if (enough && std::isfinite(cost)) offer(cost);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const Supplier& one = suppliers_[i];
    if (one.first > 0 && one.second > 0) {
      const double units =
          std::max(units_for(required_.first, one.first), units_for(required_.second, one.second));
      offer_mix(one, one, units, 0);
    }
  }
  // Two suppliers whose contents, as a basis, give non-negative amounts; the relaxation is one of these.
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = i + 1; k < count; ++k) {
      const Supplier &one = suppliers_[i], &two = suppliers_[k];
      const double determinant = one.first * two.second - two.first * one.second;
      if (determinant == 0) continue;
      const double x = (required_.first * two.second - two.first * required_.second) / determinant;
      const double y = (one.first * required_.second - required_.first * one.second) / determinant;
      if (!(x >= 0 && y >= 0)) continue;
      if (one.price * x + two.price * y > limit()) continue;
      offer_mix(one, two, x, y);
    }
}

void TwoRowCover::offer(double cost) {
  if (cost > limit()) return;
  if (cost >= best_cost_ - slack_) {  // of equal cost: most from the lowest number
    const auto [mine, theirs] = std::ranges::mismatch(amounts_, best_);
    if (mine == amounts_.end() || *mine < *theirs) return;
    best_cost_ = std::min(best_cost_, cost);
  } else {
    best_cost_ = cost;
  }
  best_ = amounts_;
  slack_ = kEqualCosts * std::max(1.0, best_cost_);
}

// Where the relaxed cost of everything is lowest in the supplier's amount, within [low, high], which is where
// the others can do the rest. The cost is the upper envelope of a line per corner; it is followed from the
// left until it stops falling.
double TwoRowCover::cheapest_amount(const Supplier& supplier, const Polygon& others, const Residual& rest,
                                    double& low, double& high) const {
  const auto slope = [&](const Corner& corner) {
    return supplier.price * corner.w - supplier.first * corner.u - supplier.second * corner.v;
  };
  const auto value = [&](const Corner& corner) { return rest.first * corner.u + rest.second * corner.v; };
  low = 0;
  high = kInfinite;
  for (std::size_t i = 0; i < others.count; ++i) {
    const Corner& corner = others.corners[i];
    if (corner.w > 0) continue;
    const double falls = -slope(corner), height = value(corner);  // height - falls * amount <= 0
    if (falls > 0)
      low = std::max(low, height / falls);
    else if (falls < 0)
      high = std::min(high, height / falls);
    else if (height > 0)
      high = -1;
  }
  double amount = low, steepest = -kInfinite, height = -kInfinite;
  for (std::size_t i = 0; i < others.count; ++i) {
    const Corner& corner = others.corners[i];
    if (corner.w == 0) continue;
    const double rise = slope(corner), here = value(corner) + amount * rise;
    if (here > height || (here == height && rise > steepest)) {
      height = here;
      steepest = rise;
    }
  }
  while (steepest < 0 && amount < high) {
    double next = high, next_slope = steepest;
    for (std::size_t i = 0; i < others.count; ++i) {
      const Corner& corner = others.corners[i];
      if (corner.w == 0) continue;
      const double rise = slope(corner);
      if (rise <= steepest) continue;
      const double crossing =
          amount + std::max(0.0, height - value(corner) - amount * rise) / (rise - steepest);
      if (crossing < next || (crossing == next && rise > next_slope)) {
        next = crossing;
        next_slope = rise;
      }
    }
    if (next_slope == steepest) return high;
    height += (next - amount) * steepest;
    amount = next;
    steepest = next_slope;
  }
  return amount;
}

// The last supplier, in closed form.
void TwoRowCover::finish(std::size_t level, const Residual& rest, double cost) {
  const Supplier& supplier = suppliers_[level];
  double least = 0, most = kInfinite;
  for (const auto& [required, content] :
       {std::pair(rest.first, supplier.first), std::pair(rest.second, supplier.second)}) {
    if (content > 0) {
      if (required > 0) least = std::max(least, units_for(required, content));
    } else if (required > 0) {
      return;
    } else if (content < 0) {
      most = std::min(most, units_within(required, content));
    }
  }
  if (least > most) return;
  amounts_[supplier.number] = least;
  offer(cost + supplier.price * least);
  amounts_[supplier.number] = 0;
}

void TwoRowCover::search(std::size_t level, const Residual& rest, double cost) {
  if (++nodes_ >= kMostNodes) return;
  if (rest.first <= 0 && rest.second <= 0) return offer(cost);
  if (level + 1 == suppliers_.size()) return finish(level, rest, cost);
  const Supplier& supplier = suppliers_[level];
  const Polygon& others = polygons_[level + 1];
  double low = 0, high = 0;
  const double lowest = cheapest_amount(supplier, others, rest, low, high);
  const double first = std::max(0.0, std::floor(low)), last = std::ceil(high);
  const auto after = [&](double amount) {
    return Residual{rest.first - amount * supplier.first, rest.second - amount * supplier.second};
  };
  const auto least_cost = [&](double amount) {
    if (amount < first || amount > last) return kInfinite;
    return cost + amount * supplier.price + bound(others, after(amount));
  };
  double down = std::floor(lowest), up = down + 1;
  double down_cost = least_cost(down), up_cost = least_cost(up);
  while (std::min(down_cost, up_cost) <= limit() && nodes_ < kMostNodes) {
    const bool lower = down_cost <= up_cost;
    const double amount = lower ? down : up;
    amounts_[supplier.number] = amount;
    search(level + 1, after(amount), cost + amount * supplier.price);
    if (lower)
      down_cost = least_cost(--down);
    else
      up_cost = least_cost(++up);
  }
  amounts_[supplier.number] = 0;
}

bool TwoRowCover::solve(std::span<const double> prices, std::span<const double> contents,
                        const std::array<double, 2>& required, std::span<double> amounts) {
  nodes_ = 0;
  required_ = {required[0] * (1 - kShort), required[1] * (1 - kShort)};
  keep_undominated(prices, contents);
  if (!order_by_reduced_cost()) return false;
  const std::size_t count = suppliers_.size();
  Polygon& none = polygons_[count];
  none.corners[0] = {0, 0, 1};
  none.corners[1] = {1, 0, 0};
  none.corners[2] = {0, 1, 0};
  none.count = 3;
  for (std::size_t level = count; level-- > 0;)
    cut(polygons_[level + 1], suppliers_[level], polygons_[level]);
  best_cost_ = kInfinite;
  slack_ = 0;
  std::ranges::fill(best_, 0.0);
  std::ranges::fill(amounts_, 0.0);
  start_from_relaxation();
  std::ranges::fill(amounts_, 0.0);
  search(0, required_, 0);
  if (!std::isfinite(best_cost_)) return false;  // a purchase that numbers cannot hold
  std::ranges::copy(best_, amounts.begin());
  return true;
}

}  // namespace polystep::solvers
