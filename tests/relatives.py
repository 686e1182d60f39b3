"""The dialects that are relatives of 3.5: what a test says about chapters holds for these, not for others."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from affray.engine.book import shipped
from affray.engine.dialects import load
from affray.engine.fight.fight import Dialect
from affray.engine.record.chapters import known_conditions

RELATIVES: Final = tuple(name for name in shipped() if load(name).contents != ("kernel",))


def conditions_of(dialect: Dialect) -> list[str]:
    """Return the conditions that a dialect knows, of the family or of the kernel alone."""
    return sorted(known_conditions(dialect) if dialect.name in RELATIVES else dialect.kernel.conditions)


@contextmanager
def foreign_functions(dialect: str = "") -> Iterator[set[str]]:
    """Collect the functions of the 3.5 layer and of other dialects that run: "rules/attacks/aid.py:aid".

    Importing their modules defines what they offer and counts as nothing.
    """
    found: set[str] = set()

    def note(frame: FrameType, event: str, given: object) -> None:
        if event == "call":
            file = frame.f_code.co_filename.replace("\\", "/")
            name = frame.f_code.co_name
            inner = file.rpartition("/engine/")[2] if "/engine/" in file else ""
            family = inner.startswith(("rules/", "dialects/")) and inner != "dialects/__init__.py"
            own = dialect and inner.startswith(f"dialects/{dialect}/")
            if family and not own and not name.startswith("<"):
                found.add(f"{inner}:{name}")

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(None)
        threading.setprofile(None)  # type: ignore[arg-type]
