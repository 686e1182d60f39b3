"""Write replay/serve/openapi.json from the table of routes: python -m affray.replay.serve.openapi

The document follows the code: paths and parameters come from the table, schemas from the structs,
descriptions from the docstrings.
"""

import inspect
from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path
from typing import Final, Union

import msgspec
from msgspec import NODEFAULT, UNSET, Struct, UnsetType
from msgspec.structs import replace

from affray.events.codec import FACTS, encode
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import Moved
from affray.events.facts.flow import AnyAct, TurnEnded
from affray.events.facts.sheet import Sheet
from affray.projections.audit import Die, Explanation, Link
from affray.replay.chance.outcome_odds import Chance
from affray.replay.explain.why import Why
from affray.replay.log.branches import Origins
from affray.replay.serve import messages
from affray.replay.serve.handlers import POSITION
from affray.replay.serve.http import MEANINGS, STATUSES
from affray.replay.serve.messages import HIDDEN, SEEN, TYPES, CloudEvent, ShownEvent, Square
from affray.replay.serve.routes import FEED, TABLE, Entry, May
from affray.replay.viewer.frames import Change, Frame, Remains, Wording
from affray.replay.viewer.map_picture import Underlay

# --- Parts of answers that are built without a struct, described for the documents: views of the state, lines


class EncounterView(Struct):
    """The current encounter.

    `sides` are the walls and doors between squares: whether upright, on which grid line, where it begins, its
    kind and the name of a door. `order` is the initiative order, `active` has the turn, `ask` is what the
    fight waits for. `modes` are the kinds of modifier that change the dice of a test, in words. `left` is
    what the turn has left: name, amount, of how much, unit; only the game master sees it.
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
    modes: dict[str, str] = {}
    left: tuple[Remains, ...] = ()


class CombatantView(Struct):
    """A current combatant.

    If its numbers are hidden, numbers are null, and hidden lists and texts are empty. `conditions` are pairs:
    the condition in words, and its source or duration. `pools` are its limited resources as far as they are
    left: name, amount, of how much, unit; `counters` are numbers that rules keep by name.
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
    pools: tuple[Remains, ...] = ()
    counters: dict[str, int] = {}


class Line(Struct):
    """A branch on a page: its own events, the first being event `at` + 1, and a frame for each of them.

    `parted` is a sentence on what changed on it. `merged` names the branches that it was merged from, and
    gives by position those that contain its events; null for all other lines.
    """

    name: str
    parent: str
    at: int
    main: bool
    parted: str
    merged: Origins | None
    events: list[ShownEvent]
    frames: list[Frame]


class Reading(Struct):
    """A contested rule that matters in the fight, and its readings by name."""

    option: str
    title: str
    question: str
    rules: tuple[str, ...]
    readings: dict[str, str]
    default: str


# --- Schemas of all requests and answers, by name, as in both documents of the interface

REF: Final = "#/components/schemas/"

TOKEN_SCHEME: Final = {
    "type": "http",
    "scheme": "bearer",
    "description": "The end of a link, after `#t=`.",
}
"""How a client authenticates."""

ANSWERS: Final = (
    messages.Session,
    messages.Events,
    messages.State,
    messages.Question,
    messages.Refusal,
    messages.Legal,
    messages.OpenAct,
    messages.PathOption,
    messages.Priced,
    messages.Shut,
    messages.Page,
    messages.Names,
    messages.CommandResult,
    messages.Choice,
    messages.HeldDeclarations,
    messages.HeldDeclaration,
    messages.Guests,
    messages.WinChanceStatus,
    messages.Sheets,
    messages.ParsedSheet,
    messages.Unheld,
    messages.Invited,
    CloudEvent,
    Why,
    Underlay,
)
"""The types of answers: every field is always present, except those that may be unset."""

BODIES: Final = (
    messages.Declare,
    messages.Say,
    messages.Choose,
    messages.Decide,
    messages.RuleOn,
    messages.Contest,
    messages.Undo,
    messages.Redo,
    messages.Fork,
    messages.Promote,
    messages.Invite,
    messages.Withdrawal,
    messages.Hiding,
    messages.SheetWanted,
    messages.SwingWanted,
)
"""The types of requests."""

