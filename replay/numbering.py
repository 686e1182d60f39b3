"""Are declarations numbered as a table numbers them? The dice follow from the numbers.

Who knows the seed could otherwise leave numbers out until a die pleases. On the main line each declaration
has the number after the one before. A line that is decided again takes the numbers of its parent, each for
what was declared there, or for what a ruling on the line makes of it; what is put in between has its
neighbour's number with one of its own behind.
"""

import re

from affray.events.codec import decode
from affray.events.envelope import Event
from affray.events.facts.declared import REFUSED
from affray.events.store import MAIN, Store
from affray.projections.state import Encounter

_BETWEEN = re.compile(r"(?P<base>.+)\.(?P<number>[1-9][0-9]{0,8})")


class Numbering:
    """The numbers of a log's declarations, line by line."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._of_parents: dict[str, dict[str, bytes]] = {}
        self._chains: dict[str, set[bytes]] = {}

    def fault(self, event: Event, id: str, state: Encounter, ids: set[str], ruled: bool) -> str:
        """Return what is wrong with a declaration's id, "" if nothing is.

        It is declared in this `state`; `ids` are those before it on its line, and `ruled` says that a ruling
        stands on its own part of the line. O(1); for ids that do not count on O(events of the parent), once
        a line.
        """
        refused = id.startswith(REFUSED)
        wanted = f"{REFUSED}{state.refusals + 1}" if refused else f"d{state.declarations + 1}"
        if id == wanted or self._is_of_a_branch(event, id, ids, ruled):
            return ""
        return f"declaration {id} comes where {wanted} was expected"

    def throws_wrongly(self, event: Event, first: Event, id: str) -> bool:
        """Say whether dice are thrown for what was refused, and is not brought to life on another line."""
        return id.startswith(REFUSED) and not self._is_of_a_branch(first, id, {id}, event.stream != MAIN)

    def is_decided_again(self, first: Event, id: str, ruled: bool) -> bool:
        """Say whether a declaration, `first` of its events, is one of the parent's or stands between two."""
        return self._is_of_a_branch(first, id, {id}, ruled)

    def takes_a_chain(self, begun: Event) -> bool:
        """Say whether a chain began just so on the parent's line; after how many declarations, tells that."""
        if begun.stream == MAIN:
            return False
        self._parents(begun.stream)
        return begun.data in self._chains[begun.stream]

    def _is_of_a_branch(self, event: Event, id: str, ids: set[str], ruled: bool) -> bool:
        if event.stream == MAIN:
            return False
        parents = self._parents(event.stream)
        if parents.get(id) == event.data or (id in parents and ruled):
            return True
        between = _BETWEEN.fullmatch(id)
        if between is None:
            return False
        number = int(between["number"])
        stems = (between["base"], between["base"].removeprefix(REFUSED), f"{REFUSED}{between['base']}")
        return number == 1 or any(
            f"{stem}.{number - 1}" in known for stem in stems for known in (ids, parents)
        )

    def _parents(self, stream: str) -> dict[str, bytes]:
        """Return what the parent of a line declares after the line has left it, as stored, by id."""
        if stream not in self._of_parents:
            left = next(iter(self.store.lineage(stream)))
            found, chains = dict[str, bytes](), set[bytes]()
            for event in self.store.read(left.parent, after=left.at) if left.parent else ():
                if event.type == "declared":
                    found[decode(event).id] = event.data
                elif event.type == "chain.begun":
                    chains.add(event.data)
            self._of_parents[stream], self._chains[stream] = found, chains
        return self._of_parents[stream]
