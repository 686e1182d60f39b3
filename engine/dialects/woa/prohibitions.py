"""What is forbidden under `woa`, asked before each declaration."""

from affray.engine.dialects.woa.attacks import prohibitions
from affray.engine.dialects.woa.classes import turned_undead
from affray.engine.dialects.woa.conditions import flight_from_fear, impeded_mobility
from affray.engine.dialects.woa.grapple import grab_prohibitions, grapple_modifiers
from affray.engine.dialects.woa.magic import unsteady_casting
from affray.engine.dialects.woa.mounted import mounted_modifiers, riding
from affray.engine.dialects.woa.movement import movement_rules, rush_prohibitions
from affray.engine.dialects.woa.position.crowding import refuse_wriggler
from affray.engine.record.compose import about, when
from affray.engine.rules.conditions import mental_actions
from affray.engine.rules.movement import brink
from affray.engine.rules.position import place
from affray.engine.rules.turns import prohibitions as shared_prohibitions
from affray.events.facts import acts

PROHIBITIONS = (
    when(f"{mental_actions.PARALYZED!r} in conditions", shared_prohibitions.refuse_bodily),
    about(brink.WALKS, when(f"{place.CHASM!r} in conditions", brink.refuse_to_walk_out)),
    *prohibitions.PROHIBITIONS,
    *movement_rules.PROHIBITIONS,
    *turned_undead.PROHIBITIONS,
    *flight_from_fear.PROHIBITIONS,
    *impeded_mobility.PROHIBITIONS,
    *grapple_modifiers.PROHIBITIONS,
    *grab_prohibitions.PROHIBITIONS,
    about((acts.Cast,), unsteady_casting.refuse_unsteady_casting),
    about((acts.Cast,), mounted_modifiers.refuse_gestures_unstirruped),
    about((acts.Skirmish, acts.Clamber, acts.Hide), mounted_modifiers.refuse_afoot),
    about((*riding.FIGHTING, acts.Move, acts.Run), riding.refuse_unguided),
    about((acts.Run, acts.Charge), rush_prohibitions.refuse_rush),
    about((acts.Move,), when("'flying' in conditions", rush_prohibitions.refuse_tumbling)),
    about(
        (acts.Attack, acts.FullAttack, acts.Charge, acts.Overrun, acts.Skirmish),
        when("'wriggling' in conditions", refuse_wriggler),
    ),
)
"""In the order in which they are said: the first that forbids an act is the reason that is given."""
