// Errors a person can act on.
//
// InputError is thrown for anything the user gave that cannot be used: an option, a file, a data row. Its
// text is one sentence that names the place, what was found and what was expected; the program prints it and
// exits with 2. What it quotes may hold line ends and other control characters (a TOML text does); they are
// shown as '?', so that a sentence is one line whoever writes it.
#pragma once

#include <stdexcept>
#include <string>

namespace polystep {

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& sentence) : std::runtime_error(one_line(sentence)) {}

 private:
  static std::string one_line(std::string sentence) {
    for (char& letter : sentence)
      if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = '?';
    return sentence;
  }
};

// A solver of the user's own is of no use any more: it cannot be started again, or has failed on all that it
// was ever asked. Code that takes an exception for one row's failure must let this one through.
class SolverLost : public InputError {
 public:
  using InputError::InputError;
};

}  // namespace polystep
