"""Monsters that hold what they hit: improved grab, constrict, rake, swallow whole.

srd35.improved-grab, srd35.constrict-rake-rend, srd35.swallow-whole. A creature's sheet says so by traits:
"constrict 1d8+6" and "swallow whole 2d6+4" of the creature, "improved grab" and "rake" of a natural weapon.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from affray.engine.dialects.srd35.grapple.grapple_state import BETWEEN, grapple_check, opponents, take_hold
from affray.engine.dialects.srd35.maneuvers.opposed_checks import Contest, beats_opposed
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.features import details_of
from affray.engine.rules.gear.weapons_in_hand import natural_weapons
from affray.engine.steps import Choice, Refusal, Steps, observed
from affray.events.facts.combat import ConditionGained, DamageResolved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

GRAB: Final = "improved-grab"
HOLDS: Final = "constrict-rake-rend"


def trait_detail(who: Combatant, name: str) -> str:
    """Return what stands behind a trait of the sheet, such as the dice of "constrict 1d8+6", or ""."""
    traits = who.sheet.traits
    return next((detail for detail in details_of(name, traits) if detail), "") if traits else ""


def natural_weapon_as_printed(name: str, dice: str, kind: str = "bludgeoning") -> Weapon:
    """Return a natural weapon whose dice hold all that it deals, Strength included."""
    return Weapon(name, dice, kind, "natural", traits=("as printed",))


def grab(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Let a hit start a grapple, free, without touch or opening, with all of the body or one limb at -20.

    Only foes at least one size smaller (srd35.improved-grab).
    """
    who, target = blow.attacker, blow.target
    smaller = size_step(who) - size_step(target) >= fight.figure(GRAB, "min_size_difference")
    if not smaller or "dead" in target.conditions or opponents(fight, who) or target in opponents(fight, who):
        return
    rule = fight.rule(GRAB)
    question = f"the {blow.weapon.name} has hit: does {who.id} grab {target.id}?"
    how = yield Choice(who.id, "grab", question, ("grab", "hold with one limb", "decline"), rule)
    if how == "decline":
        return
    one_limb = how == "hold with one limb"
    extra = (
        (fight.modifier(GRAB, "hold_penalty", kind="penalty", source="with one limb"),) if one_limb else ()
    )
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, who, target, *extra),
        grapple_check(fight, target, who),
        rule,
        *fight.rules("grapple.check"),
        holding=True,
    )
    if not contest.won:
        return
    yield ActionSpent(who=who.id, kind="grab", what=f"takes hold of {target.id}", cites=(rule,))
    if one_limb:
        yield ConditionGained(who=who.id, condition="holding", source=target.id, cites=(rule,))
        held = BETWEEN.join(dict.fromkeys([*(one.id for one in opponents(fight, target)), who.id]))
        yield ConditionGained(who=target.id, condition="grappling", source=held, cites=(rule,))
    else:
        yield from take_hold(fight, who, target, rule)
    yield from constrict(fight, who, target, contest)


def constrict(fight: Fight, who: Combatant, target: Combatant, contest: Contest) -> Steps[None]:
    """Add the damage of a creature that constricts to a grapple check that it has won."""
    dice = trait_detail(who, "constrict")
    if not contest.won or not dice or "dead" in target.conditions:
        return
    yield RuleApplied(who=who.id, what=f"constricts {target.id}", cites=fight.rules(HOLDS))
    blow = Blow(who, target, natural_weapon_as_printed("constriction", dice), True, 0, Intent("grapple"))
    yield from fight.dialect.damage.deal(fight, blow, False)


def grabbing_weapon(who: Combatant) -> Weapon | None:
    """Return the weapon with which a creature grabs, whose damage each won check deals again."""
    return next((one for one in natural_weapons(who) if "improved grab" in one.traits), None)


def raking_claws(who: Combatant) -> Iterator[Weapon]:
    """Yield the claws that rake, each as often as it strikes."""
    for weapon in natural_weapons(who):
        if "rake" in weapon.traits:
            again = (
                int(trait[8:]) for trait in weapon.traits if trait[:8] == "attacks " and trait[8:].isdecimal()
            )
            for _ in range(next(again, 1)):
                yield weapon


def count_hits(who: Combatant, steps: Steps[None]) -> Steps[Counter[tuple[str, str]]]:
    """Take the steps of an attack; return how often each weapon of the attacker has hurt each target."""
    hits: Counter[tuple[str, str]] = Counter()

    def count(step: Any) -> None:
        if isinstance(step, DamageResolved) and step.attacker == who.id:
            hits[step.target, step.weapon] += 1

    yield from observed(steps, count)
    return hits


def rending(fight: Fight, who: Combatant, steps: Steps[None]) -> Steps[None]:
    """Take the steps of a full attack, and tear whom it has hit often enough."""
    hits = yield from count_hits(who, steps)
    yield from rend(fight, who, hits)


def rend(fight: Fight, who: Combatant, hits: Counter[tuple[str, str]]) -> Steps[None]:
    """Tear whom two or more blows of a weapon that rends have hit, once (srd35.constrict-rake-rend)."""
    dice = trait_detail(who, "rend")
    tearing = {weapon.name for weapon in natural_weapons(who) if "rends" in weapon.traits}
    for (id, name), number in hits.items():
        target = fight.state.combatants[id]
        if dice and name in tearing and number > 1 and "dead" not in target.conditions:
            yield RuleApplied(who=who.id, what=f"rends {id}", cites=fight.rules(HOLDS))
            blow = Blow(
                who, target, natural_weapon_as_printed("rend", dice, "slashing"), True, 0, Intent("full")
            )
            yield from fight.dialect.damage.deal(fight, blow, False)
            return


def refuse_rake(fight: Fight, who: Combatant) -> None:
    """Refuse to rake whom one has only just grabbed, twice in a turn, or without such claws."""
    rule = fight.rule(HOLDS)
    if not list(raking_claws(who)):
        raise Refusal(f"{who.id} has no claws to rake with", rule)
    if who.spent.get("grab") or who.spent.get("rake"):
        raise Refusal(f"{who.id} rakes once a turn, and only whom it held as the turn began", rule)
