"""A recorded line, and what can be changed in it, in a form that goes from process to process."""

from hashlib import blake2b

import msgspec
from msgspec import Struct, field

from affray.projections.state import Encounter
from affray.replay.predicates import Outcome
from affray.replay.scripts import Script

# In the order in which combatants and conditions came, which rules look at.
_packed = msgspec.json.Encoder().encode

OPENING = 1
"""The event with which a fight is opened: whatever is changed, it stays."""
END, AFTER, BEGINS = "end", "after", "begins"


class When(Struct, frozen=True):
    """The moment of an atom: the END, AFTER group `first` of the line, or when round `first`, turn BEGINS.

    `group` is that of the recorded line in which it comes.
    """

    kind: str
    first: int
    turn: int
    group: int


class Change(Struct, frozen=True):
    """One change: faces for a roll, or what is written in a ruling; or another reading of an option."""

    kind: str
    key: str
    value: str = ""
    faces: tuple[int, ...] = ()

    @property
    def effect(self) -> str:
        """What it is as an effect of a ruling; "" for faces and readings."""
        return {"choice": f"{self.key}={self.value}", "modifier": self.key}.get(self.kind, "")


class Rest(Struct):
    """A line from its group `index` on: the state before it, the groups, how each of them found the state.

    `marks` has one more than `groups`; `known` and `recorded` are what each atom is: so far, and at last.
    """

    index: int
    seq: int
    state: Encounter
    groups: list[Script]
    marks: list[bytes]
    seed: bytes | None
    ids: set[str]
    outcome: Outcome
    whens: tuple[When, ...]
    known: tuple[bool | None, ...]
    recorded: tuple[bool, ...]
    changes: list[Change] = field(default_factory=list)


def mark_of(state: Encounter) -> bytes:
    """Return what two states have in common only if they are the same, down to the order of their records."""
    return blake2b(_packed(state), digest_size=16).digest()
