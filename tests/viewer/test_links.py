"""Links of chains, checked in the browser, and the badge that says how a die came about."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.engine.table.scenario import packaged, play
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.memory import MemoryStore
from affray.events.store import Store
from affray.replay.redaction import Redaction, export_redacted
from affray.replay.viewer import checker
from affray.replay.whatif import what_if
from tests.house.given_links import answer, joined
from tests.viewer.conftest import written
from tests.viewer.tampered import Forge, exported, forged
from tests.viewer.test_check import Panel, put


def fight_by_links(store: Store) -> Table:
    """Play two rounds of a fight whose dice follow from chains of two players; one of them leaves at last."""
    table = Table.create(store, dialect="srd35", terrain=("....", "...."), seed=b"g" * 32)
    joined(table, "alex", "\u03c0")
    sheet = Sheet("Fighter", hp=90, base_attack=5, weapons=(Weapon("sword", "1d8"),))
    for at, id in enumerate(("one", "two")):
        table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=(at, 0)))
    dice = random.Random(1)
    for act in (acts.Begin(), *(None for _ in range(8))):
        active = table.state.active
        table.declare(act or acts.Attack(actor=active, target="two" if active == "one" else "one"))
        while table.waiting is not None:
            answer(table, dice)
        if table.state.active:
            table.declare(acts.EndTurn(actor=table.state.active))
    return table


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


def test_dice_by_links_need_no_seed(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Every die follows from links that stand in the log; branches that are decided again have theirs."""
    store = MemoryStore()
    table = fight_by_links(store)
    roll = next(decode(event) for event in store.read("main") if "/attack/" in event.data.decode())
    what_if(store, faces={roll.key: [1]})
    table.leave_chain("alex", "gone home")
    panel.open(alone)
    assert "No fault found" in panel.load(put(tmp_path, exported(store)))
    found = panel.found()["dice"]
    assert found[0] == "good"
    assert "links" in found[1]
    assert "nobody could know the dice beforehand" in found[1]


def a_link(facts: list[dict[str, Any]]) -> None:
    """Give another link than that of the chain."""
    next(fact for fact in facts if fact["type"] == "link.given" and fact["by"])["link"] = "00" * 32


def a_number(facts: list[dict[str, Any]]) -> None:
    """Call a link by another number."""
    next(fact for fact in facts if fact["type"] == "link.given" and fact["by"])["number"] = 3


def a_masters_link(facts: list[dict[str, Any]]) -> None:
    """Give another link of the game master."""
    next(fact for fact in facts if fact["type"] == "link.given" and not fact["by"])["link"] = "ab" * 32


def a_face(facts: list[dict[str, Any]]) -> None:
    """Let a die show something else."""
    roll = next(fact for fact in facts if fact["type"] == "rolled" and fact["notation"] == "1d20")
    roll["faces"] = [roll["faces"][0] % 20 + 1]
    roll["total"] = roll["faces"][0]


def without_links(facts: list[dict[str, Any]]) -> None:
    """Leave the links out, and say that the dice are joint all the same."""
    facts[:] = [fact for fact in facts if fact["type"] != "link.given"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (a_link, "that is not link 1 of alex"),
        (a_number, "that is not link 3 of alex"),
        (a_masters_link, "that is not link 1 of the game master"),
        (a_face, "the links say"),
        (without_links, "the links that it should follow from were not given"),
    ],
)
def test_a_forger_of_links_is_named(
    panel: Panel, alone: Path, tmp_path: Path, change: Forge, words: str
) -> None:
    """Under digests that all fit."""
    store = MemoryStore()
    fight_by_links(store)
    panel.open(alone)
    assert words in panel.load(put(tmp_path, forged(store.read("main"), change)))


def test_in_a_copy_links_are_checked_as_far_as_they_are_shown(
    panel: Panel, alone: Path, tmp_path: Path
) -> None:
    """The game master's are hidden, so the dice cannot be compared, which is said."""
    store = MemoryStore()
    fight_by_links(store)
    file = tmp_path / "copy.jsonl"
    with file.open("wb") as out:
        export_redacted(store, "main", out, Redaction(store, "main", side="one"))
    panel.open(alone)
    assert "No fault found" in panel.load(file)
    found = panel.found()["dice"]
    assert found[0] == "open"
    assert "by links that are left out" in found[1]


def test_the_badge_says_how_a_die_came_about(panel: Panel, tmp_path_factory: pytest.TempPathFactory) -> None:
    """On each roll, in one word; who could know it before it fell, behind it."""
    store = MemoryStore()
    fight_by_links(store)
    seq = next(event.seq for event in store.read("main") if event.type == "rolled")
    panel.open(written(store, tmp_path_factory), f"#{seq}")
    badge = panel.js("const it = document.querySelector('.rolls .origin'); return [it.textContent, it.title]")
    assert badge == ["joint", "nobody could know it beforehand"]


def test_seeded_dice_can_be_known_beforehand(panel: Panel, alone: Path, tmp_path: Path) -> None:
    """Without chains the page says who knows the dice before they fall."""
    store = MemoryStore()
    play(packaged("demo_srd35"), store)
    panel.open(alone)
    panel.load(put(tmp_path, exported(store)))
    assert "the game master can know the dice beforehand" in panel.found()["dice"][1]
