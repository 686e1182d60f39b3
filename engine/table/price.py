"""What a declared way would come to: the rules themselves carry it out in a copy, and nobody strikes."""

from typing import Any, cast

from msgspec import Struct

from affray.engine.dice import Notation, Throw
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import AROUND, Square
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.steps import Choice, Roll
from affray.engine.table.policies import cautious
from affray.engine.table.runner import refusal_of, resolve
from affray.engine.table.ways import Path, open_to
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.combat import Moved, Provoked
from affray.events.facts.declared import AnyAct, Declared
from affray.projections.state import Combatant


class Price(Struct, frozen=True, gc=False):
    """What a declaration that leads along `path` comes to, if nobody strikes on the way.

    `feet` is what it costs of the `most` feet that there are for it, None where it was refused before that
    was reckoned. `past` are the ids of those whom it would give an attack of opportunity, in the order of the
    way. `refused` says why it may not be declared so, by `rule`; "" if it may. `shut` are the squares beside
    its end into which nothing leads on. `depends` says on what the rest depends, a roll or a question that is
    the mover's or the game master's own: nothing behind that is looked at.
    """

    act: AnyAct
    path: Path
    feet: int | None
    most: int | None
    past: tuple[str, ...]
    refused: str
    rule: str
    shut: tuple[Square, ...]
    depends: str

    @property
    def left(self) -> int | None:
        """The feet that it leaves, below 0 where they do not suffice."""
        return None if self.feet is None or self.most is None else self.most - self.feet


class _Undecided(AffrayError):
    """Dice or people say what comes next."""


class _NoDice:
    """Throws nothing: what a roll would decide is left open."""

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str] | None:
        """Raise _Undecided."""
        raise _Undecided(key)


def price(fight: Fight, act: AnyAct) -> Price:
    """Return what a declaration along a way would come to; the fight is left as it is.

    The others let pass what the way offers; the first roll, and the first question to the mover or the game
    master, ends the look. O(combatants + squares).
    """
    made = fight.apart()
    declared = Declared(f"d{made.state.declarations + 1}", act)
    actor = made.state.combatants.get(act.actor)
    goer = actor and (mount_of(made, actor) or actor)
    path = squares_entered(act)
    refusal = refusal_of(made, declared)
    paced, feet, past, depends = made.paced, 0, dict[str, None](), ""
    how = paced.how if paced else getattr(act, "how", "normal")
    shut = shut_beside(made, goer, path, how) if goer else ()
    if refusal is not None or goer is None:
        reason, rule = (refusal.reason, refusal.rule) if refusal else ("", "")
        feet_of = (paced.feet, paced.most) if paced else (None, None)
        return Price(act, path, feet_of[0], feet_of[1], (), reason, rule, shut, "")
    own = {act.actor, goer.id}

    def tell(fact: Any) -> None:
        nonlocal feet, depends
        if isinstance(fact, Moved) and fact.who == goer.id:
            feet += fact.feet
        elif isinstance(fact, Provoked) and fact.who in own and not fact.denied:
            past[fact.by] = None
        elif isinstance(fact, Roll):
            depends = f"a roll: {fact.purpose}" if fact.who in own else "a roll"

    def answers(fight: Fight, key: str, choice: Choice) -> tuple[str, str]:
        nonlocal depends
        if choice.who in own or not choice.who:
            depends = choice.question
            raise _Undecided(key)
        return cautious(fight, key, choice) or ("", "")

    try:
        resolve(made, declared, seq=0, dice=_NoDice(), answers=answers, tell=tell)
    except _Undecided:
        feet = paced.feet if paced else feet
    return Price(act, path, feet, paced.most if paced else None, tuple(past), "", "", shut, depends)


def squares_entered(act: AnyAct) -> Path:
    """Return the squares that a declaration enters."""
    return (act.to,) if isinstance(act, acts.Step) else cast(Path, tuple(getattr(act, "path", ())))


def shut_beside(fight: Fight, goer: Combatant, path: Path, how: str) -> tuple[Square, ...]:
    """Return the squares beside the end of a way into which no step is possible, be it the last or not."""
    here = path[-1] if path else goer.at
    beside = [(here[0] + dx, here[1] + dy) for dx, dy in AROUND]
    return tuple(
        there
        for there in beside
        if there != goer.at
        and not any(open_to(fight, goer, here, there, how, last=last) for last in (True, False))
    )
