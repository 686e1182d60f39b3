"""What a roll is to come to, said by a word: the face nearest to its own with which it does."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from affray.engine.dice import parse
from affray.engine.dice.notation import Dice
from affray.events.errors import AffrayError
from affray.events.facts import combat
from affray.events.facts.rolled import Rolled
from affray.projections.audit import rolls_of

GOOD = {"hit": True, "success": True, "miss": False, "failure": False}
"""The words, and whether they speak for whoever rolled."""

Trial = Callable[[Mapping[str, tuple[int, ...]]], Sequence[Any]]
"""Returns the facts of a declaration with other faces for some keys."""


class NoSuchOutcome(AffrayError):
    """No roll of that name was made, several were, or none of its faces comes to that."""


def concerns(roll: str, declaration: str, subject: str) -> bool:
    """Say whether a roll, named by its key or its purpose, belongs to a declaration.

    A purpose alone means the declaration `subject`, which is ruled on.
    """
    return declaration == (roll.split("/")[0] if "/" in roll else subject)


def faces_for(roll: str, word: str, trial: Trial) -> tuple[str, tuple[int, ...]]:
    """Return the key of a roll and the face with which it comes to what a word says.

    Its own if that does, else the nearest, the lower of two. O(faces) trials. Raises NoSuchOutcome.
    """
    facts = trial({})
    known = dict(outcomes(facts))
    keys = [key for key in known if roll in (key, purpose_of(key), purpose_of(key).split("-")[0])]
    if len(keys) != 1:
        there = ", ".join(keys or known) or "none"
        several = (
            f"{len(keys)} rolls are called {roll!r}, give the key" if keys else f"nothing asked for {roll!r}"
        )
        raise NoSuchOutcome(f"{several}; rolls that come to a hit or a success: {there}")
    key = keys[0]
    rolled = next(fact for fact in facts if type(fact) is Rolled and fact.key == key)
    if known[key] == GOOD[word] or len(rolled.faces) != 1:
        if known[key] != GOOD[word]:
            raise NoSuchOutcome(f"{key} is no roll of one die: give its faces")
        return key, rolled.faces
    sides = next(term.sides for term in parse(rolled.notation).terms if isinstance(term, Dice))
    for face in sorted(range(1, sides + 1), key=lambda one: (abs(one - rolled.faces[0]), one)):
        if dict(outcomes(trial({key: (face,)}))).get(key) == GOOD[word]:
            return key, (face,)
    raise NoSuchOutcome(
        f"no face of {key} ({rolled.notation}) makes it a {word}: change its modifiers or the outcome"
    )


def purpose_of(key: str) -> str:
    """Return what a roll is for, by its key."""
    return key.split("/")[-2] if "/" in key else key


def outcomes(facts: Sequence[Any]) -> Iterator[tuple[str, bool]]:
    """Yield the keys of the rolls that came to something, and whether that was good for whoever rolled."""
    rolled = {fact.key for fact in facts if type(fact) is Rolled}
    for at, fact in enumerate(facts):
        kind = type(fact)
        if kind is combat.ContestResolved:
            for index in rolls_of(facts, at):
                yield facts[index].key, fact.won == (facts[index].who == fact.who)
        elif getattr(fact, "key", "") not in rolled:
            continue
        elif kind is combat.AttackResolved:
            yield fact.key, fact.result != "miss"
        elif kind is combat.ConfirmationResolved:
            yield fact.key, fact.confirmed
        elif kind is combat.CheckResolved:
            yield fact.key, fact.success
        elif kind is combat.MissChanceResolved:
            yield fact.key, not fact.missed
