"""What the docstring of a struct says: what it is and, line by line, what each of its fields is for."""

import inspect
import re

from msgspec import Struct


def purpose(kind: type) -> str:
    """Return what a struct is: the first line of its docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def purposes(kind: type) -> dict[str, str]:
    """Return what each field is for: the lines "field: meaning" in the docstrings of a struct and its roots.

    Longer meanings go on in lines that are set in.
    """
    told: dict[str, str] = {}
    for one in reversed(kind.__mro__[: kind.__mro__.index(Struct)]):
        text = re.sub(r"\n {4,}", " ", inspect.cleandoc(one.__doc__ or ""))
        lines = (line.partition(": ") for line in text.splitlines())
        told.update((name, meaning) for name, _, meaning in lines if name in kind.__struct_fields__)  # type: ignore[attr-defined]
    return told
