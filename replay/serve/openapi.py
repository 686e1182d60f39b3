"""Writes replay/serve/openapi.json from the table of routes: python -m affray.replay.serve.openapi

Everything in it is read off what the server does: paths and parameters off the table, schemas off the
structs, words off the docstrings.
"""

import inspect
from pathlib import Path
from typing import Any, Final

import msgspec

from affray.replay.serve.errors import STATUSES
from affray.replay.serve.examples import EXAMPLES, HELD, TOLD
from affray.replay.serve.meanings import MEANINGS
from affray.replay.serve.routes import FEED, TABLE, Entry, May
from affray.replay.serve.schemas import TOKEN, components, printed, ref

FILE: Final = Path(__file__).with_name("openapi.json")
INTERFACE: Final = "1.0.0"
"""The version of the interface: the first number grows when something goes or means something else."""

ABOUT: Final = """\
A fight that is served by `affray serve`, for pages and programs.

A token says who asks: every link of a guest ends in it, behind `#t=`. What is answered depends on whose
it is: the game master sees everything, a player the numbers of its own side, an onlooker no numbers.
Combatants that the game master hides are for nobody else there at all.

A **position** is written `branch:epoch:seq`: after event `seq` of the main line, which is the branch of
that name and was changed for another one `epoch` times before. Every answer tells the one it holds at.
The game master counts the events of the log, everybody else those that it is told at least in part: what
it perceives nothing of moves no number of any kind. Where a reader came to be told another past, the epoch
has a view behind it (`main:0.2:52`), and numbers of another view say nothing.
Whoever sends a command says the position that it knows as `expected`; if the fight has gone on
meanwhile, nothing is done, and status 409 tells the position now. With the same `request` a command is
done once, however often it is sent, and told the same.

What the rules refuse is no error: status 200, with the reason as `refused`. What they refuse a player
for a reason that it cannot know is held for the game master: status 202, with its id as `held`.

Errors have one shape, with a code for programs. Fields may be added to answers at any time; a client
passes over those that it does not know.

The feed is described in `/asyncapi.json`, the facts of all events in `/schemas/events.json`.
"""


def openapi() -> dict[str, Any]:
    """Return the document."""
    paths: dict[str, dict[str, Any]] = {}
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
            "securitySchemes": {"token": TOKEN},
        },
    }


def _operation(one: Entry) -> dict[str, Any]:
    summary, _, rest = (inspect.getdoc(one.serve) or "").partition("\n\n")
    said, told = EXAMPLES.get((one.method, one.path), (None, None))
    made: dict[str, Any] = {
        "operationId": one.serve.__name__,
        "summary": summary.removesuffix("."),
        "description": "\n\n".join(filter(None, (rest, f"Who may: {one.may.value}"))),
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


def _headers(one: Entry) -> list[dict[str, Any]]:
    if one.answer != FEED:
        return []
    position = {"type": "string", "examples": ["main:0:52"]}
    about = "The id of the last event that was received: the feed goes on behind it. Comes before `after`."
    return [{"name": "Last-Event-ID", "in": "header", "description": about, "schema": position}]


def _answered(one: Entry, told: Any) -> dict[str, Any]:
    if isinstance(one.answer, type):
        about = (inspect.getdoc(one.answer) or "").partition("\n")[0]
        content = {"schema": ref(one.answer.__name__), "example": msgspec.to_builtins(_plain(told))}
        return {"description": about, "content": {"application/json": content}}
    if one.answer == FEED:
        content = {"schema": {"type": "string"}, "example": TOLD}
        return {"description": "Server-sent events, without an end.", "content": {one.answer: content}}
    if not one.answer.endswith("json"):
        return {"description": "The file.", "content": {one.answer: {}}}
    return {"description": "The document.", "content": {one.answer: {"schema": {"type": "object"}}}}


def _refused(one: Entry) -> dict[str, Any]:
    by_status: dict[int, list[str]] = {}
    for code in one.all_codes():
        by_status.setdefault(STATUSES[code], []).append(code)
    return {str(status): _error(status, codes) for status, codes in sorted(by_status.items())}


def _error(status: int, codes: list[str]) -> dict[str, Any]:
    only = {"properties": {"error": {"properties": {"code": {"enum": codes}}}}}
    made: dict[str, Any] = {
        "description": "\n".join(f"- `{code}`: {MEANINGS[code]}" for code in codes),
        "content": {"application/json": {"schema": {"allOf": [ref("NotDone"), only]}}},
    }
    if status in (429, 503):
        seconds = {"type": "integer", "minimum": 1}
        made["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": seconds}}
    return made


def _plain(told: Any) -> Any:
    """Return an example as the JSON that is sent: raw parts are read."""
    return msgspec.json.decode(msgspec.json.encode(told))


if __name__ == "__main__":
    FILE.write_text(printed(openapi()), encoding="utf-8")
