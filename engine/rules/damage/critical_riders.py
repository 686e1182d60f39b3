"""Critical hits that take ability points or levels, and those of spells."""

from collections.abc import Iterable

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.sheet_faults import LEVELS, POINTS
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant

ABILITY = "crit.ability-points"
DRAIN = "crit.negative-levels"
FIGURE = "on_critical"


def critical_riders(
    fight: Fight, target: Combatant, riders: Iterable[Rider], *cites: str
) -> Steps[tuple[Rider, ...]]:
    """Return what a critical hit brings: points and levels are doubled, dice rolled twice; poison is not.

    srd35.ability-loss.applied, srd35.energy-drain.save, pf1.crit.not-multiplied, pf1.negative-levels.
    """
    doubled = []
    for rider in riders:
        more = critical_rider(fight, rider)
        if more is not rider and POINTS.fullmatch(rider.effect):
            what = f"the critical hit doubles the {rider.name}"
            rules = dict.fromkeys((fight.rule(ABILITY), *cites))
            yield RuleApplied(who=target.id, what=what, cites=tuple(rules))
        doubled.append(more)
    return tuple(doubled)


def critical_rider(fight: Fight, rider: Rider) -> Rider:
    """Return a rider as a critical hit brings it."""
    if rider.kind == "poison":
        return rider
    if points := POINTS.fullmatch(rider.effect):
        times = int(fight.figure(ABILITY, FIGURE))
        more = multiply_dice(points["dice"], times)
        return replace(rider, effect=more + rider.effect.removeprefix(points["dice"]))
    if levels := LEVELS.fullmatch(rider.effect):
        times = int(fight.figure(DRAIN, FIGURE))
        return replace(rider, effect=f"{int(levels['levels']) * times} negative levels")
    return rider


def multiply_dice(dice: str, times: int) -> str:
    """Return a number that many times as great, or dice that are rolled that many times."""
    return str(int(dice) * times) if dice.isdecimal() else "+".join([dice] * times)


def critical_spell(fight: Fight, spell: Spell, target: Combatant) -> Steps[Spell]:
    """Return a spell as it works after a critical hit of its touch or ray: with its damage multiplied.

    srd35.crit.spells, futurepath.assumed.spell-criticals.
    """
    if spell.damage:
        what = f"the critical hit multiplies the damage of {spell.name}"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules("crit.spells"))
        spell = replace(spell, damage=multiply_dice(spell.damage, fight.figure("crit.spells", "multiplier")))
    return spell


def with_critical_riders(
    fight: Fight, spell: Spell, target: Combatant, multiplying: Steps[Spell]
) -> Steps[Spell]:
    """Return a spell as it works after a critical hit, what it takes of abilities and levels doubled too.

    srd35.crit.spells, pf1.crit.not-multiplied.
    """
    spell = yield from multiplying
    riders = yield from critical_riders(fight, target, spell.riders, fight.rule("crit.spells"))
    return replace(spell, riders=riders)
