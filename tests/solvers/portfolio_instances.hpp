// Portfolio instances of many kinds, and a log-barrier method that shares nothing with the solver under test.
#pragma once

#include <Eigen/Dense>
#include <cmath>
#include <string>
#include <vector>

#include "polystep/random.hpp"

namespace polystep::solvers {

struct PortfolioInstance {
  std::size_t assets = 0;
  std::vector<double> loadings;  // [assets × 4]
  double specific_variance = 1e-4;
  double risk_limit = 0;
  std::vector<double> values;  // [assets]

  Eigen::MatrixXd covariance() const {
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const auto count = static_cast<Eigen::Index>(assets);
    const Eigen::MatrixXd l = Eigen::Map<const RowMajor>(loadings.data(), count, 4);
    return l * l.transpose() + specific_variance * Eigen::MatrixXd::Identity(count, count);
  }
  double equal_parts_variance() const { return covariance().sum() / static_cast<double>(assets * assets); }
};

enum class Returns { kPositive, kMixed, kTied, kNearlyTied, kSpread };
inline constexpr Returns kAllReturns[] = {Returns::kPositive, Returns::kMixed, Returns::kTied,
                                          Returns::kNearlyTied, Returns::kSpread};

inline std::vector<double> draw_returns(RandomStream& random, Returns kind, std::size_t assets) {
  std::vector<double> values(assets);
  for (double& value : values) {
    const double normal = random.normal();
    switch (kind) {
      case Returns::kPositive:
        value = 0.1 + 0.02 * normal;
        break;
      case Returns::kMixed:
        value = 0.05 * normal;
        break;
      case Returns::kTied:
        value = 0.1 * static_cast<double>(random.below(3));
        break;
      case Returns::kNearlyTied:
        value = 0.1 + 1e-9 * normal;
        break;
      case Returns::kSpread:
        value = std::exp(3 * normal) * (random.uniform() < 0.3 ? -1 : 1);
        break;
    }
  }
  return values;
}

// risk: the limit, as a multiple of the variance of equal parts; loading: scale of the factors.
inline PortfolioInstance draw_portfolio(RandomStream& random, std::size_t assets, Returns kind, double risk,
                                        double loading) {
  PortfolioInstance instance;
  instance.assets = assets;
  for (std::size_t k = 0; k < 4 * assets; ++k)
    instance.loadings.push_back(loading * random.uniform(-0.0025, 0.0025));
  instance.risk_limit = risk * instance.equal_parts_variance();
  instance.values = draw_returns(random, kind, assets);
  return instance;
}

// The optimal value up to a share of about 1e-9, from below: Newton's method on
// -t v.x - sum log x - log(1 - sum x) - log(gamma - x' Sigma x) for growing t.
class Barrier {
 public:
  explicit Barrier(const PortfolioInstance& instance)
      : covariance_(instance.covariance() / instance.risk_limit),
        values_(Eigen::Map<const Eigen::VectorXd>(instance.values.data(),
                                                  static_cast<Eigen::Index>(instance.assets))) {}

  double best_value() {
    const double largest = values_.maxCoeff();
    if (largest <= 0) return 0;
    const auto count = static_cast<double>(values_.size());
    const double inside = std::min(0.5 / count, 0.5 / std::sqrt(covariance_.cwiseAbs().sum()));
    x_ = Eigen::VectorXd::Constant(values_.size(), inside);
    double weight = 1 / largest;
    for (int round = 0; round < 60; ++round) {
      for (int step = 0; step < 60 && newton(weight); ++step) {
      }
      if ((count + 2) / weight < 1e-9 * values_.dot(x_)) break;
      weight *= 8;
    }
    return values_.dot(x_);
  }

 private:
  double objective(const Eigen::VectorXd& x, double weight) const {
    const double budget = 1 - x.sum(), risk = 1 - x.dot(covariance_ * x);
    if (x.minCoeff() <= 0 || budget <= 0 || risk <= 0) return INFINITY;
    return -weight * values_.dot(x) - x.array().log().sum() - std::log(budget) - std::log(risk);
  }

  bool newton(double weight) {  // false: arrived
    const double budget = 1 - x_.sum();
    const Eigen::VectorXd pull = covariance_ * x_;
    const double risk = 1 - x_.dot(pull);
    Eigen::VectorXd gradient = -weight * values_ - x_.cwiseInverse() + (2 / risk) * pull;
    gradient.array() += 1 / budget;
    Eigen::MatrixXd hessian = (2 / risk) * covariance_ + (4 / (risk * risk)) * pull * pull.transpose();
    hessian.array() += 1 / (budget * budget);
    hessian.diagonal() += x_.cwiseAbs2().cwiseInverse();
    const Eigen::VectorXd direction = -hessian.llt().solve(gradient);
    const double decrement = -gradient.dot(direction);
    const double before = objective(x_, weight);
    for (double length = 1; length > 1e-10; length /= 2) {
      const Eigen::VectorXd next = x_ + length * direction;
      if (!(objective(next, weight) <= before - 0.1 * length * decrement)) continue;
      x_ = next;
      return decrement > 1e-8;
    }
    return false;
  }

  Eigen::MatrixXd covariance_;  // in units of the risk limit
  Eigen::VectorXd values_;
  Eigen::VectorXd x_;
};

}  // namespace polystep::solvers
