"""What lasts until the start or the end of a turn, and its end."""

from affray.engine.fight.fight import Fight, moments_of_expiry
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.combat import ConditionLost, EffectEnded
from affray.projections.state import Combatant, Effect


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
    ending = fight.dialect.turns.ending_rule
    for holder in fight.state.combatants.values():
        if not holder.conditions and not holder.effects:
            continue
        for name, condition in list(holder.conditions.items()):
            until = condition.until
            if until.when != when or until.who != combatant.id or now < until.round:
                continue
            yield from fight.dialect.conditions.time_over(fight, holder, name)
        for effect in holder.effects:
            if effect.until.when == when and effect.until.who == combatant.id and now >= effect.until.round:
                cites = (ending(fight, "", effect),)
                yield EffectEnded(who=holder.id, id=effect.id, why="its time is over", cites=cites)
                if holder.temporary:
                    yield from fight.dialect.damage.effect_over(fight, holder, effect)


def end_condition(fight: Fight, holder: Combatant, condition: str) -> Steps[None]:
    """End a condition whose time is over, and nothing else with it."""
    cites = (fight.dialect.turns.ending_rule(fight, condition, None),)
    yield ConditionLost(who=holder.id, condition=condition, why="its time is over", cites=cites)


def by_duration(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, or else an effect, is over now: that on how long things last.

    futurepath.round.effect-expiry, pf1.round.duration-expiry.
    """
    return fight.rule("round.duration-expiry")
