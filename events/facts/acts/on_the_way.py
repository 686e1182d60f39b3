"""What is done on the way of a movement: flying by, and from a saddle."""

from typing import Annotated, Literal

from msgspec import Meta, field

from affray.events.facts.acts.attacks import Attack, FullAttack
from affray.events.facts.acts.magic import Cast
from affray.events.facts.base import Act, Number, Path


class Flyby(Act, frozen=True, gc=False, tag="flyby"):
    """Fly along a path and do something on the way.

    up: the height gained in feet; below 0 lost.
    after: after how many squares of the path.
    then: what is done.
    """

    path: Path = ()
    up: Number = 0
    after: Number = 0
    then: Attack | Cast = field(default_factory=Attack)


class Ride(Act, frozen=True, gc=False, tag="ride"):
    """Let the mount go along a path and act from the saddle on the way.

    path: the squares that the mount enters.
    pace: a move, a double move or a run.
    then: what is done; shots fall at half the way.
    after: the number of squares after which a spell is cast; one for each shot where a reading lets them fall
        anywhere.
    """

    path: Path = ()
    pace: Literal["move", "double", "run"] = "double"
    then: Attack | FullAttack | Cast = field(default_factory=Attack)
    after: Annotated[tuple[Number, ...], Meta(max_length=100)] = ()
