"""What the docstring of a struct says: what it is and, line by line, what each of its fields is for."""

import inspect
import re


def purpose(kind: type) -> str:
    """Return what a struct is: the first line of its docstring."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def purposes(kind: type) -> dict[str, str]:
    """Return what each field is for, from the lines "field: meaning" of the struct's docstring."""
    text = re.sub(r"\n {4,}", " ", inspect.getdoc(kind) or "")
    lines = (line.partition(": ") for line in text.splitlines())
    return {name: told for name, _, told in lines if name in kind.__struct_fields__}  # type: ignore[attr-defined]
