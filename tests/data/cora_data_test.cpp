// The citation data: facts of the published files, damaged files, and the generated stand-in.
#include "data/benchmarks/cora_data.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "data/published_files.hpp"
#include "input_error.hpp"

namespace polystep {
namespace {

using testing::read_text;
using testing::write_text;

double citations_across(const CoraData& data, std::size_t instance) {
  const auto weights = data.weights(instance);
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

TEST(PublishedCora, HasThePublishedContent) {
  POLYSTEP_NEEDS_DATA();
  const CoraData data = read_cora(find_data_directory(""));
  EXPECT_EQ(data.label_names[0], "Case_Based");
  EXPECT_EQ(data.label_names[6], "Theory");
  EXPECT_EQ(data.articles[0].paper_id, 31336u);
  EXPECT_EQ(data.articles[0].label, 2u);
  EXPECT_EQ(data.articles[0].words.size(), 20u);
  EXPECT_EQ(data.articles[0].words.front(), 118);
  EXPECT_EQ(data.articles[0].words.back(), 1426);
  std::set<std::array<std::size_t, 2>> undirected;
  for (const auto& [cited, citing] : data.citations) {
    undirected.insert({std::min(cited, citing), std::max(cited, citing)});
  }
  EXPECT_EQ(undirected.size(), 5278u);
  const double across[] = {65, 134, 115, 102, 152};
  const double across_test[] = {157, 137, 139, 153, 125};
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(citations_across(data, k), across[k]);
    EXPECT_EQ(citations_across(data, 22 + k), across_test[k]);
  }
}

TEST(PublishedCora, SameLabelTableFollowsTheLabels) {
  POLYSTEP_NEEDS_DATA();
  const CoraData data = read_cora(find_data_directory(""));
  const auto same = data.same_label(3);
  for (std::size_t pair = 0; pair < kCoraPairs; ++pair) {
    const auto& left = data.articles[data.instances[3].left[pair / 50]];
    const auto& right = data.articles[data.instances[3].right[pair % 50]];
    ASSERT_EQ(same[pair] == 1, left.label == right.label);
  }
}

TEST(GeneratedCora, HasTheShapeOfThePublishedData) {
  const CoraData data = generate_cora(0);
  EXPECT_EQ(data.label_names.size(), kCoraLabels);
  ASSERT_EQ(data.articles.size(), kCoraArticles);
  EXPECT_EQ(data.citations.size(), kCoraCitations);
  ASSERT_EQ(data.instances.size(), kCoraInstances);
  for (const CoraArticle& article : data.articles) {
    ASSERT_LT(article.label, kCoraLabels);
    ASSERT_TRUE(std::is_sorted(article.words.begin(), article.words.end()));
    ASSERT_LT(article.words.back(), kCoraWords);
  }
  std::set<std::size_t> used;
  for (const CoraInstance& instance : data.instances) {
    used.insert(instance.left.begin(), instance.left.end());
    used.insert(instance.right.begin(), instance.right.end());
  }
  EXPECT_EQ(used.size(), kCoraInstances * 2 * kCoraSide);
  double within = 0;
  for (const auto& [cited, citing] : data.citations) {
    ASSERT_NE(cited, citing);
    within += data.articles[cited].label == data.articles[citing].label ? 1 : 0;
  }
  EXPECT_NEAR(within / kCoraCitations, 0.81, 0.05);
  for (std::size_t k = 0; k < kCoraInstances; ++k) EXPECT_GT(citations_across(data, k), 50);
}

TEST(GeneratedCora, DependsOnTheSeedAlone) {
  const CoraData data = generate_cora(1), again = generate_cora(1), other = generate_cora(2);
  EXPECT_EQ(data.citations, again.citations);
  EXPECT_EQ(data.articles[77].words, again.articles[77].words);
  EXPECT_NE(data.citations, other.citations);
  EXPECT_NE(data.articles[77].words, other.articles[77].words);
}

// A well-formed set of files, written from the stand-in, that single tests then damage.
class CoraFiles : public ::testing::Test {
 protected:
  CoraFiles() {
    const CoraData data = generate_cora(0);
    for (std::size_t k = 0; k < kCoraLabels; ++k)
      labels_ += std::to_string(k) + " " + data.label_names[k] + "\n";
    for (std::size_t k = 0; k < kCoraArticles; ++k) {
      const CoraArticle& article = data.articles[k];
      articles_ += std::to_string(k) + " " + std::to_string(article.paper_id) + " " +
                   std::to_string(article.label) + " " + std::to_string(article.words.size());
      for (const auto word : article.words) articles_ += " " + std::to_string(word);
      articles_ += "\n";
    }
    for (const auto& [cited, citing] : data.citations) {
      citations_ += std::to_string(cited) + " " + std::to_string(citing) + "\n";
    }
    for (std::size_t k = 0; k < kCoraInstances; ++k) {
      instances_ += side(k, "L", data.instances[k].left) + side(k, "R", data.instances[k].right);
    }
  }

