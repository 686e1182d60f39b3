"""Walking, reading and changing the figures of a rule.

A figure's address is `rule-id/key/key/...`, written like a JSON pointer: a key's own `/` is `~1`,
its `~` is `~0`, and an element of a list is its index or, for a row of a table, `field=text`
(`name=dagger`). The rule's id alone addresses figures that are one bare value.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

Kind = Literal["integer", "fraction", "text"]
_NUMBER = re.compile(r"\d+")


class Figure(NamedTuple):
    """One number of one rule: a whole number, a fraction, or a text with numbers such as "1d6"."""

    rule: str
    path: str
    value: int | float | str
    kind: Kind

    @property
    def address(self) -> str:
        """The key under which this figure can be changed."""
        return f"{self.rule}/{self.path}" if self.path else self.rule


def escape(key: str | int) -> str:
    """The key as one step of an address."""
    return str(key).replace("~", "~0").replace("/", "~1")


def split(path: str) -> tuple[str, ...]:
    """The keys of a path, unescaped; none for the empty path."""
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in path.split("/")) if path else ()


def walk(rule: str, value: Any, path: str = "") -> Iterator[Figure]:
    """Every number under `value`, in the order of the catalogue; truth values are no numbers."""
    prefix = f"{path}/" if path else ""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(rule, inner, prefix + escape(key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from walk(rule, inner, prefix + str(index))
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        yield Figure(rule, path, value, "integer")
    elif isinstance(value, float):
        yield Figure(rule, path, value, "fraction")
    elif isinstance(value, str) and _NUMBER.search(value):
        yield Figure(rule, path, value, "text")


def value_at(value: Any, key: str | int) -> Any:
    """The value under `key`; raises LookupError when there is none.

    A key `field=text` finds the first row of a table whose field reads so; it costs O(rows).
    """
    if isinstance(value, dict):
        return value[str(key)]
    if isinstance(value, list):
        return value[_index(value, str(key))]
    raise LookupError(key)


def _index(rows: list[Any], key: str) -> int:
    if key.isdecimal():
        return int(key)
    field, equals, wanted = key.partition("=")
    for index, row in enumerate(rows):
        if equals and isinstance(row, dict) and str(row.get(field)) == wanted:
            return index
    raise LookupError(key)


def replaced(value: Any, path: tuple[str, ...], new: Any) -> Any:
    """A copy of `value` with `new` at `path`, sharing all the rest; LookupError when nothing stands there."""
    if not path:
        if value is None:
            raise LookupError(path)
        return new
    inner = replaced(value_at(value, path[0]), path[1:], new)
    if isinstance(value, dict):
        return {**value, path[0]: inner}
    index = _index(value, path[0])
    return [*value[:index], inner, *value[index + 1 :]]


def nudged(value: int | float | str, by: int = 1) -> int | float | str:
    """A near but different value: a number plus `by`, a text with its first number raised by `by`."""
    if isinstance(value, str):
        return _NUMBER.sub(lambda found: str(int(found.group()) + by), value, count=1)
    return value + by
