"""Fields of a declaration that are read only where other fields of it say so."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

SAID: Final = "said"
UNSAID: Final = "not said"

Under: TypeAlias = Mapping[str, Mapping[str, tuple[Any, ...] | str]]
"""For each such field the others and what they must be, all of them: `SAID`, `UNSAID` or one of the values.

`{"dc": {"save|skill": SAID}}`: of the two at least one.
"""

NO_OTHERS: Final[Under] = MappingProxyType({})


class Other:
    """What another field must be, or any of several, for a field to be read."""

    __slots__ = ("fields", "wanted")

    def __init__(self, names: str, wanted: tuple[Any, ...] | str, defaults: Mapping[str, Any]) -> None:
        self.fields = tuple((name, defaults[name]) for name in names.split("|"))
        self.wanted = wanted

    def fault(self, declared: Any) -> str:
        """Return what keeps the field from being read, in words that follow its name; "" for nothing."""
        if any(self.serves(getattr(declared, name), default) for name, default in self.fields):
            return ""
        names = " or ".join(repr(name) for name, _ in self.fields)
        if self.wanted in (SAID, UNSAID):
            return f"without {names}" if self.wanted == SAID else f"together with {names}"
        name, _ = self.fields[0]
        value = getattr(declared, name)
        said = f"with {name} {value!r}" if value else f"without {name!r}"
        return f"{said}, but with {', '.join(map(repr, filter(None, self.wanted)))}"

    def serves(self, value: Any, default: Any) -> bool:
        """Say whether another field is as it must be."""
        if isinstance(self.wanted, str):
            return bool((value != default) is (self.wanted == SAID))
        return value in self.wanted
