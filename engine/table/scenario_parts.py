"""What a scenario is put together from: who is there, how it begins, and the lines of its script."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from affray.engine.table.scenario_fields import After, Chosen, Dice, Expected, Fields, Sheets
from affray.engine.table.spoken import SaidHere
from affray.events.facts.acts import Begin, Square
from affray.events.facts.base import MOST_COMBATANTS, Name, Names, Number, Tables, Words
from affray.events.facts.declared import AnyAct
from affray.events.facts.sheet import Numbers
from affray.events.facts.terrain import Barriers, Grounds, Rows

LONGEST_AUTO = 10_000


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


class Scenario(Struct, frozen=True, forbid_unknown_fields=True):
    """A fight to be played.

    `dice` and `choose` are for the beginning; `auto` plays on by tactics for that many rounds at most
    when the script is over. `house_rules` names those of installed packages, in the order in which they
    count. `map` may name a file, seen from this one (see `map_in`); read, it is the rows, and what stands
    between them is among the `barriers`. `tables` names the folder of a campaign's own tables, seen from the
    file; read, it is their rows (see `book.read_folder`). `sheets_from` names a file of sheets that several
    scenarios share, seen from the file too; read, they stand among the `sheets`, and it is empty. A file may
    give the `script` as one text in the notation of combat instead. `cites` names rules that the log must
    cite anywhere, in a test of rules: those of its setting up as well.

    A scenario is never changed; another one is made of it:

    >>> from msgspec.structs import replace
    >>> from affray.engine import Scenario, packaged, play
    >>> from affray.events import MemoryStore
    >>> def duel(fight: Scenario, *ids: str) -> Scenario:
    ...     both = tuple(one for one in fight.combatants if one.id in ids)
    ...     return replace(fight, combatants=both, script=(), dice="seed", seed="a duel")
    >>> table = play(duel(packaged("demo_srd35"), "fighter", "ogre"), MemoryStore())
    >>> table.state.combatants["ogre"].hp
    -2
    """

    map: Rows | Words
    combatants: Annotated[tuple[Entrant, ...], Meta(max_length=MOST_COMBATANTS)]
    barriers: Barriers = ()
    ground: Grounds = ()
    tables: Words | Tables = ""
    house_rules: Names = ()
    dialect: Name = ""
    name: Words = "scenario"
    title: Words = ""
    options: Annotated[dict[Name, Name | bool], Meta(max_length=1000)] = field(default_factory=dict)
    seed: Words = ""
    sheets: Sheets = field(default_factory=dict)
    sheets_from: Words = ""
    begin: Start = Start()
    dice: Dice = ""
    choose: Chosen = field(default_factory=dict)
    expect: Expected = field(default_factory=list)
    after: After = field(default_factory=dict)
    cites: Names = ()
    script: Annotated[tuple[Line, ...], Meta(max_length=10_000)] = ()
    auto: Annotated[int, Meta(ge=0, le=LONGEST_AUTO)] = 0


class Scenarios(Struct, frozen=True, forbid_unknown_fields=True):
    """A file of many scenarios over shared sheets, for tests; `sheets_from` is that of a scenario."""

    dialect: Name
    scenario: Annotated[tuple[Scenario, ...], Meta(max_length=10_000)]
    sheets: Sheets = field(default_factory=dict)
    sheets_from: Words = ""
