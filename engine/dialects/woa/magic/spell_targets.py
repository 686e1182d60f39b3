"""At whom a spell can be aimed, and what it takes to strike with one (woa.spell.touch-*)."""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from affray.engine.dialects.woa.attacks.attack_modifiers import refuse_untargetable
from affray.engine.dialects.woa.movement import aloft
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import provoke_by_ignoring
from affray.engine.dialects.woa.position.space_and_reach import idle
from affray.engine.dialects.woa.senses.attack_unseen import place_target
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.dialects.woa.turns.triggers import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.record.blow import Blow
from affray.engine.rules.magic.held_charge import deliver_or_hold, refuse_to_touch
from affray.engine.rules.magic.targets_and_areas import targets_of_spell
from affray.engine.rules.magic.touch_spells import still_delivered, touch_blow
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def does_damage_alone(spell: Spell) -> bool:
    """Say whether a spell gives nothing beside its damage: what lasts comes upon a target but once."""
    return bool(spell.damage) and not spell.grants


def spell_blow(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Blow:
    """Return the touch attack of a spell; a ray knows no range increments.

    woa.spell.touch-enemy, woa.ac.touch-attack
    """
    if spell.touch == "melee":
        return touch_blow(caster, spell, target, *fight.rules("woa.ac.touch-attack", "woa.spell.touch-enemy"))
    blow = touch_blow(caster, spell, target, fight.rule("woa.ac.touch-attack"))
    blow.weapon = replace(blow.weapon, range=0)
    return blow


def placed_targets(
    fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]
) -> Steps[list[Combatant]]:
    """Return those whom a touch or a ray goes to; enemies that the caster does not see it places first.

    woa.concealment.total.locate, woa.concealment.total.blind-attack
    """
    found = []
    for target in targets:
        friend = target.side == caster.side
        if friend or (yield from place_target(fight, spell_blow(fight, caster, spell, target))):
            found.append(target)
    return found


def refuse_unseen(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> None:
    """Refuse to aim a spell at who has total concealment; an area or a touch attack may find it all the same.

    woa.concealment.total.spell-targeting
    """
    if spell.area or spell.touch:
        return
    for target in targets:
        if unseen(fight, caster, target):
            rule = fight.rule("woa.concealment.total.spell-targeting")
            raise Refusal(f"{caster.id} does not see {target.id} and cannot aim {spell.name} at it", rule)


def refuse_out_of_touch(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> None:
    """Refuse to touch who is too high up, or an enemy who is wholly covered or crowded about.

    Nobody touches an enemy who can make no attack just now, nor anybody else who cannot move
    (woa.squeezing.escape-artist, woa.mount.combat.saddle-required, woa.condition.immobilized).
    """
    if spell.touch and targets and "wriggling" in caster.conditions:
        raise Refusal(
            f"{caster.id} wriggles through and cannot attack", fight.rule("woa.squeezing.escape-artist")
        )
    if spell.touch != "melee":
        return
    others = [one for one in targets if one is not caster]
    if others and is_helpless(fight, caster):
        raise Refusal(f"{caster.id} cannot move to touch anybody", fight.rule("woa.condition.immobilized"))
    if any(one.side != caster.side for one in targets) and (topic := idle(fight, caster)):
        raise Refusal(f"{caster.id} makes no melee attacks now and cannot touch an enemy", fight.rule(topic))
    for target in others:
        feet = aloft.feet_above(caster, target)
        if feet > caster.reach:
            rule = fight.rule("woa.spell.touch-spell")
            raise Refusal(f"{target.id} is {feet} ft. above or below, out of {caster.id}'s reach", rule)
        if target.side != caster.side:
            refuse_untargetable(fight, spell_blow(fight, caster, spell, target))


def refuse_to_deliver(fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]) -> None:
    """Refuse to aim at whom a spell cannot reach: out of reach or range, unseen, wholly covered."""
    if spell.touch == "melee":
        for target in targets:
            refuse_to_touch(fight, caster, target)
    else:
        aim = acts.Cast(actor=caster.id, spell=spell.name, targets=tuple(one.id for one in targets))
        targets_of_spell(fight, caster, spell, aim)
    refuse_out_of_touch(fight, caster, spell, list(targets))


def let_others_react(
    fight: Fight, caster: Combatant, spell: Spell, targets: Sequence[Combatant]
) -> Steps[bool]:
    """Let those act who readied for an attack before a spell is delivered; return whether it still can be.

    To strike so is to attack: on one's own turn, or by an act of one's own that was readied, it sets off who
    is ready for that, and lowers the guard before a threat that one has moved into and ignores. What has
    become impossible by that is told to be lost: the touch or the ray, and never the charge that is held.

    woa.ready.window, woa.ready.interrupt, woa.aoo.provoke.ignoring-threat.
    """
    foes = [one for one in targets if one.side != caster.side]
    if not foes or caster.id not in (fight.state.active, fight.readied):
        return not is_down(fight, caster)
    again = partial(refuse_to_deliver, fight, caster, spell, targets)
    reacting = attacked_by_spell(fight, caster, foes)
    return (yield from still_delivered(fight, caster, spell, targets, reacting, again))


def attacked_by_spell(fight: Fight, caster: Combatant, foes: list[Combatant]) -> Steps[None]:
    """Let those act who readied for an attack, and those strike whose threat is ignored for it."""
    yield from triggered(fight, caster, "attacks")
    yield from provoke_by_ignoring(fight, caster, foes)


def touch_now(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Touch with a spell just cast whom it is aimed at; where that is prevented, its charge is held.

    woa.spell.touch-spell.
    """
    found: list[Combatant] = []
    try:
        refuse_to_deliver(fight, caster, spell, targets)
    except Refusal as refused:  # by what came between
        yield attack_is_lost(caster, refused, "the touch")
    else:
        if (yield from let_others_react(fight, caster, spell, targets)):
            found = yield from placed_targets(fight, caster, spell, targets)
    yield from deliver_or_hold(fight, caster, spell, found)
