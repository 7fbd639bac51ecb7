// What the program says to whoever started it. Nobody may be listening: a pipe that was closed, a full disk.
//
// Results go to standard output; that they cannot be written is a failure. Everything else goes to standard
// error; that nobody can read it changes nothing.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

namespace polystep {

class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Call before anything is opened or printed: a closed pipe is then a failed write instead of the end of the
// program, and no file takes the place of a standard stream that was closed.
void prepare_console();

void write_out(std::string_view text);  // throws OutputError
void finish_out();                      // throws OutputError where the last of it cannot leave the buffer
void write_err(std::string_view text) noexcept;

template <class... Arguments>
void print_out(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_out(fmt::format(format, std::forward<Arguments>(arguments)...));
}
template <class... Arguments>
void print_err(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  write_err(fmt::format(format, std::forward<Arguments>(arguments)...));
}

}  // namespace polystep
