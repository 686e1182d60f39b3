"""Any text at all gives a block or one line of error, soon, and what is read can be played."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine import Table, acts, play_on
from affray.engine.statblock import Block, StatBlockError, creature, read
from affray.engine.statblock.paste import LABELS
from affray.events import MemoryStore
from tests.statblock.blocks import CLASSIC, ONE_LINE, PATHFINDER
from tests.timing import seconds

WORDS = """
( ) , ; : / + - or and plus vs. 2d6 1d8+3 19-20 /x3 -1 +5 99 0 999999 ft. fire touch melee ranged claws +1
longsword bite Dex size natural armor large humanoid giant 10/evil \u00e9 \u00d7 \u2014 \u00b2 &mdash; <b>
"""
SCRAPS = st.sampled_from([*WORDS.split(), "\n"])
LINES = st.tuples(st.sampled_from(sorted(LABELS)), st.lists(SCRAPS, max_size=8)).map(
    lambda found: f"{found[0]} {' '.join(found[1])}"
)
for form in (PATHFINDER, CLASSIC):
    read(form)  # loads the dialect before anything is timed
HEAD = "Thing\nAC 12, touch 12, flat-footed 10 (+2 Dex)\nhp 9\n"


def attempt(text: str) -> Block | None:
    """Return the block of a text, None for one that is refused in one line."""
    try:
        return read(text)
    except StatBlockError as error:
        refused = str(error)
    assert "\n" not in refused
    return None


def check(block: Block, lines: int) -> None:
    """Check what holds of every block: notes name lines, and printed attacks are given back."""
    assert all(1 <= note.line <= lines and note.reason for note in block.notes)
    weapons = {weapon.name: weapon for weapon in block.sheet.weapons}
    assert len(weapons) == len(block.sheet.weapons)
    for strike in block.strikes:
        attack = strike.attack
        bonus = creature.attack_bonus(
            block.sheet, weapons[strike.weapon], attack.mode == "melee", block.dialect
        )
        assert bonus == attack.bonuses[0]


@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    """No text raises anything but the one error."""
    attempt(text)
    attempt(HEAD + text)


@given(st.lists(LINES, max_size=12))
def test_any_fields(lines: list[str]) -> None:
    """Known labels with any values are read, or noted, without a fault."""
    text = HEAD + "\n".join(lines)
    block = attempt(text)
    if block is not None:
        check(block, len(text.splitlines()))


@given(st.sampled_from([PATHFINDER, CLASSIC, ONE_LINE]), st.data())
def test_spoiled_blocks(text: str, data: st.DataObject) -> None:
    """A good block with a piece cut out or pasted in is still read, or refused in one line."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 30)))
    spoiled = text[:start] + data.draw(SCRAPS) + text[end:]
    block = attempt(spoiled)
    if block is not None:
        check(block, len(spoiled.splitlines()))


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "+1 () ",
        " +1/1",
        "a (",
        " or ",
        "a;\n",
        "AC 10;",
        "Will ;",
        "a +1 (1d6), ",
        "resist fire 5, ",
        "&lt;",
    ],
)
@pytest.mark.parametrize("label", ["", "Melee ", "Skills ", "SQ ", "AC "])
def test_bounded_time(label: str, piece: str) -> None:
    """The longest texts made to be hard are dealt with in a second of computing."""
    text = f"{HEAD}{label}{piece * (59_000 // len(piece))}"
    assert seconds(lambda: attempt(text), 1) < 1


@pytest.mark.parametrize(("dialect", "text"), [("pf1", PATHFINDER), ("srd35", CLASSIC), ("srd35", ONE_LINE)])
def test_a_read_block_can_be_played(dialect: str, text: str) -> None:
    """Two of a kind enter a fight and fight it, with every weapon in its turn."""
    table = Table.create(
        MemoryStore(), dialect=dialect, terrain=("." * 12,) * 6, name="trial", seed=bytes(32)
    )
    sheet = read(text).sheet
    for id, at in (("one", (0, 0)), ("two", (4, 0))):
        assert table.declare(acts.Enter(id=id, side=id, sheet=sheet, at=at)).refused is None
    table.declare(acts.Begin())
    play_on(table, 6)
    resolved = [event for event in table.store.read("main") if event.type == "attack.resolved"]
    assert resolved
