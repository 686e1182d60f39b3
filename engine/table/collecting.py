"""How often Python looks for objects that hold each other, while fights are played on."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

SELDOM: Final = (50_000, 20, 100)
"""A fight leaves no circles behind, and what it remembers is looked through in vain each time."""

_lock: Final = Lock()
_playing: Final[list[tuple[int, int, int]]] = []
"""For each that plays just now how often was looked before the first of them."""


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let Python look through all objects seldom; as often as before once nobody plays, in any thread."""
    with _lock:
        _playing.append(_playing[0] if _playing else gc.get_threshold())
        gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        with _lock:
            before = _playing.pop()
            if not _playing:
                gc.set_threshold(*before)
