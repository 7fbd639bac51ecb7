"""PolyStep by ask and tell: minimises any loss from its values alone."""

from __future__ import annotations

from typing import Any, Callable, Optional, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._arrays import seed_of


class PolyStep:
    """An optimizer that only asks what candidates cost.

        optimizer = PolyStep(np.zeros(10), step_length=0.3)
        for _ in range(100):
            probes = optimizer.ask()        # [probes × parameters]
            optimizer.tell(loss(probes))    # one cost per probe
        optimizer.parameters

    The loss may be flat or discontinuous almost everywhere; a cost that is not finite counts as very bad. The same
    start, options, seed and costs give the same bits.

    start: the point to start from, or the number of parameters to start from zero.
    search_dimension: search in a moving subspace of this many directions; None: in all parameters.
    options: block_size, probe_radius, radii, temperature, step_length, momentum, weight_rule and the other fields of
        include/polystep/optimizer_options.hpp. A schedule is a number or (start, end, horizon[, kind]).
    """

    def __init__(
        self,
        start: Union[int, ArrayLike],
        *,
        seed: int = 0,
        search_dimension: Optional[int] = None,
        **options: Any,
    ) -> None:
        point = np.zeros(start) if isinstance(start, (int, np.integer)) else np.ravel(np.asarray(start, dtype=float))
        self._core = _core.PolyStep(point, seed_of(seed), search_dimension or 0, options)

    def ask(self) -> np.ndarray:
        """This step's probes, [probes × parameters]. Asking again before tell gives the same ones."""
        return self._core.ask()

    def tell(self, costs: ArrayLike) -> None:
        """One cost per probe, lower is better. Moves the point."""
        self._core.tell(np.asarray(costs, dtype=float))

    def minimise(self, loss: Callable[[np.ndarray], ArrayLike], steps: int) -> np.ndarray:
        """Takes the given number of steps on a loss of whole batches, [probes × parameters] to [probes]."""
        for _ in range(steps):
            self.tell(loss(self.ask()))
        return self.parameters

    @property
    def parameters(self) -> np.ndarray:
        """The current point."""
        return self._core.parameters

    @property
    def step(self) -> int:
        """Steps finished."""
        return self._core.step

    @property
    def report(self) -> _core.StepReport:
        """What the last finished step did."""
        return self._core.report

    def save(self) -> bytes:
        """The state between two steps, for `load` of an optimizer made with the same arguments."""
        return self._core.save()

    def load(self, state: bytes) -> None:
        self._core.load(state)
