"""Writes replay/serve/asyncapi.json, the document of the feed: python -m affray.replay.serve.asyncapi

There is a message for each type of event that a log may hold, and for what the feed tells besides.
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
The feed of a fight that is served by `affray serve`: the main line as it grows, event by event, to
whoever has a token. It is asked for with `GET /feed` and comes as server-sent events: for each one a
line `id`, a line `event` and one line `data`, which holds the CloudEvent as JSON. Lines that begin with
a colon are no events; one comes at once, so that a follower knows that it is heard, and then every ten
seconds in which nothing else does.

**Where it begins.** `after=start` tells everything from the first event on, `after=end` what happens
from now on, and a position what came behind it. Each event's id is the position behind it. Whoever was
cut off sends the id of the last event that it has taken in, as `after` or as the header `Last-Event-ID`,
and is told all that it has missed, once, in order: there are no gaps, and nothing comes twice. The
server remembers no follower; the position is all there is.

**When the past changes.** A ruling on what happened, an undo, a promotion make another branch the main
line. The feed then tells `rebase`: its `seq` is the last event that both lines have in common, its
`from` the position that held before. Whatever was told behind `seq` counts no longer; what follows is
the new line from `seq` + 1 on, with the new branch and epoch in its ids. Who comes back with a position
of the old line is told the same.

**What is told to whom.** The game master is told each fact whole. To others a fact with numbers that are
not theirs comes as `seen`, with those parts that everybody at the table sees, or not at all. `seq` counts
what this follower is told, so it has no gaps for anybody, and nothing tells how much was left out. When it
changes what somebody may see (a combatant is hidden, or enters on its player's side), `view` comes: what
was told so far is told otherwise by now, under other numbers, and a client that keeps it asks for it anew.
Who comes back with a position of an earlier view is told a `rebase` to 0, and everything. What the rules
refuse a player for a reason that it cannot know the game master has: `held` tells both what is held now, and
what was decided, each time that changes.
"""

WORDS: Final = {
    SEEN: "What everybody sees of an event that shows numbers of others; `data.type` is the event's type.",
    HIDDEN: "What was told when it happened, and is not any more: it speaks of somebody who is hidden now.",
    REBASE: "Another line is the main line now; what was told behind `data.seq` counts no longer.",
    VIEW: "What this follower may see has changed, and with it the numbers of all that was told.",
    HELD: "What the game master has of this follower's declarations has changed; the position has not.",
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
    schemas["Told"]["properties"]["fact"] = {"description": "What the event says: see its message."}
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
                "description": "Where `affray serve` listens unless it is told otherwise.",
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
                "summary": "Tell whoever follows what happens.",
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
    """Return those of the schemas that messages refer to, and the ones that these refer to."""
    found: JsonObject = {}
    waiting = list(_referred(messages))
    while waiting:
        if (name := waiting.pop()) not in found:
            found[name] = schemas[name]
            waiting += _referred(schemas[name])
    return dict(sorted(found.items()))


def _referred(value: object) -> Iterator[str]:
    """Yield the names of all schemas that are referred to."""
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
            "description": "The lines beside `data`.",
            "properties": {
                "id": {
                    "type": "string",
                    "pattern": POSITION,
                    "description": "The position behind it.",
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
    """Return a schema in the words of draft 7, which AsyncAPI 3.0 has for its own."""
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
