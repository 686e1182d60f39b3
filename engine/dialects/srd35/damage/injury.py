"""Massive damage and hit points that come back (srd35.injury.massive-damage)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_scores import score_now
from affray.engine.rules.classes.natures import nature_among
from affray.engine.rules.conditions.condition_rules import brings_about
from affray.engine.rules.damage import injury
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.rules.damage.injury import change_health, settle_health
from affray.engine.steps import Steps
from affray.projections.state import Combatant


def heal(
    fight: Fight, victim: Combatant, amount: int, source: str, *cites: str, magical: bool = True
) -> Steps[None]:
    """Give hit points back, never above the full ones; magic takes off as much nonlethal damage too.

    Temporary hit points are not given back (srd35.heal.limits).
    """
    hp = max(victim.hp, min(victim.max_hp, victim.hp + amount))
    nonlethal = max(0, victim.nonlethal - amount) if magical else victim.nonlethal
    if hp - victim.hp < amount or nonlethal < victim.nonlethal:
        cites += fight.rules("srd35.heal.limits")
    yield hit_points_set(victim, hp, source, *cites, nonlethal=nonlethal)
    if "dying" in victim.conditions and victim.hp < 0:
        yield from change_health(fight, victim, "stable", source, "srd35.injury.stabilize-aid")
    yield from settle_health(fight, victim, source)
    if victim.conditions:
        yield from brings_about(fight, victim, "healed")


def massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return the damage of one attack that calls for a save against death."""
    return int(fight.figure("srd35.injury.massive-damage", "threshold"))


def dies_by_constitution(fight: Fight, combatant: Combatant) -> bool:
    """Say whether the death line goes by Constitution (death_line)."""
    return fight.option("death_line") == "minus-constitution"


def minus_constitution(fight: Fight, combatant: Combatant) -> int:
    """Return the hit points at which a combatant is dead: minus its Constitution."""
    return -(score_now(fight, combatant, "con") or 0)


def on_own_turn(fight: Fight, victim: Combatant) -> bool:
    """Say whether the dying roll on their own turns, and not at the round's end (stabilize_timing)."""
    return fight.option("stabilize_timing") == "own-turn"


def dying_from(fight: Fight) -> int:
    """Return the highest hit points at which a combatant is dying (srd35.injury.dying: -1)."""
    return int(fight.figure("srd35.injury.dying", "from"))


def loss_topics(harm: Harm, hp: int, absorbed: int) -> tuple[str, ...]:
    """Return the topics of the rules by which damage leaves a combatant with `hp` hit points.

    Temporary hit points go first; above 0 nothing else follows (srd35.temp-hp, .injury.no-penalty-above-0).
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
    """Let all the dying roll as the round ends, where stabilize_timing says so (srd35.injury.stabilize)."""
    if fight.option("stabilize_timing") == "round-end":
        for victim in fight.state.combatants.values():
            if "dying" in victim.conditions:
                yield from injury.bleed_out(fight, victim)


def is_grave(fight: Fight, target: Combatant, before: int, harm: Harm) -> bool:
    """Say whether lost hit points can do anything to their target beyond the loss.

    Not to who was and is quite well, and has not lost as much at once as may kill
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
