"""Mounts: in and out of the saddle, and what is done from it."""

from typing import Annotated, Literal

from msgspec import Meta, field

from affray.events.facts.acts.attacks import Attack, FullAttack
from affray.events.facts.acts.base import Act, Path, Square
from affray.events.facts.acts.magic import Cast
from affray.events.facts.limits import Name, Number


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


class Ride(Act, frozen=True, gc=False, tag="ride"):
    """Let the mount go along `path` and act from the saddle on the way.

    `pace` is a move, a double move or a run. Shots fall at half the way, a spell after the number of squares
    that `after` names (one for each shot where a reading lets them fall anywhere).
    """

    path: Path = ()
    pace: Literal["move", "double", "run"] = "double"
    then: Attack | FullAttack | Cast = field(default_factory=Attack)
    after: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()
