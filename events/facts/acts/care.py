"""Bonds, wounds and other troubles, one's own or somebody else's."""

from affray.events.facts.base import Act, Name, Number


class Stabilize(Act, frozen=True, gc=False, tag="stabilize"):
    """Give first aid to a dying creature.

    take: 10 counts the die as that, where the rules allow it.
    """

    target: Name = ""
    take: Number = 0


class Treat(Act, frozen=True, gc=False, tag="treat"):
    """Look after a poisoned or diseased creature before its next saving throw."""

    target: Name = ""


class TendFeet(Act, frozen=True, gc=False, tag="tend-feet"):
    """Treat feet that caltrops have pierced."""

    target: Name = ""


class Extinguish(Act, frozen=True, gc=False, tag="extinguish"):
    """Put out flames by smothering them.

    target: who is on fire; empty for oneself.
    water: use water, or get into it.
    rolling: roll on the ground.
    """

    target: Name = ""
    water: bool = False
    rolling: bool = False


class Rouse(Act, frozen=True, gc=False, tag="rouse"):
    """Shake somebody out of what fascinates it."""

    target: Name = ""


class Bind(Act, frozen=True, gc=False, tag="bind"):
    """Bind a creature that is helpless or pinned.

    item: rope or manacles.
    """

    target: Name = ""
    item: Name = "hemp rope"


class GetFree(Act, frozen=True, gc=False, tag="get-free"):
    """Get out of a net or of bonds by Strength.

    skill: by Escape Artist instead.
    """

    skill: bool = False


class BreakFree(Act, frozen=True, gc=False, tag="break-free"):
    """Get out of what one is stuck in by Strength.

    weapon: cut at it with this instead.
    """

    weapon: Name = ""
