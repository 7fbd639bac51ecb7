// Both forms of frames: what is written reads back, and what is malformed is refused by a sentence.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "process/frames.hpp"

namespace polystep {
namespace {

// Two instances of three outputs, decisions of two components, costs asked of the solver.
struct TwoInstances {
  FrameShape shape{
      .outputs = 3, .decision_size = 2, .feature_columns = 1, .truth_columns = 2, .solver_cost = true};
  std::vector<std::uint64_t> instances = {7, 1u << 20};
  std::vector<double> predictions = {0.1, -2, 1e300, 5e-324, 0.30000000000000004, 1.0 / 3};
  std::vector<double> features = {4, 5};
  std::vector<double> truth = {1, 2, 3, 4};
  SolveRequest request{.number = 9,
                       .instances = instances,
                       .predictions = predictions,
                       .features = features,
                       .truth = truth,
                       .wants_cost = true};
  std::vector<std::uint8_t> solved = {9, 9};
  std::vector<double> decisions = {9, 9, 9, 9};
  std::vector<double> costs = {9, 9};
  SolveAnswer answer{solved, decisions, costs};
};

std::string refusal(const FrameCodec& codec, std::string_view frame) {
  TwoInstances two;
  try {
    const std::size_t length = codec.frame_length(frame, codec.longest_answer(two.shape, two.request));
    if (length == 0) return "incomplete";
    codec.read_answer(two.shape, two.request, frame.substr(0, length), two.answer);
  } catch (const FrameError& error) {
    return error.what();
  }
  return "accepted";
}

template <class... Numbers>
std::string bytes_of(Numbers... numbers) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof(numbers)), ...);
  return bytes;
}

// length, kind, number, count, zero, two statuses, four components, two costs: 24 + 8 + 32 + 16 bytes
std::string binary_answer(std::uint32_t length = 76, std::uint32_t kind = 3, std::uint64_t number = 9,
                          std::uint32_t count = 2, std::uint32_t zero = 0, std::uint8_t status = 1) {
  return bytes_of(length, kind, number, count, zero, std::uint8_t{1}, status, std::uint16_t{0},
                  std::uint32_t{0}, 1.0, 2.0, 3.0, 4.0, 0.5, 0.25);
}

// The later part of a larger batch: rows of two and of one, so that begins do not count from 0.
TEST(JsonCodec, InstancesOfSeveralSizesHaveListsOfTheirOwnLengths) {
  const std::vector<std::uint64_t> instances = {3, 4};
  const std::vector<double> predictions = {1, 2, 3};
  const std::vector<std::size_t> begin = {5, 7, 8};
  const FrameShape shape{.outputs = kVaries, .decision_size = kVaries};
  const SolveRequest request{
      .number = 0,
      .instances = instances,
      .predictions = predictions,
      .features = {},
      .truth = {},
      .begins = {.predictions = begin, .features = {}, .truth = {}, .decisions = begin}};
  const auto codec = make_json_codec();
  std::string bytes;
  codec->write_greeting(shape, bytes);
  EXPECT_TRUE(nlohmann::json::parse(bytes).at("outputs").is_null());
  EXPECT_TRUE(nlohmann::json::parse(bytes).at("decision_size").is_null());
  bytes.clear();
  codec->write_request(shape, request, bytes);
  EXPECT_EQ(nlohmann::json::parse(bytes).at("predictions"), nlohmann::json::parse("[[1.0,2.0],[3.0]]"));

  std::vector<std::uint8_t> solved(2);
  std::vector<double> decisions(3);
  const SolveAnswer answer{solved, decisions, {}};
  codec->read_answer(shape, request, "{\"frame\":0,\"decisions\":[[4,5],[6]]}", answer);
  EXPECT_EQ(decisions, (std::vector<double>{4, 5, 6}));
  codec->read_answer(shape, request, "{\"frame\":0,\"decisions\":[null,[7]]}", answer);
  EXPECT_EQ(decisions, (std::vector<double>{0, 0, 7}));
  EXPECT_THROW(codec->read_answer(shape, request, "{\"frame\":0,\"decisions\":[[4,5],[6,7]]}", answer),
               FrameError);
}

