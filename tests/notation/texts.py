"""What the tests of the notation share: logs as texts, and back."""

import io

from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.replay import export_notation, import_notation

BY_HAND = """affray notation 1
# The gate at dusk
[dialect srd35]
[name "The gate at dusk"]
|............
|............
|............

enter fighter heroes fighter 2,1   # with a torch
enter goblin monsters goblin 3,1
begin; 15; 8
== round 1 fighter
fighter (Anna): attack goblin; 17; 3
( instead
fighter: attack goblin; 2
)
fighter: end-turn
# and now the goblin
goblin: attack fighter; 4
"""
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
    return text
