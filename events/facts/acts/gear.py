"""Things: in hand, worn, carried, broken."""

from typing import Literal

from affray.events.facts.base import Act, Name, Number, Path, Square


class Draw(Act, frozen=True, gc=False, tag="draw"):
    """Take a weapon in hand; whoever fights with two may draw another one (`also`) with it."""

    item: Name = ""
    also: Name = ""


class Sheathe(Act, frozen=True, gc=False, tag="sheathe"):
    """Put a weapon away."""

    item: Name = ""


class Drop(Act, frozen=True, gc=False, tag="drop"):
    """Let go of a held item, or of one's own footing with item "prone"; `to` hurls the item to a square."""

    item: Name = ""
    to: Square | None = None


class Handle(Act, frozen=True, gc=False, tag="handle"):
    """Strap on, take off or drop the shield `item`; pick up, retrieve, move, open or close something.

    In woa also "grab" what lies at hand, "open-stuck" a door, "light" or "put-out" a torch, and "set-up" the
    elaborate materials of the spell that `item` names.
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


class Load(Act, frozen=True, gc=False, tag="load"):
    """Load a weapon that needs it."""

    item: Name = ""


class Gather(Act, frozen=True, gc=False, tag="gather"):
    """Gather the missiles that missed with the weapon `item`."""

    item: Name = ""


class Prepare(Act, frozen=True, gc=False, tag="prepare"):
    """Fit an `item` with a fuse, or pour it out and light it `at` a square."""

    item: Name = ""
    at: Square | None = None


class Envenom(Act, frozen=True, gc=False, tag="envenom"):
    """Smear a dose of a poison that the actor carries on a weapon in hand."""

    weapon: Name = ""
    poison: Name = ""


class Don(Act, frozen=True, gc=False, tag="don"):
    """Put on armor or a shield (`item`), hastily or with a `helper`; it goes on for as long as it takes."""

    item: Name = ""
    hasty: bool = False
    helper: Name = ""


class Doff(Act, frozen=True, gc=False, tag="doff"):
    """Take off armor or a shield, perhaps with a `helper`."""

    item: Name = ""
    helper: Name = ""


class Shelter(Act, frozen=True, gc=False, tag="shelter"):
    """Stand behind a tower shield for total cover instead of attacking."""


class Lift(Act, frozen=True, gc=False, tag="lift"):
    """Handle a weight of `pounds`: `take` it along, `put` it down, hold it `overhead`, lift it off the
    `ground`, or `drag` it along `path`.
    """

    pounds: Number = 0
    how: Literal["take", "put", "overhead", "ground", "drag"] = "take"
    path: Path = ()


class Burst(Act, frozen=True, gc=False, tag="burst"):
    """Break the object `target` with sudden force, perhaps with a crowbar or ram and `helpers`."""

    target: Name = ""
    tool: Literal["", "crowbar", "ram"] = ""
    helpers: Number = 0
