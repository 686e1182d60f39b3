"""Poisons of the table: what they do at once, and while they last."""

from collections.abc import Mapping
from typing import Any, Final

from affray.engine.dialects.srd52 import damage, test
from affray.engine.dialects.srd52.classes import rounds_in
from affray.engine.dialects.srd52.conditions import gain
from affray.engine.dialects.srd52.features import Blow, Dice, Feature, Held
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_company
from affray.engine.kernel import checks
from affray.engine.steps import Refusal, Roll, Steps, observed, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.combat import (
    CheckResolved,
    ConditionGained,
    ConditionLost,
    CounterChanged,
    EffectEnded,
    EffectGained,
    Until,
)
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

TABLE: Final = "environment.poison-table"


class Poison(acts.Act, frozen=True, gc=False, tag="srd52.poison"):
    """Expose a combatant to a poison of the table, as game master.

    target: the combatant.
    name: the poison.
    """

    declared_by = "game master"

    target: Name = ""
    name: Name = ""


def row_of(fight: Fight, name: str) -> Mapping[str, Any]:
    """Return the row of a poison. Refuses one that the table does not have."""
    rows = {row["name"]: row for row in fight.figure(TABLE)}
    if name not in rows:
        raise unknown_word("poison", name, rows, fight.rule("environment.poison-types"))
    found: Mapping[str, Any] = rows[name]
    return found


def poison(fight: Fight, act: Poison) -> Steps[None]:
    """Let a poison act: a Constitution save, damage, and being Poisoned, with what comes with it.

    Refuses a poison that works over days.
    """
    target, row = fight.combatant(act.target), row_of(fight, act.name)
    cites = fight.rules("environment.poison-types", TABLE)
    if row.get("repeat") == DAILY:
        raise Refusal(f"{act.name} works over days", cites[1])
    results: list[CheckResolved] = []
    saving = save(fight, target, row)
    saved = yield from observed(
        saving, lambda step: results.append(step) if isinstance(step, CheckResolved) else None
    )
    if "damage" in row and (not saved or row.get("success", "").startswith("half")):
        blow, dice = Blow("", act.name, halved=saved), Dice(row["damage"], "poison", act.name)
        yield from damage.deal(fight, target, blow, [dice], cites=cites)
    if saved or "dead" in target.conditions:
        return
    until = checks.FOR_GOOD
    names = ["poisoned", row.get("also", "")] if "poisoned" in row else []
    if names:
        many, unit = row["poisoned"].split()
        number = int(many) if many.isdecimal() else (yield Roll(target.id, "hours", many)).total
        until = Until("turn-start", target.id, fight.state.round + rounds_in(f"{number} {unit}"))
    if "fail_by_5" in row and row["dc"] - results[-1].total >= row["margin"]:
        names.append(row["fail_by_5"])
    for name in (one for one in names if one in fight.dialect.kernel.conditions):
        yield from reciting(gain(fight, target, name, act.name, until), ConditionGained, *cites)
    held = target.conditions.get("poisoned")
    if not names or (held is not None and held.source == act.name):
        part = Modifier(0, "poison", act.name, cites[1])
        yield EffectGained(
            who=target.id, id=f"{POISON}:{act.name}", stat=POISON, modifier=part, until=until, cites=cites
        )


DAILY: Final = "24 hours"
"""How often a poison that works over days takes a save."""
POISON: Final = "poison"
"""The stat of the effect of a poison, which lasts as long as it does."""


def save(fight: Fight, target: Combatant, row: Mapping[str, Any]) -> Steps[bool]:
    """Make the save against a poison; return whether it succeeds."""
    against, cites = frozenset({"poisoned"}), fight.rules("environment.poison-types", TABLE)
    return (
        yield from test.save(fight, target, "con", row["dc"], against=against, why=row["name"], cites=cites)
    )


# --- While it lasts


def burn_on(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the save as a turn begins: a failure hurts, and after some successes the poison ends."""
    one, row, cites = held.holder, row_of(fight, held.name), fight.rules(TABLE)
    if "then" not in row:
        return
    if not (yield from save(fight, one, row)):
        dice = Dice(row["then"].partition(" ")[0], "poison", held.name)
        yield from damage.deal(fight, one, Blow("", held.name), [dice], cites=cites)
        return
    counter, least = f"saves against {held.name}", int(row["ends"].partition(" ")[0])
    many = one.counters.get(counter, 0) + 1
    yield CounterChanged(who=one.id, counter=counter, value=many % least, cites=cites)
    if many == least:
        yield EffectEnded(who=one.id, id=held.id, why="the poison ends", cites=cites)


def fight_off(fight: Fight, held: Held) -> Steps[None]:
    """Repeat the save as a turn ends; a success ends the poison."""
    row = row_of(fight, held.name)
    if row.get("repeat") and (yield from save(fight, held.holder, row)):
        cites = fight.rules(TABLE)
        yield ConditionLost(who=held.holder.id, condition="poisoned", why="it saves", cites=cites)


def wake_by_damage(fight: Fight, held: Held, blow: Blow, amount: int) -> Steps[None]:
    """Wake a creature that a poison has put to sleep."""
    yield from wake(fight, held.holder, "damage", "it takes damage")


def wake(fight: Fight, target: Combatant, what: str, why: str) -> Steps[None]:
    """End the sleep of a poison that damage or an action of another ends."""
    if is_woken_by(fight, target, what):
        yield ConditionLost(who=target.id, condition="unconscious", why=why, cites=fight.rules(TABLE))


def is_woken_by(fight: Fight, target: Combatant, what: str) -> bool:
    """Return whether a creature is asleep by a poison that "damage" or an "action" ends."""
    held = target.conditions.get("unconscious")
    rows = fight.figure(TABLE)
    return held is not None and any(
        row["name"] == held.source and what in row.get("wakes", ()) for row in rows
    )


def lame(fight: Fight, held: Held, feet: int) -> int:
    """Return half of the Speed, if the poison halves it."""
    factor = row_of(fight, held.name).get("speed_factor", 1)
    return int(feet * factor)


@per_company()
def poisons_that_end(fight: Fight) -> tuple[EffectEnded | ConditionLost, ...]:
    """Return the facts that a poison is over with the Poisoned condition, and what comes with it."""
    made: list[EffectEnded | ConditionLost] = []
    for one in fight.state.combatants.values():
        for effect in one.effects:
            name, cites = effect.modifier.source, fight.rules(TABLE)
            if effect.stat != POISON or "poisoned" in one.conditions:
                continue
            if "poisoned" not in row_of(fight, name):
                continue
            made.append(EffectEnded(who=one.id, id=effect.id, why="it is no longer poisoned", cites=cites))
            made += (
                ConditionLost(who=one.id, condition=other, why="it is no longer poisoned", cites=cites)
                for other, held in one.conditions.items()
                if held.source == name
            )
    return tuple(made)


LASTING: Final = {
    f"stat {POISON}": Feature(
        topic=TABLE, turn_start=burn_on, turn_end=fight_off, after_damage=wake_by_damage, on_speed=lame
    ),
}
"""The lasting effects of poisons."""
