// Writing every byte of a buffer, which a single call to the operating system does not promise.
#pragma once

#include <string_view>

namespace polystep {

// False, with errno set, where the system refused; some bytes may then have been written.
bool write_all(int file, std::string_view bytes);

}  // namespace polystep
