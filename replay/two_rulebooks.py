"""What two rulebooks make of the same declarations, each outcome with the rules that decided it."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from affray.events.codec import decode
from affray.events.facts.declared import Declared, Invalidated, Refused
from affray.events.store import Store
from affray.replay.groups import groups
from affray.replay.narrate.cast import Cast
from affray.replay.narrate.listing import told
from affray.replay.no_outcome import NO_OUTCOME


class Outcome(Struct, frozen=True):
    """Something that came of a declaration, in a sentence, and the ids of the rules that decided it."""

    text: str
    rules: tuple[str, ...]


class Side(Struct, frozen=True):
    """What one rulebook made of a declaration. `impossible` says why it could not be made, "" if it could."""

    outcomes: tuple[Outcome, ...]
    impossible: str = ""

    def beyond(self, other: "Side | None") -> list[Outcome]:
        """Return the outcomes that the other side has not, in their order."""
        left = [one.text for one in other.outcomes] if other is not None else []
        found = []
        for one in self.outcomes:
            if one.text in left:
                left.remove(one.text)
            else:
                found.append(one)
        return found


class Parting(Struct, frozen=True):
    """A declaration of which two rulebooks make different things; None where it was never made."""

    id: str
    said: str
    a: Side | None
    b: Side | None


class Compared(Struct, frozen=True):
    """How many declarations there were on line `a`, how many had the same outcomes on `b`, and the others."""

    declarations: int
    same: int
    partings: list[Parting]


def compared_outcomes(
    a: tuple[Store, str], b: tuple[Store, str], cast: Cast, names: Mapping[str, str]
) -> Compared:
    """Compare two lines, each a store and a branch, declaration by declaration; refused ones count as none.

    `names` has the numbers of those of `a` with the ones that they have on `b`. In which order the outcomes
    of one declaration come makes no difference. O(events of both).
    """
    mine, theirs = dict(_sides(*a, cast)), dict(_sides(*b, cast))
    partings, same = [], 0
    pairs = [(id, names.get(id, "")) for id in mine]
    met = {new for _, new in pairs}
    for id, new in (*pairs, *(("", new) for new in theirs if new not in met)):
        (said, one), (said_too, other) = mine.get(id, ("", None)), theirs.get(new, ("", None))
        id = id or new
        if one is None or other is None or one.impossible or other.impossible:
            partings.append(Parting(id, said or said_too, one, other))
        elif one.beyond(other) or other.beyond(one):
            partings.append(Parting(id, said, one, other))
        else:
            same += 1
    return Compared(len(mine), same, partings)


def _sides(store: Store, branch: str, cast: Cast) -> Iterator[tuple[str, tuple[str, Side]]]:
    """Yield each declaration's id, what was said, and what came of it."""
    for group in groups(store.read(branch)):
        facts = [decode(event) for event in group]
        first, last = facts[0], facts[-1]
        if type(first) is not Declared or type(last) is Refused:
            continue
        outcomes = tuple(
            Outcome(told(fact, cast), tuple(getattr(fact, "cites", ())))
            for event, fact in zip(group, facts, strict=True)
            if event.type not in NO_OUTCOME
        )
        why = f"{last.reason} [{last.rule}]" if type(last) is Invalidated else ""
        yield first.id, (told(first, cast), Side(outcomes, why))
