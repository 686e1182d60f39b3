"""Logs of all kinds, with whoever hidden: everything that is asked is answered, by a problem at worst."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from affray.events.exports import import_jsonl
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.log.branches import fork, promote
from affray.replay.privacy.audience import GAME_MASTER, Audience
from affray.replay.privacy.visibility import plain
from tests.house.fights import DIALECTS
from tests.replay.test_hidden import distinct, fight, sheets
from tests.replay.test_hidden import everything as everything_said
from tests.serve.looks import audience, entered_sides, everything, fought
from tests.serve.many import seeds

pytestmark = pytest.mark.slow

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*-*.jsonl"))


def everybodys(store: Store, ids: list[str]) -> list[Audience]:
    """Return an audience for each of some hidden combatants, one that has not entered among them."""
    found = [GAME_MASTER, audience(store), audience(store, ("nobody",), ("nobody else",))]
    for at, id in enumerate(ids):
        found.append(audience(store, (ids[at - 1],) if len(ids) > 1 else (), (id,)))
    return found


def assert_answered(store: Store, who: Audience, legal: bool = True) -> None:
    """Assert that all can be asked, and that nobody hidden stands among those who are there."""
    answers = dict(everything(store, who, legal=legal, every=23))
    for name, data in answers.items():
        if name.startswith("state"):
            state = msgspec.json.decode(data)
            assert not who.hide & state["combatants"].keys()
            assert not who.hide & {*state["encounter"]["order"]}
    page = msgspec.json.decode(answers["page"])
    assert not who.hide & (page["names"].keys() | page["letters"].keys())


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_whoever_is_missing(dialect: str, seed: int) -> None:
    """Riders without mounts, wrestlers without opponents, turns of nobody."""
    store = fought(dialect, seed, 30, close=seed % 6 == 0)
    ids = [*entered_sides(store)]
    for who in everybodys(store, ids[:4]):
        assert_answered(store, who)


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_logs_of_older_releases(path: Path) -> None:
    """Every golden log, open or closed."""
    store = MemoryStore()
    with path.open("rb") as file:
        import_jsonl(file, store)
    ids = [*entered_sides(store)]
    for who in everybodys(store, ids[-2:]):
        assert_answered(store, who)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_hostile_names(dialect: str, seed: int) -> None:
    """Ids and names with quotes, blanks, signs of other scripts stand in no text of any answer."""
    store = fight(dialect, seed)
    for id, name in [*distinct(store).items()][:3]:
        words = [plain(word) for word in (id, name, name.partition(",")[0])]
        other = next(one for one in sheets(store) if one != id)
        for who in (audience(store, (), (id,)), audience(store, (other,), (id,))):
            for route, data in everything(store, who, every=23):
                parts = (line.partition(b"data: ")[2] or line for line in data.splitlines())
                for text in (one for part in parts if part[:1] in b"{[" for one in texts(part)):
                    assert not any(word in plain(text) for word in words), (route, text)


def texts(data: bytes) -> Iterator[str]:
    """Yield every text in JSON."""
    return everything_said(msgspec.json.decode(data)) if data else iter(())


def test_another_main_line() -> None:
    """A branch that became the main line is told from the first event on, as a line of its own."""
    store = fought("srd35", 1)
    fork(store, "r2", "other")
    promote(store, "other")
    for who in everybodys(store, [*entered_sides(store)][:2]):
        assert_answered(store, who)
        told = dict(everything(store, who))
        view = f".{who.view}" if who.view else ""
        assert f'"other:1{view}:'.encode() in told["events None"]


def test_a_dialect_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fight can be looked at; what takes the rules cannot be asked."""
    from affray.replay.log import rules_for_fight
    from affray.replay.viewer import frames
    from affray.replay.viewer import frames as framed_line

    store = fought("srd35", 1)
    monkeypatch.setattr(framed_line, "playable", lambda state: False)
    monkeypatch.setattr(rules_for_fight, "playable", lambda state: False)
    monkeypatch.setattr(frames, "book_of", lambda state: None)
    for who in everybodys(store, [*entered_sides(store)][:2]):
        assert_answered(store, who, legal=False)
