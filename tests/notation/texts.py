"""What the tests of the notation share: logs as texts, and back."""

import io
from pathlib import Path

from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay import export_notation, import_notation

BY_HAND = (Path(__file__).parents[2] / "docs" / "examples" / "gate.affray").read_text(encoding="utf-8")
"""A text as somebody writes it."""


def text_of(store: Store) -> str:
    """Return a log in the notation."""
    out = io.BytesIO()
    export_notation(store, out)
    return out.getvalue().decode()


def read(text: str, *, roll: bool = False) -> MemoryStore:
    """Return the log that a text tells."""
    store = MemoryStore()
    import_notation(text.encode(), store, roll=roll)
    return store


def events(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """Return what must be the same of a log that comes back: place, digest and salt of all events."""
    return {
        branch.name: [(e.stream, e.seq, e.digest, e.salt) for e in store.read(branch.name)]
        for branch in store.branches()
    }


def comes_back(store: Store) -> str:
    """Assert that a log comes back from its text as it was, and return the text."""
    text = text_of(store)
    again = read(text)
    assert events(again) == events(store)
    assert again.branches() == store.branches()
    assert again.main_lines() == store.main_lines()
    return text
