// The sentence of the InputError that a call throws, for tests that hold messages to their wording.
#pragma once

#include <string>

#include "polystep/error.hpp"

namespace polystep {

template <class Call>
std::string input_error(Call&& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no InputError was thrown";
}

}  // namespace polystep
