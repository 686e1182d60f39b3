"""What may stand in the query of a request: each word with its meaning, its bounds and its usual value."""

from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request

from affray.replay.serve.errors import Problem
from affray.replay.serve.messages import MOST_EVENTS


@dataclass(frozen=True, slots=True)
class Query:
    """One word of the query. `schema` is what the documents say of its values."""

    name: str
    about: str
    usual: str
    schema: dict[str, Any]

    def text(self, request: Request) -> str:
        """Return what a request says, the usual value if nothing."""
        return request.query_params.get(self.name, self.usual)

    def number(self, request: Request) -> int:
        """Return the number that a request says, within its bounds. Raises Problem."""
        text, least, most = self.text(request), self.schema["minimum"], self.schema["maximum"]
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise Problem("bad_request", f"{self.name}={text[:40]}: a number from {least} to {most}")
        return int(text)


POSITION: Final = r"^[^:]+:[0-9]{1,12}(\.[0-9]{1,12})?:[0-9]{1,12}$"
"""How positions of the feed are written: branch:epoch:seq, or branch:epoch.view:seq."""

_POSITION: Final = {"type": "string", "pattern": POSITION, "examples": ["main:0:52"]}

FOLLOWED_FROM: Final = Query(
    "after",
    "The position after which it begins: `start`, `end`, or one that was told before. The header "
    "`Last-Event-ID` says the same and comes first.",
    "start",
    {"anyOf": [{"enum": ["start", "end"]}, _POSITION], "default": "start"},
)
FRAMES: Final = Query(
    "frames",
    "With 1 each event has its `frame` too: what a page draws.",
    "0",
    {"enum": ["0", "1"], "default": "0"},
)
TOLD_FROM: Final = Query(
    "after",
    "The position after which it begins: `start`, or one that was told before. If another line has become "
    "the main line since, it begins after the last event that both have in common.",
    "start",
    {"anyOf": [{"const": "start"}, _POSITION], "default": "start"},
)
LEARNED_TO: Final = Query(
    "after",
    "The position up to which the page knows the fight, as it was told with `/page` or here.",
    "main:0:0",
    {**_POSITION, "default": "main:0:0"},
)
LIMIT: Final = Query(
    "limit",
    "So many events at most.",
    "100",
    {"type": "integer", "minimum": 1, "maximum": MOST_EVENTS, "default": 100},
)
AT: Final = Query(
    "at",
    "Of which moment: the number of an event (`17`), the beginning of a round (`r3`) or of a turn (`r3.t2`), "
    "`start` or `end`.",
    "end",
    {
        "type": "string",
        "pattern": r"^(#?[0-9]{1,18}|r[0-9]{1,9}(\.t[0-9]{1,9})?|start|end)$",
        "default": "end",
        "examples": ["17", "r3", "r3.t2", "end"],
    },
)
WAYS: Final = ("move", "run", "withdraw", "step", "charge")
"""Declarations whose way is drawn square by square."""
MOST_SQUARES: Final = 200

KIND: Final = Query(
    "act",
    "Which movement: a `step` goes to the last of the squares, a `charge` is aimed at the `target`.",
    "move",
    {"enum": [*WAYS], "default": "move"},
)
PATH: Final = Query(
    "path",
    f"The squares entered, in order: `4,1;4,2;5,3`, {MOST_SQUARES} at most. Without any nothing is reckoned, "
    "but `shut` tells where no step leads from here.",
    "",
    {
        "type": "string",
        "pattern": r"^(-?[0-9]{1,4},-?[0-9]{1,4}(;-?[0-9]{1,4},-?[0-9]{1,4})*)?$",
        "default": "",
        "examples": ["4,1;4,2;5,3"],
    },
)
HOW: Final = Query(
    "how",
    "The way of moving, as the declaration of a move has it.",
    "",
    {"type": "string", "maxLength": 80, "default": ""},
)
TARGET: Final = Query(
    "target",
    "The id of whom a charge is aimed at.",
    "",
    {"type": "string", "maxLength": 200, "default": ""},
)
