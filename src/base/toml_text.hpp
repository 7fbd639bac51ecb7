// TOML parsed with errors that say where: the one place that turns the library's own into InputError.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>

namespace polystep {

// `name` stands for the file in messages: "my.toml line 3, column 8: ...".
toml::table parse_toml(std::string_view text, const std::string& name);

}  // namespace polystep
