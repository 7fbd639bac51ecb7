// How the command line refuses bad input: exit code 2, one sentence on stderr, nothing on stdout, and not a
// byte changed on disk.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "apps/sandbox.hpp"

namespace polystep {

struct Refusal {
  std::string name;
  Arguments arguments;
  std::vector<std::string> parts;  // what the sentence says: the place, what was found, what was expected
};

class Refusals : public Sandbox {
 protected:
  void expect_refusal(const Refusal& refusal, const std::string& program = POLYSTEPOR_PROGRAM) const {
    SCOPED_TRACE(refusal.name);
    const auto before = snapshot(root());
    const Finished run = Process(program, refusal.arguments, surroundings()).wait();
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_TRUE(run.err.size() > 1 && run.err.back() == '\n') << run.err;
    for (const std::string& part : refusal.parts)
      EXPECT_NE(run.err.find(part), std::string::npos) << "no '" << part << "' in: " << run.err;
    EXPECT_TRUE(snapshot(root()) == before) << "files were changed";
  }

  void expect_refusals(const std::vector<Refusal>& refusals) const {
    for (const Refusal& refusal : refusals) expect_refusal(refusal);
  }
};

}  // namespace polystep
