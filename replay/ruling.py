"""Rulings for a what-if: a declaration struck out, a number given by hand, a modifier for one moment."""

import re
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from affray.engine.fight import Fight
from affray.engine.rules.place import occupants
from affray.events.codec import as_read
from affray.events.errors import AffrayError
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    EffectEnded,
    EffectGained,
    HitPointsChanged,
    Moved,
    Until,
)
from affray.events.facts.declared import Ruled
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

GRAMMAR = "void, WHO.hp=N, WHO.at=X,Y, WHO+CONDITION, WHO-CONDITION, WHO.STAT+N or WHO.STAT-N:KIND"
MOST_EFFECTS = 50
_SET = re.compile(r"(?P<who>.+)\.(?P<what>hp|at)=(?P<value>-?\d{1,6}(?:,-?\d{1,6})?)")
_MODIFIER = re.compile(
    r"(?P<who>.+)\.(?P<stat>attack|defense|damage|confirm|save\.(?:fort|ref|will))"
    r"(?P<value>[+-]\d{1,4})(?::(?P<kind>[a-z][a-z -]*))?"
)
_CONDITION = re.compile(r"(?P<who>.+?)(?P<sign>[+-])(?P<name>[A-Za-z][\w -]{0,60})")


class BadRuling(AffrayError):
    """The ruling cannot be read, or speaks of somebody who is not there."""


class Ruling(Struct, frozen=True):
    """What the game master rules about one declaration: words, and what follows from them.

    `effects` are written as in GRAMMAR, WHO being an id or a name that only one bears; none at all
    means that the declaration is void. A modifier counts for this declaration only; the rest lasts.
    Each effect does what it says and no more: hit points below zero bring no condition with them, so
    write `ogre.hp=-12` and `ogre+dead`.
    """

    text: str
    effects: tuple[str, ...] = ()
    author: str = ""

    @property
    def void(self) -> bool:
        """Whether the declaration is struck out."""
        return not self.effects or "void" in self.effects


def facts_of(fight: Fight, ruling: Ruling, subject: str) -> tuple[list[Any], list[Any]]:
    """Return the facts that a ruling makes true before the declaration, and those that end after it.

    Raises BadRuling for an effect that cannot be read and for an unknown combatant.
    """
    as_read(Ruled(ruling.author, "ruled", ruling.text))
    if len(ruling.effects) > MOST_EFFECTS:
        raise BadRuling(f"{len(ruling.effects)} effects; a ruling has at most {MOST_EFFECTS}")
    before: list[Any] = []
    after: list[Any] = []
    for number, effect in enumerate(ruling.effects, 1):
        if effect == "void":
            continue
        if found := _SET.fullmatch(effect):
            before.append(_set(fight, _who(fight, found["who"]), found["what"], found["value"], ruling.text))
        elif found := _MODIFIER.fullmatch(effect):
            who, id = _who(fight, found["who"]), f"ruling:{subject}:{number}"
            modifier = Modifier(int(found["value"]), found["kind"] or "ruling", ruling.text, "")
            before.append(
                EffectGained(who=who.id, id=id, stat=found["stat"], modifier=modifier, until=Until())
            )
            after.append(EffectEnded(who=who.id, id=id, why="it was ruled for one declaration"))
        elif found := _CONDITION.fullmatch(effect):
            before.append(_condition(_who(fight, found["who"]), found["sign"], found["name"], ruling.text))
        else:
            raise BadRuling(f"{effect!r} is no effect of a ruling: write {GRAMMAR}")
    return before, after


def relevant(fight: Fight, facts: Sequence[Any]) -> bool:
    """Say whether everybody whom recorded facts of a ruling speak of is still in the fight."""
    return all(getattr(fact, "who", "") in fight.state.combatants for fact in facts if hasattr(fact, "who"))


def _who(fight: Fight, id: str) -> Combatant:
    combatants = fight.state.combatants
    named = [one for one in combatants.values() if one.sheet.name.casefold() == id.casefold()]
    found = combatants.get(id) or (named[0] if len(named) == 1 else None)
    if found is None:
        there = ", ".join(combatants) or "nobody"
        raise BadRuling(f"the ruling speaks of {id!r}, in the fight are: {there}")
    return found


def _set(fight: Fight, who: Combatant, what: str, value: str, text: str) -> Any:
    if what == "hp":
        if "," in value:
            raise BadRuling(f"hit points are one number, not {value!r}")
        hp = int(value)
        return HitPointsChanged(
            who=who.id, hp=hp, nonlethal=who.nonlethal, temporary=who.temporary, change=hp - who.hp, why=text
        )
    if "," not in value:
        raise BadRuling(f"a place is two numbers X,Y, not {value!r}")
    x, y = map(int, value.split(","))
    if not fight.field.passable((x, y), who.space):
        raise BadRuling(f"{who.id} cannot stand at {x},{y}: there is a wall, or the map ends")
    if there := occupants(fight, who, (x, y)):
        raise BadRuling(f"{there[0].id} stands at {x},{y} already")
    return Moved(who=who.id, start=who.at, path=((x, y),), feet=0, diagonals=0, how="ruling")


def _condition(who: Combatant, sign: str, name: str, text: str) -> Any:
    if sign == "+":
        return ConditionGained(who=who.id, condition=name, source=text)
    if name not in who.conditions:
        raise BadRuling(f"{who.id} is not {name}")
    return ConditionLost(who=who.id, condition=name, why=text)
