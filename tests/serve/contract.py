"""What the documents of the interface say of an answer and of an event of the feed, held against it strictly.

Strictly: what a document does not name is a fault, though clients are told to pass over it.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from jsonschema_rs import Draft7Validator, Draft202012Validator

Validator = Draft7Validator | Draft202012Validator

ROOT = Path(__file__).parents[2]
OPENAPI = ROOT / "replay" / "serve" / "openapi.json"
ASYNCAPI = ROOT / "replay" / "serve" / "asyncapi.json"
EVENTS = ROOT / "events" / "events.schema.json"


def read(path: Path) -> Any:
    """Return a document."""
    return json.loads(path.read_text(encoding="utf-8"))


def strict(schema: Any) -> Any:
    """Return a schema by which an object has no fields but those that are named."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(one) for name, one in schema.items()}
    if schema.get("type") == "object" and isinstance(schema.get("properties"), dict):
        made.setdefault("additionalProperties", False)
    if "prefixItems" in schema:
        made.setdefault("items", False)
    return made


@cache
def openapi() -> Any:
    """Return the document of all routes, with strict schemas."""
    found = read(OPENAPI)
    found["components"]["schemas"] = strict(found["components"]["schemas"])
    return found


@cache
def asyncapi() -> Any:
    """Return the document of the feed, with strict schemas."""
    found = read(ASYNCAPI)
    found["components"]["schemas"] = strict(found["components"]["schemas"])
    return found


def faults(validator: Validator, value: Any) -> list[str]:
    """Return what does not fit, and where."""
    return [
        f"{'/'.join(map(str, one.instance_path))}: {one.message[:300]}"
        for one in validator.iter_errors(value)
    ]


@cache
def answers(method: str, path: str, status: int) -> Validator | None:
    """Return what the document says of an answer in JSON; None where it is something else."""
    operation = openapi()["paths"][path][method.lower()]
    told = operation["responses"].get(str(status))
    assert told is not None, f"{method} {path} is answered with {status}: the document knows nothing of it"
    media = told["content"].get("application/json")
    if media is None:
        return None
    return Draft202012Validator({**deepcopy(media["schema"]), "components": openapi()["components"]})


@cache
def bodies(name: str) -> Validator:
    """Return what the document says of one of its schemas."""
    return Draft202012Validator(
        {"$ref": f"#/components/schemas/{name}", "components": openapi()["components"]}
    )


@cache
def message(kind: str) -> Validator:
    """Return what the document of the feed says of events of a type."""
    (found,) = (one for one in asyncapi()["components"]["messages"].values() if one["name"] == kind)
    return Draft7Validator({**found["payload"], "components": asyncapi()["components"]})


@cache
def facts() -> Validator:
    """Return the schema of the facts of all events."""
    return Draft202012Validator(read(EVENTS))


def held(event: Any) -> Iterator[str]:
    """Yield the faults of one event of the feed: of CloudEvents, of its message, of its fact."""
    JSONFormat().read(CloudEvent, json.dumps(event))  # raises by the rules of CloudEvents 1.0
    yield from faults(message(event["type"]), event)
    if "fact" in event["data"]:
        yield from faults(facts(), event["data"]["fact"])
