"""What a page learns bit by bit is what one that is loaded whole has been told."""

import pytest
from msgspec.structs import replace

from affray.events.stores.store import Store
from affray.replay.privacy.audience import GAME_MASTER, Audience
from affray.replay.serve.messages import end_of
from affray.replay.serve.read_model import Looking
from tests.house.fights import DIALECTS
from tests.serve.looks import audience, fought


def learned(store: Store, who: Audience, after: int) -> None:
    """Hold what is told since an event against the whole page, after so many halves of the events."""
    looking = Looking(who)
    told = looking.marks.told(store, end_of(store))
    page = looking.page(store)
    some = looking.names(store, replace(told, seq=after * told.seq // 2))
    assert (some.names, some.letters) == (page.names, page.letters)
    assert some.rules.items() <= page.rules.items()
    assert some.shapes.items() <= page.shapes.items()
    if not after and not who.all_seeing:
        assert (some.rules, some.shapes, some.contested) == (page.rules, page.shapes, page.contested)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_names_are_those_of_the_page(dialect: str) -> None:
    """For the game master, a player and an onlooker, from the beginning, the middle and the end on."""
    store = fought(dialect, 3, 15)
    hero = "fighter"
    for who in (GAME_MASTER, audience(store, (hero,)), audience(store)):
        for after in range(3):
            learned(store, who, after)
