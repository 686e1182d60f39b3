"""Movement and size as the dialect's record lists them: ways of moving, what adds, what forbids."""

from collections.abc import Callable, Mapping

from affray.engine.dialects.woa import modes, movement, sizes, strides
from affray.engine.fight import Fight
from affray.engine.rules.blow import Blow
from affray.engine.rules.features import Feature
from affray.engine.rules.permit import Check
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts

#: Ways of a move besides that on foot.
WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": strides.double_move,
    **dict.fromkeys(modes.WAYS, modes.go),
}
#: Ways through the air and the water, which have three dimensions and rules of their own.
THREE_DIMENSIONAL = ("fly", "swim")


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move in one of the ways there are."""
    way = WAYS.get(act.how)
    if way is None and act.how in THREE_DIMENSIONAL:
        raise Refusal(f"nobody moves {act.how!r} here", fight.rule("movement.swim-fly-special"))
    yield from (way or movement.move)(fight, act)


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Do what follows a hit: the end of the far smaller, the hold of those who move by skill."""
    yield from sizes.crushed(fight, blow)
    yield from modes.attacked(fight, blow.target)


def missed(fight: Fight, blow: Blow) -> Steps[None]:
    """Do what follows a miss: being attacked is enough to endanger who moves by skill."""
    yield from modes.attacked(fight, blow.target)


FEATURES = (
    Feature(
        "",
        attack=sizes.cramped_attack,
        defense=sizes.cramped_defense,
        save=sizes.cramped_save,
    ),
    Feature("", defense=modes.vulnerable),
)

CHECKS = (
    Check(modes.refuse_unnatural, (acts.Move, acts.Step, acts.Run, acts.Charge)),
    Check(
        strides.refuse_winded,
        (acts.Move, acts.Run, acts.Charge),
        condition=strides.WINDED,
    ),
    Check(sizes.refuse_too_large, (acts.Attack, acts.FullAttack, acts.Charge)),
)
