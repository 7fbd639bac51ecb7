"""Ctrl-C during training: the first one stops after the current step, with a checkpoint; a second one at once."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Optional, Type


class DeferredInterrupt:
    """While entered, holds a first Ctrl-C back. Only in the main thread, and only where nobody else handles it."""

    def __init__(self) -> None:
        self.requested = False
        self._previous: Any = None

    def __enter__(self) -> "DeferredInterrupt":
        in_main = threading.current_thread() is threading.main_thread()
        if in_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._previous = signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    def _handle(self, number: int, frame: Optional[FrameType]) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True
