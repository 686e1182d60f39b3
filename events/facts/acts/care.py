"""Bonds, wounds and other troubles, one's own or somebody else's."""

from affray.events.facts.base import Act, Name, Number


class Stabilize(Act, frozen=True, gc=False, tag="stabilize"):
    """Give first aid to a dying creature; `take` 10 counts the die as that, where the rules allow it."""

    target: Name = ""
    take: Number = 0


class Treat(Act, frozen=True, gc=False, tag="treat"):
    """Look after a poisoned or diseased creature before its next saving throw."""

    target: Name = ""


class TendFeet(Act, frozen=True, gc=False, tag="tend-feet"):
    """Treat the feet of `target` that caltrops have pierced."""

    target: Name = ""


class Extinguish(Act, frozen=True, gc=False, tag="extinguish"):
    """Put out the flames on `target` or oneself: by smothering them, perhaps `rolling`, or in `water`."""

    target: Name = ""
    water: bool = False
    rolling: bool = False


class Rouse(Act, frozen=True, gc=False, tag="rouse"):
    """Shake `target` out of what fascinates it."""

    target: Name = ""


class Bind(Act, frozen=True, gc=False, tag="bind"):
    """Bind `target`, which is helpless or pinned, with rope or manacles; the `item` says which."""

    target: Name = ""
    item: Name = "hemp rope"


class GetFree(Act, frozen=True, gc=False, tag="get-free"):
    """Get out of a net or of bonds, by Strength or by `skill` (Escape Artist)."""

    skill: bool = False


class BreakFree(Act, frozen=True, gc=False, tag="break-free"):
    """Get out of what one is stuck in by Strength, or by cutting at it with a `weapon`."""

    weapon: Name = ""
