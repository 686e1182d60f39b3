"""All that an audience can get of a log, as bytes by what it asked for."""

import random
from collections.abc import Collection, Iterator

import msgspec
from msgspec.structs import replace

from affray.engine.grid.battlefield import AROUND
from affray.engine.table import policies
from affray.events.errors import AffrayError
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.projections.state import Encounter
from affray.replay.log.playhead import state_at
from affray.replay.privacy.audience import Audience, Key, everybody_of, make_audience
from affray.replay.serve.http import Problem
from affray.replay.serve.messages import CloudEvent, FeedCursor, encode_sse, end_of
from affray.replay.serve.read_model import Looking
from affray.replay.serve.visibility import source_of, told_between
from tests.house.fights import opened, play_wildly
from tests.house.wild import anywhere

_json = msgspec.json.Encoder().encode


def fought(dialect: str, seed: int, turns: int = 40, *, close: bool = False) -> MemoryStore:
    """Return the log of a random fight, half of them of the packaged combatants."""
    dice, store = random.Random(f"{dialect} {seed}"), MemoryStore()
    if seed % 2:
        table = opened(dialect, store, seed)
        table.use(answers=policies.auto)
        table.declare(acts.Begin())
    else:
        table = anywhere(dice, dialect, store, seed)
        table.use(answers=policies.auto)
    play_wildly(table, dice, turns)
    if close and table.waiting is None:
        table.declare(acts.Close(reason="over and out"))
    return store


def entered_sides(store: Store) -> dict[str, str]:
    """Return on which side everybody entered."""
    place = end_of(store)
    people = state_at(store, place.branch, place.seq).combatants.values()
    return {one.id: one.own_side or one.side for one in people}


def audience(store: Store, own: tuple[str, ...] = (), hide: tuple[str, ...] = ()) -> Audience:
    """Return the audience of a player with these combatants, of an onlooker without."""
    place = end_of(store)
    return make_audience(own, hide, everybody_of(state_at(store, place.branch, place.seq)))


def told_of(
    store: Store, who: Audience, *, frames: bool, after: int = 0, upto: int | None = None
) -> list[CloudEvent]:
    """Return what the feed tells from one event of the main line to another, page by page."""
    end = end_of(store)
    last = end.seq if upto is None else upto
    found: list[CloudEvent] = []
    place = FeedCursor(end.branch, end.epoch, after)
    while place.seq < last:
        told, seq = told_between(store, place, last, Key(who, frames), source_of(store))
        found += told
        place = FeedCursor(end.branch, end.epoch, seq)
    return found


def everything(
    store: Store, who: Audience, *, legal: bool = True, every: int = 7
) -> Iterator[tuple[str, bytes]]:
    """Yield each route with what it answers; of long ones every so many positions."""
    looking, end = Looking(who), end_of(store)
    state = state_at(store, end.branch, end.seq)
    yield "session", _json((looking.title(state), looking.closed(state), looking.question(state)))
    for frames in (False, True):
        yield f"feed {frames}", b"".join(map(encode_sse, told_of(store, who, frames=frames)))
    yield "page", _json(looking.page(store))
    last = looking.marks.told(store, end)
    for seq in (0, last.seq // 2, last.seq):
        yield f"names {seq}", _json(looking.names(store, replace(last, seq=seq)))
    after = None
    for _ in range(end.seq):
        page = looking.events(store, after, 37)
        yield f"events {after}", _json(page)
        after = FeedCursor.read(page.position)
        if not page.more:
            break
    for seq in {*range(0, last.seq, every), last.seq}:
        yield f"state {seq}", _json(looking.state(store, str(seq)))
    for seq in range(1, last.seq + 1, every):
        yield f"why {seq}", _answer(lambda seq=seq: looking.why(store, seq))
    for id in sorted(who.own) if legal else ():
        yield f"legal {id}", _answer(lambda id=id: looking.legal(store, id))
        for act in _ways(state, id, looking.audience.hide):
            yield f"way {act}", _answer(lambda act=act: looking.price(store, act))


def _ways(state: Encounter, id: str, hidden: Collection[str]) -> Iterator[AnyAct]:
    """Yield ways of one's own: in each direction, and at everybody who is seen."""
    if id not in state.combatants:
        return
    x, y = state.combatants[id].at
    for dx, dy in AROUND:
        path = tuple((x + dx * n, y + dy * n) for n in (1, 2, 3))
        yield acts.Move(actor=id, path=path)
        yield acts.Withdraw(actor=id, path=path)
    for other in (one for one in state.combatants if one not in hidden):
        yield acts.Charge(actor=id, target=other, path=((x + 1, y), (x + 2, y)))


def _answer(look: object) -> bytes:
    try:
        return _json(look())  # type: ignore[operator]
    except (Problem, AffrayError) as problem:
        return f"refused: {problem}".encode()
