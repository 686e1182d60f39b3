"""Getting from place to place, on foot, by leaps and up a body."""

from typing import Literal

from affray.events.facts.base import Act, Name, Number, Path, Square


class Move(Act, frozen=True, gc=False, tag="move"):
    """Move along a path.

    how: the way of moving.
    surface: what a way that rests on a skill goes over.
    dc: the DC of what is in the way: a wall, a tight space.
    fast: move at a faster pace, at a penalty.
    up: the height gained in feet; below 0 lost.
    wide: how wide a narrow space is in feet; 0 as the map has it.
    high: how high a low space is in feet; 0 as the map has it.
    draw: the weapon to be taken in hand on the way.
    rise: get up as part of the movement, before its first step: upright, or no further than into a crouch.
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
    rise: Literal["", "upright", "crouching"] = ""


class Step(Act, frozen=True, gc=False, tag="step"):
    """Take the short step (5 feet) that does not provoke.

    to: the square.
    """

    to: Square = (0, 0)


class Withdraw(Act, frozen=True, gc=False, tag="withdraw"):
    """Leave melee with care.

    how: the way of moving.
    """

    path: Path = ()
    how: Name = "normal"


class Run(Act, frozen=True, gc=False, tag="run"):
    """Spend the round running in a straight line."""

    path: Path = ()


class Jump(Act, frozen=True, gc=False, tag="jump"):
    """Leap as part of a move.

    kind: over squares, up, onto something waist-high, or down.
    path: the squares of the run-up and of the leap.
    takeoff: how many squares of the path are the run-up.
    feet: how far up or down.
    onto: what a leap down ends on.
    depth: how deep the water is, in feet.
    """

    kind: Literal["long", "high", "hop", "down"] = "long"
    path: Path = ()
    takeoff: Number = 0
    feet: Number = 0
    onto: Literal["ground", "soft", "water"] = "ground"
    depth: Number = 0


class Stand(Act, frozen=True, gc=False, tag="stand"):
    """Get up from prone.

    to: no further than this; empty for upright.
    how: dodge blows by Acrobatics meanwhile, slowly (which is easier), or quickly as a free action.
    """

    to: Literal["", "crouching"] = ""
    how: Literal["", "evading", "slowly", "quickly"] = ""


class Clamber(Act, frozen=True, gc=False, tag="clamber"):
    """Get onto the body of somebody far larger, and go on there.

    what: climb or leap onto it, climb up toward its back, balance up there with both hands free, or get off.
    to: the square to get down to.
    """

    target: Name = ""
    what: Literal["climb", "jump", "up", "stand", "off"] = "climb"
    to: Square | None = None


class ShakeOff(Act, frozen=True, gc=False, tag="shake-off"):
    """Get somebody off one's own body.

    how: pry it off by hand, or buck.
    """

    target: Name = ""
    how: Literal["pry", "buck"] = "pry"
