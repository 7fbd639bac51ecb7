#include "methods/polystepor/judge.hpp"

#include <cmath>

#include "data/tables/split_rows.hpp"

namespace polystep {

double length(std::span<const double> vector) {
  double sum = 0;
  for (const double x : vector) sum += x * x;
  return std::sqrt(sum);
}

void give_length_of(std::span<const double> start, std::span<double> theta) {
  const double size = length(theta), wanted = length(start);
  if (size > 0 && wanted > 0)
    for (double& parameter : theta) parameter *= wanted / size;
}

Judge::Judge(const Setting& setting, std::vector<double> start)
    : evaluator_(setting.evaluator),
      options_(setting.options),
      charged_(setting.charged),
      scale_free_(setting.data.scale_free),
      plain_(setting.plain),
      start_(std::move(start)),
      validation_(setting.data.validation),
      limit_(make_infeasibility_limit(setting.charged, setting.evaluator, setting.data, setting.options,
                                      start_)) {
  if (!setting.blends) return;
  // Where no training row is held out, none is offered: each would be solved for nothing.
  const std::vector<std::vector<std::size_t>> one_empty_bag(1);
  held_out_ = setting.bags.empty()
                  ? std::make_unique<HeldOutRows>(evaluator_, take_rows(setting.data.training, {}),
                                                  setting.data.validation, one_empty_bag)
                  : std::make_unique<HeldOutRows>(
                        evaluator_, setting.data.training,
                        setting.all_train ? take_rows(setting.data.validation, {}) : setting.data.validation,
                        setting.bags);
}

void Judge::prepare(std::span<const std::vector<double>> bag_starts, Preparation& preparation,
                    SolveCounts& solves) {
  if (held_out_) {
    const BlendPart start{bag_starts, start_};
    const Found& found = preparation.part("the start on held-out rows", [&]() -> Found {
      held_out_->choose(start, start, start_alone());
      return {held_out_->start_costs(), held_out_->solves()};
    });
    blend_ = held_out_->resume(start, found.numbers);
    selection_cost_ = blend_.cost;
    solves += found.solves;
  }
  if (limit_) {
    const Found& found = preparation.part("the margin of the start", [&]() -> Found {
      SolveCounts own;
      set_limit(mixed(start_), own);
      return {limit_->state(), own};
    });
    limit_->restore(found.numbers);
    if (held_out_) held_out_->forget_start();
    selection_cost_ = limit_->selection_cost();
    solves += found.solves;
  } else if (!held_out_ && !plain_) {
    const Found& found = preparation.part("the start on validation rows", [&]() -> Found {
      const Evaluation evaluation = evaluator_.evaluate(start_, validation_);
      return {{evaluation.mean_cost}, evaluation.solves};
    });
    selection_cost_ = found.numbers.front();
    solves += found.solves;
  }
}

std::vector<double> Judge::settle(std::span<const std::vector<double>> bag_starts,
                                  std::span<const std::vector<double>> trained, std::span<const double> mean,
                                  LearnerReport& report) {
  if (held_out_) {
    blend_ = held_out_->choose({bag_starts, start_}, {trained, mean}, shares_to_try(options_.flag("blend")));
    selection_cost_ = blend_.cost;
    report.solves += held_out_->solves();
    report.figures.emplace_back("blend", blend_.share);
    report.figures.emplace_back("held_out_cost", blend_.cost);
  }
  std::vector<double> theta = mixed(mean);
  if (limit_) {
    set_limit(theta, report.solves);
    report.figures.emplace_back("infeasibility_price", charged_->price());
    report.figures.emplace_back("margin", limit_->margin());
    report.figures.emplace_back("validation_infeasible", limit_->infeasible());
    return limit_->apply_again(theta);
  }
  if (!held_out_ && !plain_) {
    const Evaluation evaluation = evaluator_.evaluate(theta, validation_);
    selection_cost_ = evaluation.mean_cost;
    report.solves += evaluation.solves;
  }
  return theta;
}

std::vector<double> Judge::settle_again(std::span<const double> mean) const {
  std::vector<double> theta = mixed(mean);
  return limit_ ? limit_->apply_again(theta) : theta;
}

std::vector<double> Judge::mixed(std::span<const double> mean) const {
  std::vector<double> theta(mean.begin(), mean.end());
  if (held_out_)
    for (std::size_t i = 0; i < theta.size(); ++i)
      theta[i] = (1 - blend_.share) * start_[i] + blend_.share * theta[i];
  return theta;
}

// The price is set anew and the margin to what validation rows need.
void Judge::set_limit(std::span<const double> theta, SolveCounts& solves) {
  limit_->set_price(theta);
  if (held_out_) held_out_->forget_start();
  limit_->apply(theta);
  selection_cost_ = limit_->selection_cost();
  solves += limit_->take_solves();
}

void Judge::rescale(std::span<const double> start, std::span<double> theta) const {
  if (held_out_ && scale_free_) give_length_of(start, theta);
}

void Judge::save(ArchiveWriter& archive) const {
  archive.put(blend_.share);
  archive.put(blend_.cost);
  archive.put(selection_cost_.value_or(0));
  if (limit_) archive.put(limit_->state());
}

void Judge::load(ArchiveReader& archive) {
  blend_.share = archive.get<double>();
  blend_.cost = archive.get<double>();
  const auto selection = archive.get<double>();
  if (selection_cost_) selection_cost_ = selection;
  if (!limit_) return;
  limit_->restore(archive.get_doubles(4, "the state of the limit"));
  if (held_out_) held_out_->forget_start();  // it was judged at another price
}

}  // namespace polystep
