"""What-ifs that cannot be: each is named, and nothing is left behind."""

import pytest

from affray.engine.book import UnknownOption, UnknownReading
from affray.engine.dice import ImpossibleFaces
from affray.events.errors import AffrayError, InvalidBranch
from affray.replay.redecide.rulings import BadRuling, Ruling
from affray.replay.whatif.what_if import NothingToChange, UnknownKey, what_if
from tests.replay.test_whatif import fight


class TestMistakes:
    """Whatever is wrong is said in one line, and nothing is left behind."""

    @pytest.mark.parametrize(
        ("asked", "error", "message"),
        [
            ({}, NothingToChange, "give one of them"),
            ({"ruling": Ruling("no")}, NothingToChange, "name its event"),
            ({"faces": {"d99/x/attack/1": [3]}}, UnknownKey, "no declaration"),
            ({"faces": {"d5/nobody/initiative/1": [3]}}, UnknownKey, "rolls: d5/"),
            ({"faces": {"d5/ogre/initiative/1": [21]}}, ImpossibleFaces, "cannot show 21"),
            ({"reading": {"gravity": "off"}}, UnknownOption, "gravity"),
            ({"reading": {"soft_cover": "maybe"}}, UnknownReading, "maybe"),
            ({"at": 10_000, "ruling": Ruling("no")}, AffrayError, "there is no event 10000"),
            ({"at": 9, "ruling": Ruling("x", ("nobody.hp=3",))}, BadRuling, "is not in the fight"),
            (
                {"at": 9, "ruling": Ruling("x", ("so what",))},
                BadRuling,
                "similar forms: swap ID ID, ",
            ),
            (
                {"at": 9, "ruling": Ruling("x", ("attack=1",))},
                BadRuling,
                "dice results need the key of their roll",
            ),
            ({"name": "main", "reading": {"soft_cover": "none"}}, InvalidBranch, "exists already"),
            ({"name": "a b", "reading": {"soft_cover": "none"}}, InvalidBranch, "branch name"),
        ],
    )
    def test_it_is_named(self, asked: dict[str, object], error: type[AffrayError], message: str) -> None:
        """The error says what is wrong; no branch and no event has been added."""
        store = fight(2)
        before = len(list(store.read_all()))
        with pytest.raises(error, match=message) as caught:
            what_if(store, **asked)  # type: ignore[arg-type]
        assert "\n" not in str(caught.value)
        assert [branch.name for branch in store.branches()] == ["main"]
        assert len(list(store.read_all())) == before
