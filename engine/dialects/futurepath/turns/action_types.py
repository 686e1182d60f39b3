"""Which type of action each declaration takes in futurepath, an attack action being the standard one here.

futurepath.table.actions.*, futurepath.action.ready.what.
"""

from collections.abc import Mapping
from typing import Final

from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.grapple.grapple_options import action_of_option
from affray.engine.dialects.futurepath.movement.postures import LOW
from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION
from affray.engine.rules.turns import action_types as shared
from affray.engine.rules.turns.action_types import COMMON, FREE, FULL_ROUND, MOVE, STANDARD, ActionType
from affray.events.facts import acts
from affray.projections.state import Combatant

#: What the types of action are called in the text, by their names here.
NAMES: Final[Mapping[str, str]] = {"attack": STANDARD}


def of_dropping(fight: Fight, combatant: Combatant, act: acts.Drop) -> str:
    """Where there is little gravity it takes longer to go down (futurepath.action.drop-prone.low-gravity)."""
    return STANDARD if act.item in LOW and fight.option("gravity") == "low" else FREE


def of_attacking(fight: Fight, combatant: Combatant, act: acts.Attack) -> str:
    """To line up a blow at a thing takes the full round (futurepath.object.attack.full-round-immobile)."""
    return FULL_ROUND if act.aim else STANDARD


def of_defending(fight: Fight, combatant: Combatant, act: acts.TotalDefense) -> str:
    """Total defense is a move action, or by the old reading an attack action."""
    return MOVE if fight.option("total_defense_action") == "move-action" else STANDARD


def of_grappling(fight: Fight, combatant: Combatant, act: acts.Grapple) -> str:
    """All is done in place of an attack, but for drawing a light weapon."""
    return action_of_option(act)[0]


def of_first_aid(fight: Fight, combatant: Combatant, act: acts.Stabilize) -> str:
    """First aid takes the full round, by the old rules an attack action."""
    return STANDARD if old_only(fight) else FULL_ROUND


def of_reloading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """An internal magazine takes the full round (futurepath.action.reload.internal-magazine)."""
    weapons = combatant.sheet.weapons
    internal = any(one.name == act.item and "internal-magazine" in one.traits for one in weapons)
    return FULL_ROUND if internal else shared.of_loading(fight, combatant, act)


TABLE: Final[Mapping[type[acts.Act], ActionType]] = {
    **COMMON,
    acts.Dismiss: FREE,
    # A move and the attack action in it, or a charge: more than can be readied.
    acts.BullRush: FULL_ROUND,
    acts.Overrun: FULL_ROUND,
    acts.Trip: STANDARD,
    acts.Disarm: STANDARD,
    acts.Grapple: of_grappling,
    acts.Attack: of_attacking,
    acts.Burst: STANDARD,
    acts.Drop: of_dropping,
    acts.Extinguish: FULL_ROUND,
    acts.Feint: STANDARD,
    acts.KnockoutBlow: FULL_ROUND,
    acts.Load: of_reloading,
    acts.Prepare: MOVE,
    acts.Repair: NO_ACTION,
    acts.Sunder: STANDARD,
    acts.Split: STANDARD,
    acts.Stabilize: of_first_aid,
    acts.Stunt: STANDARD,
    acts.TotalDefense: of_defending,
    acts.UseAbility: STANDARD,
    acts.UseFeat: STANDARD,
    acts.UseSkill: STANDARD,
}


def readiable(fight: Fight) -> tuple[tuple[str, ...], str]:
    """Return which types of action can be readied, and the rule: an attack or a move action (ready_what).

    By the narrower reading an attack action alone (futurepath.action.ready.split, .is-attack-action).
    """
    if fight.option("ready_what") == "attack-only":
        return (STANDARD,), fight.rule("futurepath.action.ready.split")
    named = fight.figure("futurepath.action.ready.what")
    return tuple(NAMES.get(one, one) for one in named), fight.rule("futurepath.action.ready.what")
