"""What is open to a combatant, each with a key to press."""

from collections.abc import Iterator, Sequence

from affray.engine.book.card import wrapped
from affray.engine.table.legal import Legal
from affray.events.facts.base import Act
from affray.events.facts.declared import AnyAct
from affray.events.wording import square
from affray.replay.narrate.cast import Cast
from affray.replay.options_told import ON_THE_MAP, said_of

MOST_OF_A_KIND = 6
"""So many declarations of one kind are shown where no kind is named."""


def keyed(found: Legal, kind: str = "") -> list[AnyAct]:
    """Return the declarations that get keys, the first of them 1: of all kinds, or of those that begin so."""
    return [act for act in found.open if not isinstance(act, ON_THE_MAP) and name_of(act).startswith(kind)]


def name_of(act: Act) -> str:
    """Return what a kind of declaration is called."""
    return str(act.__struct_config__.tag)


def menu_rows(acts: Sequence[Act], cast: Cast, width: int, *, all_of_them: bool = False) -> Iterator[str]:
    """Yield the declarations by kind with their keys, as wide as the terminal."""
    kinds: dict[str, list[tuple[int, Act]]] = {}
    for number, act in enumerate(acts, 1):
        kinds.setdefault(name_of(act), []).append((number, act))
    wide = max(map(len, kinds), default=0)
    for kind, some in kinds.items():
        shown = some if all_of_them else some[:MOST_OF_A_KIND]
        words = ",  ".join(f"{number} {listed(act, cast)}".rstrip() for number, act in shown)
        rest = len(some) - len(shown)
        more = f",  and {rest} more: ? {kind}" if rest else ""
        yield from wrapped(f"{kind:<{wide}}  {words}{more}", width, "  ", " " * (wide + 4))


def listed(act: Act, cast: Cast) -> str:
    """Return what a declaration says besides its kind and its actor."""
    target, how = said_of(act)
    names = ", ".join(cast.name(one) for one in target.split(", ")) if target else ""
    path = getattr(act, "path", ())
    return f"{names} {how}{f' to {square(path[-1])}' if path else ''}".strip()
