// What every reader promises for any bytes: it succeeds or throws an InputError of one line. Anything else,
// another exception or a crash, is a finding.
#pragma once

#include <cstdlib>
#include <cstring>

#include "polystep/error.hpp"

namespace polystep {

template <class Read>
bool accepts_or_refuses(const Read& read) {
  try {
    read();
    return true;
  } catch (const InputError& error) {
    if (std::strchr(error.what(), '\n') != nullptr || std::strlen(error.what()) == 0) std::abort();
    return false;
  }
}

}  // namespace polystep
