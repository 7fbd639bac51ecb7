"""Arrays as the engine takes them: doubles in rows, with one sentence where that cannot be."""

from __future__ import annotations

import operator
from typing import Any, Optional

import numpy as np

from ._core import InputError


def as_table(values: Any, name: str, columns: Optional[int] = None) -> np.ndarray:
    """[rows × columns] of finite doubles; a flat array is one column."""
    try:
        table = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name}: {error}; expected an array of numbers") from error
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2 or table.shape[1] == 0:
        raise InputError(f"{name}: found an array of shape {table.shape}, expected (rows, columns)")
    if columns is not None and table.shape[1] != columns:
        raise InputError(f"{name}: found {table.shape[1]} columns, expected {columns}")
    if not np.isfinite(table).all():
        row, column = np.argwhere(~np.isfinite(table))[0]
        raise InputError(f"{name}: found {table[row, column]} in row {row}, column {column}, expected a finite number")
    return table


def as_feature_table(values: Any, name: str) -> tuple[np.ndarray, Optional[int]]:
    """Features as a table, and how many outputs have feature rows of their own: [rows × outputs × features]."""
    array = np.asarray(values)
    if array.ndim == 3:
        return as_table(array.reshape(array.shape[0], -1), name), array.shape[1]
    return as_table(array, name), None


def column_names(values: Any, name: str) -> list[str]:
    """The names of a data frame's columns; none where the values have no names."""
    columns = getattr(values, "columns", None)
    if columns is None or callable(columns):
        return []
    names = [str(column) for column in columns]
    for column in names:
        if names.count(column) > 1:
            raise InputError(f"{name}: found column '{column}' {names.count(column)} times, expected each name once")
    return names


def in_order(table: np.ndarray, found: list[str], expected: list[str], name: str) -> np.ndarray:
    """The columns of a table in the expected order, by name where both sides have names."""
    if not found or not expected or found == expected:
        return table
    for column in expected:
        if column not in found:
            raise InputError(f"{name}: found no column '{column}', expected {_listed(expected)}")
    for column in found:
        if column not in expected:
            raise InputError(f"{name}: found column '{column}', expected only {_listed(expected)}")
    return np.ascontiguousarray(table[:, [found.index(column) for column in expected]])


def _listed(names: list[str], most: int = 12) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def check_same_rows(name: str, table: Any, other_name: str, other: Any) -> None:
    if len(table) != len(other):
        raise InputError(f"{name}: found {len(table)} rows, expected {len(other)} as in {other_name}")


def whole_number(value: Any, name: str, least: int, most: int) -> int:
    try:
        found = operator.index(value)
    except TypeError:
        found = least - 1
    if not least <= found <= most:
        raise InputError(f"{name}: found {value!r}, expected a whole number from {least} to {most}")
    return found


def seed_of(value: Any) -> int:
    """All 64 bits are seeds."""
    return whole_number(value, "seed", 0, 2**64 - 1)


def option_texts(options: dict[str, Any]) -> list[tuple[str, str]]:
    """Keyword arguments as the engine's options: instance_weights=True is instance-weights = true."""
    texts = []
    for name, value in options.items():
        if isinstance(value, (bool, np.bool_)):
            text = "true" if value else "false"
        elif isinstance(value, (int, float, str, np.integer, np.floating)):
            text = repr(value.item()) if isinstance(value, np.generic) else str(value)
        else:
            raise InputError(f"option '{name}': found {value!r}, expected a number, a text or True/False")
        texts.append((name.replace("_", "-"), text))
    return texts
