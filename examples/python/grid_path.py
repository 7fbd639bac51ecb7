"""Shortest paths on a square grid for a whole batch at once, by dynamic programming in numpy.

Node (row, column) has an edge to its right and one down; edges are numbered node by node, right before down. A node is
reached from above only where that is strictly cheaper: the tie rule of the built-in problem "shortest-path".
"""

import numpy as np


def edge_right(side, row, column):
    return row * (2 * side - 1) + (column if row == side - 1 else 2 * column)


def edge_down(side, row, column):
    return row * (2 * side - 1) + 2 * column + (0 if column == side - 1 else 1)


def shortest_paths(costs, side=5):
    """Costs [n × edges] to paths [n × edges] of 0 and 1."""
    costs = np.ascontiguousarray(costs.T)  # [edges × n], one edge of all instances together
    reached = {(0, 0): np.zeros(costs.shape[1])}
    from_above = {}
    for row in range(side):
        for column in range(side):
            left = above = None
            if column > 0:
                left = reached[row, column - 1] + costs[edge_right(side, row, column - 1)]
            if row > 0:
                above = reached[row - 1, column] + costs[edge_down(side, row - 1, column)]
            if left is not None and above is not None:
                from_above[row, column] = above < left
                reached[row, column] = np.where(from_above[row, column], above, left)
            elif row or column:
                reached[row, column] = above if left is None else left
    paths = np.zeros_like(costs)
    on_path = {(side - 1, side - 1): np.ones(costs.shape[1], dtype=bool)}
    for row in reversed(range(side)):
        for column in reversed(range(side)):
            here = on_path[row, column]
            up = from_above.get((row, column), np.full(costs.shape[1], column == 0))
            if row > 0:
                paths[edge_down(side, row - 1, column)] = here & up
                on_path[row - 1, column] = on_path.get((row - 1, column), False) | (here & up)
            if column > 0:
                paths[edge_right(side, row, column - 1)] = here & ~up
                on_path[row, column - 1] = on_path.get((row, column - 1), False) | (here & ~up)
    return paths.T
