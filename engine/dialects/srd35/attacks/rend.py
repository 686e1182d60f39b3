"""Rending whom a full attack has hit often enough (srd35.constrict-rake-rend)."""

from collections import Counter
from typing import Any

from affray.engine.fight.fight import Fight
from affray.engine.rules.attacks.rend import tear
from affray.engine.rules.classes.ability_modifiers import trait_detail
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.steps import Steps, observed
from affray.events.facts.combat import DamageResolved
from affray.projections.state import Combatant


def count_hits(combatant: Combatant, steps: Steps[None]) -> Steps[Counter[tuple[str, str]]]:
    """Take the steps of an attack; return how often each weapon of the attacker has hurt each target."""
    hits: Counter[tuple[str, str]] = Counter()

    def count(step: Any) -> None:
        if isinstance(step, DamageResolved) and step.attacker == combatant.id:
            hits[step.target, step.weapon] += 1

    yield from observed(steps, count)
    return hits


def rending(fight: Fight, combatant: Combatant, steps: Steps[None]) -> Steps[None]:
    """Take the steps of a full attack, and tear whom it has hit often enough."""
    hits = yield from count_hits(combatant, steps)
    yield from rend(fight, combatant, hits)


def rend(fight: Fight, combatant: Combatant, hits: Counter[tuple[str, str]]) -> Steps[None]:
    """Tear whom two or more blows of a weapon that rends have hit, once (srd35.constrict-rake-rend)."""
    dice = trait_detail(combatant, "rend")
    tearing = {weapon.name for weapon in natural_weapons(combatant) if "rends" in weapon.traits}
    for (id, name), number in hits.items():
        target = fight.state.combatants[id]
        if dice and name in tearing and number > 1 and "dead" not in target.conditions:
            yield from tear(fight, combatant, target, dice)
            return
