// Errors a person can act on.
//
// InputError is thrown for anything the user gave that cannot be used: an option, a file, a data row. Its
// text is one sentence that names the place, what was found and what was expected; the program prints it and
// exits with 2.
#pragma once

#include <stdexcept>
#include <string>

namespace polystep {

class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& sentence) : std::runtime_error(sentence) {}
};

}  // namespace polystep
