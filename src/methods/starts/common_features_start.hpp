// A start for networks that score pairs: things that share features belong together.
//
// Such a network has no closed-form fit, and from random weights its many parameters learn little from a few
// instances. But what two rows have in common is within its reach: the smaller of two numbers is
// min(l, r) = l - max(0, l - r), a rectified unit and a linear part. Features are dealt into as many groups
// as there are units, of about equal frequency, and the start scores a pair by
//
//   slope * sum over groups of log(1 + 1 / frequency) * min(left sum, right sum) + intercept
//
// so that rare features say more than common ones. Slope and intercept are a logistic regression of the
// truth, each row's divided by its largest. No decision is made and no optimal one is needed.
#pragma once

#include <optional>
#include <vector>

#include "polystep/dataset.hpp"
#include "polystep/predictor.hpp"

namespace polystep {

// Parameters of a predictor that scores pairs; none where features or truth are negative, or it has not one
// hidden layer of at least two units and a logistic output.
std::optional<std::vector<double>> common_features_start(const Predictor& predictor, const Split& split);

}  // namespace polystep
