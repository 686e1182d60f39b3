"""What lasts until the start or the end of a turn, or until a count of the initiative, and its end."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import UNSET
from msgspec.structs import replace

from affray.engine.fight.fight import Fight, moments_of_expiry
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, EffectGained, Until
from affray.projections.state import Combatant, Effect

#: The moment before a turn.
START: Final = "turn-start"
#: Later than the end of anything that has one.
LAST_ROUND: Final = 1_000_000


def for_rounds(fight: Fight, maker: Combatant, rounds: int) -> Until:
    """Return the end of so many rounds from now, for an effect of `maker`'s.

    They are over just before the count on which they began: that of the maker's own turn, or, of what it does
    out of turn, that of the turn which goes on. A readied act moves its maker to that count.

    srd35.round.duration-expiry, pf1.round.duration-expiry, futurepath.round.effect-expiry.
    """
    until = Until(START, maker.id, fight.state.round + rounds)
    active = fight.state.combatants.get(fight.state.active)
    if active is None or maker.id in (active.id, active.mount, active.rider, fight.readied):
        return until
    return replace(until, count=active.initiative)


def moment_of_end(fight: Fight, until: Until) -> tuple[int, int, str]:
    """Return what orders the ends of effects by time; what has no end of its own lasts longest.

    Within a round the higher count comes first, and the start of a turn before its end.
    """
    if not until.when:
        return LAST_ROUND, 0, ""
    who = fight.state.combatants.get(until.who)
    count = until.count if until.count is not UNSET else who.initiative if who is not None else 0
    return until.round, -count, "" if until.when == START else until.when


def lasts_longer(fight: Fight, one: Until, other: Until) -> bool:
    """Say whether something ends later than something else."""
    return moment_of_end(fight, one) > moment_of_end(fight, other)


def expire(fight: Fight, combatant: Combatant, when: str, rounds_ago: int = 0) -> Steps[None]:
    """End the conditions and effects, anybody's, that last until this moment of `combatant`'s turn.

    With `rounds_ago`, those only that lasted until its turn so many rounds ago.
    """
    if (when, combatant.id) not in fight.memory.company[moments_of_expiry]:
        return NOTHING
    return end_what_lasts(fight, combatant, when, rounds_ago)


def end_what_lasts(fight: Fight, combatant: Combatant, when: str, rounds_ago: int) -> Steps[None]:
    """End what lasts until this moment, where anything does."""
    now = fight.state.round - rounds_ago
    for holder in fight.state.combatants.values():

        def is_over(until: Until) -> bool:
            due = until.when == when and until.who == combatant.id and now >= until.round
            return due and until.count is UNSET

        if holder.conditions or holder.effects:
            yield from end_of_holder(fight, holder, is_over)


def end_at_count(fight: Fight, following: Combatant | None) -> Steps[None]:
    """End what lasts until a count of the initiative that comes now, before the turn of `following`.

    Without anybody the round is over, and all its counts are (srd35.round.duration-expiry,
    pf1.round.duration-expiry, futurepath.round.effect-expiry).
    """

    def is_over(until: Until) -> bool:
        if until.count is UNSET or until.round > fight.state.round:
            return False
        late = until.round < fight.state.round
        return late or following is None or following.initiative <= until.count

    for holder in fight.state.combatants.values():
        if holder.conditions or holder.effects:
            yield from end_of_holder(fight, holder, is_over)


def end_of_holder(fight: Fight, holder: Combatant, is_over: Callable[[Until], bool]) -> Steps[None]:
    """End the conditions and effects of one combatant whose time is over."""
    for name, condition in list(holder.conditions.items()):
        if is_over(condition.until):
            yield from fight.dialect.conditions.time_over(fight, holder, name)
    for effect in holder.effects:
        if is_over(effect.until):
            cites = (fight.dialect.turns.ending_rule(fight, "", effect),)
            yield EffectEnded(who=holder.id, id=effect.id, why="its time is over", cites=cites)
            if holder.temporary:
                yield from fight.dialect.damage.effect_over(fight, holder, effect)


def keep_counts(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let what lasts for rounds end on the count on which it began, before the combatant acts on another.

    It stands in the log as going on until that count. What a combatant does until its own next action goes on
    until then, wherever that comes (srd35.round.duration-expiry, pf1.round.duration-expiry,
    futurepath.round.effect-expiry).
    """
    turns = {combatant.id, *filter(None, (combatant.mount,))}
    moments = fight.memory.company[moments_of_expiry]
    if any((START, id) in moments for id in turns):
        for holder in fight.state.combatants.values():
            if holder.conditions or holder.effects:
                yield from keep_counts_of_holder(fight, holder, turns, combatant.initiative)


def keep_counts_of_holder(
    fight: Fight, holder: Combatant, turns: set[str], count: int
) -> Iterator[ConditionGained | EffectEnded | EffectGained]:
    """Yield what lasts on one combatant until one of these turns, as lasting until a count."""
    for name, held in list(holder.conditions.items()):
        if in_rounds(fight, holder, held.until, held.source, turns):
            yield ConditionGained(
                who=holder.id,
                condition=name,
                source=held.source,
                until=replace(held.until, count=count),
                level=held.level,
                aloft=held.aloft,
                cites=(fight.dialect.turns.ending_rule(fight, name, None),),
            )
    for effect in holder.effects:
        if in_rounds(fight, holder, effect.until, effect.modifier.source, turns):
            cites = (fight.dialect.turns.ending_rule(fight, "", effect),)
            yield EffectEnded(who=holder.id, id=effect.id, why="", cites=cites)
            yield EffectGained(
                who=holder.id,
                id=effect.id,
                stat=effect.stat,
                modifier=effect.modifier,
                until=replace(effect.until, count=count),
                against=effect.against,
                uses=effect.uses,
                cites=cites,
            )


def in_rounds(fight: Fight, holder: Combatant, until: Until, source: str, turns: set[str]) -> bool:
    """Say whether something lasts for rounds until one of these turns, and not until the next of its own."""
    if until.when != START or until.who not in turns or until.count is not UNSET:
        return False
    if holder.id not in turns or until.round > fight.state.round + 1:
        return True
    return any(spell.name == source for spell in holder.sheet.spells)


def end_condition(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a condition whose time is over."""
    cites, held = (fight.dialect.turns.ending_rule(fight, condition, None),), holder.conditions[condition]
    yield ConditionLost(who=holder.id, condition=condition, why="its time is over", cites=cites)
    yield from fight.dialect.conditions.over(fight, holder, condition, held)


def by_duration(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, or else an effect, is over now: that on how long things last.

    futurepath.round.effect-expiry, pf1.round.duration-expiry.
    """
    return fight.rule("round.duration-expiry")
