"""An example of what is sent and answered on each route, as the document of the interface shows it."""

from typing import Any, Final

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from affray.events.codec import encode
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.flow import TurnEnded
from affray.events.facts.sheet import Sheet
from affray.projections.audit import Die, Explanation, Link
from affray.replay.chances import Chance
from affray.replay.explanation import Why
from affray.replay.map_picture import Underlay
from affray.replay.serve import messages as said
from affray.replay.serve.cloud_events import HIDDEN, SEEN, TYPES, CloudEvent, Told
from affray.replay.serve.shapes import CombatantView, EncounterView, Line
from affray.replay.viewer.frame import Change, Frame

SOURCE: Final = "urn:affray:55914833c783abbc"
TOKEN: Final = "Zk3vXo1n8T2mQe7yLr5cWb9uHs4dJp6a"
"""No token of anybody; as long as one is."""


def _event(kind: str, told: Told, subject: str | UnsetType = UNSET) -> CloudEvent:
    return CloudEvent(f"{told.branch}:{told.epoch}:{told.seq}", SOURCE, f"{TYPES}{kind}.v1", told, subject)


_WENT: Final = Told(
    "main", 0, 47, "moved", 1, 3, "sorcerer", 43, "Ysolde goes 5 ft. to 6,5",
    msgspec.Raw(
        encode(Moved(who="sorcerer", start=(6, 4), path=((6, 5),), feet=5, diagonals=0, how="withdraw"))
    ),
)  # fmt: skip
FACT: Final = _event("moved", _WENT, subject="sorcerer")
SEEN_EVENT: Final = _event(
    SEEN,
    Told(
        "main", 0, 52, "attack.resolved", 1, 3, "sorcerer", 43, "Gharm hits Ysolde with greatclub",
        seen={
            "attacker": "ogre", "target": "sorcerer", "weapon": "greatclub", "mode": "melee", "result": "hit",
        },
    ),
)  # fmt: skip
HIDDEN_EVENT: Final = _event(HIDDEN, Told("main", 0, 53))

