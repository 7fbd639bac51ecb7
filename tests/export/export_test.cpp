// Exported models predict what the engine predicts: the C header bit for bit, ONNX and JSON to rounding.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "export/exported_model.hpp"
#include "input_error.hpp"
#include "polystep/aligned.hpp"
#include "polystep/random.hpp"
#include "polystep/tile.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

struct Case {
  const char* name;
  PredictorShape shape;
  bool scaled_features;
  bool scaled_outputs;
};
void PrintTo(const Case& setting, std::ostream* out) { *out << setting.name; }

std::vector<double> draws(std::size_t count, std::uint64_t purpose, double low, double high) {
  RandomStream random(4, Purpose::kTest, purpose);
  std::vector<double> values(count);
  for (double& value : values) value = random.uniform(low, high);
  return values;
}

class Exported : public testing::TestWithParam<Case> {
 protected:
  Exported() {
    model.predictor = GetParam().shape;
    predictor = polystep::make_predictor(model.predictor);
    model.parameters = draws(predictor->parameters(), 0, -2, 2);
    const std::size_t features = predictor->row_features();
    for (std::size_t f = 0; f < features; ++f)
      model.feature_names.push_back("feature */ " + std::to_string(f));
    if (GetParam().scaled_features) model.scaling = {draws(features, 1, -5, 5), draws(features, 2, 0.1, 3)};
    if (GetParam().scaled_outputs)
      model.output_scaling = {draws(predictor->outputs(), 3, -50, 50), draws(predictor->outputs(), 4, 1, 30)};
    predictor = model.make_predictor();
    raw = draws(kInstances * predictor->feature_columns(), 5, -4, 4);
  }

  // What the engine predicts for the raw features, [instances × outputs].
  std::vector<double> expected() const {
    const std::size_t columns = predictor->feature_columns(), features = predictor->row_features();
    AlignedDoubles tile(columns * kLanes), prediction(predictor->outputs() * kLanes);
    std::vector<double> all;
    for (std::size_t instance = 0; instance < kInstances; ++instance) {
      for (std::size_t f = 0; f < columns; ++f) {
        double value = raw[instance * columns + f];
        if (!model.scaling.mean.empty())
          value = (value - model.scaling.mean[f % features]) / model.scaling.deviation[f % features];
        for (std::size_t lane = 0; lane < kLanes; ++lane) tile[f * kLanes + lane] = value;
      }
      predictor->predict(model.parameters, tile.data(), prediction.data());
      for (std::size_t o = 0; o < predictor->outputs(); ++o) all.push_back(prediction[o * kLanes]);
    }
    return all;
  }

  // The standard output of a command, whose success is required.
  std::string output_of(const std::string& command) const {
    const std::string line =
        command + " > " + (directory / "out").string() + " 2> " + (directory / "err").string();
    EXPECT_EQ(std::system(line.c_str()), 0) << TemporaryDirectory::contents(directory / "err");
    return TemporaryDirectory::contents(directory / "out");
  }

  static constexpr std::size_t kInstances = 20;
  SavedModel model;
  std::unique_ptr<Predictor> predictor;
  std::vector<double> raw;  // [instances × feature columns]
  TemporaryDirectory directory;
};

std::vector<double> hexadecimal_numbers(const std::string& text) {
  std::vector<double> values;
  const char* at = text.c_str();
  for (char* end = nullptr;; at = end) {
    const double value = std::strtod(at, &end);
    if (end == at) return values;
    values.push_back(value);
  }
}

TEST_P(Exported, CHeaderPredictsTheSameBits) {
  directory.file("model.h", to_c_header(to_layers(model, "model.bin"), "my_model"));
  std::string program =
      "#include \"model.h\"\n#include <stdio.h>\nint main(void) {\n  static const double raw[] = {";
  for (const double value : raw) program += fmt::format("{:a},", value);
  program += fmt::format(
      "0}};\n  double out[MY_MODEL_OUTPUTS];\n  int i, o;\n  for (i = 0; i < {}; ++i) {{\n"
      "    my_model_predict(raw + i * MY_MODEL_FEATURES, out);\n"
      "    for (o = 0; o < MY_MODEL_OUTPUTS; ++o) printf(\"%a\\n\", out[o]);\n  }}\n  return 0;\n}}\n",
      kInstances);
  directory.file("main.c", program);
  const std::string place = directory.path().string();
  output_of("gcc -std=c99 -Wall -Wextra -Werror -pedantic -O2 -o " + place + "/main " + place + "/main.c");
  EXPECT_EQ(hexadecimal_numbers(output_of(place + "/main")), expected());
}

TEST_P(Exported, JsonHoldsTheSameModel) {
  const auto json = nlohmann::json::parse(to_json(to_layers(model, "model.bin")));
  EXPECT_EQ(json.at("kind"), model.predictor.kind);
  EXPECT_EQ(json.at("feature_names").size(), predictor->row_features());
  std::vector<double> parameters;
  for (const auto& layer : json.at("layers")) {
    for (const auto& row : layer.at("weight"))
      for (const double value : row) parameters.push_back(value);
    for (const double value : layer.at("bias")) parameters.push_back(value);
  }
  EXPECT_EQ(parameters, model.parameters);
  EXPECT_EQ(json.contains("feature_scaling"), GetParam().scaled_features);
  EXPECT_EQ(json.contains("output_scaling"), GetParam().scaled_outputs);
}

// Debian's checker judges the file; its graph is then worked through node by node.
TEST_P(Exported, OnnxIsValidAndPredictsTheSame) {
  if (std::system("/usr/bin/python3 -c 'import onnx' 2> /dev/null") != 0)
    GTEST_SKIP() << "skipped: needs the Debian package python3-onnx";
  const auto file = directory.file("model.onnx", to_onnx(to_layers(model, "model.bin")));
  std::string features;
  for (const double value : raw) features += fmt::format("{}\n", value);
  const auto numbers = directory.file("features.txt", features);
  const std::vector<double> found = hexadecimal_numbers(
      output_of("/usr/bin/python3 tests/export/evaluate_onnx.py " + file.string() + " " + numbers.string()));
  const std::vector<double> wanted = expected();
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(found[i], wanted[i], 1e-12 * (1 + std::abs(wanted[i])));
}

INSTANTIATE_TEST_SUITE_P(Predictors, Exported,
                         testing::Values(Case{"linear", {"linear", 3, 5}, false, false},
                                         Case{"linear_scaled", {"linear", 3, 5}, true, true},
                                         Case{"shared_linear", {"shared-linear", 4, 6}, true, false},
                                         Case{"shared_linear_scaled", {"shared-linear", 2, 3}, true, true}),
                         [](const auto& info) { return info.param.name; });

TEST(Export, RefusesPredictorsThatAreNoLayers) {
  SavedModel model;
  model.predictor = {"pair-network", 3, 4, 5, 2};
  EXPECT_EQ(input_error([&] { to_layers(model, "run/model.bin"); }),
            "run/model.bin holds a pair-network predictor, expected linear, shared-linear or mlp to export");
}

TEST(Export, KnowsCIdentifiers) {
  for (const char* name : {"a", "_x", "model_2"}) EXPECT_TRUE(is_c_identifier(name)) << name;
  for (const char* name : {"", "2a", "a-b", "a b", "é"}) EXPECT_FALSE(is_c_identifier(name)) << name;
}

}  // namespace
}  // namespace polystep
