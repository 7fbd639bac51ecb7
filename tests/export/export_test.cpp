// Exported models predict what the engine predicts: the C header bit for bit where there are no hidden
// layers, everything else to rounding.
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
      Tile one;
      one.features = tile.data();
      one.shape.features = columns;
      predictor->predict(model.parameters, one, prediction.data());
      for (std::size_t o = 0; o < predictor->outputs(); ++o) all.push_back(prediction[o * kLanes]);
    }
    return all;
  }

  void expect_same(const std::vector<double>& found) const {
    const std::vector<double> wanted = expected();
    ASSERT_EQ(found.size(), wanted.size());
    const double tolerance = model.predictor.kind == "pair-network" ? 1e-5 : 1e-12;  // single precision
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(found[i], wanted[i], tolerance * (1 + std::abs(wanted[i])));
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
  output_of("gcc -std=c99 -Wall -Wextra -Werror -pedantic -O2 -o " + place + "/main " + place +
            "/main.c -lm");
  const std::vector<double> found = hexadecimal_numbers(output_of(place + "/main"));
  if (predictor->affine())
    EXPECT_EQ(found, expected());
  else
    expect_same(found);
}

// One instance by what the JSON file says, and nothing else.
std::vector<double> evaluate(const nlohmann::json& json, const std::vector<double>& instance) {
  const std::size_t features = json.at("features"), rows = json.at("rows");
  const auto scaled_row = [&](std::size_t row) {
    std::vector<double> values(features);
    for (std::size_t f = 0; f < features; ++f) {
      values[f] = instance[row * features + f];
      if (!json.contains("feature_scaling")) continue;
      const auto& scaling = json.at("feature_scaling");
      values[f] =
          (values[f] - scaling.at("mean")[f].get<double>()) / scaling.at("deviation")[f].get<double>();
    }
    return values;
  };
  std::vector<std::vector<double>> entering;
  if (json.contains("pairs")) {
    const std::size_t left = json.at("pairs").at("left"), right = json.at("pairs").at("right");
    for (std::size_t i = 0; i < left; ++i)
      for (std::size_t j = 0; j < right; ++j) {
        entering.push_back(scaled_row(i));
        const std::vector<double> second = scaled_row(left + j);
        entering.back().insert(entering.back().end(), second.begin(), second.end());
      }
  } else {
    for (std::size_t row = 0; row < rows; ++row) entering.push_back(scaled_row(row));
  }
  std::vector<double> all;
  for (std::vector<double> values : entering) {
    for (const auto& layer : json.at("layers")) {
      std::vector<double> units = layer.at("bias");
      for (std::size_t u = 0; u < units.size(); ++u) {
        for (std::size_t i = 0; i < values.size(); ++i)
          units[u] += layer.at("weight")[u][i].get<double>() * values[i];
        if (layer.at("activation") == "relu") units[u] = std::max(units[u], 0.0);
        if (layer.at("activation") == "logistic") units[u] = 1 / (1 + std::exp(-units[u]));
      }
      values = units;
    }
    all.insert(all.end(), values.begin(), values.end());
  }
  if (json.contains("output_scaling"))
    for (std::size_t o = 0; o < all.size(); ++o)
      all[o] = all[o] * json.at("output_scaling").at("deviation")[o].get<double>() +
               json.at("output_scaling").at("mean")[o].get<double>();
  return all;
}

TEST_P(Exported, JsonPredictsTheSame) {
  const auto json = nlohmann::json::parse(to_json(to_layers(model, "model.bin")));
  const std::size_t columns = predictor->feature_columns();
  std::vector<double> found;
  for (std::size_t instance = 0; instance < kInstances; ++instance) {
    const auto first = raw.begin() + static_cast<std::ptrdiff_t>(instance * columns);
    const std::vector<double> own = evaluate(json, {first, first + static_cast<std::ptrdiff_t>(columns)});
    found.insert(found.end(), own.begin(), own.end());
  }
  expect_same(found);
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
  expect_same(hexadecimal_numbers(
      output_of("/usr/bin/python3 tests/export/evaluate_onnx.py " + file.string() + " " + numbers.string())));
}

