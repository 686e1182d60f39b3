"""Dice by links in the browser: what is good, each way in which links can be chosen, how a die came about."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from affray.engine.dice import LONGEST, LinkChain, master_secret
from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.replay.log.branches import fork
from affray.replay.privacy.redaction import Redaction, export_redacted
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if
from tests.house.links_played import DIALECTS, SECRET, Players, entered, fought, opened, rolls
from tests.viewer.conftest import written
from tests.viewer.panel import Panel, put
from tests.viewer.tampered import Forge, exported, forged


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
    assert "nobody could know the dice beforehand" in told
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
    kind, told = panel.found()["dice"]
    assert kind == "open"
    assert "by links that are left out" in told


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


def another_number(facts: list[dict[str, Any]]) -> None:
    """Call a link by a later number."""
    of_type(facts, "link.given", "alex")[0]["number"] = 3


def a_masters_link(facts: list[dict[str, Any]]) -> None:
    """Give another link of the game master."""
    of_type(facts, "link.given", "")[0]["link"] = "ab" * 32


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


def left_out_and_said(facts: list[dict[str, Any]]) -> None:
    """Throw by the game master's link alone, and say so, though alex has not left."""
    left_out(facts)
    for one in of_type(facts, "rolled"):
        one["provenance"] = "alone"


def by_the_seed(facts: list[dict[str, Any]]) -> None:
    """Throw one die by the seed, which the game master knows, and the others by links."""
    of_type(facts, "rolled")[-1]["provenance"] = "seeded"


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
        (another_number, "that is not link 3 of alex"),
        (a_masters_link, "that is not link 1 of the game master"),
        (a_face, "the links say"),
        (left_out, "alex has given no link for these dice"),
        (left_out_and_said, "alex has given no link for these dice"),
        (by_the_seed, "is rolled without links"),
        (none_given, "the links that it depends on were not given"),
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


def test_the_badge_says_how_a_die_came_about(panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> None:
    """On each roll, in one word; who could know it before it fell, behind it."""
    _, table = by_links()
    panel.open(written(table.store, tmp_path_factory), f"#{rolls_at(table)[0]}")
    badge = panel.js("const it = document.querySelector('.rolls .origin'); return [it.textContent, it.title]")
    assert badge == ["joint", "nobody could know it beforehand"]


def rolls_at(table: Table) -> list[int]:
    """Return the sequence numbers of the rolls."""
    return [event.seq for event in table.store.read("main") if event.type == "rolled"]


def test_seeded_dice_can_be_known_beforehand(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Without chains the page says who knows the dice before they fall."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    panel.open(alone)
    panel.load(put(tmp_path, exported(store)))
    assert "the game master can know the dice beforehand" in panel.found()["dice"][1]
