// A network of graph convolutions over the edges of an instance's graph, and dense layers behind them.
//
// Every output is an edge with a row of features of its own. Edges are adjacent where they share a node: the
// network runs on the graph's line graph. A convolution gives edge e the units
//
//   act(W1 h_e + W2 mean over adjacent e' of h_e' + b)
//
// with a mean of 0 where an edge has no neighbour; one that shares both ends counts twice. With S_v the sum
// of h over the edges at node v, the mean of e = (u, v) is (S_u + S_v - 2 h_e) / (deg u + deg v - 2), so that
// a pass costs the number of edges and not of adjacent pairs.
//
// Units are rectified but for those that published districting leaves linear: the last convolution where
// dense layers follow, and the last of several dense layers. Published there: convolutions {64, 64, 64} and
// dense layers {64, 64} on 7 features, 25,857 parameters. They start as drawn by Glorot and Bengio, biases at
// 0.
//
// theta: W1 [units × inputs], W2 [units × inputs] and b [units] of each convolution, then weight and bias of
// each dense layer and of the output.
//
// Predictions are computed in single precision; linear maps in a row are first multiplied into one. Sums run
// in one order (row_products.hpp), so that a prediction depends on its instance and theta alone. Gradients
// are those of the same function in double precision.
#pragma once

#include "polystep/predictor.hpp"

namespace polystep {

PredictorEntry graph_network_entry();

}  // namespace polystep
