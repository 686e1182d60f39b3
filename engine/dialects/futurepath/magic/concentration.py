"""Ceasing to concentrate on a spell in Futurepath (futurepath.action.cease-concentration)."""

from typing import Final

from affray.engine.dialects.futurepath.turns.action_budget import spend_free_action
from affray.engine.fight.fight import Fight, is_down
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded
from affray.projections.state import Combatant

TOPIC: Final = "futurepath.action.cease-concentration"
#: What lasts as long as its caster concentrates on it.
KEPT: Final = "concentration"


def cease(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """Cease to concentrate on a spell of one's own: a free action, and all that hangs on it ends.

    futurepath.action.cease-concentration.
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    ended = list(kept_up(fight, caster, act.spell, rule))
    if not ended:
        raise Refusal(f"{caster.id} concentrates on no {act.spell or 'spell'}", rule)
    yield from spend_free_action(fight, caster, f"stop concentrating on {act.spell}", rule)
    yield from ended


def lose_with_mind(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """Let all that hangs on the concentration of a combatant end with whatever puts it out of action."""
    caster = fight.combatant(fact.who)
    if is_down(fight, caster):
        yield from kept_up(fight, caster, None, fight.rule(TOPIC))


def kept_up(
    fight: Fight, caster: Combatant, spell: str | None, rule: str
) -> list[ConditionLost | EffectEnded]:
    """Return the end of each condition and effect that lasts while a caster concentrates on that spell.

    Without one, of all that it concentrates on.
    """
    why = "no longer concentrated on"
    found: list[ConditionLost | EffectEnded] = []
    for one in fight.state.combatants.values():
        for name, held in one.conditions.items():
            if held.until.when == KEPT and held.until.who == caster.id and spell in (None, held.source):
                found.append(ConditionLost(who=one.id, condition=name, why=why, cites=(rule,)))
        for effect in one.effects:
            kept = effect.until.when == KEPT and effect.until.who == caster.id
            if kept and spell in (None, effect.modifier.source):
                found.append(EffectEnded(who=one.id, id=effect.id, why=why, cites=(rule,)))
    return found
