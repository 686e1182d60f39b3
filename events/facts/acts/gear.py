"""Things: in hand, worn, carried, broken."""

from typing import Literal

from affray.events.facts.base import Act, Name, Names, Number, Path, Square


class Draw(Act, frozen=True, gc=False, tag="draw"):
    """Take a weapon in hand.

    also: a second weapon drawn with it, by whoever fights with two.
    """

    item: Name = ""
    also: Name = ""


class Sheathe(Act, frozen=True, gc=False, tag="sheathe"):
    """Put a weapon away."""

    item: Name = ""


class Drop(Act, frozen=True, gc=False, tag="drop"):
    """Let go of a held item, or of one's own footing.

    item: the held item; a posture ("prone") to go down instead.
    to: the square to which the item is hurled.
    also: what else is let go of at the same moment.
    """

    item: Name = ""
    to: Square | None = None
    also: Names = ()


class Handle(Act, frozen=True, gc=False, tag="handle"):
    """Do something with a shield, a door or another object.

    item: the object; for materials that are set up, the spell that needs them.
    what: what is done with it.
    """

    item: Name = ""
    what: Literal[
        "ready-shield",
        "loose-shield",
        "drop-shield",
        "pick-up",
        "retrieve",
        "move",
        "move-heavy",
        "open",
        "close",
        "grab",
        "open-stuck",
        "light",
        "put-out",
        "set-up",
    ] = "pick-up"


class Grip(Act, frozen=True, gc=False, tag="grip"):
    """Take a weapon that is in hand into both hands, or into one.

    item: the weapon.
    hands: which hands hold it from then on.
    """

    item: Name = ""
    hands: Literal["both", "one"] = "both"


class Load(Act, frozen=True, gc=False, tag="load"):
    """Load a weapon that needs it."""

    item: Name = ""


class Gather(Act, frozen=True, gc=False, tag="gather"):
    """Gather the missiles that missed.

    item: the weapon that shot them.
    """

    item: Name = ""


class Prepare(Act, frozen=True, gc=False, tag="prepare"):
    """Fit an item with a fuse, or pour it out and light it.

    at: the square where it is poured out.
    """

    item: Name = ""
    at: Square | None = None


class Envenom(Act, frozen=True, gc=False, tag="envenom"):
    """Smear a dose of poison that one carries on a weapon in hand.

    poison: the poison.
    """

    weapon: Name = ""
    poison: Name = ""


class Don(Act, frozen=True, gc=False, tag="don"):
    """Put on armor or a shield; it goes on for as long as it takes.

    item: the armor or shield.
    hasty: put it on hastily.
    helper: who helps.
    """

    item: Name = ""
    hasty: bool = False
    helper: Name = ""


class Doff(Act, frozen=True, gc=False, tag="doff"):
    """Take off armor or a shield.

    item: the armor or shield.
    helper: who helps.
    """

    item: Name = ""
    helper: Name = ""


class Shelter(Act, frozen=True, gc=False, tag="shelter"):
    """Stand behind a tower shield for total cover instead of attacking.

    way: the step towards the edge of one's space that the shield closes, where it closes but one.
    """

    way: Square = (0, 0)


class Lift(Act, frozen=True, gc=False, tag="lift"):
    """Handle a weight.

    pounds: the weight.
    how: take it along, put it down, hold it overhead, lift it off the ground, or drag it.
    path: the squares along which it is dragged.
    """

    pounds: Number = 0
    how: Literal["take", "put", "overhead", "ground", "drag"] = "take"
    path: Path = ()


class Burst(Act, frozen=True, gc=False, tag="burst"):
    """Break an object with sudden force.

    tool: what helps; empty for nothing.
    helpers: how many help.
    """

    target: Name = ""
    tool: Literal["", "crowbar", "ram"] = ""
    helpers: Number = 0
