"""How often Python looks for objects that hold each other, while fights are played on."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Final

SELDOM: Final = (50_000, 20, 100)
"""A fight leaves no circles behind, and what it remembers is looked through in vain each time."""

_lock: Final = RLock()
_playing: Final[list[tuple[int, int, int]]] = []
"""For each that plays just now how often was looked before the first of them."""
_left: Final[list[tuple[int, int, int]]] = []
"""How often was looked before, where everybody has stopped playing and nothing was looked through since."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let Python look through all objects seldom.

    As often as before, once nobody plays in any thread, from the next look on: one right after each fight
    would look through what it leaves to the next one.
    """
    with _lock:
        if as_before not in gc.callbacks:
            gc.callbacks.append(as_before)
        before = _playing[0] if _playing else gc.get_threshold()
        if _left and before == SELDOM:
            before = _left[0]
        _left.clear()
        _playing.append(before)
        gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        with _lock:
            before = _playing.pop()
            if not _playing:
                _left.append(before)


def as_before(phase: str, info: dict[str, Any]) -> None:
    """Let Python look as often as before we played, if nobody plays and nobody has changed it since."""
    with _lock:
        if _left and not _playing:
            if gc.get_threshold() == SELDOM:
                gc.set_threshold(*_left[0])
            _left.clear()
