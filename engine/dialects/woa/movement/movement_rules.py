"""Movement and size as the dialect's record lists them: ways of moving, what adds, what forbids."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa.movement import climb_and_burrow, double_move_and_run, movement
from affray.engine.dialects.woa.position import creature_as_terrain, shared_space, size_difference
from affray.engine.fight.fight import Fight
from affray.engine.record.classes import Feature
from affray.engine.record.turns import Check
from affray.engine.steps import Choice, Steps, onward
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied

#: Ways of a move besides that on foot.
WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": double_move_and_run.double_move,
    **dict.fromkeys(climb_and_burrow.WAYS, climb_and_burrow.climb_or_burrow),
}
#: A fight that ends because one side runs away.
FLIGHT = "act.reason in ('flight', 'pursuit')"


def move_along_ground(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in one of the ways there are over the ground and along it."""
    yield from WAYS.get(act.how, movement.move_up_to_speed)(fight, act)


def settle_flight(fight: Fight, act: acts.Close, closing: Steps[None]) -> Steps[None]:
    """End the encounter; of a flight the game master says first how it goes on.

    One that a round does not settle becomes a chase, which has rules of its own
    (woa.movement.evasion-pursuit).
    """
    first = next(closing)
    rule = fight.rule("movement.evasion-pursuit")
    question = "can one round settle the pursuit, or does a chase begin?"
    answer = yield Choice("", "pursuit", question, ("a chase", "intercepted", "escaped"), rule)
    yield RuleApplied(who="", what=f"pursuit: {answer}", cites=(rule,))
    yield from onward(closing, first)


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
