"""Massive damage and recovered hit points (srd35.injury.massive-damage)."""

from collections.abc import Iterable

from affray.engine.dialects.srd35.conditions import ability_loss
from affray.engine.dialects.srd35.conditions.ability_loss import lose_ability_points
from affray.engine.fight.fight import Fight
from affray.engine.kernel.sheets import LEVELS, POINTS
from affray.engine.kernel.turns import run_condition_steps
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.classes.abilities import score_now
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import nature_among
from affray.engine.rules.conditions.conditions import is_immune_to_rider
from affray.engine.rules.damage import injury
from affray.engine.rules.damage.injury import change_health, hit_points_set, settle_health
from affray.engine.rules.damage.recovery_and_riders import critical_riders
from affray.engine.rules.environment import STIFLED
from affray.engine.rules.turns.initiative import for_rounds
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import AfflictionHeld, ConditionGained, ResourceSpent, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Rider
from affray.projections.state import Combatant

# --- Effects of a blow or spell besides damage: poison, drain, stunning
# srd35.dr.rider, srd35.poison, srd35.creature-immunities.


def apply_riders(
    fight: Fight, blow: Blow, harm: Harm | None, critical: bool, riders: Iterable[Rider]
) -> Steps[None]:
    """Apply the riders of a hit (poison, drain, a condition).

    Riders that need a wound fail if none of the blow's damage got through; energy drain and contact effects
    do not need one (srd35.dr.rider).
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
    """Let a combatant save against a rider, or suffer it; poison has a second effect a minute later.

    The immune are unaffected (srd35.poison, srd35.creature-immunities).
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
    """Apply an effect to a combatant: lost ability points, negative levels, or a condition."""
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
        yield from ability_loss.negative_levels(fight, combatant, int(levels["levels"]), by, rider.name)
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
    """Apply the riders of the weapon of a hit (srd35.dr.rider)."""
    return apply_riders(fight, blow, harm, critical, blow.weapon.riders)


def heal(
    fight: Fight, victim: Combatant, amount: int, source: str, *cites: str, magical: bool = True
) -> Steps[None]:
    """Restore hit points, never above the full ones; magic removes as much nonlethal damage too.

    Temporary hit points are not restored (srd35.heal.limits). An act of the disabled that raises its hit
    points costs none (srd35.injury.disabled).
    """
    own_act = fight.state.active == victim.id and victim.spent.get("standard") and amount > 0
    hp = max(victim.hp, min(victim.max_hp, victim.hp + amount))
    nonlethal = max(0, victim.nonlethal - amount) if magical else victim.nonlethal
    if hp - victim.hp < amount or nonlethal < victim.nonlethal:
        cites += fight.rules("srd35.heal.limits")
    yield hit_points_set(victim, hp, source, *cites, nonlethal=nonlethal)
    regained = victim.resources.get(STIFLED, 0) - (victim.max_hp - hp)
    if regained > 0:
        cites = fight.rules("srd35.fast-healing")
        yield ResourceSpent(who=victim.id, resource=STIFLED, amount=-regained, cites=cites)
    if "dying" in victim.conditions and victim.hp < 0:
        yield from change_health(fight, victim, "stable", source, "srd35.injury.stabilize-aid")
    yield from settle_health(fight, victim, source)
    if own_act and "disabled" in victim.conditions:
        cites = fight.rules("srd35.injury.disabled")
        yield ActionSpent(who=victim.id, kind="healed", what="has raised its own hit points", cites=cites)
    if victim.conditions:
        yield from run_condition_steps(fight, victim, "healed")


def massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return the damage of one attack that takes a save against death."""
    return int(fight.figure("srd35.injury.massive-damage", "threshold"))


def dies_by_constitution(fight: Fight, combatant: Combatant) -> bool:
    """Return whether the death line depends on Constitution (death_line)."""
    return fight.option("death_line") == "minus-constitution"


def minus_constitution(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: minus its Constitution."""
    return -(score_now(fight, combatant, "con") or 0)


def on_own_turn(fight: Fight, victim: Combatant) -> bool:
    """Return whether the dying roll on their own turns, and not at the round's end (stabilize_timing)."""
    return fight.option("stabilize_timing") == "own-turn"


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying (srd35.injury.dying: -1)."""
    return int(fight.figure("srd35.injury.dying", "from"))


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    Temporary hit points are lost first; above 0 there are no further effects (srd35.temp-hp,
    .injury.no-penalty-above-0).
    """
    lent = ("temp-hp",) if absorbed else ()
    if harm.nonlethal:
        return ("srd35.nonlethal.track", *lent)
    return (
        ("srd35.hp.thresholds", *lent)
        if hp <= 0
        else ("srd35.hp.thresholds", "srd35.injury.no-penalty-above-0", *lent)
    )


def bleed_out_together(fight: Fight) -> Steps[None]:
    """Make all the dying roll as the round ends, if stabilize_timing says so (srd35.injury.stabilize)."""
    if fight.option("stabilize_timing") == "round-end":
        for victim in fight.state.combatants.values():
            if "dying" in victim.conditions:
                yield from injury.bleed_out(fight, victim)


def is_grave(fight: Fight, target: Combatant, before: int, harm: Harm) -> bool:
    """Return whether lost hit points can have further effects on their target.

    Not on a target that was and is above 0, and has not lost enough at once for massive damage
    (srd35.injury.no-penalty-above-0, srd35.injury.massive-damage).
    """
    if target.conditions or target.casting is not None or target.hp <= target.nonlethal:
        return True
    return bool(harm.amount >= fight.figure("srd35.injury.massive-damage", "threshold"))


def dead_at_once(
    fight: Fight, target: Combatant, before: int, harm: Harm, injuring: Steps[None]
) -> Steps[None]:
    """Treat a creature that was killed outright as below its death line.

    srd35.injury.dead, srd35.death-effects
    """
    alive = "dead" not in target.conditions
    yield from injuring
    if alive and "dead" in target.conditions:
        destroyed = target.hp <= 0 and nature_among(target, fight.figure("srd35.nonlethal.immune"))
        if not destroyed:
            yield from below_death_line(fight, target)


def below_death_line(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Treat a creature that was killed outright as below its death line (srd35.death-effects)."""
    topic = "death-effects"
    line = fight.figure(topic, "hit_points")
    if "dead" in combatant.conditions and combatant.hp > line:
        yield hit_points_set(combatant, line, "death comes at once", fight.rule(topic), temporary=0)
