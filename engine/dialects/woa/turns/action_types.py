"""Which type of action each declaration takes in woa, whatever a plan says of it.

The five types are those of woa.action-type.enumeration (woa.action-type.*).
"""

from collections.abc import Mapping
from typing import Final

from affray.engine.dialects.woa.attacks.called_shot_aim import DEADLY, refuse_unknown_part
from affray.engine.dialects.woa.classes.described_uses import refuse_unlearned
from affray.engine.dialects.woa.classes.special_abilities import KI_MOVE, ability_kind
from affray.engine.dialects.woa.gear.draw_and_sheathe import LONG, is_hurled, way_of_drawing, way_of_taking
from affray.engine.dialects.woa.grapple.action_types import action_to_grapple, grab_kinds
from affray.engine.dialects.woa.turns.declared_intents import intent_of_device, intent_of_dismissal, is_long
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION, SEVERAL
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.turns.action_types import (
    COMMON,
    FREE,
    FULL_ROUND,
    MOVE,
    STANDARD,
    SWIFT,
    ActionType,
    of_touching,
)
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant


def of_attack(fight: Fight, attacker: Combatant, act: acts.Attack) -> str:
    """To take 10 takes the full round."""
    return FULL_ROUND if act.take else STANDARD


def of_called_shot(fight: Fight, attacker: Combatant, act: acts.CalledShot) -> str:
    """A called shot takes the full round but by a feat; refuses a part that nobody there has.

    woa.called-shot.action-cost, .deadly-feats, .difficulty-table.
    """
    refuse_unknown_part(fight, act.target, act.part)
    shot = act.thrown or find_weapon(fight, attacker, act.weapon).wield == "projectile"
    return STANDARD if has_feat(attacker, DEADLY[not shot]) else FULL_ROUND


def of_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> str:
    """A spell's own casting time decides."""
    spell = named_spell(caster, act.spell)
    if spell is None:
        return STANDARD
    return FULL_ROUND if spell.casting == "one-round" else spell.casting


def of_device(fight: Fight, user: Combatant, act: acts.Activate) -> str:
    """Each kind of device has its own; refuses to speak a short command word out of turn.

    woa.device.potion-drink, .potion-administer, .scroll-time, .command-word-short.
    """
    item = named_spell(user, act.item)
    if item is None:
        return STANDARD
    topic = "woa.device.command-word-short"
    if item.item == "command" and item.casting == "free" and fight.figure(topic, "own_turn_only"):
        raise Refusal(f"{user.id} can speak a command word only on its own turn", fight.rule(topic))
    return intent_of_device(fight, user, act)[1][0]


def of_dismissal(fight: Fight, caster: Combatant, act: acts.Dismiss) -> str:
    """To end a spell takes a standard action, to cease concentrating a free one."""
    return intent_of_dismissal(fight, caster, act)[1][0]


def of_drawing(fight: Fight, holder: Combatant, act: acts.Draw) -> str:
    """Where a thing is kept says how it is drawn (woa.items.draw-stowed, .draw-hidden-weapon)."""
    return way_of_drawing(fight, holder, act.item)[1]


def of_handling(fight: Fight, holder: Combatant, act: acts.Handle) -> str:
    """Some things take long to handle, or to get out (woa.items.manipulate-long, .retrieve-container)."""
    if act.what in ("pick-up", "grab", "retrieve"):
        return way_of_taking(fight, holder, act)[0]
    return FULL_ROUND if act.what in LONG else MOVE


def of_grappling(fight: Fight, grappler: Combatant, act: acts.Grapple) -> str:
    """To grab and start to grapple takes the full round, whom one holds a standard action.

    So does what is tried in a grapple (woa.grapple.start.action-cost, .improved-grab).
    """
    target = fight.state.combatants.get(act.target)
    if act.what == "ease":
        return FREE
    if act.what != "start" or "grappling" in grappler.conditions or target is None:
        return STANDARD
    return action_to_grapple(fight, grappler, target)[0]


def of_grabbing(fight: Fight, grappler: Combatant, act: acts.Grab) -> str:
    """Each way of grabbing has its own (woa.grab.action, .escape-one, .escape-many)."""
    return grab_kinds(fight, grappler, act)[0]


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """What costs combat reactions says so on the sheet; of others the description decides."""
    if act.ability == KI_MOVE:
        return NO_ACTION
    return ability_kind(combatant, act.ability) or of_description(fight, combatant, act)


def of_description(
    fight: Fight, combatant: Combatant, act: acts.UseFeat | acts.UseSkill | acts.UseAbility
) -> str:
    """What has no rule of its own takes what its description says; refuses what the sheet has not."""
    refuse_unlearned(fight, combatant, act)
    return STANDARD


def of_feint(fight: Fight, combatant: Combatant, act: acts.Feint) -> str:
    """With Improved Feint it is a swift action (woa.feint.improved-feint)."""
    return SWIFT if has_feat(combatant, "improved feint") else MOVE


def of_standing(fight: Fight, combatant: Combatant, act: acts.Stand) -> str:
    """To get up quickly is free (woa.posture.stand-free-acrobatics)."""
    return FREE if act.how == "quickly" else MOVE


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: of_device,
    acts.Attack: of_attack,
    acts.BreakFree: FULL_ROUND,
    acts.Burst: STANDARD,
    acts.CalledShot: of_called_shot,
    acts.Cast: of_casting,
    acts.Clamber: MOVE,
    acts.Counter: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismiss: of_dismissal,
    acts.Dismount: lambda fight, rider, act: SWIFT if act.fast else MOVE,
    acts.Draw: of_drawing,
    acts.Drop: lambda fight, holder, act: MOVE if is_hurled(holder, act) else FREE,
    acts.Feint: of_feint,
    acts.GetFree: FULL_ROUND,
    acts.Grab: of_grabbing,
    acts.Grapple: of_grappling,
    acts.Guide: lambda fight, rider, act: {"control": MOVE, "knees": FREE}.get(act.what, NO_ACTION),
    acts.Handle: of_handling,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path else FREE,
    acts.Ignore: NO_ACTION,
    acts.Maintain: STANDARD,
    acts.Mount: lambda fight, rider, act: SWIFT if act.fast else MOVE,
    acts.Move: lambda fight, mover, act: SEVERAL if act.how == "double" else MOVE,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge or act.whole else STANDARD,
    acts.Push: STANDARD,
    acts.Redirect: MOVE,
    acts.Refocus: STANDARD,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Seek: lambda fight, combatant, act: NO_ACTION if act.reactive else MOVE,
    acts.ShakeOff: STANDARD,
    acts.Skirmish: SEVERAL,
    acts.Speak: lambda fight, combatant, act: FULL_ROUND if is_long(fight, act) else FREE,
    acts.Split: STANDARD,
    acts.Stand: of_standing,
    acts.Stunt: STANDARD,
    acts.Sunder: STANDARD,
    acts.Touch: of_touching,
    acts.Treat: STANDARD,
    acts.Trip: STANDARD,
    acts.TurnUndead: STANDARD,
    acts.UseAbility: of_ability,
    acts.UseFeat: of_description,
    acts.UseSkill: of_description,
}
