"""Spells, magic items and the turning of undead."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Square, Words


class Cast(Act, frozen=True, gc=False, tag="cast"):
    """Cast a spell of the sheet at targets, or at a square for an area.

    at: the square at which an area lies.
    defensively: cast with care, so that it does not provoke.
    opening: the size in square feet of a hole in the wall through which it is cast.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    opening: Number = 0


class Redirect(Act, frozen=True, gc=False, tag="redirect"):
    """Direct a spell that is at work at others, or at another square.

    at: the square at which its area lies.
    """

    spell: Name = ""
    targets: Names = ()
    at: Square | None = None


class Maintain(Act, frozen=True, gc=False, tag="maintain"):
    """Go on concentrating on a spell that lasts so long, or on a turning.

    way: the direction into which the turning turns.
    """

    way: Square = (0, 0)


class Dismiss(Act, frozen=True, gc=False, tag="dismiss"):
    """End a spell of one's own that is at work, or cease to concentrate on it."""

    spell: Name = ""


class Touch(Act, frozen=True, gc=False, tag="touch"):
    """Touch somebody with the charge of a spell that is held.

    targets: an opponent, or friends.
    """

    targets: Names = ()


class Counter(Act, frozen=True, gc=False, tag="counter"):
    """Counter a spell that is being cast, as a readied act only.

    spell: one's own spell to do it with; empty for the very one that is cast, once it is identified.
    target: the caster; empty for whoever set it off.
    """

    spell: Name = ""
    target: Name = ""


class Activate(Act, frozen=True, gc=False, tag="activate"):
    """Use a magic item of the sheet.

    at: the square at which its area lies.
    defensively: use it with care, so that it does not provoke.
    device: it takes Use Magic Device, perhaps blindly.
    """

    item: Name = ""
    targets: Names = ()
    at: Square | None = None
    defensively: bool = False
    device: Literal["", "use", "blind"] = ""


class Identify(Act, frozen=True, gc=False, tag="identify"):
    """Recognize a spell by Spellcraft.

    target: who is casting it, or whom it is on.
    spell: the spell that is on the target; empty for the one being cast.
    """

    target: Name = ""
    spell: Name = ""


class LowerResistance(Act, frozen=True, gc=False, tag="lower-resistance"):
    """Let magic through one's spell resistance until one's next turn."""


class TurnUndead(Act, frozen=True, gc=False, tag="turn-undead"):
    """Channel positive or negative energy at creatures, or use what came of it.

    what: turn or rebuke them, bolster them, dispel their being turned; order or release those under command;
        heal or harm all around, or command them.
    kind: the kind of creature.
    targets: who is bolstered, ordered or released, or spared what all around meet with.
    words: the orders.
    way: the direction that the turner faces.
    boost: the spell that goes into the turning.
    """

    what: Literal["turn", "rebuke", "bolster", "dispel", "order", "release", "heal", "harm", "command"] = (
        "turn"
    )
    kind: Name = "undead"
    targets: Names = ()
    words: Words = ""
    way: Square = (0, 0)
    boost: Name = ""
