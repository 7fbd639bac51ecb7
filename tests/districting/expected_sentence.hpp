// Calls that must be refused, held to parts of the sentence.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "input_error.hpp"

namespace polystep {

template <class Call>
void expect_input_error(Call&& call, const std::vector<std::string>& parts) {
  const std::string sentence = input_error(call);
  for (const std::string& part : parts)
    EXPECT_NE(sentence.find(part), std::string::npos) << "no '" << part << "' in: " << sentence;
}

}  // namespace polystep
