"""The page of all errors: what each says, which is a kind of which, and where it is imported from."""

import ast
from functools import cache
from pathlib import Path
from typing import NamedTuple

from making.words import plain

CHECKOUT = Path(__file__).parents[2]
ROOT = "AffrayError"
PACKAGES = ("engine", "events", "projections", "replay")


class Fault(NamedTuple):
    """An error as it is defined: its module, what it is a kind of, and what is said of it."""

    module: str
    kinds: tuple[str, ...]
    text: str


@cache
def faults() -> dict[str, Fault]:
    """Return every error of the project that is an AffrayError, by its name."""
    defined: dict[str, Fault] = {}
    for package in PACKAGES:
        for file in sorted((CHECKOUT / package).rglob("*.py")):
            module = ".".join(("affray", *file.relative_to(CHECKOUT).with_suffix("").parts))
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and node.bases and node.name[0] != "_":
                    kinds = tuple(ast.unparse(one) for one in node.bases)
                    text = (ast.get_docstring(node) or "").partition("\n\n")[0]
                    defined.setdefault(node.name, Fault(module, kinds, text))
    found = {ROOT: defined.pop(ROOT)}
    while more := {name for name, one in defined.items() if not found.keys().isdisjoint(one.kinds)}:
        found |= {name: defined.pop(name) for name in more}
    return dict(sorted(found.items()))


def told() -> str:
    """Return each error."""
    lines: list[str] = []
    for name, one in faults().items():
        above = ", ".join(f"[{kind}](#{kind.lower()})" for kind in one.kinds if kind in faults())
        lines += [f"## {name}", "", f"`from {one.module} import {name}`{'; a kind of ' * bool(above)}{above}"]
        lines += ["", plain(one.text), ""]
    return "\n".join(lines)
