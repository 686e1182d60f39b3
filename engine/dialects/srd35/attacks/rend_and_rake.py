"""Rending with what hits often enough, and raking with what else there is (srd35.constrict-rake-rend)."""

from collections import Counter
from collections.abc import Iterator
from itertools import repeat
from typing import Any, Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.sheet_names import details_of
from affray.engine.rules.attacks.natural_weapons import strikes_per_full_attack
from affray.engine.rules.gear.held_weapons import natural_weapons
from affray.engine.steps import Refusal, Steps, observed
from affray.events.facts.combat import DamageResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

HOLDS: Final = "constrict-rake-rend"


def trait_detail(combatant: Combatant, name: str) -> str:
    """Return what stands behind a trait of the sheet, such as the dice of "constrict 1d8+6", or ""."""
    traits = combatant.sheet.traits
    return next((detail for detail in details_of(name, traits) if detail), "") if traits else ""


def natural_weapon_as_printed(name: str, dice: str, kind: str = "bludgeoning") -> Weapon:
    """Return a natural weapon whose dice hold all that it deals, Strength included."""
    return Weapon(name, dice, kind, "natural", traits=("as printed",))


def raking_claws(combatant: Combatant) -> Iterator[Weapon]:
    """Yield the claws that rake, each as often as it strikes."""
    for weapon in natural_weapons(combatant):
        if "rake" in weapon.traits:
            yield from repeat(weapon, strikes_per_full_attack(weapon))


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
            yield RuleApplied(who=combatant.id, what=f"rends {id}", cites=fight.rules(HOLDS))
            blow = Blow(
                combatant,
                target,
                natural_weapon_as_printed("rend", dice, "slashing"),
                True,
                0,
                Intent("full"),
            )
            yield from fight.dialect.damage.deal(fight, blow, False)
            return


def refuse_rake(fight: Fight, combatant: Combatant) -> None:
    """Refuse to rake whom one has only just grabbed, twice in a turn, or without such claws."""
    rule = fight.rule(HOLDS)
    if not list(raking_claws(combatant)):
        raise Refusal(f"{combatant.id} has no claws to rake with", rule)
    if combatant.spent.get("grab") or combatant.spent.get("rake"):
        raise Refusal(f"{combatant.id} rakes once a turn, and only whom it held as the turn began", rule)