TEST(JsonCodec, RequestIsOneLineWhoseNumbersReadBackToTheSameBits) {
  const TwoInstances two;
  std::string bytes;
  make_json_codec()->write_request(two.shape, two.request, bytes);
  ASSERT_EQ(bytes.find('\n'), bytes.size() - 1);
  const auto json = nlohmann::json::parse(bytes);
  EXPECT_EQ(json.at("frame"), 9);
  EXPECT_EQ(json.at("want_cost"), true);
  EXPECT_EQ(json.at("instances").get<std::vector<std::uint64_t>>(), two.instances);
  std::vector<double> predictions;
  for (const auto& row : json.at("predictions"))
    for (const double value : row) predictions.push_back(value);
  EXPECT_EQ(predictions, two.predictions);
  EXPECT_EQ(json.at("features"), nlohmann::json::parse("[[4],[5]]"));
  EXPECT_EQ(json.at("truth"), nlohmann::json::parse("[[1,2],[3,4]]"));
}

TEST(JsonCodec, DataThatAreNotSentAreNotMentioned) {
  TwoInstances two;
  two.request.features = two.request.truth = {};
  std::string bytes;
  make_json_codec()->write_request(two.shape, two.request, bytes);
  EXPECT_EQ(bytes.find("features"), std::string::npos);
  EXPECT_EQ(bytes.find("truth"), std::string::npos);
}

