// Preset `helped`: a published method with what preset `best` of polystepor has besides its way of learning.
//
// Comparing that preset with methods as published leaves open which part of a lead is the method and which is
// the preparation around it. Here a method gets the same preparation: instance weights, standardised
// features, the fitted start (where there is none, the cheapest of as many random starts) and the choice of
// parameters by validation. Its own parameters stay as published. Rates were published for raw features and
// random starts, so a tenth, a hundredth and a thousandth are tried too, and validation regret chooses among
// all epochs of all four. Problems without published settings get the options' defaults; prepared rows have
// no unit, so these suit any data.
#pragma once

#include <functional>

#include "polystep/method.hpp"

namespace polystep {

// `published`: the option values that the method was published with, by problem; none: the defaults.
Preset helped_preset(std::function<OptionValues(const PresetContext&)> published);

}  // namespace polystep
