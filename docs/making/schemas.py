"""The pages of JSON Schemas, definition by definition: of the events, and of scenario files."""

import json
import re
from collections.abc import Collection
from importlib.resources import files
from typing import Any

import msgspec

from affray.engine import Scenario
from affray.replay.serve.openapi import even
from making.words import fenced, plain

Parts = dict[str, dict[str, object]]


def of_events() -> dict[str, Any]:
    """Return the schema of the events, as it is installed."""
    found: dict[str, Any] = json.loads((files("affray.events") / "events.schema.json").read_text("utf-8"))
    return found


def of_scenario() -> dict[str, Any]:
    """Return the schema of a scenario file, made from what reads it."""
    found = msgspec.json.schema(Scenario)
    even(found)
    return found


def scenario_told() -> str:
    """Return the schema of a scenario file, without those parts that stand on the page of the events."""
    known: Parts = of_events()["$defs"]
    parts: Parts = of_scenario()["$defs"]
    own = [name for name in parts if name not in known]
    return "\n".join(line for name in own for line in _definition(name, parts[name], "##", known))


def told() -> str:
    """Return the schema of each fact, then of what facts hold."""
    schema = of_events()
    parts: Parts = schema["$defs"]
    facts = [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]]
    lines = ["## Facts", ""]
    for name in facts:
        lines += _definition(name, parts[name])
    lines += ["## What facts hold", ""]
    for name in sorted(parts.keys() - set(facts)):
        lines += _definition(name, parts[name])
    return "\n".join(lines)


def _definition(
    name: str, part: dict[str, object], heading: str = "###", elsewhere: Collection[str] = ()
) -> list[str]:
    """Return one definition: what it is, its text, then the definitions that it names.

    Those `elsewhere` stand on the page of the events.
    """
    text = json.dumps({key: value for key, value in part.items() if key != "description"}, indent=1)
    named = dict.fromkeys(re.findall(r'"#/\$defs/(\w+)"', text))
    links = [
        f"[{one}]({'schemas.md' if one in elsewhere else ''}#{one.lower()})" for one in named if one != name
    ]
    return [
        f"{heading} {name}",
        "",
        plain(str(part.get("description", "")).partition("\n\n")[0]),
        "",
        *([f"Holds {', '.join(links)}.", ""] if links else []),
        fenced(text, "json"),
        "",
    ]
