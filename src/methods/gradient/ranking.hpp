// Losses that rank a cache of decisions: listwise, pairwise, pairwise-diff and map.
//
// For cached decisions s, let t_s = y . s and q_s = p . s, and s = +1 to minimise, -1 to maximise (written
// m):
//   listwise       -1/|S| sum_s softmax(-m t / tau)_s log softmax(-m q / tau)_s
//   pairwise       mean over the others of max(0, margin + m (q_best - q_s)), best = the member with lowest m
//   t pairwise-diff  mean over the others of ((q_best - q_s) - (t_best - t_s))^2 map            max over s of
//   m (x*(y) - s) . (p - y)
// The two pairwise losses keep one member per distinct value of t (in single precision). Batch losses are
// means over rows; `extra-division` divides once more by the batch size, as the published shortest-path and
// portfolio runs do.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry listwise_method();
MethodEntry pairwise_method();
MethodEntry pairwise_diff_method();
MethodEntry map_method();

}  // namespace polystep
