"""Write replay/serve/asyncapi.json, the document of the feed: python -m affray.replay.serve.asyncapi

It contains a message for each type of event that a log may hold, and for the feed's own events.
"""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from affray.events.codec import FACTS, VERSIONS
from affray.events.facts.base import JsonObject
from affray.replay.serve import openapi
from affray.replay.serve.handlers import FOLLOWED_FROM, FRAMES, POSITION
from affray.replay.serve.messages import (
    HELD,
    HIDDEN,
    REBASE,
    SEEN,
    TYPES,
    VIEW,
    CloudEvent,
    FeedCursor,
    turn_of,
)
from affray.replay.serve.openapi import INTERFACE, REF, TOKEN_SCHEME, components, printed, ref

FILE: Final = Path(__file__).with_name("asyncapi.json")

ABOUT: Final = """\
The feed of a fight served by `affray serve`: the growing main line, event by event, for every client with a
token. `GET /feed` returns server-sent events: for each one a line `id`, a line `event` and one line `data`,
which holds the CloudEvent as JSON. Lines that begin with a colon are not events; one is sent at once, which
confirms the connection, and then every ten seconds without other data.

**Where it begins.** `after=start` sends everything from the first event, `after=end` only new events, and a
position what follows it. The id of each event is the position after it. A client that was disconnected
sends the id of the last event it has processed, as `after` or as the header `Last-Event-ID`, and receives
all that it has missed, once, in order: there are no gaps and no repeats. The server remembers no follower;
the position is all that it needs.

**When the past changes.** A ruling on a past event, an undo and a promotion make another branch the main
line. The feed then sends `rebase`: its `seq` is the last event that both lines have in common, its `from`
the previous position. All events after `seq` are void; the new line follows from `seq` + 1, with the new
branch and epoch in its ids. A client that returns with a position of the old line receives the same.

**What each client sees.** The game master sees each fact whole. For others, a fact with numbers of other
sides comes as `seen`, with the parts that all at the table see, or not at all. `seq` counts the events sent
to this follower: it has no gaps and does not reveal how much was left out. When a follower's view changes
(a combatant is hidden, or enters on its player's side), `view` is sent: the events so far now look
different and have other numbers, and a client that stores them requests them again. A client that returns
with a position of an earlier view receives a `rebase` to 0, and everything. A player's declaration that is
refused for a reason the player cannot know is held for the game master: `held` sends both of them the held
declarations and the decisions each time they change.
"""

WORDS: Final = {
    SEEN: "The visible part of an event that shows numbers of others; `data.type` is the event's type.",
    HIDDEN: "An event that was visible when it happened and names a combatant that is hidden now.",
    REBASE: "Another line is the main line now; all events after `data.seq` are void.",
    VIEW: "This follower's view has changed, and with it the numbers of all earlier events.",
    HELD: "The held declarations of this follower have changed; the position has not.",
}
_NEEDED: Final = {
    SEEN: ["type", "round", "turn", "seen"],
    HIDDEN: [],
    REBASE: ["from"],
    VIEW: [],
    HELD: ["held"],
}
_AMONG: Final = FeedCursor("undo-1", 1, 43)
EXAMPLES: Final[dict[str, CloudEvent]] = {
    "moved": openapi.FACT,
    SEEN: openapi.SEEN_EVENT,
    HIDDEN: openapi.HIDDEN_EVENT,
    REBASE: turn_of(REBASE, _AMONG, openapi.SOURCE, FeedCursor("main", 0, 52)),
    HELD: openapi.HELD_EVENT,
    VIEW: turn_of(VIEW, FeedCursor("main", 0, 52, 2), openapi.SOURCE),
}


