"""Which events of a merged line came from which branch: kept beside the log when the line is made.

It is no fact of the fight, which is decided without it; an export and a copy of the log leave it behind.
"""

import msgspec
from msgspec import Struct

from affray.events.store import Store

_NAME = "merged."


class Origins(Struct):
    """The branches of which a line was put together, and which of them hold what stands at its events.

    `events` are the declarations that were taken over, the rulings, faces, readings and answers that hold on
    it, and the declarations they are about, by position; all others follow, or stand on the common line.
    """

    branches: list[str]
    events: dict[int, list[str]]


def origins(store: Store, name: str) -> Origins | None:
    """Return of which branches a line was put together, None if it was not, or the log does not know."""
    kept = store.note(_NAME + name)
    return msgspec.json.decode(kept, type=Origins) if kept is not None else None


def keep_origins(store: Store, name: str, found: Origins) -> None:
    """Keep beside the log of which branches a new line was put together."""
    store.keep_note(_NAME + name, msgspec.json.encode(found))