OTHERS: Final = (
    messages.RequestFailure,
    ShownEvent,
    Frame,
    Wording,
    EncounterView,
    CombatantView,
    Line,
    Reading,
)


def ref(name: str) -> JsonObject:
    """Return the reference to a schema."""
    return {"$ref": REF + name}


def make_schema_by_id(name: str) -> dict[str, object]:
    """Return the schema of an object that holds one of these for each id."""
    return {"type": "object", "additionalProperties": ref(name)}


SAID_CLOSER: Final[dict[tuple[str, str], dict[str, object]]] = {
    ("CloudEvent", "id"): {"type": "string", "pattern": POSITION, "description": "The position after it."},
    ("CloudEvent", "source"): {
        "type": "string",
        "format": "uri-reference",
        "pattern": "^urn:affray:([0-9a-f]{16}|empty)$",
        "description": "The log: the same for all its events, different for every other log.",
    },
    ("CloudEvent", "type"): {"type": "string", "pattern": r"^dev\.affray\.[a-z.-]+\.v[0-9]+$"},
    ("CloudEvent", "subject"): {"type": "string", "minLength": 1},
    ("ShownEvent", "fact"): ref("Fact"),
    ("ShownEvent", "digest"): {"type": "string", "pattern": "^([0-9a-f]{64})?$", "default": ""},
    ("State", "encounter"): ref("EncounterView"),
    ("State", "combatants"): make_schema_by_id("CombatantView"),
    ("Change", "g"): {**ref("EncounterChange"), "default": {}},
    ("Change", "c"): {**make_schema_by_id("CombatantChange"), "default": {}},
    ("Page", "lines"): {"type": "array", "items": ref("Line")},
    ("Page", "rules"): make_schema_by_id("Wording"),
    ("Page", "contested"): {"type": "array", "items": ref("Reading")},
}
"""(schema, field) -> a closer description than the struct gives."""


def components(*more: type) -> JsonObject:
    """Return all schemas by name, including those of `more`."""
    kinds = [*ANSWERS, *BODIES, *OTHERS, *more]
    roots = [*kinds, Union[FACTS], AnyAct]  # noqa: UP007
    told, made = msgspec.json.schema_components(roots, ref_template=REF + "{name}")
    fact, act = told[-2:]
    made = {name: _shared(schema, act) for name, schema in made.items()}
    made["Fact"] = {"title": "Fact", "description": "The content of one event of a log.", **fact}
    made["Act"] = {"title": "Act", "description": "An act that is declared.", **act}
    for kind in ANSWERS:
        made[kind.__name__]["required"] = list(_always_there(kind))
    for view in (EncounterView, CombatantView):
        change = deepcopy(made[view.__name__])
        change["title"] = view.__name__.replace("View", "Change")
        change["description"] = f"The fields of `{view.__name__}` that an event changed."
        del change["required"]
        made[change["title"]] = change
    for body in BODIES:
        if issubclass(body, messages.Body):
            made[body.__name__]["properties"]["expected"]["pattern"] = POSITION
    for (name, field), said in SAID_CLOSER.items():
        made[name]["properties"][field] = said
    even(made)
    return dict(sorted(made.items()))


def _always_there(kind: type[Struct]) -> Iterable[str]:
    if (tag := kind.__struct_config__.tag_field) is not None:
        yield tag
    for field in msgspec.structs.fields(kind):
        if not (field.default is not NODEFAULT and UnsetType in getattr(field.type, "__args__", ())):
            yield field.encode_name


def _shared(value: object, act: JsonObject) -> object:
    """Return a schema that refers to the union of all acts instead of repeating it."""
    if isinstance(value, dict):
        if value.get("anyOf") == act["anyOf"]:
            rest = {name: one for name, one in value.items() if name not in ("anyOf", "discriminator")}
            return {**ref("Act"), **rest}
        return {name: _shared(one, act) for name, one in value.items()}
    return [_shared(one, act) for one in value] if isinstance(value, list) else value


