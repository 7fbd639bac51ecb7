// A problem around another one whose solver gives no decision, or no reference, for chosen instances.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "polystep/predicted_rows.hpp"
#include "polystep/problem.hpp"

namespace polystep {

class DecliningProblem final : public Problem {
 public:
  using Chosen = std::function<bool(std::size_t instance)>;

  // Where no_reference is given, references fail by it and not by declines.
  DecliningProblem(std::unique_ptr<Problem> inner, Chosen declines, Chosen no_reference = nullptr)
      : Problem(inner->instances()),
        inner_(std::move(inner)),
        declines_(std::move(declines)),
        no_reference_(std::move(no_reference)) {}

  ProblemFacts facts() const override {
    ProblemFacts facts = inner_->facts();
    facts.has_margins = false;  // those of the inner solver know nothing of what is declined
    facts.has_references |= no_reference_ != nullptr;
    return facts;
  }
  SolveStatus decide(std::span<const double> prediction, std::size_t instance,
                     std::span<double> decision) const override {
    return declines_(instance) ? SolveStatus::kFailed : inner_->decide(prediction, instance, decision);
  }
  double cost(std::span<const double> decision, std::span<const double> truth,
              std::size_t instance) const override {
    return inner_->cost(decision, truth, instance);
  }
  Realisation realise(std::span<const double> decision, std::span<const double> truth,
                      std::size_t instance) const override {
    return inner_->realise(decision, truth, instance);
  }
  SolveStatus reference(std::size_t instance, std::span<const double> truth,
                        std::span<double> decision) const override {
    if (no_reference_ ? no_reference_(instance) : declines_(instance)) return SolveStatus::kFailed;
    return inner_->reference(instance, truth, decision);
  }
  const PredictedRows* predicted_rows() const override {
    return rows_ != nullptr ? rows_ : inner_->predicted_rows();
  }
  void use_rows(const PredictedRows& rows) { rows_ = &rows; }  // in place of the inner problem's

 private:
  std::unique_ptr<Problem> inner_;
  Chosen declines_, no_reference_;
  const PredictedRows* rows_ = nullptr;
};

inline bool no_instance(std::size_t) { return false; }
inline bool every_instance(std::size_t) { return true; }

}  // namespace polystep
