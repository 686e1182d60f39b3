"""Which type of action each declaration takes in pf1.

pf1.action.types, pf1.actions-table.*, pf1.maneuver.modes.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import use_ability
from affray.engine.dialects.pf1.grapple.hold import TIED, action_of
from affray.engine.dialects.pf1.maneuvers.dirty_trick import recovering_action
from affray.engine.dialects.pf1.maneuvers.feint import feint_action
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION, SEVERAL
from affray.engine.rules.gear.nets import is_in_net, is_to_be_folded
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.turns.action_types import (
    COMMON,
    FREE,
    FULL_ROUND,
    IMMEDIATE,
    MOVE,
    STANDARD,
    ActionType,
    of_guiding,
    of_touching,
)
from affray.events.facts import acts
from affray.projections.state import Combatant


def of_activating(fight: Fight, user: Combatant, act: acts.Activate) -> str:
    """To use a magic item takes a standard action unless it says otherwise (pf1.cast.items)."""
    item = named_spell(user, act.item)
    return STANDARD if item is None else str(fight.dialect.magic.casting_action(fight, user, item)[0])


def of_ability(fight: Fight, combatant: Combatant, act: acts.UseAbility) -> str:
    """Each special ability has its own; refuses one that the combatant has not."""
    use_ability.refuse_ability(fight, replace(act, actor=combatant.id))
    return use_ability.OF[act.ability][2]


#: Ways of moving that take the full round: the least movement, and into a space tighter than the body.
WHOLE_WAYS: Final = ("minimum", "wriggle")


def of_move(fight: Fight, mover: Combatant, act: acts.Move) -> str:
    """Some ways of moving take the full round, a double move two moves."""
    if act.how == "double":
        return SEVERAL
    return FULL_ROUND if act.how in WHOLE_WAYS else MOVE


def of_getting_free(fight: Fight, captive: Combatant, act: acts.GetFree) -> str:
    """Out of ropes one gets by a standard action, out of a net by full rounds (pf1.gear.splash-ref)."""
    return FULL_ROUND if is_in_net(captive) and TIED not in captive.conditions else STANDARD


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """A crossbow has its own; to fold a net takes full rounds (pf1.gear.splash-ref)."""
    if is_to_be_folded(fight, replace(act, actor=combatant.id)):
        return FULL_ROUND
    usual = COMMON[acts.Load]
    return usual if isinstance(usual, str) else usual(fight, combatant, act)


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Activate: of_activating,
    acts.Counter: STANDARD,
    acts.Dismiss: STANDARD,
    acts.Demoralize: STANDARD,
    acts.Load: of_loading,
    acts.LowerResistance: STANDARD,
    acts.Maintain: STANDARD,
    acts.Burst: STANDARD,
    acts.BullRush: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.DirtyTrick: STANDARD,
    acts.Disarm: STANDARD,
    acts.Dismount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Drag: STANDARD,
    acts.Extinguish: FULL_ROUND,
    acts.Envenom: STANDARD,
    acts.Feint: lambda fight, combatant, act: feint_action(combatant),
    acts.BreakFree: STANDARD,
    acts.GetFree: of_getting_free,
    acts.Grapple: action_of,
    acts.Guide: lambda fight, rider, act: IMMEDIATE if act.what == "cover" else of_guiding(fight, rider, act),
    acts.Mount: lambda fight, rider, act: FREE if act.fast else MOVE,
    acts.Hide: lambda fight, combatant, act: MOVE if act.path or act.how == "snipe" else NO_ACTION,
    acts.Jump: MOVE,
    acts.Seek: lambda fight, combatant, act: NO_ACTION if act.reactive else MOVE,
    acts.Overrun: lambda fight, attacker, act: FULL_ROUND if act.charge else STANDARD,
    acts.Recover: lambda fight, combatant, act: recovering_action(combatant, act.condition) or MOVE,
    acts.Reposition: STANDARD,
    acts.Move: of_move,
    acts.Prepare: FULL_ROUND,
    acts.Ride: SEVERAL,
    acts.Rouse: STANDARD,
    acts.Shelter: STANDARD,
    acts.Skirmish: FULL_ROUND,
    acts.Split: STANDARD,
    acts.Trample: FULL_ROUND,
    acts.TendFeet: STANDARD,
    acts.Touch: of_touching,
    acts.TurnUndead: STANDARD,
    acts.UseAbility: of_ability,
    acts.Steal: STANDARD,
    acts.Sunder: STANDARD,
    acts.Trip: STANDARD,
}
