"""The page of all errors: what each says, which is a kind of which, and where it is imported from."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from making.words import plain

CHECKOUT = Path(__file__).parents[2]
ROOT = "AffrayError"
CLASS = re.compile(r"^class ([A-Z]\w*)\(([\w., ]+)\):", re.MULTILINE)
PACKAGES = ("engine", "events", "projections", "replay")


class Fault(NamedTuple):
    """An error as it is defined: its module, what it is a kind of, and what is said of it."""

    module: str
    kinds: tuple[str, ...]
    text: str


@cache
def faults() -> dict[str, Fault]:
    """Return every error of the project that is an AffrayError, by its name."""
    defined: dict[str, tuple[Path, tuple[str, ...]]] = {}
    for file in (file for package in PACKAGES for file in sorted((CHECKOUT / package).rglob("*.py"))):
        for name, kinds in CLASS.findall(file.read_text(encoding="utf-8")):
            defined.setdefault(name, (file, tuple(re.split(r",\s*", kinds))))
    kinds_known = {ROOT: defined.pop(ROOT)}
    while more := [name for name, one in defined.items() if not kinds_known.keys().isdisjoint(one[1])]:
        kinds_known |= {name: defined.pop(name) for name in more}
    found = {}
    for name, (file, kinds) in kinds_known.items():
        module = ".".join(("affray", *file.relative_to(CHECKOUT).with_suffix("").parts))
        found[name] = Fault(module, kinds, _said(file)[name].partition("\n\n")[0])
    return dict(sorted(found.items()))


@cache
def _said(file: Path) -> dict[str, str]:
    """Return what is said of each class of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name: ast.get_docstring(node) or "" for node in tree.body if isinstance(node, ast.ClassDef)}


def told() -> str:
    """Return each error."""
    lines: list[str] = []
    for name, one in faults().items():
        above = ", ".join(f"[{kind}](#{kind.lower()})" for kind in one.kinds if kind in faults())
        lines += [f"## {name}", "", f"`from {one.module} import {name}`{'; a kind of ' * bool(above)}{above}"]
        lines += ["", plain(one.text), ""]
    return "\n".join(lines)
