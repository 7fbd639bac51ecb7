import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))


class Bakery:
    """Two breads: what is predicted is baked; a loaf too few costs five times a loaf too many."""

    def __init__(self, rows=240, seed=0):
        random = np.random.default_rng(seed)
        self.features = random.normal(size=(rows, 3))
        self.truth = np.abs(6 + self.features @ random.normal(size=(3, 2)) + random.normal(size=(rows, 2)))

    @staticmethod
    def decide(predictions):
        return np.clip(np.round(predictions), 0, 20)

    @staticmethod
    def cost(decisions, truth):
        return (np.maximum(decisions - truth, 0) + 5 * np.maximum(truth - decisions, 0)).sum(axis=1)


@pytest.fixture
def bakery():
    return Bakery()
