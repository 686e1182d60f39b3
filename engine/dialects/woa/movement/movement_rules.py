"""Movement and size as the dialect's record lists them: what adds, what forbids."""

from affray.engine.dialects.woa.movement import climb_and_burrow, double_move_and_run
from affray.engine.dialects.woa.position import creature_as_terrain, shared_space, size_difference
from affray.engine.record.classes import Feature
from affray.engine.record.turns import Check
from affray.events.facts import acts

FEATURES = (
    Feature("", attack=shared_space.cramped_attack, defense=shared_space.cramped_defense),
    Feature("", defense=climb_and_burrow.penalty_of_skill_movement),
)

CHECKS = (
    Check(climb_and_burrow.refuse_unnatural, (acts.Move, acts.Step, acts.Run, acts.Charge)),
    Check(
        double_move_and_run.refuse_winded,
        (acts.Move, acts.Run, acts.Charge),
        condition=double_move_and_run.WINDED,
    ),
    Check(size_difference.refuse_high_climber, (acts.Attack, acts.FullAttack)),
    Check(size_difference.refuse_too_large, (acts.Attack, acts.FullAttack, acts.Charge)),
    Check(
        creature_as_terrain.refuse_hanging,
        (acts.Attack, acts.FullAttack, acts.Move, acts.Step, acts.Run, acts.Charge),
        condition=size_difference.PERCHED,
    ),
)
