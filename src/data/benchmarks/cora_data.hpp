// The citation data of the diverse matching benchmark: articles with words and labels, citations between
// them, and 27 instances that pair 50 left with 50 right articles.
//
// In an instance a pair is worth 1 where one article cites the other, in either direction, and 0 otherwise;
// the benchmark asks for matchings with enough pairs of the same label and enough of different labels. The
// published files are read by read_cora; generate_cora makes a stand-in of the same shape where they are not
// at hand.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace polystep {

inline constexpr std::size_t kCoraArticles = 2708;
inline constexpr std::size_t kCoraWords = 1433;
inline constexpr std::size_t kCoraLabels = 7;
inline constexpr std::size_t kCoraCitations = 5429;
inline constexpr std::size_t kCoraInstances = 27;
inline constexpr std::size_t kCoraSide = 50;                      // articles on each side of an instance
inline constexpr std::size_t kCoraPairs = kCoraSide * kCoraSide;  // pair 50 i + j: left i with right j
inline constexpr std::size_t kCoraTestInstances = 5;              // the last ones
inline constexpr std::size_t kCoraValidationInstances = 5;        // those before

struct CoraArticle {
  std::uint64_t paper_id = 0;
  std::size_t label = 0;
  std::vector<std::uint16_t> words;  // positions of the words that occur, rising
};

struct CoraInstance {
  std::array<std::size_t, kCoraSide> left;   // article indices
  std::array<std::size_t, kCoraSide> right;  // article indices
};

struct CoraData {
  std::vector<std::string> label_names;               // [labels]
  std::vector<CoraArticle> articles;                  // [articles]
  std::vector<std::array<std::size_t, 2>> citations;  // [citations], cited then citing article
  std::vector<CoraInstance> instances;                // [instances]

  // The true weights, 1 where a citation joins the pair, else 0. [kCoraPairs]
  std::vector<double> weights(std::size_t instance) const;

  // 1 where the two articles of a pair share their label, else 0. [kCoraPairs]
  std::vector<std::uint8_t> same_label(std::size_t instance) const;
};

// Reads cora/*.txt. A file of another form is an InputError that names file and line.
CoraData read_cora(const std::string& data_directory);

// A stand-in: articles gather in 27 groups, one per instance, each with labels that lean to one or two of the
// seven; words depend on the label; citations stay within a group and mostly within a label.
CoraData generate_cora(std::uint64_t data_seed);

}  // namespace polystep
