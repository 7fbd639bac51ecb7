// A model file whose parts do not fit each other is refused with one sentence, however its checksum fits.
#include "runtime/run/model_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "input_error.hpp"
#include "polystep/archive.hpp"
#include "runtime/run/sealed_file.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

class ModelFile : public testing::Test {
 protected:
  ModelFile() {
    model.predictor = {.kind = "linear", .features = 2, .outputs = 3};
    model.parameters.assign(9, 0.5);
    model.feature_names = {"a", "b"};
    model.scaling = {{1, 2}, {3, 4}};
    model.output_scaling = {{1, 2, 3}, {1, 1, 1}};
  }

  std::string path() const { return (directory_ / "model.bin").string(); }
  void seal(const ArchiveWriter& archive) const { write_sealed(path(), "PSTEPMDL", 2, archive.bytes()); }

  // The sentence without the file's name in front.
  std::string error() const {
    const std::string sentence = input_error([&] { read_model(path()); });
    return sentence.starts_with(path()) ? sentence.substr(path().size()) : sentence;
  }
  std::string error_of_model() const {
    write_model(path(), model);
    return error();
  }

  SavedModel model;

 private:
  TemporaryDirectory directory_;
};

TEST_F(ModelFile, ReadsBackWhatWasWritten) {
  write_model(path(), model);
  const SavedModel read = read_model(path());
  EXPECT_EQ(read.predictor, model.predictor);
  EXPECT_EQ(read.parameters, model.parameters);
  EXPECT_EQ(read.feature_names, model.feature_names);
  EXPECT_EQ(read.scaling.mean, model.scaling.mean);
  EXPECT_EQ(read.output_scaling.deviation, model.output_scaling.deviation);
  model.feature_names.clear();
  model.scaling = {};
  model.output_scaling = {};
  write_model(path(), model);
  EXPECT_TRUE(read_model(path()).output_scaling.mean.empty());
}

TEST_F(ModelFile, PartsThatDoNotFitEachOther) {
  const SavedModel good = model;
  const auto broken = [&](auto&& change) {
    model = good;
    change(model);
    return error_of_model();
  };
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(broken([](SavedModel& m) { m.scaling.mean.pop_back(); }),
            ": the scaling of features has 1 means and 2 deviations, expected 2 of each");
  EXPECT_EQ(broken([](SavedModel& m) { m.scaling.deviation.clear(); }),
            ": the scaling of features has 2 means and 0 deviations, expected 2 of each");
  EXPECT_EQ(broken([](SavedModel& m) { m.scaling.deviation[1] = 0; }),
            ": the scaling of features has mean 2 and deviation 0, expected finite numbers and a deviation "
            "above 0");
  EXPECT_EQ(broken([](SavedModel& m) { m.output_scaling.mean.push_back(1); }),
            ": the scaling of outputs has 4 means and 3 deviations, expected 3 of each");
  EXPECT_EQ(broken([&](SavedModel& m) { m.output_scaling.mean[0] = inf; }),
            ": the scaling of outputs has mean inf and deviation 1, expected finite numbers and a deviation "
            "above 0");
  EXPECT_EQ(broken([](SavedModel& m) { m.feature_names.push_back("c"); }),
            ": it holds 3 feature names, expected 2 or none");
  EXPECT_EQ(broken([](SavedModel& m) { m.parameters.pop_back(); }),
            ": it holds 8 parameters, expected 9 for a linear predictor of 2 features and 3 outputs");
  EXPECT_EQ(broken([](SavedModel& m) { m.parameters[4] = std::nan(""); }),
            ": a parameter is nan, expected a finite number");
  EXPECT_EQ(broken([](SavedModel& m) { m.failure_cost = std::nan(""); }),
            ": the failure cost is nan, expected a finite number");
}

// 2^62 features times 4 outputs are 0 weights in 64 bits.
TEST_F(ModelFile, SizesWhoseProductOverflows) {
  model.predictor = {.kind = "linear", .features = std::size_t{1} << 62, .outputs = 4};
  model.parameters.assign(4, 0.0);
  model.feature_names.clear();
  model.scaling = {};
  model.output_scaling = {};
  EXPECT_EQ(error_of_model(), ": the predictor has 4611686018427387904 features, expected at most 67108864");
  model.predictor = {.kind = "mlp", .features = 1, .outputs = 1, .layers = {std::size_t{1} << 63}};
  EXPECT_EQ(error_of_model(),
            ": the predictor has 9223372036854775808 units in a layer, expected at most 67108864");
}

TEST_F(ModelFile, ForgedCountsAndCutOrLongerFiles) {
  for (const std::uint64_t count : {std::uint64_t{1000}, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    ArchiveWriter archive;
    archive.put(std::string("mlp"));
    for (int size = 0; size < 4; ++size) archive.put<std::uint64_t>(1);
    archive.put<std::uint64_t>(count);  // layers
    archive.put<std::uint64_t>(2);
    seal(archive);
    EXPECT_EQ(error(), " ends early: it has 59 bytes, more were expected") << count;
  }
  write_model(path(), model);
  const std::vector<std::byte> payload = read_sealed(path(), "PSTEPMDL", 2, "a model");
  std::size_t refused = 0;
  for (std::size_t size = 0; size < payload.size(); ++size) {
    write_sealed(path(), "PSTEPMDL", 2, std::span(payload).first(size));
    refused += error() != "no InputError was thrown";
  }
  EXPECT_EQ(refused, payload.size() - 1);  // without its output scaling, a model is a model of old
  std::vector<std::byte> longer = payload;
  longer.resize(payload.size() + 8);
  write_sealed(path(), "PSTEPMDL", 2, longer);
  EXPECT_EQ(error(), ": it has more content than a model, expected its end");
}

}  // namespace
}  // namespace polystep