def even(value: object) -> None:
    """Clean up descriptions from docstrings: remove examples and indentation.

    Python 3.13 strips the indentation from docstrings, 3.11 does not.
    """
    if isinstance(value, dict):
        if isinstance(value.get("description"), str):
            paragraphs = inspect.cleandoc(value["description"]).split("\n\n")
            value["description"] = "\n\n".join(one for one in paragraphs if not one.startswith(">>>"))
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            even(inner)


def printed(made: JsonObject) -> str:
    """Return a document as its file contains it."""
    return msgspec.json.format(msgspec.json.encode(made), indent=1).decode() + "\n"


# --- An example of the request and answer of each route, for the interface document

SOURCE: Final = "urn:affray:55914833c783abbc"
TOKEN: Final = "Zk3vXo1n8T2mQe7yLr5cWb9uHs4dJp6a"
"""An invented token of the usual length."""


def _event(kind: str, told: ShownEvent, subject: str | UnsetType = UNSET) -> CloudEvent:
    return CloudEvent(f"{told.branch}:{told.epoch}:{told.seq}", SOURCE, f"{TYPES}{kind}.v1", told, subject)


_WENT: Final = ShownEvent(
    "main", 0, 47, "moved", 1, 3, "sorcerer", 43, "Ysolde goes 5 ft. to 6,5",
    msgspec.Raw(
        encode(Moved(who="sorcerer", start=(6, 4), path=((6, 5),), feet=5, diagonals=0, how="withdraw"))
    ),
)  # fmt: skip
FACT: Final = _event("moved", _WENT, subject="sorcerer")
SEEN_EVENT: Final = _event(
    SEEN,
    ShownEvent(
        "main", 0, 52, "attack.resolved", 1, 3, "sorcerer", 43, "Gharm hits Ysolde with greatclub",
        seen={
            "attacker": "ogre", "target": "sorcerer", "weapon": "greatclub", "mode": "melee", "result": "hit",
        },
    ),
)  # fmt: skip
HIDDEN_EVENT: Final = _event(HIDDEN, ShownEvent("main", 0, 53))

