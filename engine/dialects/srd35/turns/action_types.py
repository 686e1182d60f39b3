"""Which type of action each declaration takes in srd35 (srd35.action.types, srd35.actions-table.*)."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import inspire_courage, paladin, use_ability
from affray.engine.dialects.srd35.gear.ammunition import action_to_load
from affray.engine.dialects.srd35.gear.weapon_tables import HANDLING
from affray.engine.dialects.srd35.grapple.grapple_options import option_action
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION, SEVERAL
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.gear.nets import is_unfolded
from affray.engine.rules.turns.action_types import (
    COMMON,
    FREE,
    FULL_ROUND,
    MOVE,
    STANDARD,
    ActionType,
    of_guiding,
    of_touching,
)
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.projections.state import Combatant

#: Ways of moving that take the full round: the least movement, and into a space tighter than the body.
WHOLE_WAYS = ("minimum", "wriggle")

#: What each use of a special ability takes.
OF_ABILITIES: Final[Mapping[str, str]] = {
    "rage": FREE,
    "end rage": FREE,
    paladin.SMITE: FREE,
    paladin.HANDS: STANDARD,
    inspire_courage.INSPIRE: STANDARD,
    inspire_courage.STOP: FREE,
}


def of_attack(fight: Fight, attacker: Combatant, act: acts.Attack) -> str:
    """To line up a blow takes the full round, and to throw a two-handed weapon that is not made for it.

    srd35.weapon.thrown-unsuited.
    """
    name = act.weapon or next(iter(attacker.held), "")
    weapon = next((one for one in attacker.sheet.weapons if one.name == name), None)
    unwieldy = weapon is not None and not weapon.thrown and weapon.wield in HANDLING
    hurled = act.thrown and unwieldy and weapon is not None and weapon.wield == "two-handed"
    return FULL_ROUND if act.aim or hurled else STANDARD


def of_move(fight: Fight, mover: Combatant, act: acts.Move) -> str:
    """Some ways of moving take the full round, a double move two moves."""
    if act.how == "double":
        return SEVERAL
    return FULL_ROUND if act.how in WHOLE_WAYS or (act.how == "swim" and act.fast) else MOVE


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """The kind of weapon decides, and Rapid Reload; to fold a net takes full rounds."""
    weapon = next((one for one in combatant.sheet.weapons if one.name == act.item), None)
    if weapon is None:
        return MOVE
    folding = "entangle" in weapon.traits and is_unfolded(combatant, weapon)
    return FULL_ROUND if folding else action_to_load(fight, combatant, weapon)[0]


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """Each special ability has its own; refuses one that the combatant has not."""
    use_ability.refuse_ability(fight, replace(act, actor=combatant.id))
    return OF_ABILITIES[act.ability]


def of_envenoming(fight: Fight, combatant: Combatant, act: acts.Envenom) -> str:
    """To smear poison takes a standard action; refuses one that the combatant has not (srd35.poison)."""
    if act.poison not in ("", *(one.name for one in combatant.sheet.poisons)):
        raise Refusal(f"{combatant.id} has no {act.poison}", fight.rule("srd35.poison"))
    return STANDARD


def of_feint(fight: Fight, combatant: Combatant, act: acts.Feint) -> str:
    """Improved Feint makes it quicker (srd35.feint.improved)."""
    quick = has_feat(combatant, "improved feint")
    return str(fight.figure("srd35.feint.improved", "action_with_feat")) if quick else STANDARD


def of_armor(fight: Fight, combatant: Combatant, act: acts.Don | acts.Doff) -> str:
    """A shield takes a move action, armor full rounds (srd35.armor.donning-table)."""
    shield = any(one.name == act.item and one.kind == "shield" for one in combatant.sheet.worn)
    return MOVE if shield else FULL_ROUND


def of_lifting(fight: Fight, combatant: Combatant, act: acts.Lift) -> str:
    """To put something down is free, to lift it off the ground takes the full round."""
    return {"put": FREE, "ground": FULL_ROUND}.get(act.how, MOVE)


def of_seeking(fight: Fight, combatant: Combatant, act: acts.Seek) -> str:
    """To grope for somebody takes a standard action; what is noticed in reaction takes none."""
    return STANDARD if act.sense == "grope" else NO_ACTION if act.reactive else MOVE


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: STANDARD,
    acts.Attack: of_attack,
    acts.AwesomeBlow: STANDARD,
    acts.Bind: FULL_ROUND,
    acts.BreakFree: STANDARD,
    acts.BullRush: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Burst: STANDARD,
    acts.Counter: STANDARD,
    acts.Demoralize: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Doff: of_armor,
    acts.Don: of_armor,
    acts.Envenom: of_envenoming,
    acts.Extinguish: FULL_ROUND,
    acts.Feint: of_feint,
    acts.Flyby: SEVERAL,
    acts.Gather: FULL_ROUND,
    acts.GetFree: FULL_ROUND,
    acts.Grapple: lambda fight, grappler, act: option_action(fight, act),
    acts.Guide: of_guiding,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path or act.how == "snipe" else NO_ACTION,
    acts.Identify: lambda fight, caster, act: FREE if act.spell else NO_ACTION,
    acts.Jump: MOVE,
    acts.Lift: of_lifting,
    acts.Load: of_loading,
    acts.LowerResistance: STANDARD,
    acts.Maintain: STANDARD,
    acts.Manyshot: STANDARD,
    acts.Mount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Move: of_move,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Pilfer: lambda fight, combatant, act: FREE if act.fast else STANDARD,
    acts.Prepare: FULL_ROUND,
    acts.Redirect: MOVE,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Seek: of_seeking,
    acts.Shelter: STANDARD,
    acts.Skirmish: SEVERAL,
    acts.Split: STANDARD,
    acts.Sunder: STANDARD,
    acts.TendFeet: STANDARD,
    acts.Touch: of_touching,
    acts.Trample: FULL_ROUND,
    acts.Treat: STANDARD,
    acts.Trip: STANDARD,
    acts.TurnUndead: lambda fight, channeler, act: FREE if act.what == "release" else STANDARD,
    acts.UseAbility: of_ability,
    acts.UseFeat: NO_ACTION,
}
