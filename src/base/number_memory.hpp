// Numbers that took long to compute, remembered by the key of what they were computed from: in memory, and in
// a file where there is one, for the next process.
//
// The file only grows: records of fixed size, each with a checksum. A record that a crash or a full disk left
// half written is cut off by whoever opens or extends the file next; one with a wrong checksum is passed
// over. Several processes may share the file. Being remembered is a convenience: where the file cannot be
// used, one warning says so and everything goes on without it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/content_key.hpp"
#include "base/file_descriptor.hpp"

namespace polystep {

class NumberMemory {
 public:
  using Warn = std::function<void(const std::string& sentence)>;

  NumberMemory() = default;  // without a file

  // Opens or creates the file, and its directory, and reads all of it. Where writing is refused, what there
  // is to read is still used. Warnings go to standard error unless somebody else takes them.
  explicit NumberMemory(std::filesystem::path path, Warn warn = {});

  // May be called from several threads at once, as long as nobody remembers.
  std::optional<std::int64_t> find(const ContentKey& key) const;

  void remember(const ContentKey& key, std::int64_t number);

  // Appends to the file what was remembered since the last time.
  void save();

  std::size_t size() const { return numbers_.size(); }
  bool writes() const { return file_.open(); }  // whether what is remembered still reaches the file

 private:
  void open();
  bool read_locked(std::string& reason);    // false, with the reason, where the file
  bool append_locked(std::string& reason);  // is of no use
  bool take(const std::string& bytes);
  void give_up(const std::string& reason);

  std::unordered_map<ContentKey, std::int64_t, ContentKeyHash> numbers_;
  std::filesystem::path path_;
  Warn warn_;
  FileDescriptor file_;  // closed: nothing is written (any more)
  std::string unsaved_;  // records
};

}  // namespace polystep
