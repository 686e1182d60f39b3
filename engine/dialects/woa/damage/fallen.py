"""Make combatants fall unconscious or die (woa.zero-hp.failure, woa.knocked-out.failure)."""

from affray.engine.dialects.woa.conditions import conditions
from affray.engine.dialects.woa.conditions.conditions import get_rounds_passed
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.hands import drop_all
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

SUBDUED = "subdued"
"""The condition of being knocked out by nonlethal damage."""
TREATED = "treated"
"""The condition of being unconscious and known to be alive."""


def die(fight: Fight, combatant: Combatant, source: str, *cites: str) -> Steps[None]:
    """Kill a combatant: its held items and concentration are lost, and fear of it becomes being shaken."""
    if "dead" in combatant.conditions:
        return
    for name in ("unconscious", TREATED, SUBDUED):
        if name in combatant.conditions:
            yield ConditionLost(who=combatant.id, condition=name, why="dead", cites=cites)
    gained = ConditionGained(who=combatant.id, condition="dead", source=source, cites=cites)
    yield gained
    yield from drop_all(fight, combatant, cites)
    yield from fight.dialect.conditions.lapses(fight, gained)
    yield from conditions.reduce_fear_of_defeated(fight, combatant)


def fall_unconscious(
    fight: Fight, combatant: Combatant, source: str, *, nonlethal: bool = False, topic: str = ""
) -> Steps[None]:
    """Make a combatant unconscious: held items drop, it falls; treatment decides between life and death.

    A rider that stays in the saddle is slumped there instead (woa.mount.rider-unconscious). Its concentration
    ends, and fear of it becomes being shaken. `topic` is the rule that causes it if a loss of hit points does
    not.
    """
    rule = fight.rule(topic or "woa.zero-hp.failure")
    if "staggered" in combatant.conditions:
        yield ConditionLost(who=combatant.id, condition="staggered", why="unconscious", cites=(rule,))
    gained = ConditionGained(
        who=combatant.id,
        condition="unconscious",
        source=source,
        level=get_rounds_passed(fight),
        cites=(rule,) if topic else (rule, fight.rule("woa.knocked-out.undetermined")),
    )
    yield gained
    if nonlethal:
        cites = fight.rules("woa.nonlethal.zero-hp")
        yield ConditionGained(who=combatant.id, condition=SUBDUED, source=source, cites=cites)
    yield from drop_all(fight, combatant, (rule,))
    if "prone" not in combatant.conditions and not combatant.mount:
        yield ConditionGained(who=combatant.id, condition="prone", source="unconscious", cites=(rule,))
    yield from fight.dialect.conditions.lapses(fight, gained)
    yield from conditions.reduce_fear_of_defeated(fight, combatant)


SPENT = "0 hit points or less"
SPENT_BY_NONLETHAL = "0 hit points or less, by nonlethal damage"
"""The sources of being staggered for combatants that hold on without hit points."""


def holds_on(combatant: Combatant) -> str:
    """Return by which of these a combatant is staggered, "" if by neither."""
    held = combatant.conditions.get("staggered")
    return held.source if held is not None and held.source in (SPENT, SPENT_BY_NONLETHAL) else ""


def hit_points_as_modifier(fight: Fight, victim: Combatant, nonlethal: bool = False) -> tuple[Modifier, ...]:
    """Return the hit point total, 0 or less, as a modifier; after nonlethal damage up to 10 higher.

    woa.zero-hp.save-modifier, woa.nonlethal.zero-hp
    """
    if not nonlethal:
        return (
            Modifier(
                min(0, victim.hp), "hit points", "current hit points", fight.rule("woa.zero-hp.save-modifier")
            ),
        )
    words = str(fight.figure("woa.nonlethal.zero-hp", "effective_hp_for_saves"))
    most, milder = int(words.partition("(")[2].split(",")[0]), int(words.rsplit("+", 1)[1].strip(" )"))
    value = min(most, victim.hp + milder)
    return (
        Modifier(value, "hit points", "current hit points, nonlethal", fight.rule("woa.nonlethal.zero-hp")),
    )
