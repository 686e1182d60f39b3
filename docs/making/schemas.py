"""The page of the events' JSON Schema, definition by definition."""

import json
import re
from importlib.resources import files

from making.words import fenced, plain


def told() -> str:
    """Return the schema of each fact, then of what facts hold."""
    schema = json.loads((files("affray.events") / "events.schema.json").read_text(encoding="utf-8"))
    parts: dict[str, dict[str, object]] = schema["$defs"]
    facts = [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]]
    lines = ["## Facts", ""]
    for name in facts:
        lines += _definition(name, parts[name])
    lines += ["## What facts hold", ""]
    for name in sorted(parts.keys() - set(facts)):
        lines += _definition(name, parts[name])
    return "\n".join(lines)


def _definition(name: str, part: dict[str, object]) -> list[str]:
    """Return one definition: what it is, its text, then the definitions that it names."""
    text = json.dumps({key: value for key, value in part.items() if key != "description"}, indent=1)
    named = dict.fromkeys(re.findall(r'"#/\$defs/(\w+)"', text))
    also = [f"Holds {', '.join(f'[{one}](#{one.lower()})' for one in named if one != name)}.", ""]
    return [
        f"### {name}",
        "",
        plain(str(part.get("description", "")).partition("\n\n")[0]),
        "",
        *(also if named.keys() - {name} else []),
        fenced(text, "json"),
        "",
    ]
