"""What a scenario is put together from: who is there, how it begins, and the lines of its script."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from affray.engine.table.scenario_fields import After, Chosen, Dice, Expected, Fields
from affray.engine.table.spoken import SaidHere
from affray.events.facts.acts import Begin, Square
from affray.events.facts.base import Name, Names, Number
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Numbers


class Entrant(Struct, frozen=True, forbid_unknown_fields=True):
    """A combatant of the scenario: a sheet of its own, or a named one with some fields changed."""

    id: Name
    side: Name
    at: Square
    use: Name = ""
    sheet: Fields = field(default_factory=dict)
    change: Fields = field(default_factory=dict)
    hp: Number | None = None
    nonlethal: Number = 0
    conditions: Names = ()
    held: Names | None = None
    initiative: Number | None = None
    acted: bool = False
    policy: Literal["", "auto", "cautious", "ask"] = ""
    riding: Name = ""
    by: Annotated[dict[Name, Name], Meta(max_length=200)] = field(default_factory=dict)
    levels: Numbers = field(default_factory=dict)
    losses: Numbers = field(default_factory=dict)
    used: Numbers = field(default_factory=dict)
    grapples: Name = ""
    grip: Name = ""
    unloaded: Names = ()


class Start(Struct, frozen=True, forbid_unknown_fields=True):
    """How the fight begins: see `acts.Begin`."""

    unaware: Names = ()
    round: Number = 1
    turn: Name = ""
    ambushes: Annotated[tuple[tuple[Name, Name, Name], ...], Meta(max_length=200)] = ()
    stealthy: Names = ()

    def act(self) -> Begin:
        """Return the declaration that begins the fight so."""
        return Begin(**msgspec.structs.asdict(self))


class Line(Struct, frozen=True, forbid_unknown_fields=True):
    """One scripted declaration, with its dice and answers, and what a test expects of it.

    Without `do` it is the next declaration that automatic play makes; `declares` is which that must be.
    """

    do: AnyAct | None = None
    dice: Dice = ""
    choose: Chosen = field(default_factory=dict)
    expect: Expected = field(default_factory=list)
    never: Names = ()
    after: After = field(default_factory=dict)
    declares: AnyAct | None = None


class Spoken(Line, frozen=True, forbid_unknown_fields=True):
    """A line of a script in the notation of combat."""

    said: SaidHere | None = None
