"""What is true now: the encounter and its combatants, as folded from the log.

These are plain mutable records that only `fold` writes. The bytes whose sha256 is the state digest are
those of a view, which outlives releases.
"""

import hashlib
from collections.abc import Callable, Collection
from functools import cache
from typing import Any, Final, TypeVar, get_origin

import msgspec
from msgspec import Struct, field

from affray.events.facts.acts.attacks import Cast
from affray.events.facts.acts.turns import Ready
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import Until
from affray.events.facts.sheet import Barrier, Ground, Modifier, Package, Rider, Sheet
from affray.events.generated import run_generated
from affray.projections.view import VIEW, viewed

Square = tuple[int, int]
R = TypeVar("R", bound=Struct)


class Condition(Struct, frozen=True, gc=False):
    """A condition that holds: where it comes from, how long it lasts, and whether its level is a height."""

    source: str
    until: Until
    level: int = 0
    aloft: bool = False


class Effect(Struct, frozen=True, gc=False):
    """A passing modifier to `stat`, perhaps against one opponent, perhaps for some rolls only."""

    id: str
    stat: str
    modifier: Modifier
    until: Until
    against: str
    uses: int


class Affliction(Struct, frozen=True, gc=False):
    """Something that works on in a combatant: see `AfflictionHeld`."""

    id: str
    rider: Rider
    by: str
    dc: int
    round: int
    minute: int
    treated: int


class Brewing(Struct, frozen=True, gc=False):
    """A spell that is cast and has yet to take effect: the declaration, and when that is."""

    act: Cast
    due: int
    when: str


class Combatant(Struct, gc=False):
    """One combatant: sheet, place, hit points, conditions, and what its turn has used up."""

    id: str
    side: str
    sheet: Sheet
    at: Square
    space: int
    reach: int
    hp: int
    max_hp: int
    nonlethal: int = 0
    temporary: int = 0
    own_side: str = ""
    """The side that a combatant entered on, while it fights for another; else ""."""
    held: tuple[str, ...] = ()
    items: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, Condition] = field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    acted: bool = False
    aware: bool = True
    initiative: int = 0
    fixed_initiative: int | None = None
    initiative_modifier: int = 0
    spent: dict[str, int] = field(default_factory=dict)
    reactions: dict[str, int] = field(default_factory=dict)
    opportunities: tuple[str, ...] = ()
    resources: dict[str, int] = field(default_factory=dict)
    plan: tuple[tuple[str, str, str], ...] = ()
    delaying: bool = False
    waited: int | None = None
    """The round whose turn began before the combatant put it off; None once the turn is taken."""
    readied: Ready | None = None
    injuries: tuple[str, ...] = ()
    policy: str = ""
    casting: Cast | None = None
    """The spell that takes the combatant more than this turn, and the round in which it is due."""
    casting_due: int = 0
    mount: str = ""
    """Whom the combatant rides; both have one place and one space then."""
    rider: str = ""
    """Who rides the combatant."""
    riderless: bool = False
    """The combatant has lost its rider and nobody guides it."""
    stretch: Square = (0, 0)
    """Columns and rows by which what it takes up is longer than `space` squares each way."""
    losses: dict[str, int] = field(default_factory=dict)
    """Points that abilities have lost: "str" by damage, "str drain" for good."""
    afflictions: tuple[Affliction, ...] = ()
    brewing: tuple[Brewing, ...] = ()
    """Spells that take effect later in the round, in the order in which they were cast."""
    unloaded: tuple[str, ...] = ()
    """Weapons that are out of hand and want loading when they are taken up again."""
    lying: dict[str, tuple[Square, ...]] = field(default_factory=dict)
    """Where the combatant's items lie that were dropped or thrown, as far as that was told."""
    unusable: tuple[str, ...] = ()
    """Feats that its printed sheet lists and that give it nothing; `sheet` is without them."""


class Chain(Struct, frozen=True, gc=False):
    """A chain that determines dice: link `number` is the `last` one given, the anchor at first.

    It was begun after `declarations` declarations.
    """

    anchor: str
    length: int
    begun: int
    number: int
    last: str


class Question(Struct, frozen=True, gc=False):
    """The question that the fight waits for."""

    key: str
    who: str
    question: str
    options: tuple[str, ...]
    rule: str
    notation: str
    declaration: str


