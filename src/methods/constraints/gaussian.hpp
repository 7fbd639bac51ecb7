// Gaussian likelihood: the predictor is the mean of a normal distribution with a trained variance per output,
// fitted to the true parameters; decisions play no role. The published tables call it MSE.
//
// In units of the training data, with prediction m, truth s and log variance t per output, the loss is the
// batch mean of the sum over outputs of (m - s)^2 exp(-t) / 2 + t / 2. The best epoch by squared error on the
// validation rows is kept; training stops after `patience` epochs without an improvement by more than 1.
#pragma once

#include "polystep/method.hpp"

namespace polystep {

MethodEntry gaussian_method();

}  // namespace polystep
