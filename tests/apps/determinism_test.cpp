// The same settings give the same model, byte for byte, for any number of threads and with solves skipped or
// not.
#include "apps/sandbox.hpp"

namespace polystep {
namespace {

struct Variant {
  const char* name;
  Arguments options;
};

const std::vector<Variant> kVariants = {
    {"plain", {}},
    {"simplex", {"--polytope", "simplex"}},
    {"two radii", {"--radii", "2"}},
    {"moving space", {"--space", "moving", "--dimension", "16"}},
    {"moving space in single precision",
     {"--space", "moving", "--dimension", "16", "--moving-precision", "single", "--moving-interval", "3"}},
    {"kl-softmax", {"--weights", "kl-softmax"}},
    {"with replacement", {"--sampling", "with-replacement", "--batch", "100"}},
    {"momentum", {"--momentum-start", "0.5", "--momentum-end", "0.9"}},
    {"jitter and tempered weights",
     {"--jitter", "0.3", "--weights", "tempered", "--adaptive-radius", "true"}},
};

class Determinism : public Sandbox {
 protected:
  std::string model(const std::string& problem, const Arguments& options) const {
    const Arguments arguments =
        Arguments{problem, "--source", "generated", "--data-seed", "1", "--steps", "8", "--force"} + options;
    train(arguments, "run");
    return bytes("run/model.bin");
  }

  void expect_same_bits(const std::string& problem) const {
    for (const Variant& variant : kVariants) {
      SCOPED_TRACE(variant.name);
      const std::string expected = model(problem, variant.options + Arguments{"--threads", "1"});
      for (const Arguments& way : {Arguments{"--threads", "2"}, Arguments{"--threads", "7"},
                                   Arguments{"--threads", "1", "--skip-solves", "false"}})
        EXPECT_TRUE(model(problem, variant.options + way) == expected) << way.at(0) << ' ' << way.at(1);
    }
  }
};

TEST_F(Determinism, ShortestPath) { expect_same_bits("shortest-path"); }
TEST_F(Determinism, Knapsack) { expect_same_bits("knapsack"); }

TEST_F(Determinism, SkippingSolvesSkipsSome) {
  // Late in a run probes are near, so that many decisions provably stay.
  const Arguments near = {"--radius-start", "1", "--radius-end", "0.1"};
  model("shortest-path", near);
  const nlohmann::json skipping = json("run/result.json").at("solves");
  EXPECT_GT(skipping.at("certified"), 0);
  model("shortest-path", near + Arguments{"--skip-solves", "false"});
  const nlohmann::json solving = json("run/result.json").at("solves");
  EXPECT_EQ(solving.at("certified"), 0);
  EXPECT_EQ(solving.at("requested"), skipping.at("requested"));
}

TEST_F(Determinism, SeedsAndDataSeedsMatter) {
  const std::string first = model("shortest-path", {});
  EXPECT_TRUE(model("shortest-path", {}) == first);
  EXPECT_TRUE(model("shortest-path", {"--seed", "1"}) != first);
  EXPECT_TRUE(model("shortest-path", {"--set", "noise=0.4"}) != first);
}

}  // namespace
}  // namespace polystep
