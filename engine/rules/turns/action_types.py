"""Which type of action a declaration takes: standard, move, full-round, free, and what takes none.

Each dialect lists its declarations in a table, from those that all share on. An entry is the name of a type,
or a function that finds it where it goes by what is said, by the sheet, or by a reading.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from affray.engine.fight.fight import Fight
from affray.engine.record.turns import NO_ACTION
from affray.engine.rules.gear.loading import loads_slowly
from affray.engine.rules.magic.known_spells import named_spell
from affray.events.facts import acts
from affray.projections.state import Combatant

ActionType: TypeAlias = str | Callable[[Fight, Combatant, Any], str]
"""The type of action, or what finds it for a declaration and who makes it."""

STANDARD, MOVE, FULL_ROUND, FREE = "standard", "move", "full-round", "free"
SWIFT, IMMEDIATE = "swift", "immediate"


def by_table(table: Mapping[type[acts.Act], ActionType]) -> Callable[[Fight, Combatant, Any], str]:
    """Return what says of a declaration which type of action it takes, by a dialect's table."""

    def action_type(fight: Fight, combatant: Combatant, act: Any) -> str:
        """Return the type of action of a declaration that the dialect knows; "" for none."""
        found = table[type(act)]
        return found if isinstance(found, str) else found(fight, combatant, act)

    return action_type


def of_casting(fight: Fight, caster: Combatant, act: acts.Cast) -> str:
    """A spell's casting time decides, as the dialect has it; an immediate one is immediate in every turn."""
    spell = named_spell(caster, act.spell)
    if spell is None:
        return STANDARD
    if spell.casting == IMMEDIATE:
        return IMMEDIATE
    return str(fight.dialect.magic.casting_action(fight, caster, spell)[0])


def of_loading(fight: Fight, combatant: Combatant, act: acts.Load) -> str:
    """To load what is slow takes the full round."""
    slow = any(one.name == act.item and loads_slowly(one) for one in combatant.sheet.weapons)
    return FULL_ROUND if slow else MOVE


def of_touching(fight: Fight, combatant: Combatant, act: acts.Touch) -> str:
    """To touch several friends with one spell takes the full round.

    srd35.cast.hold-charge, woa.spell.hold-charge-friends.
    """
    return FULL_ROUND if len(act.targets) > 1 else STANDARD


def of_guiding(fight: Fight, rider: Combatant, act: acts.Guide) -> str:
    """What the skill of riding is for takes a move action, a free one or none (srd35.skill.ride-table)."""
    return {"control": MOVE, "spur": MOVE, "knees": FREE}.get(act.what, NO_ACTION)


#: What the declarations take that all dialects share.
COMMON: Final[Mapping[type[acts.Act], ActionType]] = {
    acts.Attack: STANDARD,
    acts.FullAttack: FULL_ROUND,
    acts.Charge: FULL_ROUND,
    acts.CoupDeGrace: FULL_ROUND,
    acts.Brace: STANDARD,
    acts.TotalDefense: STANDARD,
    acts.Aid: STANDARD,
    acts.Cast: of_casting,
    acts.Stand: MOVE,
    acts.Draw: MOVE,
    acts.Sheathe: MOVE,
    acts.Handle: MOVE,
    acts.Load: of_loading,
    acts.Drop: FREE,
    acts.Grip: FREE,
    acts.Speak: FREE,
    acts.Stabilize: STANDARD,
    acts.Move: MOVE,
    acts.Step: NO_ACTION,
    acts.Run: FULL_ROUND,
    acts.Withdraw: FULL_ROUND,
    acts.Delay: NO_ACTION,
    acts.Resume: NO_ACTION,
}
