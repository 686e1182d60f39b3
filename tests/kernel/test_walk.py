"""Walking in the kernel: enemies react before a square is left, and a mover that is stopped stays there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.engine.book.packages import for_a_while, packages_named
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Moved
from affray.events.facts.flow import ReactionSpent
from affray.events.facts.sheet import Sheet
from affray.events.stores.memory import MemoryStore
from affray.replay.verification.verify import verify

PROJECT = """
[project]
name = "warded"
version = "1.0"
[project.entry-points."affray.dialects"]
warded = "warded"
"""

MODULE = """
from msgspec.structs import replace

from affray.engine.kernel import checks
from affray.engine.kernel.contents import KERNEL as BASE
from affray.engine.kernel.places import reaches
from affray.engine.record.chapters import ConditionRule
from affray.events.facts.flow import ReactionSpent

TITLE = "Warded ground"


def leaving(fight, mover, here, there, how):
    enemies = fight.enemies(mover)
    return [one for one in enemies if reaches(one, mover, 0, one.reach, here)]


def can_react(fight, enemy):
    return not enemy.reactions.get("hook")


def react(fight, mover, enemies):
    for one in enemies:
        yield ReactionSpent(
            who=one.id, kind="hook", against=mover.id, opportunity="leaving", cites=fight.rules("hook")
        )
        if "hooker" in one.sheet.traits:
            yield from checks.gain(fight, mover, "hooked", one.id)


KERNEL = replace(
    BASE,
    leaving=leaving,
    can_react=can_react,
    react=react,
    conditions={"hooked": ConditionRule("hook", actions="none")},
)
"""

RULES = (
    '{"id": "warded.hook", "title": "Hook", "section": "A", "kind": "reaction", "tier": "core",'
    ' "provenance": "text", "text": "Once a round an enemy hooks whoever leaves a square in its reach."}'
)


@pytest.fixture
def warded(tmp_path: Path) -> Iterator[str]:
    """A dialect in which enemies hook those that leave a square next to them."""
    package = tmp_path / "warded"
    package.mkdir()
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (package / "__init__.py").write_text(MODULE)
    (package / "rules.jsonl").write_text(RULES + "\n")
    with for_a_while():
        packages_named(str(tmp_path))
        yield "warded"


def met(dialect: str, *traits: str) -> Table:
    """Return a fight in which a runner stands in front of two guards with these traits."""
    table = Table.create(MemoryStore(), dialect=dialect, terrain=("........",) * 3, seed=b"w" * 32)
    runner, guard = Sheet("Runner", 9), Sheet("Guard", 9, traits=traits)
    for id, side, sheet, at in (
        ("runner", "a", runner, (0, 1)),
        ("near", "b", guard, (1, 0)),
        ("far", "b", guard, (4, 0)),
    ):
        place = 20 if id == "runner" else 1
        assert (
            table.declare(acts.Enter(id=id, side=side, sheet=sheet, at=at, initiative=place)).refused is None
        )
    table.declare(acts.Begin())
    return table


PATH = ((1, 1), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1))


def test_enemies_react_before_a_square_is_left(warded: str) -> None:
    """Each once, where it is left; the parts of the way add up."""
    table = met(warded)
    facts = table.declare(acts.Move(actor="runner", path=PATH)).facts
    told = [fact for fact in facts if isinstance(fact, Moved | ReactionSpent)]
    assert [fact.who for fact in told] == ["near", "runner", "far", "runner"]
    parts = [fact.path for fact in told if isinstance(fact, Moved)]
    assert tuple(square for part in parts for square in part) == PATH
    assert sum(fact.feet for fact in told if isinstance(fact, Moved)) == 30
    assert table.state.combatants["runner"].at == (6, 1)
    assert verify(table.store).ok


def test_who_is_stopped_stays(warded: str) -> None:
    """The way ends where the mover cannot go on."""
    table = met(warded, "hooker")
    facts = table.declare(acts.Move(actor="runner", path=PATH)).facts
    assert [fact.who for fact in facts if isinstance(fact, ConditionGained)] == ["runner"]
    assert not any(isinstance(fact, Moved) for fact in facts)
    assert table.state.combatants["runner"].at == (0, 1)
    assert verify(table.store).ok


def test_the_price_of_a_way_names_who_may_react(warded: str) -> None:
    """Paths in reach tell whom they pass."""
    table = met(warded)
    way = next(one for one in table.legal().ways if one.to == (2, 1))
    assert way.past == ("near",)
