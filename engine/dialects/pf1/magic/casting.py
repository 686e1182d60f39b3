"""Casting a spell in pf1: immediate and quickened spells, components, rays that provoke."""

from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.turns.flow import refuse_immediate
from affray.engine.fight.fight import Fight, is_down
from affray.engine.rules.magic import casting, held_charge, magic_items, spell_resistance
from affray.engine.rules.magic.components import AWAY, POUCH, refuse_without_hand, refuse_without_voice
from affray.engine.rules.magic.gazes import reach_of
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.magic.touch_spells import let_ready_act
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant

QUICKEN: Final = "quicken spell"
#: Where a caster has what a component is; a focus is with the materials.
KEPT: Final = {"material": POUCH, "focus": POUCH, "divine focus": "holy symbol"}


def cast_immediate_spell(fight: Fight, act: acts.Cast) -> Steps[None] | None:
    """Return the casting of an immediate spell, also out of turn; None of another (pf1.action.immediate)."""
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    return cast_as_immediate(fight, caster, spell, act) if spell.casting == "immediate" else None


def cast_as_immediate(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> Steps[None]:
    """Cast a spell as an immediate action (pf1.action.immediate, pf1.cast.provokes)."""
    kind = refuse_immediate(fight, caster)
    fight.dialect.magic.refuse_casting(fight, caster, spell, act)
    targets = targets_of_spell(fight, caster, spell, act)
    cites = fight.rules("pf1.action.immediate", "pf1.cast.provokes")
    yield ActionSpent(who=caster.id, kind=kind, what=f"cast {spell.name}", cites=cites)
    yield from casting.finish_casting(fight, caster, spell, targets, act.defensively, at=act.at)


def own_spell(fight: Fight, caster: Combatant, name: str) -> Spell:
    """Return a spell that is one's own to cast. Refuses magic items, and presences, which no rule knows."""
    spell = casting.known_spell(fight, caster, name)
    if spell.item:
        raise Refusal(f"{spell.name} is a magic item to be activated", fight.rule("pf1.cast.items"))
    if spell.delivery == "presence":
        raise Refusal(f"{spell.name} is no spell, breath or gaze", fight.rule("pf1.gaze-breath"))
    return spell


def cast_own_spell(fight: Fight, act: acts.Cast) -> Steps[None]:
    """Cast a spell of one's own, or use an ability; a gaze reaches as far as gazes do (pf1.gaze-breath)."""
    caster = fight.combatant(act.actor)
    spell = own_spell(fight, caster, act.spell)
    if spell.delivery == "gaze":
        spell = replace(spell, range=reach_of(fight, spell))
    what, rule = f"cast {spell.name}", fight.rule("pf1.cast.provokes")
    yield from casting.spend_and_cast(fight, caster, spell, act, what, rule)


def is_quickened(spell: Spell) -> bool:
    """Say whether a spell takes a swift action: so made, or by Quicken Spell."""
    if spell.ability or spell.item or spell.casting == "immediate":
        return False
    return spell.casting == "swift" or QUICKEN in spell.metamagic


def quickened_action(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, tuple[str, ...]]:
    """Return the swift action of a quickened spell, also a spontaneous one; "" for another spell.

    pf1.cast.quickened, pf1.cast.metamagic.
    """
    if not is_quickened(spell):
        return "", ()
    topics = ("pf1.cast.quickened", *(("pf1.cast.metamagic",) if spell.spontaneous else ()))
    return "swift", fight.rules(*topics)


def quickened_is_safe(fight: Fight, caster: Combatant, spell: Spell) -> tuple[str, bool]:
    """Return the topic by which a quickened spell does not provoke; "" for another (pf1.cast.quickened)."""
    return ("pf1.cast.quickened", False) if is_quickened(spell) else ("", False)


def refuse_components(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell whose words, gestures, materials or focus its caster cannot provide.

    Special abilities need none (pf1.cast.components).
    """
    if spell.ability:
        return
    refuse_without_voice(fight, caster, spell)
    if "somatic" in spell.components:
        refuse_without_hand(fight, caster, spell)
    for component, kept in KEPT.items():
        if component in spell.components and caster.items.get(kept) in AWAY:
            reason = f"{caster.id} has no {kept} at hand for the {component} of {spell.name}"
            raise Refusal(reason, fight.rule("pf1.cast.components"))


def refuse_safe_defense(fight: Fight, caster: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse to cast a quickened spell defensively, which does not provoke (pf1.cast.quickened)."""
    if act.defensively and is_quickened(spell):
        rule = fight.rule("pf1.cast.quickened")
        raise Refusal(f"{spell.name} is quickened, does not provoke and is not cast defensively", rule)


def shoot_rays(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Shoot a ray at each target as part of the casting, which provokes once more, cast defensively or not.

    Those who readied for an attack act first; nothing of it can be held (pf1.cast.ranged-touch,
    pf1.cast.provokes).
    """
    if not (yield from let_ready_act(fight, caster, spell, targets)):
        return
    cites = fight.rules("pf1.cast.provokes", "pf1.cast.ranged-touch")
    enemies, name = threatening(fight, caster), f"ray:{fight.declaration}"
    yield from fight.dialect.opportunity.provoke(fight, caster, enemies, f"aims {spell.name}", name, *cites)
    for target in targets:
        if is_down(fight, caster):
            return
        yield from held_charge.shoot_ray(fight, caster, spell, target)


def use_magic_item(fight: Fight, act: acts.Activate) -> Steps[None]:
    """Use a magic item (pf1.cast.items)."""
    return magic_items.activate(fight, act, magic_items.works_by_itself)


def resists_spell(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether spell resistance stops a spell (pf1.senses.ref, pf1.cast.abilities)."""
    return spell_resistance.is_resisted(fight, caster, spell, target, ())
