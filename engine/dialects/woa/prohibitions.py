"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa.attacks import prohibitions
from affray.engine.dialects.woa.classes import turned_undead
from affray.engine.dialects.woa.conditions import flight_from_fear, impeded_mobility
from affray.engine.dialects.woa.grapple import grab_prohibitions, grapple_modifiers
from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.mounted import mounted_modifiers, riding
from affray.engine.dialects.woa.movement import movement_rules, rush_prohibitions
from affray.engine.dialects.woa.position.crowding import refuse_wriggler
from affray.engine.record.turns import Check
from affray.engine.rules.conditions import mental_actions
from affray.engine.rules.turns import prohibitions as shared_prohibitions
from affray.events.facts import acts

CHECKS: tuple[Check, ...] = (
    Check(shared_prohibitions.refuse_bodily, condition=mental_actions.PARALYZED),
    *prohibitions.CHECKS,
    *movement_rules.CHECKS,
    *turned_undead.CHECKS,
    *flight_from_fear.CHECKS,
    *impeded_mobility.CHECKS,
    *grapple_modifiers.CHECKS,
    *grab_prohibitions.CHECKS,
    Check(unsteady_casting.refuse_unsteady_casting, (acts.Cast,)),
    Check(mounted_modifiers.refuse_gestures_unstirruped, (acts.Cast,)),
    Check(mounted_modifiers.refuse_afoot, (acts.Skirmish, acts.Clamber, acts.Hide)),
    Check(riding.refuse_unguided, (*riding.FIGHTING, acts.Move, acts.Run)),
    Check(rush_prohibitions.refuse_rush, (acts.Run, acts.Charge)),
    Check(rush_prohibitions.refuse_tumbling, (acts.Move,), "flying"),
    Check(
        refuse_wriggler, (acts.Attack, acts.FullAttack, acts.Charge, acts.Overrun, acts.Skirmish), "wriggling"
    ),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
