"""Staggering blows, 0 hit points and below, injuries, and the fate of the unconscious (woa.injury.*)."""

from affray.engine.dialects.woa.injuries import entry_for
from affray.engine.dialects.woa.saves import save
from affray.engine.fight import Fight
from affray.engine.rules.abilities import size_step
from affray.engine.rules.blow import Harm
from affray.engine.rules.conditions import is_down
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    HitPointsChanged,
    InjurySuffered,
    ItemChanged,
    Until,
)
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

MEDIUM = 4
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
                cites=fight.rules("zero-hp.save", "zero-hp.random-injury"),
            )
        if before > 0 or reading != "nothing-new":
            yield from drop_to_zero(fight, target, harm)
        if before > 0 or reading == "new-save-and-injury":
            yield from random_injury(fight, target, harm, "zero-hp.random-injury")
        return
    reading = fight.option("staggering_threshold")
    measure = before if reading == "before" else target.hp
    if harm.amount * 2 < before and harm.amount * 2 >= target.hp:
        yield RuleApplied(
            who=target.id,
            what=f"{harm.amount} is half of the hit points left, not of those before "
            f"(staggering_threshold: {reading})",
            cites=fight.rules("injury.staggering-blow.trigger", "injury.staggering-blow.relative"),
        )
    if harm.amount * 2 >= measure:
        yield from staggering_blow(fight, target, harm)


