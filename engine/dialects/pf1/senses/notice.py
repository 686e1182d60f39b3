"""Stealth against Perception, and whether one knows of one's opponents at all.

pf1.skill.stealth, pf1.surprise.awareness-checks.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.maneuvers import Side
from affray.engine.rules.classes.saves_and_checks import skill_parts
from affray.engine.rules.maneuvers.opposed_checks import contest_of, side_of
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ContestResolved
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.projections.state import Combatant

STEALTH: Final = "pf1.skill.stealth"
AWARENESS: Final = "pf1.surprise.awareness-checks"
#: The conditions of those whose senses are dulled, and what of them it takes off an opposed Perception check.
DULLED: Final = {"blinded": "skills", "deafened": "perception", "dazzled": "perception"}


def stealth_side(fight: Fight, hider: Combatant, more: Sequence[Modifier] = ()) -> Side:
    """Return the Stealth check of somebody, with what changes it besides (pf1.skill.stealth)."""
    parts = skill_parts(fight, hider, "stealth", "dex", fight.rule(STEALTH))
    return side_of(fight, hider, "stealth", [*parts, *more])


def perception_side(fight: Fight, watcher: Combatant) -> Side:
    """Return the Perception check of somebody against Stealth, worse without a sense or with a weaker one.

    pf1.cond.blinded, pf1.cond.deafened, pf1.cond.dazzled.
    """
    parts = skill_parts(fight, watcher, "perception", "wis", fight.rule(STEALTH))
    for name, figure in DULLED.items():
        if name in watcher.conditions:
            parts.append(fight.modifier(f"pf1.cond.{name}", figure, kind="penalty", source=name))
    return side_of(fight, watcher, "perception", parts)


def judge_of_stealth(
    fight: Fight, mine: Side, rolled: Rolled, theirs: Side, *cites: str
) -> Callable[[str, int], ContestResolved]:
    """Return what each face of a Perception roll comes to: it must beat the Stealth, not equal it."""
    stack = fight.dialect.attacks.stack
    own, other = stack(fight, mine.parts), stack(fight, theirs.parts)

    def judge(_key: str, face: int) -> ContestResolved:
        total, against = rolled.total + own.total, face + other.total
        return contest_of("stealth", (mine, own, total), (theirs, other, against), total >= against, *cites)

    return judge


def settle_awareness(fight: Fight, act: acts.Begin) -> Steps[tuple[str, ...]]:
    """Return who does not know of its opponents: whom the game master names, and who notices none of them.

    Whoever comes in secret rolls Stealth once; of its opponents those who meet nobody in the open roll
    Perception once, against all of them (pf1.surprise.awareness-checks).
    """
    for id in act.stealthy:
        if id in act.unaware:
            raise Refusal(f"{id} comes in secret and knows of its opponents", fight.rule(AWARENESS))
    sides = {id: stealth_side(fight, fight.combatant(id)) for id in act.stealthy}
    return noticing_none(fight, act, sides)


def noticing_none(fight: Fight, act: acts.Begin, sides: dict[str, Side]) -> Steps[tuple[str, ...]]:
    """Roll the checks of both sides; return who is unaware."""
    unaware = [id for id in fight.state.combatants if id in act.unaware]
    rolls: dict[str, Rolled] = {}
    for watcher in watchers(fight, act):
        foes = fight.enemies(watcher)
        if is_down(fight, watcher):
            unaware.append(watcher.id)
            continue
        for foe in foes:
            if foe.id not in rolls:
                rolls[foe.id] = yield Roll(foe.id, "stealth", "1d20")
        theirs = perception_side(fight, watcher)
        judging = partial(judge_of_stealth, fight)
        cites = fight.rules(AWARENESS, STEALTH)
        judges = {foe.id: judging(sides[foe.id], rolls[foe.id], theirs, *cites) for foe in foes}
        seen = yield Roll(watcher.id, "perception", "1d20", judges)
        facts = [judge(seen.key, seen.total) for judge in judges.values()]
        yield from facts
        if all(fact.won for fact in facts):
            unaware.append(watcher.id)
    return tuple(unaware)


def watchers(fight: Fight, act: acts.Begin) -> list[Combatant]:
    """Return those who must notice somebody: all their opponents come in secret."""
    everybody = fight.state.combatants.values()
    return [
        one
        for one in everybody
        if one.id not in act.unaware
        and (foes := fight.enemies(one))
        and all(foe.id in act.stealthy for foe in foes)
    ]
