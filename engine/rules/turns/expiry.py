"""What lasts until the start or the end of a turn, and its end."""

from affray.engine.fight.fight import Fight, is_marked
from affray.engine.rules.magic.long_castings import CONCENTRATING, let_lapse
from affray.engine.steps import NOTHING, Steps
from affray.events.facts.combat import ConditionLost, EffectEnded
from affray.projections.state import Combatant, Effect


def expire(fight: Fight, combatant: Combatant, when: str, rounds_ago: int = 0) -> Steps[None]:
    """End the conditions and effects, anybody's, that last until this moment of `combatant`'s turn.

    With `rounds_ago`, those only that lasted until its turn so many rounds ago.
    """
    return expire_if_any(fight, combatant, when, rounds_ago) if fight.memory.company[is_marked] else NOTHING


def expire_if_any(fight: Fight, combatant: Combatant, when: str, rounds_ago: int = 0) -> Steps[None]:
    """End what lasts until this moment, where anything lasts on anybody.

    With concentration that was not kept up, all that hung on it (srd35.cast.maintain).
    """
    now = fight.state.round - rounds_ago
    ending = fight.dialect.turns.ending_rule
    for holder in fight.state.combatants.values():
        if not holder.conditions and not holder.effects:
            continue
        for name, condition in list(holder.conditions.items()):
            until = condition.until
            if until.when != when or until.who != combatant.id or now < until.round:
                continue
            if name == CONCENTRATING:
                yield from let_lapse(fight, holder, "not kept up", fight.rule("cast.maintain"))
            else:
                cites = (ending(fight, name, None),)
                yield ConditionLost(who=holder.id, condition=name, why="its time is over", cites=cites)
        for effect in holder.effects:
            if effect.until.when == when and effect.until.who == combatant.id and now >= effect.until.round:
                cites = (ending(fight, "", effect),)
                yield EffectEnded(who=holder.id, id=effect.id, why="its time is over", cites=cites)
                if holder.temporary:
                    yield from fight.dialect.damage.effect_over(fight, holder, effect)


def by_duration(fight: Fight, condition: str, effect: Effect | None) -> str:
    """Return the rule by which a condition, or else an effect, is over now: that on how long things last.

    futurepath.round.effect-expiry, pf1.round.duration-expiry.
    """
    return fight.rule("round.duration-expiry")