class Encounter(Struct, weakref=True):
    """The whole state of a fight at one position of its log."""

    name: str = ""
    dialect: str = ""
    options: dict[str, str] = field(default_factory=dict)
    terrain: tuple[str, ...] = ()
    commitment: str = ""
    combatants: dict[str, Combatant] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    begun: bool = False
    closed: str = ""
    round: int = 0
    turn: int = 0
    phase: str = ""
    active: str = ""
    declarations: int = 0
    pending: Question | None = None
    seed: str = ""
    barriers: tuple[Barrier, ...] = ()
    minutes: int = 0
    tables: dict[str, str] = field(default_factory=dict)
    """The tables of the campaign in place of the dialect's: rule id -> rows as JSON text."""
    """Minutes that went by outside of combat."""
    ground: tuple[Ground, ...] = ()
    """What covers parts of the map."""
    packages: tuple[Package, ...] = ()
    """The installed packages that the fight is played with: a dialect, house rules."""
    until_closed: bool = False
    """Whether turns go on until the fight is closed, and not only while two sides stand."""
    contributions: tuple[tuple[str, str], ...] = ()
    """What players gave to the seed of the dice: (by whom, words)."""
    refusals: int = 0
    """The declarations that were refused and are counted apart (x1, x2, ...)."""
    chains: dict[str, Chain] = field(default_factory=dict)
    """The chains whose links the dice follow from, by player; the game master's is that of ""."""
    things_lie: bool = False
    """Whether thrown weapons are out of hand, and it is told where things lie."""
    defaults: int = 0
    """The number of the default readings that hold where `options` name none."""
    restores: dict[str, str] = field(default_factory=dict)
    """Readings that come back after the declaration for which a ruling changed them, by option."""


freeze: Final[Callable[[Encounter], bytes]] = msgspec.json.Encoder(order="deterministic").encode
"""Give the canonical bytes of a state. O(size of the state)."""


def digest(state: Encounter, view: int = VIEW) -> str:
    """Return the sha256 (hex) of what a view shows of a state, the same in every release.

    O(size of the state). Raises NewerLog for a view that this release does not know.
    """
    return hashlib.sha256(viewed(state, view)).hexdigest()


def duplicate(state: Encounter) -> Encounter:
    """Return an independent copy with the same order of everything. O(combatants).

    Immutable parts (sheets, conditions, effects) are shared.
    """
    made = _record(state)
    made.combatants = {id: _record(one) for id, one in state.combatants.items()}
    return made


def restore(state: Encounter, start: Encounter) -> None:
    """Reset `state`, which began as a copy of `start`, to it: the same records with their first contents.

    O(combatants). Combatants that entered since are removed.
    """
    known = state.combatants
    _restore(state, start)
    state.combatants = {id: known[id] for id in start.combatants}
    for id, one in start.combatants.items():
        if known[id] != one:
            _restore(known[id], one)


def _restore(value: R, start: R) -> None:
    _written_out(type(value))[1](value, start)


def _record(value: R) -> R:
    made: R = _written_out(type(value))[0](value)
    return made


@cache
def _written_out(kind: type[Struct]) -> tuple[Callable[..., Any], Callable[..., None]]:
    """Return what copies a record of that kind, and what makes one what another is.

    Dictionaries are written in place, so each record has its own. Every fight that is played on copies all
    of its records and puts them back: written out, field by field, this needs no call.
    """
    fields = {one.name: get_origin(one.type) is dict for one in msgspec.structs.fields(kind)}
    copying = [f"made.{name} = {{**value.{name}}}" for name, mapping in fields.items() if mapping]
    putting = [
        f"value.{name} = " + (f"{{**start.{name}}}" if mapping else f"start.{name}")
        for name, mapping in fields.items()
    ]
    text = f"""def record(value):
    made = value.__copy__()
    {"; ".join(copying)}
    return made
def restore(value, start):
    {"; ".join(putting)}"""
    space: JsonObject = {}
    run_generated(text, f"copying of {kind.__name__}", space)
    return space["record"], space["restore"]


def without_feats(sheet: Sheet, feats: Collection[str]) -> Sheet:
    """Return a sheet without some of its feats."""
    if not feats:
        return sheet
    return msgspec.structs.replace(sheet, feats=tuple(feat for feat in sheet.feats if feat not in feats))


def printed_sheet(combatant: Combatant) -> Sheet:
    """Return the sheet of a combatant with the feats that it cannot use."""
    sheet = combatant.sheet
    if not combatant.unusable:
        return sheet
    return msgspec.structs.replace(sheet, feats=(*sheet.feats, *combatant.unusable))
