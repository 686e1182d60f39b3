"""Tables that a rule text does not print: their files, a campaign's own, and what a log keeps of them."""

from pathlib import Path

import pytest

from affray.engine.book import BadTable, Book, dialects, read_folder, read_tables, table_texts
from affray.engine.book.rules import split
from affray.engine.table.scenario import play, read_scenario
from affray.engine.table.scenario_parts import BadScenario
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.replay.explain.why import text, why
from affray.replay.verification.verify import verify

INJURY = "woa.injury.table"
FIGHT = """
dialect = "woa"
tables = "mine"
map = ["..."]
combatants = [
  {id = "ogre", side = "b", use = "ogre", at = [0, 0], initiative = 9},
  {id = "guard", side = "a", use = "guard", at = [1, 0], initiative = 1},
]
begin = {turn = "ogre"}

[sheets.ogre]
name = "Ogre"
hp = 40
abilities = {str = 30}
base_attack = 9
weapons = [{name = "club", damage = "1d8"}]

[sheets.guard]
name = "Guard"
hp = 12
abilities = {dex = 10, con = 10}

[[script]]
do = {act = "attack", actor = "ogre", target = "guard"}
"""


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """Return a folder with an injury table of its own: every injury is a sprained ego."""
    folder = tmp_path / "mine"
    folder.mkdir()
    lines = ['title = "Injuries"', f'rule = "{INJURY}"', "[[row]]", 'name = "Sprained ego"', 'part = "head"']
    (folder / "injuries.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


def test_the_tables_of_the_dialects_are_sound() -> None:
    """Every table belongs to a rule, has its own file, and its printed cells lead to figures."""
    for dialect in dialects():
        book, tables = Book.load(dialect), read_tables(dialect)
        assert len(tables) == len(table_texts(dialect))
        for rule, table in tables.items():
            assert book[rule].provenance == "assumed"
            for row in table.row:
                for cell in row.values():
                    if isinstance(cell, str) and cell.startswith("= "):
                        of, _, path = cell.removeprefix("= ").partition("/")
                        assert book.figure(of, *split(path)) is not None, cell


def test_a_campaigns_table_holds_and_stays_in_the_log(campaign: Path) -> None:
    """The fight plays by the table of its folder; its log goes on by it and explains it without."""
    file = campaign.parent / "fight.toml"
    file.write_text(FIGHT, encoding="utf-8")
    store = MemoryStore()
    play(read_scenario(file), store, seed=b"a hard blow")
    for one in campaign.iterdir():
        one.unlink()
    (found,) = [event for event in store.read("main") if event.type == "injury.suffered"]
    assert decode(found).name == "Sprained ego"
    assert verify(store).ok
    assert "[campaign]" in text(why(store, "main", found.seq))
    assert Table(store).fight.figure("injury.table", 0, "name") == "Sprained ego"


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ("", "there is no table"),
        ('title = "x"\nrule = "woa.injury.tables"\nrow = []', "no table belongs to 'woa.injury.tables'"),
        ('title = "x"\nrow = []', "missing required field"),
        (f'title = "x"\nrule = "{INJURY}"\n[[row]]\nentry = nan', "row 1: entry is no text"),
        (f'title = "x"\nrule = "{INJURY}"\n[[row]]\nbefore = 1', "no column 'before'"),
        ("title = ", "Invalid value"),
    ],
)
def test_a_bad_table_is_refused_in_one_line(tmp_path: Path, file: str, said: str) -> None:
    """What cannot replace a table is refused, with the file and the reason."""
    if file:
        (tmp_path / "one.toml").write_text(file, encoding="utf-8")
    with pytest.raises(BadTable, match=said) as refused:
        read_folder(tmp_path, read_tables("woa"))
    assert "\n" not in str(refused.value)


def test_a_scenario_without_its_folder_is_refused(tmp_path: Path) -> None:
    """The folder is looked for beside the scenario."""
    file = tmp_path / "fight.toml"
    file.write_text(FIGHT, encoding="utf-8")
    with pytest.raises(BadScenario, match=r"mine: there is no table \(\*\.toml\) in this folder"):
        read_scenario(file)
