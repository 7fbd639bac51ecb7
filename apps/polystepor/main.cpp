#include "polystep/command_line.hpp"

int main(int argc, char** argv) {
  return polystep::run_command_line(argc, argv, polystep::builtin_problems());
}
