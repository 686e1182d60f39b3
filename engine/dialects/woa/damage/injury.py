"""Staggering blows, 0 hit points and below, injuries, and the fate of the unconscious (woa.injury.*)."""

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.conditions.durations import last_round
from affray.engine.dialects.woa.damage.bleeding import exertion
from affray.engine.dialects.woa.damage.fallen import SPENT, fall_unconscious, hit_points_as_modifier
from affray.engine.dialects.woa.damage.injury_causes import DROPPED, STAGGERED, random_injury
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.hit_points import hit_points_set
from affray.engine.steps import Steps
from affray.events.facts.combat import (
    ConditionGained,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: States in which a combatant may be at 0 hit points or less.
AT_ZERO = ("staggered", "unconscious", "dead")
STRENUOUS = ("standard", "full-round")


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Settle what the loss of hit points does, after the loss itself.

    At 0 or less: a save to stay conscious and a random injury (option `hit_at_zero` for those there
    already); otherwise a staggering blow of half the hit points (option `staggering_threshold`).
    """
    if "dead" in target.conditions:
        return
    if target.hp <= 0:
        reading = fight.option("hit_at_zero")
        if before <= 0:
            yield RuleApplied(
                who=target.id,
                what=f"hit at 0 or less (hit_at_zero: {reading})",
                cites=fight.rules("woa.zero-hp.save", "woa.zero-hp.random-injury"),
            )
        if before > 0 or reading != "nothing-new":
            yield from drop_to_zero(fight, target, harm)
        if before > 0 or reading == "new-save-and-injury":
            yield from random_injury(fight, target, harm, ("woa.zero-hp.random-injury",), DROPPED)
        return
    reading = fight.option("staggering_threshold")
    measure = before if reading == "before" else target.hp
    words = str(fight.figure("woa.injury.staggering-blow.trigger", "condition"))
    weight = harm.amount * int(words.rpartition("/")[2])
    if weight < before and weight >= target.hp:
        yield RuleApplied(
            who=target.id,
            what=f"{harm.amount} is half of the hit points left, not of those before "
            f"(staggering_threshold: {reading})",
            cites=fight.rules("woa.injury.staggering-blow.trigger", "woa.injury.staggering-blow.relative"),
        )
    if weight >= measure:
        yield from staggering_blow(fight, target, harm)


def staggering_blow(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save against a staggering blow: staggered for a round, or dazed and injured.

    woa.injury.staggering-blow.*
    """
    topic = "woa.injury.staggering-blow.save"
    cites = fight.rules("woa.injury.staggering-blow.trigger", topic)
    saved = yield from saving_throw(
        fight, target, "fort", fight.figure(topic, "dc"), "a staggering blow", *cites
    )
    outcome = "woa.injury.staggering-blow.success" if saved.success else "woa.injury.staggering-blow.failure"
    state = "staggered" if saved.success else "dazed"
    yield from fight.dialect.conditions.gain(
        fight,
        ConditionGained(
            who=target.id,
            condition=state,
            source="a staggering blow",
            until=Until("round-end", "", last_round(fight, target, fight.figure(outcome, "rounds"))),
            cites=(fight.rule(outcome),),
        ),
    )
    if not saved.success:
        yield from random_injury(fight, target, harm, ("woa.injury.cause.staggering-blow",), STAGGERED)


def drop_to_zero(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save to stay conscious at 0 hit points or less, the total itself as a modifier (woa.zero-hp.save*)."""
    extra = hit_points_as_modifier(fight, target, harm.nonlethal)
    topic = "woa.zero-hp.save"
    dc = fight.figure(topic, "dc")
    modified = "woa.nonlethal.zero-hp" if harm.nonlethal else "woa.zero-hp.save-modifier"
    cites = fight.rules(topic, modified, "woa.zero-hp.supersedes-staggering-save", "woa.hp.loss-effects")
    saved = yield from saving_throw(fight, target, "fort", dc, "unconsciousness", *cites, extra=extra)
    if is_down(fight, target):
        return
    if not saved.success:
        yield from fall_unconscious(fight, target, harm.source, nonlethal=harm.nonlethal)
        return
    if "staggered" not in target.conditions or target.conditions["staggered"].until.when:
        yield ConditionGained(
            who=target.id,
            condition="staggered",
            source=SPENT,
            cites=(fight.rule("woa.zero-hp.success"),),
        )
    steady = fight.figure("woa.zero-hp.success-prone", "falls_prone_if_margin_below")
    if saved.margin < steady and "prone" not in target.conditions:
        yield ConditionGained(
            who=target.id,
            condition="prone",
            source=harm.source,
            cites=(fight.rule("woa.zero-hp.success-prone"),),
        )


def start_hurt(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a combatant that enters at 0 hit points or less hold on: staggered until a save fails.

    The next save comes at the round's end (woa.zero-hp.success, woa.zero-hp.repeat).
    """
    if combatant.hp <= 0 and not any(name in combatant.conditions for name in AT_ZERO):
        cites = fight.rules("woa.zero-hp.success")
        yield ConditionGained(who=combatant.id, condition="staggered", source=SPENT, cites=cites)


def save_at_zero(fight: Fight, combatant: Combatant) -> Steps[None]:
    """At a round's end, save again at 0 hit points or less; strenuous acts cost -5 and 1 hit point.

    woa.zero-hp.repeat, woa.zero-hp.strenuous-*
    """
    if combatant.hp > 0 or is_down(fight, combatant):
        return
    extra = hit_points_as_modifier(fight, combatant)
    strenuous = exerted(fight, combatant)
    if strenuous:
        topic = "woa.zero-hp.strenuous-save"
        extra = (*extra, fight.modifier(topic, "fortitude", kind="penalty", source="strenuous action"))
    again, dc = fight.rule("woa.zero-hp.repeat"), fight.figure("woa.zero-hp.save", "dc")
    saved = yield from saving_throw(fight, combatant, "fort", dc, "unconsciousness", again, extra=extra)
    if not saved.success:
        yield from fall_unconscious(fight, combatant, "the round's end")
    if strenuous:
        topic = "woa.zero-hp.strenuous-hp-loss"
        loss = fight.figure(topic, "hp_loss")
        printed = "bleeding" if fight.option("strenuous") == "bleeding" else "zero-hp"
        cites = fight.rules(topic, f"{printed}.strenuous-definition", "woa.hp.current")
        yield hit_points_set(combatant, combatant.hp - loss, "strenuous action", *cites)


def exerted(fight: Fight, combatant: Combatant) -> bool:
    """Say whether this round's activity was strenuous, by the definition that `strenuous` names."""
    if fight.option("strenuous") == "bleeding":
        return exertion(fight, combatant) == "strenuous"
    return is_strenuous(combatant)


def is_strenuous(combatant: Combatant) -> bool:
    """Say whether a combatant has exerted itself this round (woa.zero-hp.strenuous-definition).

    A standard or full-round action, a reaction, or movement beyond half speed.
    """
    if any(combatant.spent.get(kind) for kind in STRENUOUS) or combatant.reactions:
        return True
    return combatant.spent.get("feet", 0) * 2 > combatant.sheet.speed


def no_death_line(fight: Fight, combatant: Combatant) -> int:
    """Return a total below any that can be reached: no number of hit points kills by itself here.

    Death is settled by the condition save (woa.knocked-out.undetermined).
    """
    return -(1 << 30)


def no_massive_damage(fight: Fight, victim: Combatant) -> int:
    """Return a damage above any: great blows stagger here (woa.injury.staggering-blow.trigger)."""
    return 1 << 30
