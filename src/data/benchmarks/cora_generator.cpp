// The stand-in for the citation data; its shape and rates follow the published files.
#include <algorithm>
#include <cmath>

#include "data/benchmarks/cora_data.hpp"
#include "polystep/random.hpp"

namespace polystep {
namespace {

constexpr std::size_t kGroup = 2 * kCoraSide;                  // articles of one instance
constexpr double kSameLabelCitation = 0.81;                    // share of citations within a label
constexpr std::size_t kTopicWords = kCoraWords / kCoraLabels;  // words that one label prefers

// What a stream of the generator drives. Numbers are part of the data of a seed: append, never renumber.
enum class Source : std::uint64_t { kLabels = 0, kWords = 1, kCitations = 2 };

RandomStream stream_of(std::uint64_t seed, Source source, std::size_t index) {
  return RandomStream(seed, Purpose::kDataNoise, static_cast<std::uint64_t>(source), index);
}

// Each group leans to one label, by a share that differs from group to group.
std::size_t draw_label(RandomStream& random, std::size_t main_label, double lean) {
  return random.uniform() < lean ? main_label : random.below(kCoraLabels);
}

std::vector<std::uint16_t> draw_words(RandomStream& random, std::size_t label) {
  const std::size_t count = 9 + random.below(19);
  std::vector<std::uint16_t> words;
  while (words.size() < count) {
    const bool topical = random.uniform() < 0.4;
    const std::size_t word =
        topical ? label * kTopicWords + random.below(kTopicWords) : random.below(kCoraWords);
    if (std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(static_cast<std::uint16_t>(word));
  }
  std::sort(words.begin(), words.end());
  return words;
}

// Joins an article to another one of its group, of the same label as often as in the published data.
std::size_t draw_partner(RandomStream& random, const CoraData& data, std::size_t first, std::size_t article) {
  const bool same = random.uniform() < kSameLabelCitation;
  std::size_t other = article;
  for (int attempt = 0; attempt < 50; ++attempt) {
    other = first + random.below(kGroup);
    if (other != article && (data.articles[other].label == data.articles[article].label) == same)
      return other;
  }
  return other != article ? other : first + (article - first + 1) % kGroup;
}

}  // namespace

CoraData generate_cora(std::uint64_t data_seed) {
  CoraData data;
  for (std::size_t label = 0; label < kCoraLabels; ++label)
    data.label_names.push_back("Topic_" + std::to_string(label));
  data.articles.resize(kCoraArticles);
  for (std::size_t index = 0; index < kCoraArticles; ++index) {
    const std::size_t group = index / kGroup;
    RandomStream of_group = stream_of(data_seed, Source::kLabels, group);
    const std::size_t main_label = of_group.below(kCoraLabels);
    const double lean = of_group.uniform(0.2, 0.97);
    RandomStream random = stream_of(data_seed, Source::kWords, index);
    CoraArticle& article = data.articles[index];
    article.paper_id = index;
    article.label = draw_label(random, main_label, lean);
    article.words = draw_words(random, article.label);
  }
  RandomStream random = stream_of(data_seed, Source::kCitations, 0);
  while (data.citations.size() < kCoraCitations) {
    const std::size_t article = random.below(kCoraInstances * kGroup);
    const std::size_t first = article / kGroup * kGroup;
    data.citations.push_back({draw_partner(random, data, first, article), article});
  }
  data.instances.resize(kCoraInstances);
  for (std::size_t instance = 0; instance < kCoraInstances; ++instance) {
    for (std::size_t k = 0; k < kCoraSide; ++k) {
      data.instances[instance].left[k] = instance * kGroup + 2 * k;
      data.instances[instance].right[k] = instance * kGroup + 2 * k + 1;
    }
  }
  return data;
}

}  // namespace polystep
