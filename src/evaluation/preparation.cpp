#include "polystep/preparation.hpp"

namespace polystep {

const Found& Preparation::part(const std::string& name, const std::function<Found()>& solve) {
  const auto known = found_.find(name);
  if (known != found_.end()) return known->second;
  if (on_begin) on_begin(name);
  const Found& found = found_.emplace(name, solve()).first->second;
  if (on_end) on_end();
  return found;
}

void Preparation::save(ArchiveWriter& archive) const {
  archive.put<std::uint64_t>(found_.size());
  for (const auto& [name, found] : found_) {
    archive.put(name);
    archive.put(found.numbers);
    put(archive, found.solves);
  }
}

void Preparation::load(ArchiveReader& archive) {
  found_.clear();
  const auto parts = archive.get<std::uint64_t>();
  for (std::uint64_t n = 0; n < parts; ++n) {
    const std::string name = archive.get_text();
    Found& found = found_[name];
    found.numbers = archive.get_doubles();
    get(archive, found.solves);
  }
}

}  // namespace polystep