_ENDED: Final = _event(
    "turn.ended",
    Told(
        "main", 0, 60, "turn.ended", 1, 3, "sorcerer", 59, "Ysolde's turn ends",
        msgspec.Raw(encode(TurnEnded(who="sorcerer"))),
    ),
    subject="sorcerer",
)  # fmt: skip
_QUESTION: Final = said.Question(
    "sorcerer", "Ysolde", True, "d12/aoo:sorcerer/take/1",
    "goblin leaves a threatened square: does Ysolde take the attack of opportunity?", ("take", "pass"),
)  # fmt: skip
_DONE: Final = said.Done("main:0:60", [_ENDED])
_HELD: Final = said.Held(
    "h1", "sorcerer", acts.Move(actor="sorcerer", path=((6, 5),)), "move to 6,5", "Anna", "main:0:58",
    "waiting", reason="lurker stands at 6,5", rule="srd35.pass.ending-movement",
)  # fmt: skip
HELD: Final = said.Done("main:0:58", [], held="h1")
HELD_EVENT: Final = _event("held", Told("main", 0, 58, held=[replace(_HELD, reason="", rule="")]))
_ONE_LINE: Final = said.Done(
    "undo-1:1:43", [], told="undo-1 is the main line, main keeps what was taken back or left"
)
_GUESTS: Final = said.Guests(
    [
        said.Invited(
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
_LEGAL: Final = said.Legal(
    "main:0:42",
    "sorcerer",
    "Ysolde",
    [
        said.OpenAct(
            acts.Attack(actor="sorcerer", target="ogre", weapon="dagger"), "attack", "ogre", "with dagger"
        )
    ],
    [said.OpenWay((6, 5), 5, ((6, 5),), ("ogre",), None)],
    [said.Shut("stand", "Ysolde is not prone", "srd35.move.stand-up")],
    ("cast",),
)
_PRICED: Final = said.Priced(
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
_STATE: Final[dict[str, Any]] = {
    "position": "main:0:42",
    "seq": 42,
    "head": 42,
    "encounter": _FIGHT,
    "combatants": {"ogre": _OGRE},
    "question": None,
}
_PAGE: Final[dict[str, Any]] = {
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

EXAMPLES: Final[dict[tuple[str, str], tuple[Any, Any]]] = {
    ("GET", "/session"): (
        None,
        said.Session(
            "player", "Anna", ("sorcerer",), "main:0:52", "srd35", "The ogre at the ruined wall", ""
        ),
    ),
    ("GET", "/events"): (None, said.Events("main:0:53", [SEEN_EVENT, HIDDEN_EVENT], True)),
    ("GET", "/state"): (None, _STATE),
    ("GET", "/why/{seq}"): (None, _WHY),
    ("GET", "/legal/{id}"): (None, _LEGAL),
    ("GET", "/legal/{id}/way"): (None, _PRICED),
    ("GET", "/page"): (None, _PAGE),
    ("GET", "/picture"): (None, Underlay("data:image/png;base64,iVBORw0KGgo=", 8, 2)),
    ("GET", "/names"): (None, said.Names("main:0:47", {"sorcerer": "Ysolde"}, {"sorcerer": "Y"}, {}, [], {})),
    ("POST", "/declarations"): ({"act": {"act": "end-turn", "actor": "sorcerer"}, **_NOW}, _DONE),
    ("GET", "/held"): (None, said.AllHeld([_HELD])),
    ("POST", "/held"): (
        {"held": "h1", "words": "not now", **_NOW},
        said.Done("main:0:58", [], told="turned down"),
    ),
    ("POST", "/choices"): ({"answer": "take", **_NOW}, said.Done("main:0:66", [], question=_QUESTION)),
    ("POST", "/disputes"): (
        {"at": 52, "text": "she had cover", **_NOW},
        said.Done("main:0:61", [], told="Q1"),
    ),
    ("POST", "/rulings"): (
        {"at": 52, "text": "the wall covers her", "effects": ["sorcerer.defense+4:cover"], **_NOW},
        said.Done(
            "ruling-R1:1:61",
            [],
            told="With the ruling 'the wall covers her' Gharm misses Ysolde with the greatclub",
        ),
    ),
    ("POST", "/undo"): ({"count": 1, **_NOW}, _ONE_LINE),
    ("POST", "/redo"): (_NOW, said.Done("main-3:2:60", [], told="main-3 is the main line")),
    ("POST", "/forks"): (
        {"at": "r1.t3", "name": "what-if", **_NOW},
        said.Done("main:0:60", [], told="what-if leaves main after event 42"),
    ),
    ("POST", "/promotions"): (
        {"branch": "what-if", **_NOW},
        said.Done("what-if:1:60", [], told="what-if is the main line"),
    ),
    ("GET", "/invitations"): (None, _GUESTS),
    ("POST", "/invitations"): ({"role": "player", "combatants": ["sorcerer"], "name": "Anna"}, _GUESTS),
    ("POST", "/invitations/withdraw"): ({"token": TOKEN}, _GUESTS),
    ("POST", "/hidden"): ({"combatant": "lurker"}, _GUESTS),
    ("GET", "/swing"): (None, said.Swinging(True, 400, 3600, False, "", None)),
    ("POST", "/swing"): ({"runs": 100}, said.Swinging(True, 0, 0, False, "", None)),
    ("GET", "/sheets"): (None, said.Sheets({"wolf": "Wolf"})),
    ("POST", "/sheets"): (
        {"block": "Wolf\nhp 13\nAC 14"},
        said.SheetFound(Sheet("Wolf", 13), [said.Unheld(2, "hp 13", "no Hit Dice", "unread")]),
    ),
}
"""(method, path) -> what is sent, None for nothing, and what is told."""

TOLD: Final = f"id: main:0:53\nevent: hidden\ndata: {msgspec.json.encode(HIDDEN_EVENT).decode()}\n\n"
"""What one event of the feed looks like on the line."""
