// Where the published benchmark data are on this machine.
//
// The files are not part of the program. They are looked for in the directory the user names (--data), else
// in the one the environment variable POLYSTEPOR_DATA names, else in ../shared/data. A named directory
// without benchmark data is an error, because the user meant something by it; the last place may simply not
// exist, and problems that have a generator then fall back on it.
#pragma once

#include <string>
#include <vector>

namespace polystep {

// The data directory, or "" where none was named and the usual place holds none. `named` is the value of
// --data, "" where it was not given.
std::string find_data_directory(const std::string& named);

// The path of one benchmark file, such as "energy/energy.csv". The classical benchmarks may lie in the
// directory itself or in its subdirectory "classical". The file need not exist: readers report that.
std::string classical_file(const std::string& data_directory, const std::string& name);

// The same for the benchmarks whose predictions enter constraints; their subdirectory is "in-constraint".
std::string constraint_file(const std::string& data_directory, const std::string& name);

// The same for the cities of network districting; their subdirectory is "districting".
std::string districting_file(const std::string& data_directory, const std::string& name);

// Which benchmarks a data directory has.
bool holds_classical_data(const std::string& data_directory);
bool holds_constraint_data(const std::string& data_directory);
bool holds_districting_data(const std::string& data_directory);

}  // namespace polystep
