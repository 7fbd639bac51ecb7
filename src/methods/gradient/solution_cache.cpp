#include "methods/gradient/solution_cache.hpp"

#include <random>

#include "polystep/random.hpp"

namespace polystep {

// A number depends on the update alone, so that a resumed run draws what an unbroken one does.
double CacheGrowth::number(std::uint64_t update) const {
  if (draw_ == Draw::kStreams) return RandomStream(seed_, Purpose::kCacheGrowth, update).uniform();
  std::mt19937 words(static_cast<std::uint32_t>(seed_));
  words.discard(2 * update);
  const std::uint64_t high = words() >> 5, low = words() >> 6;  // 27 and 26 bits, as NumPy puts them together
  return static_cast<double>(high << 26 | low) * 0x1.0p-53;
}

SolutionCache::SolutionCache(Evaluator& evaluator, const std::string& method, CacheGrowth growth)
    : oracle_(evaluator, method), growth_(growth) {}

void SolutionCache::update(const Minibatch& batch, LearnerReport& report) {
  bool grown = false;
  if (!filled_) {
    oracle_.references(report.reference_solves);
    for (std::size_t row = 0; row < oracle_.task().data.training.rows; ++row)
      grown |= insert(oracle_.reference(row));
    filled_ = true;
  }
  if (growth_.before(batch.update)) {
    std::vector<double> decisions(batch.rows.size() * oracle_.size());
    oracle_.decide(batch.rows, {batch.predictions, decisions.size()}, decisions, report.solves);
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      grown |= insert(std::span(decisions).subspan(i * oracle_.size(), oracle_.size()));
  }
  if (grown) rebuild();
}

bool SolutionCache::insert(std::span<const double> decision) {
  std::vector<float> key(decision.size());
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<float>(decision[i]) + 0.0f;  // -0 is 0
  return order_.insert(std::move(key)).second;
}

void SolutionCache::rebuild() {
  members_.resize(static_cast<Eigen::Index>(order_.size()), static_cast<Eigen::Index>(oracle_.size()));
  Eigen::Index row = 0;
  for (const std::vector<float>& member : order_) {
    for (std::size_t o = 0; o < member.size(); ++o) members_(row, static_cast<Eigen::Index>(o)) = member[o];
    ++row;
  }
}

void SolutionCache::save(ArchiveWriter& archive) const {
  archive.put<std::uint8_t>(filled_);
  archive.put<std::uint64_t>(order_.size());
  for (const std::vector<float>& member : order_)
    archive.put(std::vector<double>(member.begin(), member.end()));
}

void SolutionCache::load(ArchiveReader& archive) {
  filled_ = archive.get<std::uint8_t>() != 0;
  const auto count = archive.get<std::uint64_t>();
  order_.clear();
  for (std::uint64_t n = 0; n < count; ++n) {
    const std::vector<double> member = archive.get_doubles(oracle_.size(), "a remembered decision");
    order_.insert(std::vector<float>(member.begin(), member.end()));
  }
  rebuild();
}

Eigen::MatrixXd prediction_matrix(const Minibatch& batch) {
  Eigen::MatrixXd matrix(batch.rows.size(), batch.outputs);
  for (std::size_t i = 0; i < batch.rows.size(); ++i)
    for (std::size_t o = 0; o < batch.outputs; ++o) matrix(i, o) = batch.predictions[i * batch.outputs + o];
  return matrix;
}

Eigen::MatrixXd truth_matrix(const Minibatch& batch, const Split& training) {
  Eigen::MatrixXd matrix(batch.rows.size(), batch.outputs);
  for (std::size_t i = 0; i < batch.rows.size(); ++i)
    for (std::size_t o = 0; o < batch.outputs; ++o) matrix(i, o) = training.truth_row(batch.rows[i])[o];
  return matrix;
}

}  // namespace polystep
