// Help says what there is to give, and of a problem that is named only what belongs to it.
#include "apps/sandbox.hpp"

namespace polystep {
namespace {

class Help : public Sandbox {
 protected:
  std::string of(const Arguments& arguments) const {
    const Finished run = polystepor(arguments + Arguments{"--help"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    return run.out;
  }
};

TEST_F(Help, ListsEveryProblemAndMethodWhereNoneIsNamed) {
  const std::string text = of({"train"});
  for (const char* part : {"Options of problem shortest-path", "Options of problem knapsack", "--capacity",
                           "Options of method polystepor", "Options of method fenchel-young"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
}

// Options that another problem has too would else be listed with that one, and with its defaults.
TEST_F(Help, ListsTheOptionsOfTheProblemAndMethodThatAreNamed) {
  for (const char* command : {"train", "plan", "check"}) {
    const std::string text = of({command, "knapsack"});
    for (const char* part : {"Options of problem knapsack", "--capacity", "--data-seed", "--radius-start"})
      EXPECT_NE(text.find(part), std::string::npos) << command << " " << part;
    for (const char* part : {"Options of problem shortest-path", "--degree", "Options of method spo+"})
      EXPECT_EQ(text.find(part), std::string::npos) << command << " " << part;
  }
  const std::string other = of({"train", "knapsack", "--method", "spo+"});
  EXPECT_NE(other.find("Options of method spo+"), std::string::npos);
  EXPECT_EQ(other.find("--radius-start"), std::string::npos);
  EXPECT_NE(of({"train", "mine.toml"}).find("Options of problem own"), std::string::npos);
}

}  // namespace
}  // namespace polystep
