"""The check of dice by links, in the browser: what is good, and each way in which links can be chosen."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from affray.engine.dice import LONGEST, LinkChain, master_secret
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.replay.branch import fork
from affray.replay.redaction import Redaction, export_redacted
from affray.replay.verification import verify
from affray.replay.viewer import checker
from affray.replay.whatif import what_if
from tests.house.links_played import DIALECTS, SECRET, Players, entered, fought, opened, rolls
from tests.viewer.tampered import Forge, exported, forged
from tests.viewer.test_check import Panel, put


@pytest.fixture
def panel(browser: Any) -> Iterator[Panel]:
    """A page to open; afterwards its console must be empty and the network untouched."""
    shown = Panel(browser)
    yield shown
    assert shown.logs() == ([], [])


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """The checker as a page of its own."""
    file = tmp_path / "checker.html"
    file.write_text(checker(), encoding="utf-8", newline="\n")
    return file


def by_links(dialect: str = "srd35") -> tuple[Players, Table]:
    """Return a fight of whose players one has a name of other letters."""
    players = Players("alex", "π")
    return players, fought(players, entered(players, players.join(opened(dialect=dialect))))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_dice_by_links_are_compared(panel: Panel, alone: Path, dialect: str, tmp_path: Path) -> None:
    """Before the seed is revealed and after it, on a what-if and a fork too."""
    _, table = by_links(dialect)
    count = len(rolls(table))
    panel.open(alone)
    assert "No fault found" in panel.load(put(tmp_path, exported(table.store)))
    kind, told = panel.found()["dice"]
    assert kind == "good"
    assert f"{count} compared with " in told
    what_if(table.store, reading={}, faces={rolls(table)[-1].key: [2]})
    fork(table.store, "r1", "idle")
    table.declare(acts.Close(reason="enough"))
    assert verify(table.store).ok
    assert "No fault found" in panel.load(put(tmp_path, exported(table.store)))
    assert panel.found()["seed"][0] == "good"


def test_players_may_leave_and_come_again(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Dice by the game master's chain alone are counted as such; a later chain begins another one."""
    players = Players("alex", "π")
    table = fought(players, entered(players, players.join(opened())), 3)
    table.leave_chain("π")
    fought(players, table, 3)
    table.leave_chain("alex", "gone home")
    fought(players, table, 3)
    later = Players("lee")
    fought(later, later.join(table), 6)
    table.declare(acts.Close(reason="enough"))
    assert verify(table.store).ok
    panel.open(alone)
    assert "No fault found" in panel.load(put(tmp_path, exported(table.store)))


def test_a_copy_takes_them_on_trust(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """With events left out the game master's links are hidden: what is shown is no fault."""
    _, table = by_links()
    out = BytesIO()
    export_redacted(table.store, "main", out, Redaction(table.store, "main", side="heroes"))
    panel.open(alone)
    assert "No fault found" in panel.load(put(tmp_path, out.getvalue()))
    assert panel.found()["dice"][0] == "open"


def of_type(facts: list[dict[str, Any]], type: str, by: str | None = None) -> list[dict[str, Any]]:
    """Return the facts of a type, those of one party."""
    return [one for one in facts if one["type"] == type and by in (None, one.get("by"))]


def another_link(facts: list[dict[str, Any]]) -> None:
    """Give a link that follows from nothing."""
    of_type(facts, "link.given", "alex")[2]["link"] = "ab" * 32


def no_link(facts: list[dict[str, Any]]) -> None:
    """Give what is no link at all."""
    of_type(facts, "link.given", "alex")[2]["link"] = "nothing"


def a_far_link(facts: list[dict[str, Any]]) -> None:
    """Say of a link that it has a number beyond all."""
    of_type(facts, "link.given", "alex")[2]["number"] = 10**12


def a_face(facts: list[dict[str, Any]]) -> None:
    """Give a die by links another face."""
    roll = next(one for one in of_type(facts, "rolled") if one["notation"] == "1d20")
    roll["faces"] = [roll["faces"][0] % 20 + 1]
    roll["total"] = roll["faces"][0]


def left_out(facts: list[dict[str, Any]]) -> None:
    """Throw by the game master's link alone, as if the players had left."""
    for one in of_type(facts, "link.given"):
        if one["by"]:
            facts.remove(one)


def none_given(facts: list[dict[str, Any]]) -> None:
    """Throw without any link."""
    for one in of_type(facts, "link.given"):
        facts.remove(one)


def another_anchor(facts: list[dict[str, Any]]) -> None:
    """Begin the game master's chain with another anchor."""
    of_type(facts, "chain.begun", "")[0]["anchor"] = "ab" * 32


def passed_over(facts: list[dict[str, Any]]) -> None:
    """Leave out the game master's link before the last one, as if its dice had not pleased."""
    given = of_type(facts, "link.given", "")[-1]
    given["number"] += 1
    given["link"] = LinkChain(master_secret(SECRET, 0), LONGEST).link(given["number"]).hex()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (another_link, "that is not link 3 of alex"),
        (no_link, "that is not link 3 of alex"),
        (a_far_link, "that is not link 1000000000000 of alex"),
        (a_face, "the links say"),
        (left_out, "the links that it should follow from were not given"),
        (none_given, "the links that it should follow from were not given"),
        (another_anchor, "that is not link 1 of the game master"),
        (passed_over, "were left out"),
    ],
)
def test_links_that_were_chosen_are_found(
    panel: Panel, alone: Path, change: Forge, said: str, tmp_path: Path
) -> None:
    """Each way is named, whatever else is wrong with it."""
    _, table = by_links()
    panel.open(alone)
    panel.load(put(tmp_path, forged(table.store.read("main"), change)))
    kind, told = panel.found()["dice"]
    assert kind == "bad"
    assert said in told


def test_a_chain_of_another_seed_is_found(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Once the seed is revealed, the game master's chain must follow from it, whatever its links say."""
    _, table = by_links()
    table.declare(acts.Close(reason="enough"))
    other = LinkChain(master_secret(b"another", 0), LONGEST)

    def swapped(facts: list[dict[str, Any]]) -> None:
        of_type(facts, "chain.begun", "")[0]["anchor"] = other.anchor.hex()
        for one in of_type(facts, "link.given", ""):
            one["link"] = other.link(one["number"]).hex()

    panel.open(alone)
    panel.load(put(tmp_path, forged(table.store.read("main"), swapped)))
    assert "the game master's chain does not follow from the seed" in panel.found()["dice"][1]