INSTANTIATE_TEST_SUITE_P(Predictors, Exported,
                         testing::Values(Case{"linear", {"linear", 3, 5}, false, false},
                                         Case{"linear_scaled", {"linear", 3, 5}, true, true},
                                         Case{"shared_linear", {"shared-linear", 4, 6}, true, false},
                                         Case{"mlp", {"mlp", 3, 5, 0, 0, {7, 4}}, true, false},
                                         Case{"mlp_scaled", {"mlp", 4, 2, 0, 0, {9}}, true, true},
                                         Case{"shared_linear_scaled", {"shared-linear", 2, 3}, true, true},
                                         Case{"shared_mlp", {"shared-mlp", 4, 6, 0, 0, {7, 5}}, true, true},
                                         Case{"one_output", {"shared-mlp", 4, 1, 0, 0, {7}}, false, false},
                                         Case{"pair_network", {"pair-network", 3, 8, 5, 2}, true, false},
                                         Case{"pair_mlp", {"pair-mlp", 3, 8, 0, 2, {6, 4}}, true, true},
                                         Case{"pair_mlp_raw", {"pair-mlp", 2, 6, 0, 3, {5}}, false, false}),
                         [](const auto& info) { return info.param.name; });

TEST(Export, OneUnitForAllOutputsIsWrittenForEach) {
  SavedModel model;
  model.predictor = {"shared-mlp", 2, 3, 0, 0, {4}};
  model.parameters = draws(17, 0, -2, 2);
  model.output_scaling = {{5}, {2}};
  const ExportedModel exported = to_layers(model, "model.bin");
  EXPECT_EQ(exported.output_scaling.mean, std::vector<double>(3, 5.0));
  EXPECT_EQ(exported.output_scaling.deviation, std::vector<double>(3, 2.0));
}

TEST(Export, EveryKindIsExportedOrRefusedInOneSentence) {
  for (const PredictorEntry& entry : predictor_entries()) {
    SavedModel model;
    model.predictor = {entry.name, 3, 4, entry.lists_layers ? 0u : 5u, 2};
    if (entry.lists_layers) model.predictor.layers = {5};
    if (entry.lists_convolutions) model.predictor.convolutions = {3};
    model.parameters = draws(model.make_predictor()->parameters(), 0, -2, 2);
    if (entry.entry == FeatureEntry::kLineGraph) {
      EXPECT_EQ(input_error([&] { to_layers(model, "run/model.bin"); }),
                "run/model.bin holds a " + entry.name +
                    " predictor, whose edges see their neighbours in a graph that is no part of the model, "
                    "expected one of rows of features to export");
    } else {
      const ExportedModel exported = to_layers(model, "run/model.bin");
      EXPECT_EQ(exported.outputs, exported.per_output ? 1u : 4u) << entry.name;
      EXPECT_EQ(exported.per_output, entry.entry == FeatureEntry::kEdges) << entry.name;
    }
  }
}

// Shapes whose number of outputs is the instance's own are written as what predicts one of them, which is the
// same predictor for a single output: that one's export is compared with the engine above.
TEST(Export, OneOutputOfInstancesThatDifferInSize) {
  const auto layers_of = [](const PredictorShape& shape, const OutputScaling& units) {
    SavedModel model;
    model.predictor = shape;
    model.output_scaling = units;
    model.parameters = draws(polystep::make_predictor(shape)->parameters(), 0, -2, 2);
    ExportedModel exported = to_layers(model, "model.bin");
    exported.kind = "";
    return exported;
  };
  const auto same = [&](const PredictorShape& any, const PredictorShape& one) {
    const ExportedModel found = layers_of(any, {{5}, {2}});
    ExportedModel expected = layers_of(one, {{5}, {2}});
    expected.layers.back().activation =
        Activation::kNone;  // pairs end in the logistic function, edges do not
    EXPECT_TRUE(found.per_output);
    EXPECT_NE(to_c_header(found, "m").find("call it for each"), std::string::npos);
    EXPECT_EQ(to_onnx(found), to_onnx(expected));
  };
  same({"shared-linear", 3, 0}, {"shared-linear", 3, 1});
  same({"shared-mlp", 3, 0, 0, 0, {4}}, {"shared-mlp", 3, 1, 0, 0, {4}});
  same({"edge-mlp", 3, 0, 0, 0, {4}}, {"pair-mlp", 3, 1, 0, 1, {4}});
  EXPECT_NE(input_error([&] {
              layers_of({"edge-mlp", 3, 2, 0, 3, {4}}, {{5, 6}, {2, 3}});
            }).find("expected one for all of them"),
            std::string::npos);
}

TEST(Export, KnowsCIdentifiers) {
  for (const char* name : {"a", "_x", "model_2"}) EXPECT_TRUE(is_c_identifier(name)) << name;
  for (const char* name : {"", "2a", "a-b", "a b", "é"}) EXPECT_FALSE(is_c_identifier(name)) << name;
}

}  // namespace
}  // namespace polystep
