"""What every chapter's record holds: its declarations, and the names under which its rules roll and ask."""

from collections.abc import Mapping

from msgspec import Struct

from affray.engine.record.acts import Honours
from affray.events.facts.base import Act


class Chapter(Struct, frozen=True, kw_only=True):
    """What every chapter holds.

    acts: the resolver of each declaration of this chapter, and the fields that it honours.
    rolls: what this chapter's rules roll, by name, each with its dice where they are always the same.
    questions: what this chapter's rules ask, by name, each with what can be answered.
    """

    acts: Mapping[type[Act], Honours]
    rolls: dict[str, str] = {}
    questions: dict[str, tuple[str, ...]] = {}


def rolls(*lines: str) -> dict[str, str]:
    """Return rolls by name with their dice, given as "1d20: trip, disarm"; without dice where they differ.

    "extra-*" is what a weapon adds, by its kind.
    """
    parted = (line.rpartition(": ") for line in lines)
    return {name: dice for dice, _, names in parted for name in names.split(", ")}


def questions(*lines: str) -> dict[str, tuple[str, ...]]:
    """Return questions by name, each given with what can be answered as "take: take, decline".

    "<combatant>", "<number>" and the like stand for answers that differ.
    """
    parted = (line.partition(": ") for line in lines)
    return {name: tuple(answers.split(", ")) for name, _, answers in parted}
