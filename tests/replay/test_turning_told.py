"""How a turning is told, and how it is explained."""

from pathlib import Path

from affray.engine.table.scenario import fixed_seed, play, read_scenarios
from affray.engine.text.narrate import lines
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.replay.explain.why import text, why

TABLE = Path(__file__).parents[1] / "scenarios" / "srd35" / "classes" / "turned.toml"


def played(words: str) -> MemoryStore:
    """Return the log of the scenario whose name holds these words."""
    store = MemoryStore()
    found = next(one for one in read_scenarios(TABLE, within=TABLE.parents[1]) if words in one.name)
    play(found, store, seed=fixed_seed(found), strict=True)
    return store


def test_a_turning_is_told_in_one_line() -> None:
    """The check, what it affects of one creature, and the Hit Dice in all stand in one line."""
    store = played("that cannot flee cower")
    told = " ".join(" ".join(lines(decode(event) for event in store.read("main"))).split())
    assert "turning check: d20 10 + 2 = 12: undead of up to 8 Hit Dice, 2d6 (6, 1) + 10 = 17 Hit Dice" in told
    assert "Wight is turned (Cleric, until the start of Cleric's turn in round 11)" in told


def test_being_turned_is_explained_by_the_check() -> None:
    """Whoever asks why somebody is turned sees the check, both rolls and their parts."""
    store = played("that cannot flee cower")
    seq = next(event.seq for event in store.read("main") if event.type == "condition.gained")
    said = " ".join(text(why(store, "main", seq)).split())
    assert "Cleric's turning check of 12 affects undead of up to 8 Hit Dice, 17 in all" in said
    assert "turning-damage/1" in said
    assert "cleric level" in said
    assert "srd35.turn.flee" in said


def test_a_command_tells_whose_side_one_is_on() -> None:
    """The story says whom a commanded creature fights for, and when it is free again."""
    store = played("whom the good would destroy")
    told = " ".join(" ".join(lines(decode(event) for event in store.read("main"))).split())
    assert "Zombie fights for the villains now" in told
    assert "Zombie fights for the monsters now" in told
    assert 'orders Zombie: "kill the fighter"' in told
