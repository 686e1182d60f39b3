"""Movement and size as the dialect's record lists them: what adds, what forbids."""

from affray.engine.dialects.woa.movement import climb_and_burrow, double_move_and_run
from affray.engine.dialects.woa.position import creature_as_terrain, size_difference
from affray.engine.record.compose import about, when
from affray.events.facts import acts

#: What leads over the ground, be it to strike on the way.
STRIDING = (acts.Move, acts.Step, acts.Run, acts.Charge, acts.Overrun, acts.Skirmish)

PROHIBITIONS = (
    about((acts.Move, acts.Step, acts.Run, acts.Charge), climb_and_burrow.refuse_unnatural),
    about(
        (acts.Move, acts.Run, acts.Charge),
        when(f"{double_move_and_run.WINDED!r} in conditions", double_move_and_run.refuse_winded),
    ),
    about((acts.Attack, acts.FullAttack, acts.Charge), size_difference.refuse_too_large),
    about(
        (*STRIDING, acts.Attack, acts.FullAttack),
        when(f"{size_difference.PERCHED!r} in conditions", creature_as_terrain.refuse_hanging),
    ),
)
