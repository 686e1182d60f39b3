"""Acid, lava and boiling water, touched or all around one (srd35.hazard.lava-acid, pf1.hazard.ref)."""

from functools import partial
from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.conditions import ConditionRule
from affray.engine.record.environment import Danger
from affray.engine.rules.environment.hazard_damage import LIQUIDS, SEARED, deal_hazard_damage
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant

LIQUID: Final = "hazard.lava-acid"
"""srd35.hazard.lava-acid, pf1.hazard.ref."""
DEGREES: Final = ("contact", "immersion")


def into_liquid(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Touch or go under acid, lava or boiling water: damage now and each round.

    srd35.hazard.lava-acid, pf1.hazard.ref.
    """
    degree = act.degree or "contact"
    if degree not in DEGREES:
        raise Refusal(f"one is exposed by {' or '.join(DEGREES)}, not {degree!r}", fight.rule(LIQUID))
    name, _, _ = LIQUIDS[act.to]
    yield ConditionGained(who=target.id, condition=name, source=degree, cites=(fight.rule(LIQUID),))
    yield from corrode(fight, target, act.to)


def place_of(degree: str) -> int:
    """Return the place of a degree in the figures; a liquid that is said by its name alone is touched."""
    return DEGREES.index(degree) if degree in DEGREES else 0


def corrode(fight: Fight, victim: Combatant, liquid: str) -> Steps[None]:
    """Take a round's damage from a liquid one touches or is under."""
    name, path, kind = LIQUIDS[liquid]
    place = place_of(victim.conditions[name].source)
    yield from deal_hazard_damage(
        fight, victim, fight.figure(LIQUID, path, place), kind, liquid, fight.rule(LIQUID)
    )


def burn_on(fight: Fight, target: Combatant, degree: str) -> Steps[None]:
    """Burn on for 1d3 rounds after lava, for half its damage (srd35.hazard.lava-acid, pf1.hazard.ref)."""
    rolled = yield Roll("", "lava-rounds", fight.figure(LIQUID, "afterwards", "rounds"))
    yield ConditionGained(
        who=target.id, condition=SEARED, source=degree, level=rolled.total, cites=(fight.rule(LIQUID),)
    )


def smoulder(fight: Fight, victim: Combatant) -> Steps[None]:
    """Take half of lava's damage in a round after it."""
    rule = fight.rule(LIQUID)
    state = victim.conditions[SEARED]
    number, _, size = str(fight.figure(LIQUID, "lava", place_of(state.source))).partition("d")
    count = int(int(number) * fight.figure(LIQUID, "afterwards", "share"))
    yield from deal_hazard_damage(fight, victim, f"{count}d{size}", "fire", "lava", rule)
    if state.level > 1:
        yield ConditionGained(
            who=victim.id, condition=SEARED, source=state.source, level=state.level - 1, cites=(rule,)
        )
    else:
        yield ConditionLost(who=victim.id, condition=SEARED, why="burnt out", cites=(rule,))


DANGERS: Final = {
    liquid: Danger(LIQUID, into_liquid, (name,), burn_on if liquid == "lava" else None)
    for liquid, (name, _, _) in LIQUIDS.items()
}
CONDITIONS: Final = {
    name: ConditionRule(LIQUID, each_turn=partial(corrode, liquid=liquid))
    for liquid, (name, _, _) in LIQUIDS.items()
} | {SEARED: ConditionRule(LIQUID, each_turn=smoulder)}
"""Being in contact with, or under, something that burns or corrodes, and what lava leaves on one."""
