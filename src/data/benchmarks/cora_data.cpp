#include "data/benchmarks/cora_data.hpp"

#include <fmt/core.h>

#include <utility>

#include "data/data_directory.hpp"
#include "data/tables/word_file.hpp"

namespace polystep {
namespace {

constexpr std::uint64_t kPaperIds = std::uint64_t{1} << 32;

WordFile open(const std::string& data_directory, const std::string& name) {
  return WordFile(classical_file(data_directory, "cora/" + name));
}

void check_index(const WordFile& file, std::string_view name, std::size_t expected) {
  if (file.text(0) != std::to_string(expected)) {
    file.fail(fmt::format("found {} '{}', expected {}", name, file.text(0).substr(0, 40), expected));
  }
}

std::vector<std::string> read_labels(WordFile file) {
  std::vector<std::string> names;
  for (std::size_t label = 0; label < kCoraLabels; ++label) {
    file.expect_line();
    file.expect_fields(2);
    check_index(file, "label", label);
    if (file.text(1).empty()) file.fail("found no name, expected one after the label");
    names.emplace_back(file.text(1));
  }
  file.expect_end();
  return names;
}

CoraArticle read_article(const WordFile& file, std::size_t index) {
  if (file.fields() < 4) file.fail(fmt::format("found {} fields, expected at least 4", file.fields()));
  check_index(file, "article", index);
  CoraArticle article;
  article.paper_id = file.whole(1, "paper id", kPaperIds);
  article.label = file.whole(2, "label", kCoraLabels);
  const std::size_t words = file.whole(3, "number of words", kCoraWords + 1);
  file.expect_fields(4 + words);
  for (std::size_t k = 0; k < words; ++k) {
    const auto word = static_cast<std::uint16_t>(file.whole(4 + k, "word", kCoraWords));
    if (!article.words.empty() && word <= article.words.back()) {
      file.fail(
          fmt::format("found word {} after word {}, expected rising words", word, article.words.back()));
    }
    article.words.push_back(word);
  }
  return article;
}

std::vector<CoraArticle> read_articles(WordFile file) {
  std::vector<CoraArticle> articles;
  for (std::size_t index = 0; index < kCoraArticles; ++index) {
    file.expect_line();
    articles.push_back(read_article(file, index));
  }
  file.expect_end();
  return articles;
}

std::vector<std::array<std::size_t, 2>> read_citations(WordFile file) {
  std::vector<std::array<std::size_t, 2>> citations;
  for (std::size_t row = 0; row < kCoraCitations; ++row) {
    file.expect_line();
    file.expect_fields(2);
    const std::size_t cited = file.whole(0, "cited article", kCoraArticles);
    const std::size_t citing = file.whole(1, "citing article", kCoraArticles);
    if (cited == citing)
      file.fail(fmt::format("found article {} citing itself, expected two articles", cited));
    citations.push_back({cited, citing});
  }
  file.expect_end();
  return citations;
}

void read_side(WordFile& file, std::size_t instance, std::string_view side, std::vector<bool>& used,
               std::array<std::size_t, kCoraSide>& articles) {
  file.expect_line();
  file.expect_fields(2 + kCoraSide);
  check_index(file, "instance", instance);
  if (file.text(1) != side)
    file.fail(fmt::format("found side '{}', expected '{}'", file.text(1).substr(0, 40), side));
  for (std::size_t k = 0; k < kCoraSide; ++k) {
    articles[k] = file.whole(2 + k, "article", kCoraArticles);
    if (used[articles[k]]) {
      file.fail(
          fmt::format("found article {} a second time, expected every article once at most", articles[k]));
    }
    used[articles[k]] = true;
  }
}

std::vector<CoraInstance> read_instances(WordFile file) {
  std::vector<CoraInstance> instances(kCoraInstances);
  std::vector<bool> used(kCoraArticles, false);
  for (std::size_t instance = 0; instance < kCoraInstances; ++instance) {
    read_side(file, instance, "L", used, instances[instance].left);
    read_side(file, instance, "R", used, instances[instance].right);
  }
  file.expect_end();
  return instances;
}

}  // namespace

CoraData read_cora(const std::string& data_directory) {
  CoraData data;
  data.label_names = read_labels(open(data_directory, "labels.txt"));
  data.articles = read_articles(open(data_directory, "articles.txt"));
  data.citations = read_citations(open(data_directory, "citations.txt"));
  data.instances = read_instances(open(data_directory, "instances.txt"));
  return data;
}

std::vector<double> CoraData::weights(std::size_t instance) const {
  const CoraInstance& sides = instances[instance];
  constexpr std::size_t kAbsent = kCoraSide;
  std::vector<std::size_t> place_left(articles.size(), kAbsent);
  std::vector<std::size_t> place_right(articles.size(), kAbsent);
  for (std::size_t k = 0; k < kCoraSide; ++k) {
    place_left[sides.left[k]] = k;
    place_right[sides.right[k]] = k;
  }
  std::vector<double> weights(kCoraPairs, 0.0);
  for (const auto& [cited, citing] : citations) {
    for (const auto& [a, b] : {std::pair(cited, citing), std::pair(citing, cited)}) {
      const std::size_t left = place_left[a], right = place_right[b];
      if (left != kAbsent && right != kAbsent) weights[left * kCoraSide + right] = 1.0;
    }
  }
  return weights;
}

std::vector<std::uint8_t> CoraData::same_label(std::size_t instance) const {
  std::vector<std::uint8_t> same(kCoraPairs);
  for (std::size_t pair = 0; pair < kCoraPairs; ++pair) {
    const std::size_t left = instances[instance].left[pair / kCoraSide];
    const std::size_t right = instances[instance].right[pair % kCoraSide];
    same[pair] = articles[left].label == articles[right].label ? 1 : 0;
  }
  return same;
}

}  // namespace polystep
