// The words that start a section of an LP file, in any case of letters.
#pragma once

#include <array>
#include <string_view>

namespace polystep {

enum class LpSection { kNone, kMinimise, kMaximise, kRows, kBounds, kGeneral, kBinary, kEnd, kRefused };

struct LpKeyword {
  std::string_view word;
  LpSection section;
};
inline constexpr std::array kLpKeywords = {
    LpKeyword{"minimize", LpSection::kMinimise}, LpKeyword{"minimise", LpSection::kMinimise},
    LpKeyword{"minimum", LpSection::kMinimise},  LpKeyword{"min", LpSection::kMinimise},
    LpKeyword{"maximize", LpSection::kMaximise}, LpKeyword{"maximise", LpSection::kMaximise},
    LpKeyword{"maximum", LpSection::kMaximise},  LpKeyword{"max", LpSection::kMaximise},
    LpKeyword{"st", LpSection::kRows},           LpKeyword{"s.t.", LpSection::kRows},
    LpKeyword{"st.", LpSection::kRows},          LpKeyword{"bounds", LpSection::kBounds},
    LpKeyword{"bound", LpSection::kBounds},      LpKeyword{"general", LpSection::kGeneral},
    LpKeyword{"generals", LpSection::kGeneral},  LpKeyword{"gen", LpSection::kGeneral},
    LpKeyword{"integer", LpSection::kGeneral},   LpKeyword{"integers", LpSection::kGeneral},
    LpKeyword{"int", LpSection::kGeneral},       LpKeyword{"binary", LpSection::kBinary},
    LpKeyword{"binaries", LpSection::kBinary},   LpKeyword{"bin", LpSection::kBinary},
    LpKeyword{"end", LpSection::kEnd},           LpKeyword{"semi", LpSection::kRefused},
    LpKeyword{"semis", LpSection::kRefused},     LpKeyword{"sos", LpSection::kRefused},
    LpKeyword{"sos1", LpSection::kRefused},      LpKeyword{"sos2", LpSection::kRefused},
};

}  // namespace polystep
