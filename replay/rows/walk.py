"""The walk along a log that makes its rows: every event read once, one row from each that says something.

A row has the columns of its table in `affray.projections.rows.declared_tables.TABLES`, in their order.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import Struct

from affray.events.codec import decode
from affray.events.envelope import Branch, Event
from affray.events.errors import BrokenLog
from affray.events.facts.declared import Declared
from affray.events.store import Store, line_parts, owner
from affray.projections.fold import CHANGING, HANDLERS, TAG_NAMES, out_of_place
from affray.replay.campaign.origins import identity
from affray.replay.redaction import Redaction
from affray.replay.rows.made import MAKERS
from affray.replay.rows.standing import Standing

Row = tuple[Any, ...]

DIGITS = 16
"""So many digits of the digest of its first event tell a log from all others."""


class Piece(Struct, frozen=True):
    """A piece of a line of play: what a branch holds of it, behind `after` and up to `upto`."""

    fight: str
    line: str
    branch: str
    after: int
    upto: int
    main: bool


def rows_of(
    store: Store,
    branch: str = "",
    *,
    side: str = "",
    hide: Iterable[str] = (),
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of one line of play, the main line for "", each with the name of its table.

    With `side` or `hide` only what a side may see, without numbers of others and without hidden combatants;
    see `affray.replay.redaction`. O(events). Raises UnknownStream, AffrayError for a side or combatant that
    is not there and for a log without an encounter, and BrokenLog or NewerLog as decoding does.

    >>> from affray.engine import packaged, play
    >>> from affray.events import MemoryStore
    >>> from affray.replay import rows_of
    >>> store = MemoryStore()
    >>> table = play(packaged("demo_srd35"), store)
    >>> table, row = next(rows_of(store))
    >>> table
    'combatants'
    """
    branch = branch or store.main_line()
    fight = identity(store)[:DIGITS]
    hidden: Callable[[Event], str] | None = None
    standing = Standing()
    if hide or side:
        redaction = Redaction(store, branch, side=side, hide=hide)
        hidden = redaction.why

        def shows(who: str) -> bool:
            one = standing.state.combatants.get(who)
            own = not side or one is None or side in (one.side, one.own_side)
            return own and who not in redaction.hide

        standing = Standing(shows)
    yield from _walked(fight, standing, store.read(branch), hidden, progress)


def rows_of_all(store: Store, progress: Callable[[int], None] | None = None) -> Iterator[tuple[str, Row]]:
    """Yield the rows of every branch, each once: on the branch on which its event stands.

    Which of them belong to a line of play, `pieces` says. O(events).
    """
    fight = identity(store)[:DIGITS]
    branches = store.branches()
    leaves = {one.name: _leaves(store, one) for one in branches}
    awaited = Counter(leaves.values())
    kept: dict[tuple[str, int], Standing] = {("", 0): Standing()}
    for branch in branches:
        place = leaves[branch.name]
        begun = kept.get(place)
        if begun is None:
            raise BrokenLog(branch.name, branch.at, f"it left {place[0]}#{place[1]}, which is no event")
        awaited[place] -= 1
        # Whoever leaves last takes what was kept; the others, and whatever begins a log, take copies.
        standing = kept.pop(place) if not awaited[place] else begun.copy()
        after = branch.at
        for at in sorted(at for name, at in awaited if name == branch.name and awaited[name, at]):
            yield from _walked(fight, standing, store.read(branch.name, after, at), None, progress)
            kept[branch.name, at] = standing.copy()
            after = at
        yield from _walked(fight, standing, store.read(branch.name, after), None, progress)


def pieces(store: Store) -> Iterator[Piece]:
    """Yield the pieces of every line of play, the oldest piece of each line first. O(branches x depth)."""
    fight, main = identity(store)[:DIGITS], store.main_line()
    for branch in store.branches():
        end = store.head(branch.name).seq
        for name, after, upto in line_parts(store.lineage(branch.name), 0, end):
            yield Piece(fight, branch.name, name, after, upto, branch.name == main)


def _leaves(store: Store, branch: Branch) -> tuple[str, int]:
    """Return the stream and position of the last event before a branch; "" and 0 for none."""
    if not branch.parent or not branch.at:
        return "", 0
    return owner(store.lineage(branch.parent), branch.at), branch.at


def _walked(
    fight: str,
    standing: Standing,
    events: Iterable[Event],
    hidden: Callable[[Event], str] | None,
    progress: Callable[[int], None] | None,
) -> Iterator[tuple[str, Row]]:
    """Yield the rows of events that follow one another, and leave `standing` behind the last."""
    state, handlers, makers = standing.state, HANDLERS, MAKERS
    for event in events:
        kind = event.type
        maker = makers.get(kind)
        if maker is None and kind not in CHANGING and kind in TAG_NAMES:
            continue
        fact = decode(event)
        seen = hidden is None or not hidden(event)
        if kind == "declared":
            _declare(standing, event, fact, seen)
        elif maker is not None:
            table, cells = maker(standing, fact, event.data)
            if table == "attacks":
                standing.blows[fact.attacker, fact.target] = event.seq
            if seen:
                act = standing.act if event.cause == standing.declared else ""
                cites = getattr(fact, "cites", None)
                place = (fight, event.stream, event.seq, event.round, event.turn, event.actor)
                yield table, (*place, event.cause, act, "; ".join(cites) if cites else "", *cells)
        handler = handlers.get(type(fact))
        if handler is not None:
            try:
                handler(state, fact)
            except (LookupError, AttributeError, TypeError, ValueError) as error:
                raise out_of_place(event, error) from None
        if progress is not None:
            progress(event.seq)


def _declare(standing: Standing, event: Event, fact: Declared, seen: bool) -> None:
    standing.declared = event.seq
    standing.act = str(fact.act.__struct_config__.tag) if seen else ""
    standing.notations.clear()
    standing.blows.clear()
