"""Magic: casting, concentration, spells and their effects, devices."""

from typing import Final

from affray.engine.dialects.futurepath.defense import is_walled_off, thing_between, things_at
from affray.engine.dialects.futurepath.turns.flow import spend_free_action
from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.places import footprint
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

# --- Spells and closed doors: where magic exists, it does not reach behind total cover


def refuse_through_things(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to cast at a combatant or a square behind a closed door or a wall that is a thing.

    futurepath.cover.total
    """
    rule = fight.rule("futurepath.cover.total")
    for name in act.targets:
        target = fight.state.combatants.get(name)
        if target is not None and (thing := thing_between(fight, caster, target)):
            raise Refusal(f"{name} has total cover from {caster.id}: {thing}", rule)
    if act.at is not None and is_walled_off(
        fight, footprint(caster), (act.at, 1, (0, 0)), *things_at(fight, act.at)
    ):
        raise Refusal(f"{caster.id} has no line of effect to {act.at[0]},{act.at[1]}", rule)


# --- Ceasing to concentrate on a spell in Futurepath (futurepath.action.cease-concentration)

TOPIC: Final = "futurepath.action.cease-concentration"
#: The duration of effects that last as long as their caster concentrates.
KEPT: Final = "concentration"


def cease(fight: Fight, act: acts.Dismiss) -> Steps[None]:
    """Cease to concentrate on the caster's own spell: a free action that ends its effects.

    futurepath.action.cease-concentration
    """
    caster = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    ended = list(kept_up(fight, caster, act.spell, rule))
    if not ended:
        raise Refusal(f"{caster.id} does not concentrate on any {act.spell or 'spell'}", rule)
    yield from spend_free_action(fight, caster, f"stop concentrating on {act.spell}", rule)
    yield from ended


def lose_with_mind(fight: Fight, fact: ConditionGained) -> Steps[None]:
    """End a combatant's spells of concentration when it is put out of action."""
    caster = fight.combatant(fact.who)
    if is_down(fight, caster):
        yield from kept_up(fight, caster, None, fight.rule(TOPIC))


def kept_up(
    fight: Fight, caster: Combatant, spell: str | None, rule: str
) -> list[ConditionLost | EffectEnded]:
    """Return the end of each condition and effect that lasts while a caster concentrates on that spell.

    Without a spell, of all its spells of concentration.
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
