"""Mounts: in and out of the saddle, and what the skill of riding is for."""

from typing import Literal

from affray.events.facts.base import Act, Name, Path, Square


class Mount(Act, frozen=True, gc=False, tag="mount"):
    """Climb into the saddle of `target`; `fast` tries to do so as a free action."""

    target: Name = ""
    fast: bool = False


class Dismount(Act, frozen=True, gc=False, tag="dismount"):
    """Climb down to the square `to` beside the mount; `fast` tries to do so as a free action."""

    to: Square = (0, 0)
    fast: bool = False


class Guide(Act, frozen=True, gc=False, tag="guide"):
    """Do from the saddle (`what`) what the skill of riding is for.

    "control" keeps a frightened mount in hand, "knees" frees both hands, "cover" hangs beside the
    mount, "spur" makes it faster, "leap" carries both straight along `path` over what lies there.
    """

    what: Literal["control", "knees", "cover", "spur", "leap"] = "control"
    path: Path = ()
