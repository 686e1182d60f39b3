"""Mounts: in and out of the saddle, and what the skill of riding is for."""

from typing import Literal

from affray.events.facts.base import Act, Name, Path, Square


class Mount(Act, frozen=True, gc=False, tag="mount"):
    """Climb into the saddle.

    target: the mount.
    fast: try to do so as a free action.
    """

    target: Name = ""
    fast: bool = False


class Dismount(Act, frozen=True, gc=False, tag="dismount"):
    """Climb down from the mount.

    to: the square beside it.
    fast: try to do so as a free action.
    """

    to: Square = (0, 0)
    fast: bool = False


class Guide(Act, frozen=True, gc=False, tag="guide"):
    """Do from the saddle what the skill of riding is for.

    what: keep a frightened mount in hand, ride with the knees and both hands free, hang beside the mount for
        cover, spur it on, or leap.
    path: the squares of the leap, straight on.
    """

    what: Literal["control", "knees", "cover", "spur", "leap"] = "control"
    path: Path = ()