def staggering_blow(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save against a staggering blow: staggered for a round, or dazed and injured.

    woa.injury.staggering-blow.*
    """
    topic = "injury.staggering-blow.save"
    cites = fight.rules("injury.staggering-blow.trigger", topic)
    saved = yield from save(fight, target, "fort", fight.figure(topic, "dc"), "a staggering blow", *cites)
    outcome = "injury.staggering-blow.success" if saved.success else "injury.staggering-blow.failure"
    state = "staggered" if saved.success else "dazed"
    if state not in target.conditions:
        yield ConditionGained(
            who=target.id,
            condition=state,
            source="a staggering blow",
            until=Until("round-end", "", last_round(fight, target, fight.figure(outcome, "rounds"))),
            cites=(fight.rule(outcome),),
        )
    if not saved.success:
        yield from random_injury(fight, target, harm, "injury.cause.staggering-blow")


def last_round(fight: Fight, who: Combatant, rounds: int) -> int:
    """Return the last round of an effect that costs so many rounds of actions.

    The current round counts if the victim has yet to act in it (woa.round.effect-duration).
    """
    state = fight.state
    if state.phase == "declare" or not state.begun or who.id not in state.order:
        return state.round + rounds - (1 if state.phase == "declare" else 0)
    acting = state.order.index(state.active) if state.active in state.order else -1
    acted = state.order.index(who.id) <= acting
    return state.round + rounds - (0 if acted else 1)


def drop_to_zero(fight: Fight, target: Combatant, harm: Harm) -> Steps[None]:
    """Save to stay conscious at 0 hit points or less, the total itself as a modifier (woa.zero-hp.save*)."""
    extra = health(fight, target, harm.nonlethal)
    topic = "zero-hp.save"
    dc = fight.figure(topic, "dc")
    cites = fight.rules(topic, "zero-hp.save-modifier", "zero-hp.supersedes-staggering-save")
    if harm.nonlethal:
        cites = (*cites, fight.rule("nonlethal.zero-hp"))
    saved = yield from save(fight, target, "fort", dc, "unconsciousness", *cites, extra=extra)
    if is_down(fight, target):
        return
    if not saved.success:
        yield from fall_unconscious(fight, target, harm.source)
        return
    if "staggered" not in target.conditions or target.conditions["staggered"].until.when:
        yield ConditionGained(
            who=target.id,
            condition="staggered",
            source="0 hit points or less",
            cites=(fight.rule("zero-hp.success"),),
        )
    steady = fight.figure("zero-hp.success-prone", "falls_prone_if_margin_below")
    if saved.margin < steady and "prone" not in target.conditions:
        yield ConditionGained(
            who=target.id, condition="prone", source=harm.source, cites=(fight.rule("zero-hp.success-prone"),)
        )


def health(fight: Fight, who: Combatant, nonlethal: bool = False) -> tuple[Modifier, ...]:
    """Return the hit point total, 0 or less, as a modifier; after nonlethal damage up to 10 higher.

    woa.zero-hp.save-modifier, woa.nonlethal.zero-hp
    """
    if not nonlethal:
        return (
            Modifier(min(0, who.hp), "hit points", "current hit points", fight.rule("zero-hp.save-modifier")),
        )
    words = str(fight.figure("nonlethal.zero-hp", "effective_hp_for_saves"))
    milder = int(words.rsplit("+", 1)[1].strip(" )"))
    value = min(0, who.hp + milder)
    return (Modifier(value, "hit points", "current hit points, nonlethal", fight.rule("nonlethal.zero-hp")),)


def fall_unconscious(fight: Fight, who: Combatant, source: str) -> Steps[None]:
    """Lose consciousness: held things drop, the body falls; alive or dead is settled by treatment."""
    rule = fight.rule("zero-hp.failure")
    if "staggered" in who.conditions:
        yield ConditionLost(who=who.id, condition="staggered", why="unconscious", cites=(rule,))
    yield ConditionGained(
        who=who.id,
        condition="unconscious",
        source=source,
        level=fight.state.round,
        cites=(rule, fight.rule("knocked-out.undetermined")),
    )
    for item in who.held:
        yield ItemChanged(who=who.id, item=item, state="dropped", cites=(rule,))
    if "prone" not in who.conditions:
        yield ConditionGained(who=who.id, condition="prone", source="unconscious", cites=(rule,))


def hold_on(fight: Fight, who: Combatant) -> Steps[None]:
    """At a round's end, save again at 0 hit points or less; strenuous acts cost -5 and 1 hit point.

    woa.zero-hp.repeat, woa.zero-hp.strenuous-*
    """
    if who.hp > 0 or is_down(fight, who):
        return
    extra = health(fight, who)
    strenuous = is_strenuous(who)
    cites = [fight.rule("zero-hp.repeat")]
    if strenuous:
        topic = "zero-hp.strenuous-save"
        extra = (*extra, fight.modifier(topic, "fortitude", kind="penalty", source="strenuous action"))
        cites.append(fight.rule(topic))
    dc = fight.figure("zero-hp.save", "dc")
    saved = yield from save(fight, who, "fort", dc, "unconsciousness", *cites, extra=extra)
    if not saved.success:
        yield from fall_unconscious(fight, who, "the round's end")
    if strenuous:
        topic = "zero-hp.strenuous-hp-loss"
        loss = fight.figure(topic, "hp_loss")
        yield HitPointsChanged(
            who=who.id,
            hp=who.hp - loss,
            nonlethal=who.nonlethal,
            temporary=who.temporary,
            change=-loss,
            why="strenuous action",
            cites=fight.rules(topic, "zero-hp.strenuous-definition"),
        )


def is_strenuous(who: Combatant) -> bool:
    """Say whether a combatant has exerted itself this round (woa.zero-hp.strenuous-definition).

    A standard or full-round action, a reaction, or movement beyond half speed.
    """
    if any(who.spent.get(kind) for kind in STRENUOUS) or who.reactions:
        return True
    return who.spent.get("feet", 0) * 2 > who.sheet.speed


def random_injury(fight: Fight, target: Combatant, harm: Harm, topic: str) -> Steps[None]:
    """Roll a random injury: 1d10 + damage (by size), +10 at 0 or less, -10 if nonlethal (woa.injury.*)."""
    cites = [fight.rule(topic), fight.rule("injury.random")]
    rolled = yield Roll(target.id, "injury", "1d10")
    amount, step = sized(fight, target, harm.amount)
    source = f"damage {harm.amount}"
    if step < -1:
        source += f" (injury_roll_size: {fight.option('injury_roll_size')})"
    parts = [Modifier(amount, "damage", source, fight.rule("injury.random"))]
    if step:
        cites.append(fight.rule("injury.roll.size"))
    if target.hp <= 0:
        parts.append(
            fight.modifier("injury.roll.zero-hp", "modifier", kind="circumstance", source="at 0 or less")
        )
        cites += fight.rules("injury.roll.zero-hp", "injury.cause.total-hp-loss")
    if harm.nonlethal:
        parts.append(fight.modifier("injury.roll.nonlethal", "modifier", kind="penalty", source="nonlethal"))
        cites += fight.rules("injury.roll.nonlethal", "nonlethal.less-injury")
    number = rolled.total + sum(part.value for part in parts)
    row = entry_for(fight, number)
    if row is None:
        yield RuleApplied(
            who=target.id,
            what=f"injury {number}: not printed, for the game master to rule",
            cites=(*cites, fight.rule("injury.table")),
        )
        return
    yield InjurySuffered(
        who=target.id,
        entry=number,
        name=row.name,
        key=rolled.key,
        assumed=row.assumed,
        parts=tuple(parts),
        cites=(*cites, fight.rule("injury.table")),
    )
    for condition, rounds in row.conditions.items():
        if condition in target.conditions:
            continue
        until = Until("round-end", "", last_round(fight, target, rounds)) if rounds else Until()
        if condition == "unconscious":
            if not is_down(fight, target):
                yield from fall_unconscious(fight, target, row.name)
            continue
        yield ConditionGained(
            who=target.id,
            condition=condition,
            source=row.name,
            until=until,
            cites=(fight.rule("injury.table"),),
        )


def sized(fight: Fight, target: Combatant, damage: int) -> tuple[int, int]:
    """Return the damage part of an injury roll and the size steps from Medium (woa.injury.roll.size).

    Doubled for each category below Medium (option `injury_roll_size`), halved for each above.
    """
    step = size_step(target) - MEDIUM
    if step >= 0:
        return damage >> step, step
    factor = 1 << -step if fight.option("injury_roll_size") == "compounds" else 1 - step
    return damage * factor, step


def no_death_line(fight: Fight, who: Combatant) -> int:
    """Return a total below any that can be reached: no number of hit points kills by itself here.

    Death is settled by the condition save (woa.knocked-out.undetermined).
    """
    return -(1 << 30)


def no_massive_damage(fight: Fight, who: Combatant) -> int:
    """Return a damage above any: great blows stagger here (woa.injury.staggering-blow.trigger)."""
    return 1 << 30
