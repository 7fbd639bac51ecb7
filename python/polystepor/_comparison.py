"""Finished runs side by side, and paired tests."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._core import InputError


@dataclass(frozen=True)
class Comparison:
    """Tables of finished runs. `str()` gives them as Markdown."""

    markdown: str
    runs: list[dict[str, Any]]
    tests: list[dict[str, Any]]
    notes: list[str]

    def __str__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


def compare(*places: Union[str, "os.PathLike[str]"]) -> Comparison:
    """Compares run directories, results.csv or result.json files, as `polystepor compare` does."""
    if not places:
        raise InputError("compare: found no runs, expected run directories or result files")
    return Comparison(*_core.compare([os.fspath(place) for place in places]))


def wilcoxon_signed_rank(differences: ArrayLike) -> float:
    """Two-sided p of Wilcoxon's signed-rank test on paired differences, exact up to 20 pairs."""
    return _core.wilcoxon_signed_rank(_flat(differences))


def sign_flip_test(differences: ArrayLike) -> float:
    """Two-sided p of the sign-flip test on the mean of paired differences, exact up to 20 pairs."""
    return _core.sign_flip_test(_flat(differences))


def _flat(differences: ArrayLike) -> np.ndarray:
    values = np.asarray(differences, dtype=float)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise InputError(f"differences: found an array of shape {values.shape}, expected a flat one of finite numbers")
    return values
