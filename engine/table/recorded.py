"""Dice and answers that repeat what a log holds of a declaration, and then go on."""

from collections.abc import Sequence

from affray.engine.dice import DRAWN, Recorded, Source
from affray.engine.table import policies
from affray.engine.table.policies import Answers
from affray.events.codec import decode
from affray.events.envelope import Event


def replaying(recorded: Sequence[Event], dice: Source, answers: Answers) -> tuple[Source, Answers]:
    """Return dice and answers that repeat what `recorded` holds and go on with the given ones."""
    faces: dict[str, tuple[tuple[int, ...], str]] = {}
    known: dict[str, tuple[str, str]] = {}
    for event in recorded:
        if event.type == "rolled":
            fact = decode(event)
            if fact.provenance not in DRAWN:  # which follow from links, told before them
                faces[fact.key] = (fact.faces, fact.provenance)
        elif event.type == "chosen":
            fact = decode(event)
            known[fact.key] = (fact.answer, fact.by)
    return Recorded(faces, dice), policies.Recorded(known, answers)
