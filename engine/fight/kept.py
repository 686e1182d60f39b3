"""The stores in which a fight keeps answers: kept, kept and checked at every use, or not kept."""

from collections.abc import Callable
from typing import Any, Final, Literal

from affray.events import oplog
from affray.events.errors import AffrayError

Mode = Literal["cached", "checked", "uncached", "reopened"]
"""What becomes of answers that a fight has worked out.

"cached" uses them as long as they hold. "checked" works each out again at every use and compares: a
difference is a fault of the engine and raises StaleAnswer. "uncached" keeps nothing. "reopened" keeps them
for one declaration: the table is opened from its log before each. All four give the same log.
"""

MISSING: Final = object()

LEAD, SHOWN = 80, 240
"""How many characters of an answer a message shows, and how many of these before the first difference."""


class StaleAnswer(AffrayError):
    """A cached answer differs from the answer worked out now: its key lacks something that it depends on.

    The message shows both around the first difference; `cached` and `current` are the whole answers.
    """

    def __init__(self, function: str, key: object, cached: object, current: object) -> None:
        before, now = repr(cached), repr(current)
        pairs = enumerate(zip(before, now, strict=False))
        alike = next((at for at, (one, other) in pairs if one != other), 0)
        begin = max(0, alike - LEAD)
        shown = [f"...{text[begin : begin + SHOWN]}..." for text in (before, now)]
        asked = f"{function} for {repr(key)[:SHOWN]}"
        super().__init__(f"stale answer of {asked}: cached {shown[0]}, now {shown[1]}")
        self.function, self.key, self.cached, self.current = function, key, cached, current


class Asker:
    """Whose questions a memory answers: `fight()` is the fight that has it."""

    __slots__ = ("fight",)

    def __init__(self, fight: Callable[[], Any]) -> None:
        self.fight = fight


class Kept(dict[Any, Any]):
    """Answers by their keys; those of functions that ask for nothing but the fight go by the function.

    `kept[function]` is then the answer, remembered or found out: as `function(fight)`, but without a call.
    """

    __slots__ = ("asker",)

    def __init__(self, asker: Asker) -> None:
        self.asker = asker

    def __missing__(self, asks: Callable[[Any], Any]) -> Any:
        """Find the answer out, which remembers it."""
        return asks(self.asker.fight())


class Forgetful(Kept):
    """A memory that keeps nothing."""

    __slots__ = ()

    def __setitem__(self, key: Any, value: Any) -> None:
        """Let it go."""


class Checked(Kept):
    """A memory that never answers, and compares each answer with the one that it would have given."""

    __slots__ = ()

    def get(self, key: Any, default: Any = None) -> Any:
        """Return `default`: the answer is worked out again."""
        return default

    def __getitem__(self, asks: Any) -> Any:
        """Work the answer out again."""
        return asks(self.asker.fight())

    def __setitem__(self, key: Any, value: Any) -> None:
        """Keep the first answer, and compare it with each later one. Raises StaleAnswer."""
        known = super().get(key, MISSING)
        if known is MISSING:
            super().__setitem__(key, value)
        elif known is not value and known != value and type(key) is not int:
            function, *parts = key if type(key) is tuple else (key,)
            name = function if isinstance(function, str) else f"{function.__module__}.{function.__qualname__}"
            self.differ(StaleAnswer(name, tuple(parts), known, value))

    def differ(self, fault: StaleAnswer) -> None:
        """Raise the fault."""
        raise fault


class Reported(Checked):
    """A memory for fights with stages of installed packages: the answer of now counts, a stale one is logged.

    No key can name what such a stage reads. Since nothing old is used, the log is right all the same.
    """

    __slots__ = ()

    def differ(self, fault: StaleAnswer) -> None:
        """Log the fault."""
        oplog.warning("answer changed while its key stayed", function=fault.function, key=repr(fault.key))


STORES: Final[dict[Mode, type[Kept]]] = {
    "cached": Kept,
    "checked": Checked,
    "uncached": Forgetful,
    "reopened": Kept,
}


def store_for(memory: Mode | bool, packages: bool) -> type[Kept]:
    """Return what keeps the answers of a fight; True means "cached", False "uncached". Raises ValueError.

    Where stages of installed `packages` take part nothing is answered from memory.
    """
    mode: Mode = ("cached" if memory else "uncached") if isinstance(memory, bool) else memory
    if mode not in STORES:
        raise ValueError(f"memory is {', '.join(STORES)}, not {memory!r}")
    return Reported if packages and STORES[mode] is Kept else STORES[mode]
