"""Writes docs/events.md and events/events.schema.json from the event structs.

python tests/house/event_docs.py
"""

import inspect
import re
import sys
from pathlib import Path
from typing import Any, Union, get_type_hints

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.record.meanings import purpose, purposes
from affray.events.codec import FACTS, VERSIONS
from affray.events.facts import DECLARATIONS, OUTCOMES, ROLLS
from affray.events.facts.base import COMMON_FIELDS, Act
from affray.events.facts.declared import AnyAct

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = Path(__file__).parents[2] / "events" / "events.schema.json"

HEAD = """# The events

Every event of a log is an envelope around one fact. The envelope holds the stream (the branch), the position
(`seq`, from 1 without gaps), the type and its schema version, the round and the turn, the actor, the position
of the declaration it follows from (`cause`), the fact as canonical JSON, and the digest: sha256 over all of
this and the digest before it. Squares are `[x, y]` from the upper left, distances feet, times rounds.

There are three kinds of fact. Declarations are what people said, rolls what the dice showed, outcomes what
the rules made of it; only outcomes and the bookkeeping of declarations change the state. Every outcome has
`cites`, the ids of the rules that decided it. The machine-readable form is the JSON Schema
`events/events.schema.json`, installed with the package; it changes only together with a version of the type.
"""


def section(title: str, kinds: tuple[type, ...]) -> list[str]:
    """Return the part of the catalogue about one kind of fact."""
    lines = [f"## {title}", ""]
    for kind in kinds:
        tag = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]
        lines += [f"### `{tag}` (version {VERSIONS[tag]})", "", doc(kind), "", fields(kind), ""]
    return lines


def doc(kind: type) -> str:
    """Return a struct's docstring as one paragraph, without what it says field by field."""
    return purpose(kind) if purposes(kind) else " ".join((inspect.getdoc(kind) or "").split())


def fields(kind: type) -> str:
    """Return a struct's own fields with their types, those of an act with what each is for."""
    hints = get_type_hints(kind)
    names = [name for name in kind.__struct_fields__ if name not in ("cites", "actor")]  # type: ignore[attr-defined]
    if issubclass(kind, Act):
        told = {**COMMON_FIELDS, **purposes(kind)}
        return "\n".join(f"- `{name}` ({plain(hints[name])}): {told[name]}" for name in names)
    return "Fields: " + ", ".join(f"`{name}` ({plain(hints[name])})" for name in names) + "." if names else ""


def plain(hint: object) -> str:
    """Return a type in few words."""
    if hint is AnyAct:
        return "an act"
    text = str(hint) if not isinstance(hint, type) or "[" in str(hint) else hint.__name__
    for noise in ("affray.events.facts.", "typing.", "<class '", "'>"):
        text = text.replace(noise, "")
    text = re.sub(r"\bacts\.\w+\.(?=[A-Z])", "acts.", text.replace("tuple[int, int]", "square"))
    return text.replace("|", "or").replace("NoneType", "None")


def catalogue() -> str:
    """Return docs/events.md."""
    lines = [HEAD]
    lines += section("Declarations", DECLARATIONS)
    lines += ["## Acts", "", "What a `declared` event may hold; `actor` is who acts.", ""]
    for act in AnyAct.__args__:
        lines += [f"### `{act.__struct_config__.tag}`", "", doc(act), "", fields(act), ""]
    lines += section("Rolls", ROLLS)
    lines += section("Outcomes", OUTCOMES)
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def schema() -> str:
    """Return events/events.schema.json."""
    made = msgspec.json.schema(Union[FACTS])  # noqa: UP007
    even(made)
    return msgspec.json.format(msgspec.json.encode(made, order="deterministic"), indent=1).decode() + "\n"


def even(value: Any) -> None:
    """Take the indentation out of descriptions: Python 3.13 strips it from docstrings, 3.11 does not."""
    if isinstance(value, dict):
        if isinstance(value.get("description"), str):
            value["description"] = inspect.cleandoc(value["description"])
        value = list(value.values())
    if isinstance(value, list):
        for inner in value:
            even(inner)


if __name__ == "__main__":
    (DOCS / "events.md").write_text(catalogue(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