TEST(JsonCodec, NullIsNoDecision) {
  TwoInstances two;
  make_json_codec()->read_answer(two.shape, two.request,
                                 R"({"frame":9,"decisions":[[1,0.5],null],"costs":[3,4]})", two.answer);
  EXPECT_EQ(two.solved, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(two.decisions, (std::vector<double>{1, 0.5, 0, 0}));
  make_json_codec()->read_answer(two.shape, two.request,
                                 R"({"frame":9,"decisions":[[1,0.5],[1,1]],"costs":[null,4]})", two.answer);
  EXPECT_EQ(two.solved, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(two.decisions, (std::vector<double>{0, 0, 1, 1}));
}

TEST(JsonCodec, MalformedAnswersAreRefusedByASentence) {
  const struct {
    const char *line, *sentence;
  } cases[] = {
      {"Academic license\n", "found the line 'Academic license', expected a JSON object"},
      {"\n", "found the line '', expected a JSON object"},
      {"[1]\n", "found the line '[1]', expected a JSON object"},
      {"{\"frame\":9\n", "expected a JSON object"},
      {"{\"frame\":9,\"decisions\":[[NaN,1],[1,1]],\"costs\":[1,1]}\n", "expected a JSON object"},
      {"\xff\xfe{}\n", "expected a JSON object"},
      {"{}\n", "found no \"frame\", expected a whole number"},
      {"{\"frame\":-1}\n", "\"frame\" is '-1', expected a whole number"},
      {"{\"frame\":\"9\"}\n", "\"frame\" is '\"9\"', expected a whole number"},
      {"{\"frame\":8}\n", "\"frame\" is 8, expected 9"},
      {"{\"frame\":9}\n", "found no \"decisions\", expected a list"},
      {"{\"frame\":9,\"decisions\":5}\n",
       "\"decisions\" is '5', expected a list with one entry for each of 2"},
      {"{\"frame\":9,\"decisions\":[null]}\n",
       "\"decisions\" is a list of 1, expected a list with one entry"},
      {"{\"frame\":9,\"decisions\":[null,null]}\n", "found no \"costs\", expected a list"},
      {"{\"frame\":9,\"decisions\":[null,[1]],\"costs\":[1,1]}\n",
       "entry 1 of \"decisions\" is '[1]', expected null or a list of 2 numbers"},
      {"{\"frame\":9,\"decisions\":[[1,\"2\"],null],\"costs\":[1,1]}\n",
       "component 1 of decision 0 is '\"2\"', expected a number"},
      {"{\"frame\":9,\"decisions\":[[1,1e999],null],\"costs\":[1,1]}\n", "expected a JSON object"},
      {"{\"frame\":9,\"decisions\":[[1,1],[1,1]],\"costs\":[1,\"x\"]}\n",
       "entry 1 of \"costs\" is '\"x\"', expected null or a number"},
  };
  const auto codec = make_json_codec();
  for (const auto& [line, sentence] : cases)
    EXPECT_NE(refusal(*codec, line).find(sentence), std::string::npos) << line << refusal(*codec, line);
  EXPECT_EQ(refusal(*codec, "{\"frame\":9,\"decisions\":[[1,1],"), "incomplete");
  EXPECT_NE(refusal(*codec, std::string(1 << 20, 'x')).find("is longer than"), std::string::npos);
}

TEST(BinaryCodec, RequestHasTheDocumentedLayout) {
  const TwoInstances two;
  std::string bytes;
  make_binary_codec()->write_request(two.shape, two.request, bytes);
  ASSERT_EQ(bytes.size(), 24u + 16 + 48 + 16 + 32);
  EXPECT_EQ(bytes.substr(0, 24), bytes_of(std::uint32_t{132}, std::uint32_t{2}, std::uint64_t{9},
                                          std::uint32_t{2}, std::uint32_t{7}));
  EXPECT_EQ(std::memcmp(bytes.data() + 24, two.instances.data(), 16), 0);
  EXPECT_EQ(std::memcmp(bytes.data() + 40, two.predictions.data(), 48), 0);
  EXPECT_EQ(std::memcmp(bytes.data() + 88, two.features.data(), 16), 0);
  EXPECT_EQ(std::memcmp(bytes.data() + 104, two.truth.data(), 32), 0);
}

TEST(BinaryCodec, GreetingHasTheDocumentedLayout) {
  const TwoInstances two;
  std::string bytes;
  make_binary_codec()->write_greeting(two.shape, bytes);
  EXPECT_EQ(bytes, bytes_of(std::uint32_t{28}, std::uint32_t{1}, std::uint32_t{1}, std::uint32_t{3},
                            std::uint32_t{2}, std::uint32_t{1}, std::uint32_t{2}, std::uint32_t{4}));
}

TEST(BinaryCodec, AnswerReadsBackAndNoDecisionIsZeros) {
  TwoInstances two;
  make_binary_codec()->read_answer(two.shape, two.request, binary_answer(76, 3, 9, 2, 0, 0), two.answer);
  EXPECT_EQ(two.solved, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(two.decisions, (std::vector<double>{1, 2, 0, 0}));
  EXPECT_EQ(two.costs, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(refusal(*make_binary_codec(), binary_answer()), "accepted");
}

TEST(BinaryCodec, MalformedAnswersAreRefusedByASentence) {
  const auto codec = make_binary_codec();
  EXPECT_EQ(refusal(*codec, binary_answer(75)), "the length of a frame in bytes is 75, expected 76");
  EXPECT_EQ(refusal(*codec, bytes_of(std::uint32_t{0xffffffff})),
            "the length of a frame in bytes is 4294967295, expected 76");
  EXPECT_EQ(refusal(*codec, "{\"frame\":9}\n").substr(0, 33), "the length of a frame in bytes is");
  EXPECT_EQ(refusal(*codec, binary_answer(76, 2)), "the kind of an answer is 2, expected 3");
  EXPECT_EQ(refusal(*codec, binary_answer(76, 3, 10)), "the number of an answer is 10, expected 9");
  EXPECT_EQ(refusal(*codec, binary_answer(76, 3, 9, 3)),
            "the number of instances in an answer is 3, expected 2");
  EXPECT_EQ(refusal(*codec, binary_answer(76, 3, 9, 2, 1)), "the unused word of an answer is 1, expected 0");
  EXPECT_EQ(refusal(*codec, binary_answer(76, 3, 9, 2, 0, 2)),
            "a status is 2, expected 1 (solved) or 0 (no decision)");
  for (const std::size_t size : {0u, 3u, 4u, 20u, 79u})
    EXPECT_EQ(refusal(*codec, binary_answer().substr(0, size)), "incomplete") << size;
}

TEST(Greetings, OfAnotherVersionOrKindAreRefused) {
  EXPECT_NO_THROW(make_json_codec()->read_greeting("{\"polystepor\":1}\n"));
  EXPECT_THROW(make_json_codec()->read_greeting("{\"polystepor\":2}\n"), FrameError);
  EXPECT_THROW(make_json_codec()->read_greeting("{}\n"), FrameError);
  EXPECT_NO_THROW(
      make_binary_codec()->read_greeting(bytes_of(std::uint32_t{8}, std::uint32_t{1}, std::uint32_t{1})));
  EXPECT_THROW(
      make_binary_codec()->read_greeting(bytes_of(std::uint32_t{8}, std::uint32_t{1}, std::uint32_t{2})),
      FrameError);
  EXPECT_THROW(
      make_binary_codec()->read_greeting(bytes_of(std::uint32_t{8}, std::uint32_t{3}, std::uint32_t{1})),
      FrameError);
}

}  // namespace
}  // namespace polystep