_ENDED: Final = _event(
    "turn.ended",
    ShownEvent(
        "main", 0, 60, "turn.ended", 1, 3, "sorcerer", 59, "Ysolde's turn ends",
        msgspec.Raw(encode(TurnEnded(who="sorcerer"))),
    ),
    subject="sorcerer",
)  # fmt: skip
_QUESTION: Final = messages.Question(
    "sorcerer", "Ysolde", True, "d12/aoo:sorcerer/take/1",
    "goblin leaves a threatened square: does Ysolde take the attack of opportunity?", ("take", "pass"),
)  # fmt: skip
_DONE: Final = messages.CommandResult("main:0:60", [_ENDED])
_HELD: Final = messages.HeldDeclaration(
    "h1", "sorcerer", acts.Move(actor="sorcerer", path=((6, 5),)), "move to 6,5", "Anna", "main:0:58",
    "waiting", reason="lurker is at 6,5", rule="srd35.pass.ending-movement",
)  # fmt: skip
HELD: Final = messages.CommandResult("main:0:58", [], held="h1")
HELD_EVENT: Final = _event("held", ShownEvent("main", 0, 58, held=[replace(_HELD, reason="", rule="")]))
_ONE_LINE: Final = messages.CommandResult(
    "undo-1:1:43", [], told="undo-1 is the main line, main keeps what was undone"
)
_GUESTS: Final = messages.Guests(
    [
        messages.Invited(
            "player", "Anna", ("sorcerer",), TOKEN, f"http://127.0.0.1:8417/#t={TOKEN}", "<svg>...</svg>"
        )
    ],
    ("lurker",),
)
_OGRE: Final = CombatantView(
    "monsters", "large", False, (7, 5), 2, None, None, None, None, None, ("greatclub",), None,
    (("prone", ""),), (), (), (), "", "", (),
)  # fmt: skip
_FIGHT: Final = EncounterView(
    "The ogre at the ruined wall", "srd35", ("....#...", "....~~.."), ((True, 4, 1, "door", "door 1"),), {},
    ("ogre", "sorcerer"),
    1, 3, "turns", "sorcerer", True, "", "",
)  # fmt: skip
_WHY: Final = Why(
    Explanation(
        "main", 14, "rolled", 0, 0, "sorcerer rolls 1d20 for initiative: 12", "d5", "", "begin, round 1", "",
        [
            Link(10, "declared", "the fight is to begin (d5)"),
            Link(14, "rolled", "sorcerer rolls 1d20 for initiative: 12", "d5/sorcerer/initiative/1"),
        ],
        [Die(14, "d5/sorcerer/initiative/1", "sorcerer", "1d20", (12,), 12, "seeded", (), (), "seeded")],
        [],
        [],
    ),
    [],
    [],
    {"sorcerer": "Ysolde"},
    odds=[Chance(14, "d5/sorcerer/initiative/1", "12 or more on 1d20", 9, 20, {})],
)  # fmt: skip
_LEGAL: Final = messages.Legal(
    "main:0:42",
    "sorcerer",
    "Ysolde",
    [
        messages.OpenAct(
            acts.Attack(actor="sorcerer", target="ogre", weapon="dagger"), "attack", "ogre", "with dagger"
        )
    ],
    [messages.PathOption((6, 5), 5, ((6, 5),), ("ogre",), None)],
    [messages.Shut("stand", "Ysolde is not prone", "srd35.move.stand-up")],
    ("cast",),
    [messages.Remaining("standard action", 1, 1, ""), messages.Remaining("burning hands", 1, 2, "")],
)
_PRICED: Final = messages.Priced(
    "main:0:42",
    acts.Move(actor="sorcerer", path=((6, 5), (6, 6))),
    ((6, 5), (6, 6)),
    10,
    20,
    ("ogre",),
    ((5, 7),),
    "",
    None,
)
_STATE: Final[dict[str, object]] = {
    "position": "main:0:42",
    "seq": 42,
    "head": 42,
    "encounter": _FIGHT,
    "combatants": {"ogre": _OGRE},
    "question": None,
    "foundry": None,
}
_PAGE: Final[dict[str, object]] = {
    "position": "main:0:47",
    "title": "The ogre at the ruined wall",
    "show": "main",
    "names": {"sorcerer": "Ysolde"},
    "letters": {"sorcerer": "Y"},
    "lines": [
        Line(
            "main", "", 46, True, "", None, [_WENT],
            [Frame(_WENT.text, (43,), Change(c={"sorcerer": {"at": (6, 5)}}))],
        )
    ],
    "rules": {},
    "contested": [],
    "shapes": {},
}  # fmt: skip
_NOW: Final = {"expected": "main:0:58", "request": "7f1c"}

