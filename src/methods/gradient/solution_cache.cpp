#include "methods/gradient/solution_cache.hpp"

#include <random>
#include <utility>

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

std::size_t SolutionCache::group_of(std::size_t row) const {
  return oracle_.task().problem->instances()->group(oracle_.task().data.training.instance(row));
}

std::size_t SolutionCache::size() const {
  std::size_t members = 0;
  for (const auto& [number, group] : groups_) members += group.order.size();
  return members;
}

void SolutionCache::prepare(Preparation& preparation, SolveCounts& references) {
  oracle_.prepare(preparation, references);
  for (std::size_t row = 0; row < oracle_.task().data.training.rows; ++row)
    if (oracle_.has_reference(row)) insert(group_of(row), oracle_.reference(row));
  rebuild();
}

void SolutionCache::update(const Minibatch& batch, LearnerReport& report) {
  if (growth_.before(batch.update)) {
    std::vector<double> decisions(batch.predictions.size());
    const std::vector<SolveStatus> statuses =
        oracle_.decide(batch.rows, batch.predictions, decisions, report.solves);
    for (std::size_t i = 0; i < batch.rows.size(); ++i)
      if (statuses[i] == SolveStatus::kSolved)
        insert(group_of(batch.rows[i]), batch.layout.row(decisions, i));
  }
  rebuild();
}

std::vector<SolutionCache::Choice> SolutionCache::choices(const Minibatch& batch) const {
  std::map<std::size_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < batch.rows.size(); ++i) places[group_of(batch.rows[i])].push_back(i);
  std::vector<Choice> all;
  for (auto& [number, rows] : places)
    if (const auto group = groups_.find(number); group != groups_.end())
      all.push_back({group->second.members, std::move(rows)});
  return all;
}

void SolutionCache::insert(std::size_t group, std::span<const double> decision) {
  std::vector<float> key(decision.size());
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<float>(decision[i]) + 0.0f;  // -0 is 0
  Group& known = groups_[group];
  known.grown |= known.order.insert(std::move(key)).second;
}

void SolutionCache::rebuild() {
  for (auto& [number, group] : groups_) {
    if (!std::exchange(group.grown, false)) continue;
    group.members.resize(static_cast<Eigen::Index>(group.order.size()),
                         static_cast<Eigen::Index>(group.order.begin()->size()));
    Eigen::Index row = 0;
    for (const std::vector<float>& member : group.order) {
      for (std::size_t o = 0; o < member.size(); ++o)
        group.members(row, static_cast<Eigen::Index>(o)) = member[o];
      ++row;
    }
  }
}

void SolutionCache::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(groups_.size());
  for (const auto& [number, group] : groups_) {
    archive.put<std::uint64_t>(number);
    archive.put<std::uint64_t>(group.order.size());
    for (const std::vector<float>& member : group.order)
      archive.put(std::vector<double>(member.begin(), member.end()));
  }
}

void SolutionCache::load(ArchiveReader& archive) {
  groups_.clear();
  std::map<std::size_t, std::size_t> sizes;  // of the decisions of each group
  for (std::size_t row = 0; row < oracle_.task().data.training.rows; ++row)
    sizes[group_of(row)] = oracle_.task().problem->decision_size(oracle_.task().data.training.instance(row));
  const auto groups = archive.get<std::uint64_t>();
  for (std::uint64_t g = 0; g < groups; ++g) {
    const auto number = archive.get<std::uint64_t>();
    if (!sizes.contains(number))
      archive.refuse("it remembers decisions of group " + std::to_string(number) +
                     ", which no training row belongs to");
    const auto count = archive.get<std::uint64_t>();
    for (std::uint64_t n = 0; n < count; ++n)
      insert(number, archive.get_doubles(sizes[number], "a remembered decision"));
  }
  rebuild();
}

}  // namespace polystep
