"""The state of a fight: the encounter and its combatants, as folded from the log.

These are plain mutable records that only `fold` writes. The state digest is the sha256 of a view's bytes,
which are the same in all releases.
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
from affray.events.facts.words import NO_WORDS, DialectWords
from affray.events.generated import run_generated
from affray.projections.view import VIEW, viewed

Square = tuple[int, int]
R = TypeVar("R", bound=Struct)


class Condition(Struct, frozen=True, gc=False):
    """A current condition: its source, its duration, and whether its level is a height."""

    source: str
    until: Until
    level: int = 0
    aloft: bool = False


class Effect(Struct, frozen=True, gc=False):
    """A temporary modifier to `stat`, which may be limited to one opponent or a number of rolls."""

    id: str
    stat: str
    modifier: Modifier
    until: Until
    against: str
    uses: int


class Affliction(Struct, frozen=True, gc=False):
    """A current affliction: see `AfflictionHeld`."""

    id: str
    rider: Rider
    by: str
    dc: int
    round: int
    minute: int
    treated: int


class Area(Struct, frozen=True, gc=False):
    """An area of the map with an effect of its own: see `AreaPlaced`."""

    id: str
    what: str
    who: str
    squares: tuple[Square, ...]
    around: str
    feet: int
    traits: tuple[str, ...]
    level: int


class Brewing(Struct, frozen=True, gc=False):
    """A spell that was cast and takes effect later: the declaration and the time."""

    act: Cast
    due: int
    when: str


class Combatant(Struct, gc=False):
    """One combatant: sheet, square, hit points, conditions, and what its turn has used up."""

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
    """The original side of a combatant while it fights for another; else ""."""
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
    """The round whose turn the combatant began and then delayed; None once the turn is taken."""
    readied: Ready | None = None
    injuries: tuple[str, ...] = ()
    policy: str = ""
    casting: Cast | None = None
    """The spell whose casting takes longer than this turn, and the round in which it is due."""
    casting_due: int = 0
    mount: str = ""
    """The combatant's mount, which shares its square and space."""
    rider: str = ""
    """The combatant's rider."""
    riderless: bool = False
    """The combatant has lost its rider and has no control."""
    stretch: Square = (0, 0)
    """Columns and rows by which its space is longer than `space` squares a side."""
    losses: dict[str, int] = field(default_factory=dict)
    """Lost ability points: "str" by damage, "str drain" by drain."""
    afflictions: tuple[Affliction, ...] = ()
    brewing: tuple[Brewing, ...] = ()
    """Spells that take effect later in the round, in the order in which they were cast."""
    unloaded: tuple[str, ...] = ()
    """Weapons out of hand that must be loaded when they are taken up again."""
    lying: dict[str, tuple[Square, ...]] = field(default_factory=dict)
    """The squares of the combatant's dropped or thrown items, as far as recorded."""
    unusable: tuple[str, ...] = ()
    """Feats of its printed sheet without effect; `sheet` lacks them."""
    counters: dict[str, int] = field(default_factory=dict)
    """Counters that rules keep for it, by name, except those at 0."""
    true_form: Sheet | None = None
    """The sheet of its true form while it has another one."""
    melded: tuple[str, ...] = ()
    """What it held in its true form."""


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

    def is_dead(self, one: Combatant) -> bool:
        """Return whether a combatant has a condition that means death in the words of the dialect."""
        return any(name in one.conditions for name in self.words.dead)

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
    """The campaign's tables that replace the dialect's: rule id -> rows as JSON text."""
    """Minutes that passed outside of combat."""
    ground: tuple[Ground, ...] = ()
    """Ground that covers parts of the map."""
    packages: tuple[Package, ...] = ()
    """The installed packages used in the fight: a dialect, house rules."""
    until_closed: bool = False
    """Whether turns continue until the fight is closed, not only while two sides are standing."""
    contributions: tuple[tuple[str, str], ...] = ()
    """Contributions of players to the seed of the dice: (player, words)."""
    refusals: int = 0
    """The number of refused declarations, which are counted separately (x1, x2, ...)."""
    chains: dict[str, Chain] = field(default_factory=dict)
    """The chains that determine the dice, by player; "" for the game master."""
    things_lie: bool = False
    """Whether thrown weapons leave the hand, and the squares of dropped things are recorded."""
    defaults: int = 0
    """The number of the default readings, used if `options` names none."""
    words: DialectWords = NO_WORDS
    """The words of an installed dialect."""
    areas: dict[str, Area] = field(default_factory=dict)
    """Areas of the map with an effect of their own, by id."""
    restores: dict[str, str] = field(default_factory=dict)
    """Readings to be restored after the declaration for which a ruling changed them, by option."""


freeze: Final[Callable[[Encounter], bytes]] = msgspec.json.Encoder(order="deterministic").encode
"""Give the canonical bytes of a state. O(size of the state)."""


def digest(state: Encounter, view: int = VIEW) -> str:
    """Return the sha256 (hex) of a view of a state, the same in every release.

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
    """Return a function that copies a record of that kind, and one that resets a record to another.

    Dictionaries are changed in place, so each record needs separate ones. Simulations copy and reset all
    records of a fight: code written out field by field needs no calls.
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