EXAMPLES: Final[dict[tuple[str, str], tuple[object, object]]] = {
    ("GET", "/session"): (
        None,
        messages.Session(
            "player", "Anna", ("sorcerer",), "main:0:52", "srd35", "The ogre at the ruined wall", ""
        ),
    ),
    ("GET", "/events"): (None, messages.Events("main:0:53", [SEEN_EVENT, HIDDEN_EVENT], True)),
    ("GET", "/state"): (None, _STATE),
    ("GET", "/why/{seq}"): (None, _WHY),
    ("GET", "/legal/{id}"): (None, _LEGAL),
    ("GET", "/legal/{id}/way"): (None, _PRICED),
    ("GET", "/page"): (None, _PAGE),
    ("GET", "/picture"): (None, Underlay("data:image/png;base64,iVBORw0KGgo=", 8, 2)),
    ("GET", "/names"): (
        None,
        messages.Names("main:0:47", {"sorcerer": "Ysolde"}, {"sorcerer": "Y"}, {}, [], {}),
    ),
    ("POST", "/declarations"): ({"act": {"act": "end-turn", "actor": "sorcerer"}, **_NOW}, _DONE),
    ("POST", "/say"): (
        {"text": "m 5,3", "actor": "sorcerer", **_NOW},
        messages.CommandResult(
            "main:0:58",
            [],
            told="15 ft., provokes from Gharm",
            choices=(messages.Choice("Go", acts.Move(actor="sorcerer", path=((4, 3), (5, 3)))),),
        ),
    ),
    ("GET", "/held"): (None, messages.HeldDeclarations([_HELD])),
    ("POST", "/held"): (
        {"held": "h1", "words": "not now", **_NOW},
        messages.CommandResult("main:0:58", [], told="rejected: move to 6,5"),
    ),
    ("POST", "/choices"): (
        {"answer": "take", **_NOW},
        messages.CommandResult("main:0:66", [], question=_QUESTION),
    ),
    ("POST", "/disputes"): (
        {"at": 52, "text": "she had cover", **_NOW},
        messages.CommandResult("main:0:61", [], told="Q1"),
    ),
    ("POST", "/rulings"): (
        {"at": 52, "text": "the wall covers her", "effects": ["sorcerer.defense+4:cover"], **_NOW},
        messages.CommandResult(
            "ruling-R1:1:61",
            [],
            told="With the ruling 'the wall covers her' Gharm misses Ysolde with the greatclub",
        ),
    ),
    ("POST", "/undo"): ({"count": 1, **_NOW}, _ONE_LINE),
    ("POST", "/redo"): (_NOW, messages.CommandResult("main-3:2:60", [], told="main-3 is the main line")),
    ("POST", "/forks"): (
        {"at": "r1.t3", "name": "what-if", **_NOW},
        messages.CommandResult("main:0:60", [], told="what-if leaves main after event 42"),
    ),
    ("POST", "/promotions"): (
        {"branch": "what-if", **_NOW},
        messages.CommandResult("what-if:1:60", [], told="what-if is the main line"),
    ),
    ("GET", "/invitations"): (None, _GUESTS),
    ("POST", "/invitations"): ({"role": "player", "combatants": ["sorcerer"], "name": "Anna"}, _GUESTS),
    ("POST", "/invitations/withdraw"): ({"token": TOKEN}, _GUESTS),
    ("POST", "/hidden"): ({"combatant": "lurker"}, _GUESTS),
    ("GET", "/swing"): (None, messages.WinChanceStatus(True, 400, 3600, False, "", None)),
    ("POST", "/swing"): ({"runs": 100}, messages.WinChanceStatus(True, 0, 0, False, "", None)),
    ("GET", "/sheets"): (None, messages.Sheets({"wolf": "Wolf"})),
    ("POST", "/sheets"): (
        {"block": "Wolf\nhp 13\nAC 14"},
        messages.ParsedSheet(Sheet("Wolf", 13), [messages.Unheld(2, "hp 13", "no Hit Dice", "unread")]),
    ),
}
"""(method, path) -> an example of its request, None for none, and of its answer."""

TOLD: Final = f"id: main:0:53\nevent: hidden\ndata: {msgspec.json.encode(HIDDEN_EVENT).decode()}\n\n"
"""One event of the feed as bytes."""


FILE: Final = Path(__file__).with_name("openapi.json")
INTERFACE: Final = "1.0.0"
"""The version of the interface: the first number grows when a part is removed or changes its meaning."""

ABOUT: Final = """\
A fight served by `affray serve`, for pages and programs.

A token identifies the guest: the link of each guest ends in it, after `#t=`. The answers depend on the
guest: the game master sees everything, a player the numbers of its own side, an onlooker no numbers.
Combatants that the game master hides do not exist for the others.

A **position** is written `branch:epoch:seq`: after event `seq` of the main line, which is the branch of
that name; `epoch` is how often another branch had become the main line by then. Every answer contains its
position. The game master counts the events of the log, all others only those that they see at least in
part: events that they do not see change none of their numbers. If the past that a reader sees has changed,
the epoch is followed by a view (`main:0.2:52`); numbers of another view are not valid. A command contains
the sender's known position as `expected`. If the fight has moved on since, the command is not executed, and
status 409 returns the current position. A command that is sent several times with the same `request` is
executed once and gets the same answer each time.

A refusal by the rules is not an error: it has status 200, with the reason as `refused`. A player's
declaration that is refused for a reason the player cannot know is held for the game master: status 202,
with its id as `held`.

All errors have one form, with a code for programs. Fields may be added to answers at any time; a client
ignores those that it does not know.

The feed is described in `/asyncapi.json`, the facts of all events in `/schemas/events.json`.
"""


