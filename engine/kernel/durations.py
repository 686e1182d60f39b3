"""Durations: until the start or end of a turn, or a count of the initiative, and how they end."""

from collections.abc import Callable
from typing import Final

from msgspec import UNSET

from affray.engine.fight.fight import Fight, moments_of_expiry
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.combat import EffectEnded, Until
from affray.projections.state import Combatant

#: The moment before a turn.
START: Final = "turn-start"

#: Later than the end of anything with a duration.
LAST_ROUND: Final = 1_000_000


def moment_of_end(fight: Fight, until: Until) -> tuple[int, int, str]:
    """Return a key that orders ends of effects by time; effects without an end last longest.

    Within a round the higher count is earlier, and the start of a turn is before its end.
    """
    if not until.when:
        return LAST_ROUND, 0, ""
    who = fight.state.combatants.get(until.who)
    count = until.count if until.count is not UNSET else who.initiative if who is not None else 0
    return until.round, -count, "" if until.when == START else until.when


def lasts_longer(fight: Fight, one: Until, other: Until) -> bool:
    """Return whether something ends later than something else."""
    return moment_of_end(fight, one) > moment_of_end(fight, other)


def expire(fight: Fight, combatant: Combatant, when: str, rounds_ago: int = 0) -> Steps[None]:
    """End all combatants' conditions and effects that last until this moment of `combatant`'s turn.

    With `rounds_ago`, only those that lasted until its turn that many rounds ago.
    """
    if (when, combatant.id) not in fight.memory.company[moments_of_expiry]:
        return NOTHING
    return end_what_lasts(fight, combatant, when, rounds_ago)


def end_what_lasts(fight: Fight, combatant: Combatant, when: str, rounds_ago: int) -> Steps[None]:
    """End the conditions and effects that last until this moment."""
    now = fight.state.round - rounds_ago
    for holder in fight.state.combatants.values():

        def is_over(until: Until) -> bool:
            due = until.when == when and until.who == combatant.id and now >= until.round
            return due and until.count is UNSET

        if holder.conditions or holder.effects:
            yield from end_of_holder(fight, holder, is_over)


def end_at_count(fight: Fight, following: Combatant | None) -> Steps[None]:
    """End what lasts until a count of the initiative that is reached now, before the turn of `following`.

    Without a following combatant the round is over, and all its counts are (srd35.round.duration-expiry,
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
    """End the conditions and effects of one combatant that are over."""
    for name, condition in list(holder.conditions.items()):
        if is_over(condition.until):
            yield from fight.dialect.kernel.time_over(fight, holder, name)
    for effect in holder.effects:
        if is_over(effect.until):
            cites = (fight.dialect.kernel.ending_rule(fight, "", effect),)
            yield EffectEnded(who=holder.id, id=effect.id, why="its time is over", cites=cites)
            yield from fight.dialect.kernel.time_over(fight, holder, effect)
