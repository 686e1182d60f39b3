"""The creatures of the books: what the engine's arithmetic makes of their printed parts.

The blocks are not part of the project; without them beside the checkout these tests are skipped, saying so.
What does not add up is listed in exceptions.toml, each with the reason that a look at the print has given.
"""

import tomllib
from pathlib import Path

import pytest

from affray.engine import Table, acts
from affray.engine.statblock import creature
from affray.events import MemoryStore
from tests.statblock.printing import DATA, blocks, rows

EXCEPTIONS = tomllib.loads((Path(__file__).parent / "exceptions.toml").read_text(encoding="utf-8"))
#: Attack and damage bonuses explained by rules without a remainder: may rise, not fall.
EXPLAINED_ATTACKS, EXPLAINED_DAMAGE = 1669, 1662

#: Of each kind of figure, how many agree with print, and how many of these have no part but those rules name.
SHARES = {
    "Armor Class": (826, 825),
    "touch": (826, 825),
    "flat-footed": (826, 825),
    "fort": (827, 669),
    "ref": (827, 713),
    "will": (827, 714),
    "initiative": (827, 813),
    "attack with": (1751, 1669),
    "damage of": (1713, 1662),
    "CMB": (800, 800),
    "CMD": (784, 784),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.exists(), reason=f"no printed creatures at {DATA}"),
]


def test_armor_class() -> None:
    """The typed parts give Armor Class, touch and flat-footed of all blocks but the reviewed ones."""
    wrong = set()
    for name, block in blocks():
        totals = block.printed
        if creature.armor_class(block.sheet, "pf1") != (totals.ac, totals.touch, totals.flat_footed):
            wrong.add(name)
    assert wrong == set(EXCEPTIONS["armor_class"])
    assert len(wrong) * 50 <= len(blocks())


def test_dexterity_is_that_of_the_score() -> None:
    """The Dexterity part is that of the score or capped by armor, in all blocks but the reviewed ones."""
    wrong = {
        name
        for name, block in blocks()
        if any("is printed, the score" in note.reason for note in block.notes)
    }
    assert wrong == set(EXCEPTIONS["dexterity"])


def test_attacks_and_damage() -> None:
    """Every printed attack and damage bonus comes out; most with no part but those that rules name."""
    explained = [0, 0]
    wrong = set()
    for name, block in blocks():
        for figure in block.worked_out:
            for number, kind in enumerate(("attack with", "damage of")):
                if figure.name.startswith(kind):
                    explained[number] += figure.explained
                    if figure.given != figure.printed:
                        wrong.add(name)
    assert wrong == set(EXCEPTIONS["damage"])
    assert explained[0] >= EXPLAINED_ATTACKS
    assert explained[1] >= EXPLAINED_DAMAGE


def test_saves_initiative_and_hit_points() -> None:
    """Saves and initiative come out of their parts, hit points are those printed."""
    for name, block in blocks():
        for kind, total in block.printed.saves.items():
            assert creature.save_bonus(block.sheet, kind, "pf1") == total, name
        assert len(block.printed.saves) == 3, name
        assert creature.initiative_modifier(block.sheet, "pf1") == block.printed.initiative, name
        assert block.sheet.hp == block.printed.hp, name


@pytest.mark.parametrize("dialect", ["pf1", "srd35"])
def test_all_enter_a_fight(dialect: str) -> None:
    """No sheet says a word that the rules would refuse."""
    for name, block in blocks(dialect):
        table = Table.create(MemoryStore(), dialect=dialect, terrain=("." * 9,) * 9, name="trial")
        entered = table.declare(acts.Enter(id="it", side="one", sheet=block.sheet, at=(2, 2)))
        assert entered.refused is None, name


def test_shares() -> None:
    """The figures that agree, and beside them those that named parts explain: both may rise."""
    for kind, (agree, explained) in SHARES.items():
        found = [one for _, block in blocks() for one in block.worked_out if one.name.startswith(kind)]
        agreeing = sum(one.printed == one.given for one in found)
        named = sum(one.explained for one in found)
        print(f"{kind}: {len(found)} printed, {agreeing} agree, {named} explained by named parts")
        assert agreeing >= agree, kind
        assert named >= explained, kind


def test_what_is_asked_about() -> None:
    """Only where print leaves out what matters, one by one reviewed, does a creature not enter unasked."""
    assert {name for name, block in blocks() if block.unread} == set(EXCEPTIONS["unread"])


def test_every_attack_line_gives_a_weapon() -> None:
    """All creatures with an attack line have a weapon, but swarms, which hit without a roll."""
    for (name, block), row in zip(blocks(), rows(), strict=True):
        line = f"{row.get('melee', '')} {row.get('ranged', '')}".strip()
        assert block.sheet.weapons or not line or line.startswith("swarm"), name