def openapi() -> dict[str, object]:
    """Return the document."""
    paths: dict[str, dict[str, object]] = {}
    for one in TABLE:
        paths.setdefault(one.path, {})[one.method.lower()] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "affray serve",
            "summary": "One fight, for game master, players, onlookers and programs.",
            "description": ABOUT,
            "version": INTERFACE,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": components(),
            "securitySchemes": {"token": TOKEN_SCHEME},
        },
    }


def _operation(one: Entry) -> dict[str, object]:
    summary, _, rest = (inspect.getdoc(one.serve) or "").partition("\n\n")
    said, told = EXAMPLES.get((one.method, one.path), (None, None))
    made: JsonObject = {
        "operationId": one.serve.__name__,
        "summary": summary.removesuffix("."),
        "description": "\n\n".join(filter(None, (rest, f"Allowed: {one.may.value}"))),
    }
    if one.may is May.ANYBODY:
        made["security"] = []
    named = [
        {"name": name, "in": "path", "required": True, "description": about, "schema": schema}
        for name, about, schema in one.named
    ]
    asked = [
        {"name": query.name, "in": "query", "description": query.about, "schema": query.schema}
        for query in one.query
    ]
    if parameters := named + asked + _headers(one):
        made["parameters"] = parameters
    if one.body is not None:
        made["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": ref(one.body.__name__), "example": said}},
        }
    answers = {"200": _answered(one, told)}
    if one.held:
        answers["202"] = _answered(one, HELD) | {"description": one.held}
    made["responses"] = {**answers, **_refused(one)}
    return made


def _headers(one: Entry) -> list[dict[str, object]]:
    if one.answer != FEED:
        return []
    position = {"type": "string", "examples": ["main:0:52"]}
    about = "The id of the last event received: the feed continues after it. Takes precedence over `after`."
    return [{"name": "Last-Event-ID", "in": "header", "description": about, "schema": position}]


def _answered(one: Entry, told: object) -> dict[str, object]:
    if isinstance(one.answer, type):
        about = (inspect.getdoc(one.answer) or "").partition("\n")[0]
        content = {"schema": ref(one.answer.__name__), "example": msgspec.to_builtins(_plain(told))}
        return {"description": about, "content": {"application/json": content}}
    if one.answer == FEED:
        content = {"schema": {"type": "string"}, "example": TOLD}
        return {"description": "Server-sent events, without end.", "content": {one.answer: content}}
    if not one.answer.endswith("json"):
        return {"description": "The file.", "content": {one.answer: {}}}
    return {"description": "The document.", "content": {one.answer: {"schema": {"type": "object"}}}}


def _refused(one: Entry) -> JsonObject:
    by_status: dict[int, list[str]] = {}
    for code in one.yield_error_codes():
        by_status.setdefault(STATUSES[code], []).append(code)
    return {str(status): _error(status, codes) for status, codes in sorted(by_status.items())}


def _error(status: int, codes: list[str]) -> dict[str, object]:
    only = {"properties": {"error": {"properties": {"code": {"enum": codes}}}}}
    made: JsonObject = {
        "description": "\n".join(f"- `{code}`: {MEANINGS[code]}" for code in codes),
        "content": {"application/json": {"schema": {"allOf": [ref("RequestFailure"), only]}}},
    }
    if status in (429, 503):
        seconds = {"type": "integer", "minimum": 1}
        made["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": seconds}}
    return made


def _plain(told: object) -> object:
    """Return an example as plain JSON data: raw parts are parsed."""
    return msgspec.json.decode(msgspec.json.encode(told))


if __name__ == "__main__":
    FILE.write_text(printed(openapi()), encoding="utf-8")
