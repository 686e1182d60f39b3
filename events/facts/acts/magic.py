"""Spells, magic items and the turning of undead."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Square, Words


class Cast(Act, frozen=True, gc=False, tag="cast"):
    """Cast a spell of the sheet at targets, or at a square for an area.

    `opening` is the size in square feet of a hole in the wall through which it is cast.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    opening: Number = 0


class Redirect(Act, frozen=True, gc=False, tag="redirect"):
    """Direct a spell that is at work at other `targets`, or at a square for an area."""

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


class Maintain(Act, frozen=True, gc=False, tag="maintain"):
    """Go on concentrating on a spell that lasts so long, or on a turning, perhaps another `way`."""

    way: Square = (0, 0)


class Dismiss(Act, frozen=True, gc=False, tag="dismiss"):
    """End a `spell` of one's own that is at work, or cease to concentrate on it."""

    spell: Name = ""


class Touch(Act, frozen=True, gc=False, tag="touch"):
    """Touch `targets` with the charge of a spell that is held: an opponent, or friends."""

    targets: Names = ()


class Counter(Act, frozen=True, gc=False, tag="counter"):
    """Counter the spell of `target`, or of whoever set it off (only as a readied act).

    With a `spell` of one's own; "" is the very spell that is being cast, once it is identified.
    """

    spell: Name = ""
    target: Name = ""


class Activate(Act, frozen=True, gc=False, tag="activate"):
    """Use a magic item of the sheet; `device` says that it takes Use Magic Device, perhaps blindly."""

    item: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    device: Literal["", "use", "blind"] = ""


class Identify(Act, frozen=True, gc=False, tag="identify"):
    """Recognize by Spellcraft the spell that `target` is casting, or one that is on it."""

    target: Name = ""
    spell: Name = ""


class LowerResistance(Act, frozen=True, gc=False, tag="lower-resistance"):
    """Let magic through until one's next turn."""


class TurnUndead(Act, frozen=True, gc=False, tag="turn-undead"):
    """Channel positive or negative energy at creatures of a `kind`, or use what came of it.

    `what`: turn or rebuke them, bolster them or dispel their being turned; order or release those under
    command. `targets` names who is bolstered, ordered or released; `words` are the orders. Where a dialect
    asks for them, `way` is the direction that the turner faces, `boost` a spell that goes into the turning.
    """

    what: Literal["turn", "rebuke", "bolster", "dispel", "order", "release"] = "turn"
    kind: Name = "undead"
    targets: Names = ()
    words: Words = ""
    way: Square = (0, 0)
    boost: Name = ""
