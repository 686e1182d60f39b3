"""Delivering a spell: by a touch, by a ray, and what being touched brings with it (woa.spell.touch-*)."""

from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.magic.concentration import LONG, check_concentration
from affray.engine.dialects.woa.magic.spell_effects import (
    ROUND_END,
    critical_touch,
    give_condition,
    give_modifiers,
    moment_of_effect,
    multiply_damage,
    work_on_target,
)
from affray.engine.dialects.woa.magic.spell_targets import (
    let_others_react,
    placed_targets,
    spell_blow,
)
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def shoot_rays(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Shoot a ray at each target: a ranged touch attack, unless the water's surface stops it on its way."""
    for target in targets:
        if (yield from unsteady_casting.is_stopped_by_surface(fight, caster, spell, target)):
            continue
        if not (yield from let_others_react(fight, caster, spell, [target])):
            if is_down(fight, caster):
                return
            continue
        if (yield from is_ruined_by_reaction(fight, caster, spell)):
            return
        if not (yield from placed_targets(fight, caster, spell, [target])):
            continue
        blow = spell_blow(fight, caster, spell, target)
        if (yield from strike(fight, blow, harm=False)):
            yield from discharge(fight, caster, spell, target, blow, blow.outcome.critical)


def is_ruined_by_reaction(fight: Fight, caster: Combatant, spell: Spell) -> Steps[bool]:
    """Say whether a spell is lost by what has disturbed its caster just before the ray.

    Damage and maneuvers by acts readied for it disturb a casting of a standard or full-round action; a short
    one, a wand and what is no spell ask for no concentration (woa.spell.damage-concentration, .fizzle).
    """
    if spell.casting not in LONG or spell.ability or spell.item not in ("", "scroll"):
        return False
    if not (yield from check_concentration(fight, caster, spell.level, spell.name, spell=spell)):
        return False
    yield RuleApplied(who=caster.id, what=f"{spell.name} is lost", cites=(fight.rule("woa.spell.fizzle"),))
    return True


def discharge(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow | None, critical: bool
) -> Steps[None]:
    """Let a spell that has reached its target work; to be struck by it is to be attacked.

    Damage without a saving throw is that of a weapon, and all damage may be critical. A touch that works only
    when the round ends is critical then (woa.spell.effect-timing-end-of-round).
    """
    dialect = fight.dialect
    if blow is None:
        yield from dialect.magic.affect(fight, caster, spell, target, None)
        return
    before, standing = (target.hp, target.nonlethal, target.temporary), not is_down(fight, target)
    later = spell.touch != "ranged" and moment_of_effect(fight, spell)[0] == ROUND_END
    if spell.save or not spell.damage or later:
        if critical and spell.damage and later:
            yield critical_touch(fight, caster, spell, target, blow.weapon.multiplier)
        elif critical and spell.damage:
            spell = yield from multiply_damage(fight, spell, target, blow.weapon.multiplier)
        if spell.touch == "ranged":
            yield from work_on_target(fight, caster, spell, target, None, not fight.state.active)
        else:
            yield from dialect.magic.affect(fight, caster, spell, target, None)
    else:
        yield from deal_touch_damage(fight, caster, spell, target, blow, critical)
    yield from dialect.attacks.after_hit(fight, blow, before, standing)


def deal_touch_damage(
    fight: Fight, caster: Combatant, spell: Spell, target: Combatant, blow: Blow, critical: bool
) -> Steps[None]:
    """Deal the damage that a touch or a ray does, as far as water leaves any, and what comes with it."""
    left = unsteady_casting.USUAL
    if target.conditions:
        left = yield from unsteady_casting.effect_left_by_water(fight, caster, spell, target)
    if left == unsteady_casting.NOTHING:
        return
    if left == unsteady_casting.HALF:
        blow.damage.divisor = 2
    yield from fight.dialect.damage.deal(fight, blow, critical)
    if "dead" in target.conditions:
        return
    closing = not fight.state.active
    if spell.condition:
        yield from give_condition(fight, caster, spell, target, closing)
    yield from give_modifiers(fight, caster, spell, target, closing)
