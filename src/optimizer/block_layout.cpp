#include "optimizer/block_layout.hpp"

#include "polystep/error.hpp"

namespace polystep {

BlockLayout::BlockLayout(std::size_t dimension_in, std::size_t block_size_in, LastBlock last_block)
    : dimension(dimension_in), block_size(block_size_in) {
  if (dimension == 0) throw InputError("search space: found 0 coordinates, expected at least 1");
  if (block_size == 0) throw InputError("block size: found 0, expected at least 1");
  blocks = (dimension + block_size - 1) / block_size;
  last_size = last_block == LastBlock::kPadded ? block_size : dimension - (blocks - 1) * block_size;
}

}  // namespace polystep
