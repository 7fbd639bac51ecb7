// What documents print must be true of the program beside them: their commands are read by its own parser,
// their links lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "polystep/command_line.hpp"
#include "polystep/error.hpp"
#include "polystepor/command_words.hpp"
#include "temporary_directory.hpp"

namespace polystep {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> documents() {
  std::vector<fs::path> files = {"README.md", "LIMITATIONS.md", "CHANGELOG.md"};
  for (const auto& entry : fs::recursive_directory_iterator("docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  return files;
}

// The program's commands in a document's blocks of code, continued lines put together and comments cut off.
// Synopses, which have brackets and alternatives, are left out.
std::vector<std::string> commands_of(const fs::path& document) {
  std::vector<std::string> commands;
  std::istringstream text(TemporaryDirectory::contents(document));
  bool in_block = false, continued = false;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("```")) in_block = !in_block;
    if (!in_block) continue;
    const bool goes_on = line.ends_with("\\");
    if (goes_on) line.pop_back();
    line = line.substr(0, line.find(" #"));
    if (continued)
      commands.back() += line;
    else if (line.starts_with("polystepor ") || line.starts_with("build/release/bin/polystepor "))
      commands.push_back(line);
    else
      continue;
    continued = goes_on;
  }
  std::erase_if(commands, [](const std::string& command) {
    return command.find_first_of("[|") != std::string::npos || command.find("...") != std::string::npos;
  });
  return commands;
}

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

void check(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  check_command_words(static_cast<int>(arguments.size()), arguments.data(), builtin_problems());
}

TEST(Documents, TheProgramReadsTheCommandsTheyPrint) {
  std::size_t commands = 0;
  for (const fs::path& document : documents())
    for (const std::string& command : commands_of(document)) {
      EXPECT_NO_THROW(check(command)) << document << ": " << command;
      ++commands;
    }
  EXPECT_GT(commands, 20u);
  EXPECT_THROW(check("polystepor train knapsack --capacty 120"), InputError);
  EXPECT_THROW(check("polystepor explane runs/a"), InputError);
}

TEST(Documents, LinksLeadToFiles) {
  const std::regex link(R"(\]\(([^)#\s]+)(#[^)]*)?\))");
  for (const fs::path& document : documents()) {
    const std::string text = TemporaryDirectory::contents(document);
    for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match) {
      const std::string target = (*match)[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(document.parent_path() / target)) << document << ": " << target;
    }
  }
}

}  // namespace
}  // namespace polystep
