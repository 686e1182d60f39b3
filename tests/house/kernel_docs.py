"""Writes the list of the kernel's points into docs/dialects.md, from the docstring of `Kernel`.

python tests/house/kernel_docs.py
"""

import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

sys.path.insert(0, str(Path(__file__).parents[2]))

from affray.engine.kernel.contents import KERNEL
from affray.engine.record.acts import Chapter, purposes
from affray.engine.record.compose import composition_of
from affray.engine.record.kernel import Kernel

PAGE = Path(__file__).parents[2] / "docs" / "dialects.md"
BEGINS, ENDS = "<!-- points of the kernel -->", "<!-- end of the points -->"
GROUP = re.compile(r"(?P<group>[A-Z][\w ]*):|(?P<point>\w+): .*")
"""A line of the docstring with the name of a group, or the first of a point."""


def groups() -> Iterator[tuple[str, list[str]]]:
    """Yield each group of the docstring with the names of its points."""
    yield "What can be declared", list(Chapter.__struct_fields__)
    group, names = "", list[str]()
    for line in inspect.cleandoc(Kernel.__doc__ or "").splitlines():
        found = GROUP.fullmatch(line)
        if found is None:
            continue
        if found["group"]:
            if names:
                yield group, names
            group, names = found["group"], []
        elif found["point"] in Kernel.__struct_fields__:
            names.append(found["point"])
    yield group, names


def row(name: str, purpose: str) -> str:
    """Return the row of a point: how it is called, what it decides, and its value in `KERNEL`."""
    value = getattr(KERNEL, name)
    call = f"`{name}`"
    if callable(value) and not isinstance(value, Struct):
        given = [one.name for one in inspect.signature(value).parameters.values()]
        call = f"`{name}({', '.join(given)})`" if composition_of(value).stages else call
    return f"| {call} | {purpose.rstrip('.')} | {usual(value)} |"


def usual(value: object) -> str:
    """Return a point's value in `KERNEL` in words: what its function does, or the names in a table."""
    if isinstance(value, Mapping):
        names = [getattr(getattr(one, "__struct_config__", None), "tag", one) for one in value]
        return ", ".join(f"`{one}`" for one in names) or "none"
    if not callable(value) or not composition_of(value).stages:
        return "none"
    told = " ".join((inspect.getdoc(value) or "").partition("\n\n")[0].split())
    return told.removesuffix(".").partition(". ")[0]


def section() -> str:
    """Return the list of all points, as the page has it between its two comments."""
    lines = [BEGINS, "", "| point | what it decides | in `KERNEL` |", "|---|---|---|"]
    told = purposes(Kernel)
    for group, names in groups():
        lines.append(f"| **{group}** | | |")
        lines += [row(name, told[name]) for name in names]
    return "\n".join((*lines, "", ENDS))


def written(page: str) -> str:
    """Return the page with the list as it is now."""
    before, _, rest = page.partition(BEGINS)
    _, _, after = rest.partition(ENDS)
    return f"{before}{section()}{after}"


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
