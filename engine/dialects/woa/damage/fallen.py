"""Those who fall: unconscious, or dead (woa.zero-hp.failure, woa.knocked-out.failure)."""

from affray.engine.dialects.woa.conditions import fear
from affray.engine.dialects.woa.conditions.durations import rounds_gone_by
from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged
from affray.projections.state import Combatant

SUBDUED = "subdued"
"""Knocked out by nonlethal damage."""
TREATED = "treated"
"""Unconscious, and known to live."""


def die(fight: Fight, who: Combatant, source: str, *cites: str) -> Steps[None]:
    """Kill a combatant: what it holds drops, and fear of it turns into being shaken."""
    if "dead" in who.conditions:
        return
    for name in ("unconscious", TREATED, SUBDUED):
        if name in who.conditions:
            yield ConditionLost(who=who.id, condition=name, why="dead", cites=cites)
    yield ConditionGained(who=who.id, condition="dead", source=source, cites=cites)
    for item in who.held:
        yield ItemChanged(who=who.id, item=item, state="dropped", cites=cites)
    yield from fear.source_defeated(fight, who)


def fall_unconscious(fight: Fight, who: Combatant, source: str, *, nonlethal: bool = False) -> Steps[None]:
    """Lose consciousness: held things drop, the body falls; alive or dead is settled by treatment.

    Fear of it turns into being shaken.
    """
    rule = fight.rule("zero-hp.failure")
    if "staggered" in who.conditions:
        yield ConditionLost(who=who.id, condition="staggered", why="unconscious", cites=(rule,))
    yield ConditionGained(
        who=who.id,
        condition="unconscious",
        source=source,
        level=rounds_gone_by(fight),
        cites=(rule, fight.rule("knocked-out.undetermined")),
    )
    if nonlethal:
        cites = fight.rules("nonlethal.zero-hp")
        yield ConditionGained(who=who.id, condition=SUBDUED, source=source, cites=cites)
    for item in who.held:
        yield ItemChanged(who=who.id, item=item, state="dropped", cites=(rule,))
    if "prone" not in who.conditions:
        yield ConditionGained(who=who.id, condition="prone", source="unconscious", cites=(rule,))
    yield from fear.source_defeated(fight, who)
