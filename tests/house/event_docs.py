"""Writes docs/events.md, events/events.schema.json and replay/why.schema.json from the structs.

python tests/house/event_docs.py
"""

import inspect
import re
import sys
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.record.acts import purpose, purposes
from affray.events.codec import FACTS, VERSIONS
from affray.events.facts import DECLARATIONS, OUTCOMES, ROLLS, acts, base
from affray.events.facts.base import COMMON_FIELDS, Act
from affray.events.facts.flow import AnyAct
from affray.replay.explain.why import TurnExplained, Why
from affray.replay.serve.openapi import even

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = Path(__file__).parents[2] / "events" / "events.schema.json"
WHY = Path(__file__).parents[2] / "replay" / "why.schema.json"

NAMED: list[tuple[Any, str]] = [
    (hint, name)
    for name, hint in vars(base).items()
    if get_origin(hint) in (Annotated, tuple, Union, UnionType)
]
"""The bounded types of all fields, with their names."""

NAMED_BY_TEXT = [(str(hint), name) for hint, name in reversed(NAMED)]

BOUNDS = """Every field has a bound, far beyond what a table plays. A log that exceeds one is refused, even
if its digests are correct; the message names file, line, field, value and bound. A log has at most 10,000
branches, a fight 200 combatants, an event 8 MB of data. The sheet of a combatant has narrower bounds, which
`affray add` checks: a space of at most 100 feet, a reach of at most 500."""

HEAD = """# The events

Every event of a log is an envelope around one fact. The envelope contains the stream (the branch), the
position (`seq`, from 1 without gaps), the type and its schema version, the round and the turn, the actor,
the position of the declaration that caused it (`cause`), the fact as canonical JSON, and the digest: sha256
of all of this and the previous digest. Squares are `[x, y]` from the upper left, distances are in feet,
times in rounds.

There are three kinds of facts: declarations (also refusals, questions, answers, disputes and rulings),
rolls, and outcomes. Only outcomes and the bookkeeping of declarations change the state. Every outcome has
`cites`, the ids of the rules that decided it. The machine-readable form is the JSON Schema
`events/events.schema.json`, installed with the package. The meaning of a field only changes together with
the version of its type.
"""


def bounds() -> list[str]:
    """Return the part of the catalogue about the bounds of fields."""
    lines = ["## Bounds", "", BOUNDS, "", "| name | bound | for |", "|---|---|---|"]
    source = inspect.getsource(base)
    for hint, name in NAMED:
        if found := re.search(rf'''^{name} = .*?^"""(.*?)"""$''', source, re.MULTILINE | re.DOTALL):
            lines.append(f"| `{name}` | {holds(hint)} | {' '.join(found[1].split())} |")
    return [*lines, ""]


def holds(hint: Any) -> str:
    """Return the bound of a type in words."""
    kind, *meta = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return " or ".join("true or false" if one is bool else plain(one) for one in get_args(hint))
    if get_origin(hint) is tuple:
        return f"two of: {holds(kind)}"
    low, high, most = meta[0].ge, meta[0].le, meta[0].max_length
    if kind is int:
        return f"a number from {low:,} to {high:,}"
    if kind is str:
        return f"a text of at most {most:,} characters"
    inner = [dict(NAMED_BY_TEXT)[str(one)] for one in get_args(kind) if one is not ...]
    return f"at most {most:,} entries of `{'`, `'.join(inner)}`"


def section(title: str, kinds: tuple[type, ...]) -> list[str]:
    """Return the part of the catalogue about one kind of fact."""
    lines = [f"## {title}", ""]
    for kind in kinds:
        tag = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]
        lines += [f"### `{tag}` (version {VERSIONS[tag]})", "", doc(kind), "", fields(kind), ""]
    return lines


def doc(kind: type) -> str:
    """Return a struct's docstring as one paragraph, without its list of fields."""
    return purpose(kind) if purposes(kind) else " ".join((inspect.getdoc(kind) or "").split())


def fields(kind: type) -> str:
    """Return a struct's own fields with their types; those of an act also with their meaning."""
    hints = get_type_hints(kind, include_extras=True)
    names = [name for name in kind.__struct_fields__ if name not in ("cites", "actor")]  # type: ignore[attr-defined]
    if issubclass(kind, Act):
        told = {**COMMON_FIELDS, **purposes(kind)}
        return "\n".join(f"- `{name}` ({plain(hints[name])}): {told[name]}" for name in names)
    return "Fields: " + ", ".join(f"`{name}` ({plain(hints[name])})" for name in names) + "." if names else ""


def plain(hint: object) -> str:
    """Return a short name of a type."""
    if hint == AnyAct:
        return "an act"
    if hint == acts.Doable:
        return "any act of a combatant except `ready` and `plan`"
    if name := dict(NAMED_BY_TEXT).get(str(hint)):
        return name
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        return " or ".join(plain(one) for one in get_args(hint))
    if get_origin(hint) is Annotated:
        return plain(get_args(hint)[0])
    if get_origin(hint) is tuple:
        inner = (str(...) if one is ... else plain(one) for one in get_args(hint))
        return f"tuple[{', '.join(inner).replace('Ellipsis', '...')}]"
    if get_origin(hint) is dict:
        return f"dict[{', '.join(plain(one) for one in get_args(hint))}]"
    text = str(hint) if not isinstance(hint, type) or "[" in str(hint) else hint.__name__
    for noise in ("affray.events.facts.", "typing.", "<class '", "'>"):
        text = text.replace(noise, "")
    text = re.sub(r"\bacts\.\w+\.(?=[A-Z])", "acts.", text.replace("tuple[int, int]", "square"))
    return text.replace("|", "or").replace("NoneType", "None")


def catalogue() -> str:
    """Return docs/events.md."""
    lines = [HEAD, *bounds()]
    lines += section("Declarations", DECLARATIONS)
    lines += [
        "## Acts",
        "",
        "The acts that a `declared` event can contain; `actor` is the acting combatant.",
        "",
    ]
    for act in AnyAct.__args__:
        lines += [f"### `{act.__struct_config__.tag}`", "", doc(act), "", fields(act), ""]
    lines += section("Rolls", ROLLS)
    lines += section("Outcomes", OUTCOMES)
    return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip() + "\n"


def schema() -> str:
    """Return events/events.schema.json."""
    return _printed(msgspec.json.schema(Union[FACTS]))  # noqa: UP007


def why_schema() -> str:
    """Return replay/why.schema.json: the explanation of an event, or all outcomes of a turn or round."""
    return _printed(msgspec.json.schema(Why | TurnExplained))


def _printed(made: dict[str, Any]) -> str:
    even(made)
    return msgspec.json.format(msgspec.json.encode(made, order="deterministic"), indent=1).decode() + "\n"


if __name__ == "__main__":
    (DOCS / "events.md").write_text(catalogue(), encoding="utf-8")
    SCHEMA.write_text(schema(), encoding="utf-8")
    WHY.write_text(why_schema(), encoding="utf-8")
