"""Were the links given as they may be: each once, none left out, the same ones together on every line?

A chain keeps its owner from choosing a link. What is left is to leave links out until the dice please, so the
numbers are compared: over all lines of the log, for a line that is decided again takes its parent's links.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from affray.engine.dice import MASTER
from affray.events.envelope import Event
from affray.events.facts.chains import LinkGiven
from affray.events.store import MAIN
from affray.projections.state import Chain

Links = tuple[tuple[str, str], ...]
"""Players' links that were given together: by whom, the link."""


class Draw(Struct):
    """Links that dice follow from: the players', the game master's, how many of that were passed over."""

    event: Event
    links: Links
    number: int
    passed: int


class DrawAudit:
    """The links of all lines that were gone through."""

    def __init__(self) -> None:
        """Look at some lines; `parents` are those of all lines, once all are looked at."""
        self.parents: Mapping[str, str] = {}
        self.draws: list[Draw] = []
        self.numbers: dict[tuple[str, str], dict[int, set[bytes]]] = {}
        self._links: Links = ()

    def begin(self) -> None:
        """Pass on to another declaration."""
        self._links = ()

    def given(self, event: Event, fact: LinkGiven, chain: Chain, first: Event) -> None:
        """Take note of a link that follows on its chain, for the declaration `first`."""
        if fact.by != MASTER:
            self._links = (*self._links, (fact.by, fact.link))
            stood = self.numbers.setdefault((fact.by, chain.anchor), {})
            stood.setdefault(fact.number, set()).add(first.data)
            return
        self.draws.append(Draw(event, self._links, fact.number, fact.number - chain.number - 1))
        self._links = ()

    def add(self, other: "DrawAudit") -> None:
        """Take over what another line holds."""
        self.draws += other.draws
        for chain, given in other.numbers.items():
            mine = self.numbers.setdefault(chain, {})
            for number, what in given.items():
                mine.setdefault(number, set()).update(what)

    def faults(self) -> Iterator[tuple[Event, str]]:
        """Yield where the game master's links were chosen: others than before, or some left out."""
        together: dict[Links, int] = {}
        for draw in self.draws:
            number = together.setdefault(draw.links, draw.number)
            if draw.links and number != draw.number:
                yield (
                    draw.event,
                    f"the same links of players stand with another link of the game master: {number}",
                )
        for draw in self._passed_over():
            if draw.event.stream == MAIN or self._parent_is_here(draw):
                yield draw.event, f"the game master's links before {draw.number} were left out"

    def notes(self) -> Iterator[str]:
        """Yield what is to be said of links that stand nowhere, or for several declarations."""
        if any(draw.event.stream != MAIN and not self._parent_is_here(draw) for draw in self._passed_over()):
            yield "links of the game master that stand on a line that is not here"
        for (by, _), stood in sorted(self.numbers.items()):
            if missing := [number for number in range(1, max(stood)) if number not in stood]:
                yield f"links of {by} that stand on no line here: {spans(missing)}"
            if again := sorted(number for number, what in stood.items() if len(what) > 1):
                yield f"links of {by} that were known before a declaration changed: {spans(again)}"

    def _passed_over(self) -> list[Draw]:
        """Return the draws before which the game master left links out, and which stand nowhere else."""
        found = [draw for draw in self.draws if draw.passed]
        if not found:
            return []
        stood: dict[tuple[Links, int], set[str]] = {}
        for draw in self.draws:
            stood.setdefault((draw.links, draw.number), set()).add(draw.event.stream)
        return [draw for draw in found if not stood[draw.links, draw.number] - {draw.event.stream}]

    def _parent_is_here(self, draw: Draw) -> bool:
        """Say whether the parent of its line was looked at too, and dice were drawn on that meanwhile."""
        stream = draw.event.stream
        parent = self.parents.get(stream)
        begins = min(one.event.seq for one in self.draws if one.event.stream == stream)
        return any(one.event.stream == parent and one.event.seq >= begins for one in self.draws)


def spans(numbers: Sequence[int]) -> str:
    """Return ascending numbers as they are told: "2 to 4, 7"."""
    told: list[tuple[int, int]] = []
    for number in numbers:
        if told and told[-1][1] == number - 1:
            told[-1] = told[-1][0], number
        else:
            told.append((number, number))
    return ", ".join(f"{first}" if first == last else f"{first} to {last}" for first, last in told)