def asyncapi() -> dict[str, object]:
    """Return the document."""
    messages, schemas = dict(_messages()), convert_to_draft_7(components())
    schemas["ShownEvent"]["properties"]["fact"] = {
        "description": "The content of the event: see its message."
    }
    schemas = _used(messages, schemas)
    query = {
        one.name: {"description": one.about, **convert_to_draft_7(one.schema)}
        for one in (FOLLOWED_FROM, FRAMES)
    }
    channel = {"$ref": "#/channels/feed"}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "affray serve: the feed",
            "version": INTERFACE,
            "description": ABOUT,
            "license": {"name": "MIT"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "table": {
                "host": "127.0.0.1:8417",
                "protocol": "http",
                "description": "The default address of `affray serve`.",
                "security": [{"$ref": "#/components/securitySchemes/token"}],
            }
        },
        "channels": {
            "feed": {
                "address": "/feed",
                "title": "The main line",
                "description": "Server-sent events. `/openapi.json` describes the request and its errors.",
                "messages": {name: {"$ref": f"#/components/messages/{name}"} for name in messages},
            }
        },
        "operations": {
            "follow": {
                "action": "send",
                "channel": channel,
                "summary": "Send what happens to each follower.",
                "messages": [{"$ref": f"#/channels/feed/messages/{name}"} for name in messages],
                "bindings": {
                    "http": {
                        "method": "GET",
                        "query": {"type": "object", "properties": query, "additionalProperties": False},
                        "bindingVersion": "0.3.0",
                    }
                },
            }
        },
        "components": {
            "messages": messages,
            "schemas": schemas,
            "securitySchemes": {"token": TOKEN_SCHEME},
        },
    }


def _used(messages: object, schemas: JsonObject) -> JsonObject:
    """Return the schemas that messages refer to, directly or through others."""
    found: JsonObject = {}
    waiting = list(_referred(messages))
    while waiting:
        if (name := waiting.pop()) not in found:
            found[name] = schemas[name]
            waiting += _referred(schemas[name])
    return dict(sorted(found.items()))


def _referred(value: object) -> Iterator[str]:
    """Yield the names of all referenced schemas."""
    if isinstance(value, dict):
        if str(value.get("$ref", "")).startswith(REF):
            yield value["$ref"].removeprefix(REF)
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from _referred(one)


def _messages() -> Iterator[tuple[str, dict[str, object]]]:
    for kind in FACTS:
        tag = str(kind.__struct_config__.tag)
        about = " ".join((inspect.getdoc(kind) or "").split())
        fact = {"type": {"const": tag}, "fact": ref(kind.__name__)}
        yield _message(tag, VERSIONS[tag], about, fact, ["type", "round", "turn", "fact"])
    for name, about in WORDS.items():
        yield _message(name, 1, about, {}, _NEEDED[name])


def _message(
    name: str, version: int, about: str, data: JsonObject, needed: list[str]
) -> tuple[str, JsonObject]:
    kind = f"{TYPES}{name}.v{version}"
    telling = {"type": "object", "properties": data, "required": needed}
    made: JsonObject = {
        "name": kind,
        "title": name,
        "summary": about,
        "contentType": "application/json",
        "headers": {
            "type": "object",
            "description": "The lines other than `data`.",
            "properties": {
                "id": {
                    "type": "string",
                    "pattern": POSITION,
                    "description": "The position after the event.",
                },
                "event": {"const": name},
            },
            "required": ["id", "event"],
        },
        "payload": {
            "allOf": [
                ref("CloudEvent"),
                {"type": "object", "properties": {"type": {"const": kind}, "data": telling}},
            ]
        },
    }
    if name in EXAMPLES:
        event = EXAMPLES[name]
        plain = msgspec.json.decode(msgspec.json.encode(event))
        made["examples"] = [{"headers": {"id": event.id, "event": name}, "payload": plain}]
    return f"{name}.v{version}", made


def convert_to_draft_7(schema: object) -> Any:
    """Return a schema in draft 7 terms, which AsyncAPI 3.0 uses."""
    if isinstance(schema, list):
        return [convert_to_draft_7(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        name: convert_to_draft_7(one)
        for name, one in schema.items()
        if name not in ("discriminator", "prefixItems")
    }
    if isinstance(first := schema.get("prefixItems"), list):
        rest = made.pop("items", True)
        made.update(items=convert_to_draft_7(first), additionalItems=rest)
    return made


if __name__ == "__main__":
    FILE.write_text(printed(asyncapi()), encoding="utf-8")
