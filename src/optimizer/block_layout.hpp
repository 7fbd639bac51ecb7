// How search coordinates are cut into consecutive blocks.
#pragma once

#include <cstddef>

#include "polystep/optimizer_options.hpp"

namespace polystep {

struct BlockLayout {
  std::size_t dimension = 0;   // search coordinates, d
  std::size_t block_size = 0;  // q
  std::size_t blocks = 0;      // P = ceil(d / q)
  std::size_t last_size = 0;   // coordinates of the last block, padding included

  BlockLayout(std::size_t dimension, std::size_t block_size, LastBlock last_block);

  std::size_t padded_dimension() const { return (blocks - 1) * block_size + last_size; }
  std::size_t first(std::size_t block) const { return block * block_size; }
  std::size_t size(std::size_t block) const { return block + 1 < blocks ? block_size : last_size; }
};

}  // namespace polystep
