"""Getting from place to place, on foot, by leaps and up a body."""

from typing import Literal

from affray.events.facts.base import Act, Name, Number, Path, Square


class Move(Act, frozen=True, gc=False, tag="move"):
    """Move along a path. `how`: normal, or a way that the dialect knows ("defensive", "tumble").

    In srd35 also "squeeze" into narrow spaces, "minimum" for the 5 feet that are always possible, "wriggle"
    into a tight space by Escape Artist. In woa "crawl", "crowd" into the space of others, and "squeeze" or
    "wriggle" (against a `dc`) where it is so many feet `wide` and `high` (0: as the map has it).

    Ways that rest on a skill may go over a `surface` ("severe", "2-6 in", "rough") or up a wall of a `dc`,
    and `fast` at a penalty; `up` is the height gained in feet, below 0 lost. `draw` names a weapon to be
    taken in hand on the way.
    """

    path: Path = ()
    how: Name = "normal"
    surface: Name = ""
    dc: Number = 0
    fast: bool = False
    up: Number = 0
    wide: Number = 0
    high: Number = 0
    draw: Name = ""


class Step(Act, frozen=True, gc=False, tag="step"):
    """Take the short step (5 feet) that does not provoke."""

    to: Square = (0, 0)


class Withdraw(Act, frozen=True, gc=False, tag="withdraw"):
    """Leave melee with care: the dialect's withdraw or tactical retreat."""

    path: Path = ()


class Run(Act, frozen=True, gc=False, tag="run"):
    """Spend the round running in a straight line."""

    path: Path = ()


class Jump(Act, frozen=True, gc=False, tag="jump"):
    """Leap as part of a move: `long` over the squares of `path` after the first `takeoff` of them, `high`
    for `feet` up, `hop` onto something waist-high, `down` for `feet` into `onto`.
    """

    kind: Literal["long", "high", "hop", "down"] = "long"
    path: Path = ()
    takeoff: Number = 0
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0


class Stand(Act, frozen=True, gc=False, tag="stand"):
    """Get up from prone.

    In woa perhaps only into a crouch (`to`), and "evading" blows by Acrobatics, "slowly", which is easier, or
    "quickly" as a free action.
    """

    to: Literal["", "crouching"] = ""
    how: Literal["", "evading", "slowly", "quickly"] = ""


class Clamber(Act, frozen=True, gc=False, tag="clamber"):
    """Get onto the body of `target`, far larger, by climbing or a leap ("jump"), and go on there.

    "up" climbs toward its back, "stand" keeps the balance up there with both hands free, "off" gets down to
    the square `to`.
    """

    target: Name = ""
    what: Literal["climb", "jump", "up", "stand", "off"] = "climb"
    to: Square | None = None


class ShakeOff(Act, frozen=True, gc=False, tag="shake-off"):
    """Get `target` off one's own body: pry it off by hand, or buck."""

    target: Name = ""
    how: Literal["pry", "buck"] = "pry"
