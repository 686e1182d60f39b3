"""What answers hold that is made without a struct; for the documents: views of the state, lines."""

from msgspec import Struct

from affray.replay.merge_origins import Origins
from affray.replay.serve.cloud_events import Told
from affray.replay.serve.messages import Square
from affray.replay.viewer.frame import Frame


class EncounterView(Struct):
    """The encounter as it stands.

    `sides` is what stands between squares: whether upright, on which grid line, where it begins, its kind and
    the name of a door. `order` is that of initiative, `active` who has the turn, `ask` what the fight waits
    for.
    """

    name: str
    dialect: str
    terrain: tuple[str, ...]
    sides: tuple[tuple[bool, int, int, str, str], ...]
    options: dict[str, str]
    order: tuple[str, ...]
    round: int
    turn: int
    phase: str
    active: str
    begun: bool
    closed: str
    ask: str


class CombatantView(Struct):
    """A combatant as it stands.

    Of combatants whose numbers are not told, numbers are null, and lists and words of what is not seen empty.
    `conditions` are pairs: the condition in words, and whence it comes or how long it lasts.
    """

    side: str
    size: str
    thing: bool
    at: Square
    space: int
    reach: int | None
    hp: int | None
    max: int | None
    nonlethal: int | None
    temporary: int | None
    held: tuple[str, ...]
    initiative: int | None
    conditions: tuple[tuple[str, str], ...]
    effects: tuple[str, ...]
    injuries: tuple[str, ...]
    plan: tuple[str, ...]
    waits: str
    readied: str
    threat: tuple[str, ...]


class Line(Struct):
    """A branch on a page: its own events, the first being event `at` + 1, and a frame for each of them.

    `parted` says in a sentence what became otherwise on it. `merged` names the branches that it was put
    together of, and says by position which of them hold what stands at its events; null for all other lines.
    """

    name: str
    parent: str
    at: int
    main: bool
    parted: str
    merged: Origins | None
    events: list[Told]
    frames: list[Frame]


class Reading(Struct):
    """A contested rule that the fight touches, its readings by name."""

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: dict[str, str]
    default: str