  static std::string side(std::size_t instance, const char* name,
                          const std::array<std::size_t, kCoraSide>& side) {
    std::string line = std::to_string(instance) + " " + name;
    for (const std::size_t article : side) line += " " + std::to_string(article);
    return line + "\n";
  }

  CoraData load() {
    write_text(place_.path() / "cora/labels.txt", labels_);
    write_text(place_.path() / "cora/articles.txt", articles_);
    write_text(place_.path() / "cora/citations.txt", citations_);
    write_text(place_.path() / "cora/instances.txt", instances_);
    return read_cora(place_.string());
  }

  // The sentence after the directory, which differs from run to run.
  std::string error() {
    const std::string sentence = input_error([this] { load(); });
    const std::size_t start = sentence.find("cora/");
    return start == std::string::npos ? sentence : sentence.substr(start);
  }

  static void replace(std::string& text, const std::string& before, const std::string& after) {
    const std::size_t place = text.find(before);
    ASSERT_NE(place, std::string::npos);
    text.replace(place, before.size(), after);
  }

  testing::TemporaryDirectory place_;
  std::string labels_, articles_, citations_, instances_;
};

TEST_F(CoraFiles, WellFormedOnesAreRead) {
  const CoraData data = load();
  const CoraData expected = generate_cora(0);
  EXPECT_EQ(data.citations, expected.citations);
  EXPECT_EQ(data.articles[2707].words, expected.articles[2707].words);
  EXPECT_EQ(data.weights(26), expected.weights(26));
}

TEST_F(CoraFiles, AMissingLineIsReported) {
  labels_.erase(labels_.find("6 "));
  EXPECT_EQ(error(), "cora/labels.txt line 7: found the end of the file, expected another line");
}

TEST_F(CoraFiles, ALineTooManyIsReported) {
  citations_ += "1 2\n";
  EXPECT_EQ(error(), "cora/citations.txt line 5430: found another line, expected the end of the file");
}

TEST_F(CoraFiles, NumbersOutOfRangeAreReported) {
  replace(articles_, "\n1 1 ", "\n1 x ");
  EXPECT_EQ(error(),
            "cora/articles.txt line 2: found 'x' as paper id, expected a whole number from 0 to 4294967295");
}

TEST_F(CoraFiles, WordsMustRise) {
  const std::size_t end = articles_.find('\n');
  const std::size_t last = articles_.rfind(' ', end);
  articles_.replace(last, end - last, " 0");
  EXPECT_NE(error().find("cora/articles.txt line 1: found word 0 after word "), std::string::npos);
}

TEST_F(CoraFiles, ArticlesComeInOrder) {
  replace(articles_, "\n1 ", "\n5 ");
  EXPECT_EQ(error(), "cora/articles.txt line 2: found article '5', expected 1");
}

TEST_F(CoraFiles, NoArticleCitesItself) {
  citations_.replace(0, citations_.find('\n'), "4 4");
  EXPECT_EQ(error(), "cora/citations.txt line 1: found article 4 citing itself, expected two articles");
}

TEST_F(CoraFiles, NoArticleIsInTwoPlaces) {
  replace(instances_, "0 L 0 2 ", "0 L 2 2 ");
  EXPECT_EQ(error(),
            "cora/instances.txt line 1: found article 2 a second time, expected every article once at most");
}

TEST_F(CoraFiles, SidesComeInOrder) {
  replace(instances_, "0 R ", "0 L ");
  EXPECT_EQ(error(), "cora/instances.txt line 2: found side 'L', expected 'R'");
}

}  // namespace
}  // namespace polystep
