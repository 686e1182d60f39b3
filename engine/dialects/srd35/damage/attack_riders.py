"""What comes along with a blow or spell besides damage: poison, drain, stunning.

srd35.dr.rider, srd35.poison, srd35.creature-immunities.
"""

from collections.abc import Iterable

from affray.engine.dialects.srd35.conditions import energy_drain
from affray.engine.dialects.srd35.conditions.ability_loss import lose_ability_points
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.saves_and_checks import saving_throw
from affray.engine.rules.classes.sheet_faults import LEVELS, POINTS
from affray.engine.rules.conditions.immunities import is_immune_to_rider
from affray.engine.rules.damage.critical_riders import critical_riders
from affray.engine.rules.turns.expiry import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import AfflictionHeld, ConditionGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet_parts import Rider
from affray.projections.state import Combatant


def apply_riders(
    fight: Fight, blow: Blow, harm: Harm | None, critical: bool, riders: Iterable[Rider]
) -> Steps[None]:
    """Let the riders of a hit (poison, drain, a condition) take effect.

    What needs a wound fails if nothing of the blow came through; energy drain and what works by contact
    does not need one (srd35.dr.rider).
    """
    target = blow.target
    for rider in riders:
        if "dead" in target.conditions:
            return
        wounds, soaked = harm is None or harm.amount > 0, harm is not None and harm.soaked
        if rider.delivery == "injury" and rider.kind != "energy drain" and not wounds:
            topic = "srd35.dr.rider" if soaked else "poison"
            what = f"the {rider.name} does not get into {target.id}: no wound"
            yield RuleApplied(who=target.id, what=what, cites=fight.rules(topic))
            continue
        if soaked:
            what = f"the {rider.name} works without a wound"
            yield RuleApplied(who=target.id, what=what, cites=fight.rules("srd35.dr.rider"))
        if critical:
            (rider,) = yield from critical_riders(fight, target, [rider])
        yield from resist_or_suffer(fight, target, rider, blow.attacker)


def resist_or_suffer(
    fight: Fight, victim: Combatant, rider: Rider, by: Combatant | None = None
) -> Steps[None]:
    """Let somebody resist what it is exposed to, or suffer it; poison comes back a minute later.

    The immune take nothing of it (srd35.poison, srd35.creature-immunities).
    """
    if (yield from is_immune_to_rider(fight, victim, rider)):
        return
    poison = fight.rules("srd35.poison") if rider.kind == "poison" else ()
    saved = False
    if rider.save:
        saved = yield from saving_throw(fight, victim, rider.save, rider.dc, rider.name, *poison)
    if not saved:
        yield from apply_effect(fight, victim, rider, rider.effect, by)
    if poison and rider.secondary and "dead" not in victim.conditions:
        rounds = fight.figure("srd35.poison", "secondary_after_rounds")
        yield AfflictionHeld(
            who=victim.id,
            id=fight.key(victim.id, "poison"),
            rider=rider,
            by=by.id if by is not None else "",
            dc=rider.dc,
            round=fight.state.round + rounds,
            minute=fight.state.minutes + 1,
            cites=poison,
        )


def apply_effect(
    fight: Fight, combatant: Combatant, rider: Rider, text: str, by: Combatant | None
) -> Steps[None]:
    """Let an effect come over somebody: lost ability points, negative levels, or a condition."""
    if not text:
        return
    if points := POINTS.fullmatch(text):
        dice = points["dice"]
        if dice.isdecimal():
            amount = int(dice)
        else:
            rolled = yield Roll(by.id if by is not None else combatant.id, rider.kind.replace(" ", "-"), dice)
            amount = rolled.total
        yield from lose_ability_points(
            fight, combatant, points["ability"], amount, rider.name, drain=bool(points["drain"])
        )
    elif levels := LEVELS.fullmatch(text):
        yield from energy_drain.negative_levels(fight, combatant, int(levels["levels"]), by, rider.name)
    else:
        until = for_rounds(fight, by or combatant, rider.rounds) if rider.rounds else Until()
        topics = ["poison"] if rider.kind == "poison" else []
        topics += ["srd35.round.duration-expiry"] if rider.rounds else []
        cites = fight.rules(*topics)
        yield from fight.dialect.conditions.gain(
            fight,
            ConditionGained(who=combatant.id, condition=text, source=rider.name, until=until, cites=cites),
        )


def apply_weapon_riders(fight: Fight, blow: Blow, harm: Harm | None, critical: bool) -> Steps[None]:
    """Let what the weapon of a hit brings along take effect (srd35.dr.rider)."""
    return apply_riders(fight, blow, harm, critical, blow.weapon.riders)
