"""Logs written in the notation come back to the same digests, in a tenth of the bytes and fast."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from affray.engine.dice import LinkChain
from affray.engine.notation.statements import statements
from affray.engine.notation.tokens import NotationError, written
from affray.engine.table.table import Table
from affray.events.codec import decode
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay import (
    Between,
    export_notation,
    import_notation,
    promote,
    verify,
    what_if,
)
from affray.replay.explain.disputes import dispute, rule
from affray.replay.notation.corrections import unpack
from affray.replay.notation.header import library
from affray.replay.redecide.rulings import Ruling
from affray.replay.undo import redo, undo
from tests.golden.add import HERE, golden, loaded
from tests.notation.texts import BY_HAND, comes_back, read, text_of
from tests.replay.carried import all_carried, fought
from tests.replay.fights import GOBLIN, brawl, opened
from tests.timing import seconds

GOLDEN = [one.file for one in golden()]


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_logs_come_back_in_a_tenth_of_the_bytes(name: str) -> None:
    """Whatever the rules make of it today, each comes back to its digests."""
    text = comes_back(loaded(name))
    assert 10 * len(text.encode()) <= (HERE / name).stat().st_size


def size(store: Store) -> int:
    out = io.BytesIO()
    export_jsonl(store, out)
    return len(out.getvalue())


@settings(max_examples=40, deadline=None)
@given(data=st.data(), roll=st.booleans())
def test_a_damaged_text_is_read_or_refused_by_its_place(data: st.DataObject, roll: bool) -> None:
    """Whatever is cut out, put in or exchanged: a fight, or a NotationError with line, column, expected."""
    text = data.draw(st.sampled_from(DAMAGED))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(18, len(text)))
        until = min(len(text), at + data.draw(st.integers(0, 3)))
        put = data.draw(PUT)
        text = text[:at] + put + text[until:]
    fault = fault_of(text.encode("utf-8", "replace").decode(), roll=roll)
    assert fault is None or (min(fault.line, fault.column) >= 1 and fault.expected)


def fault_of(text: str, *, roll: bool) -> NotationError | None:
    """Return what is wrong with a text, None if it tells a fight."""
    try:
        read(text, roll=roll)
    except NotationError as fault:
        return fault
    return None


PUT = st.sampled_from(["", "1", ";", "{", '"', "\n", "goblin", ">", "é", "* "]) | st.text(max_size=2)
DAMAGED = (BY_HAND, text_of(loaded("srd35-carried.jsonl")))


def test_branches_rulings_and_disputes_come_back() -> None:
    """What-if lines with what became impossible, rulings, disputes and another main line."""
    store = brawl(opened(), 2).store
    struck = next(e for e in store.read("main") if e.type == "attack.resolved")
    key = decode(struck).key
    what_if(store, faces={key: (20,)}, reading={"soft_cover_blocks_aoo": "off"}, name="crit")
    dispute(store, struck.seq, "Anna", "it was out of reach")
    rule(store, "overturn", "it was", by="GM", dispute="Q1")
    promote(store, "crit", "Anna")
    text = comes_back(store)
    for told in (
        "* disputed Q1 Anna ",
        "\n( crit of main after ",
        "* branch.promoted crit ",
        "ruled GM void ",
    ):
        assert told in text
    assert "(overridden)" in text
    assert verify(read(text)).ok
    assert read(text).main_line() == "crit"


def test_the_main_line_comes_back() -> None:
    """Undone, redone, undone again and another line promoted: the main line is the one it was."""
    store = brawl(opened(), 2).store
    what_if(store, reading={"soft_cover_blocks_aoo": "off"}, name="other")
    undo(store)
    redo(store)
    assert "\n[main_lines [main undo-1 main]]\n" in comes_back(store)
    undo(store, 2)
    promote(store, "other")
    promote(store, "main")
    text = comes_back(store)
    line = next(one for one in text.split("\n") if one.startswith("[main_lines "))
    assert line == "[main_lines [main undo-1 main undo-2 other main]]"
    for wrong, told in {
        "[main_lines [main undo-1]]": "each line of play as often as it became the main line",
        "[main_lines [undo-1 main main undo-2 other main]]": "an order in which the lines can",
        "[main_lines main]": "a value of 'main_lines'",
    }.items():
        fault = fault_of(text.replace(line, wrong), roll=False)
        assert fault is not None
        assert told in str(fault)


def test_what_became_impossible_is_told_in_words() -> None:
    """A branch on which somebody dies earlier: what follows is void in words, not packed."""
    store = brawl(opened(), 3).store
    changed = what_if(store, at=24, ruling=Ruling("so be it", ("ogre.hp=-20",)), name="dead")
    assert [*changed.invalidated, *changed.allowed] == ["d22", "d24", "d25", "d26", "x1"]
    text = comes_back(store)
    assert (
        '\nogre: end-turn; void "ogre is out of turn: it is fighter\'s turn" srd35.round.whole-turn\n' in text
    )
    assert text.count("; void ") == len(changed.invalidated)
    assert 'move 4,2>; refused "ogre is at 4,2" srd35.pass.ending-movement\n' in text
    packed = unpack(line[2:] for line in text.split("\n") if line.startswith("% "))
    assert not any("steps" in one for one in packed.values())


def test_the_carried_come_back() -> None:
    """Whoever comes from another log, with conditions and losses and all: in words, and as it was."""
    _, following, made = all_carried(fought("srd35", 5), Between())
    assert made
    text = comes_back(following.store)
    assert " origin={log:" in text
    assert "steps" not in str(unpack(line[2:] for line in text.split("\n") if line.startswith("% ")))


def test_rows_that_are_alike_are_counted() -> None:
    """A map of many rows that are alike takes a line, one of a few is drawn."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=["##...", *["....."] * 60, "##..."])
    assert "\n|##...\n60|.....\n|##...\n" in comes_back(table.store)


def test_long_work_tells_how_far_it_is() -> None:
    """Both ways say how many of how many events or lines are done."""
    store, told = brawl(opened(), 1).store, list[tuple[int, int]]()
    out = io.BytesIO()
    export_notation(store, out, lambda done, of: told.append((done, of)))
    assert told[-1] == (store.head("main").seq,) * 2
    told.clear()
    import_notation(out.getvalue(), MemoryStore(), progress=lambda done, of: told.append((done, of)))
    assert told == [(done, len(told)) for done in range(len(told))]


def test_sheets_that_no_table_would_take_come_back() -> None:
    """A log holds what it holds: a sheet beyond what creatures have is written out and read as it is."""
    table = opened()
    table.declare(acts.Enter(id="comet", side="others", sheet=replace(GOBLIN, speed=5001), at=(9, 5)))
    assert "speed:5001" in comes_back(table.store)


def test_an_open_fight_tells_no_seed() -> None:
    """The salts of a fight that goes on are packed, its seed stays a secret, and it still is a tenth."""
    table = brawl(opened(), 3)
    text = comes_back(table.store)
    seed = table.store.secret("seed")
    assert seed is not None
    assert "[seed" not in text
    assert seed.hex() not in text
    assert 10 * len(text) < size(table.store)


def test_a_line_left_out_of_an_open_fight_is_told_as_that() -> None:
    """The salts of a fight that goes on are packed, one for each event: a line less and they are too many."""
    lines = text_of(brawl(opened(), 3).store).splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if ": end-turn" in line)
    told = "as many as there are packed salts; a line was changed, or the rules decide differently today"
    with pytest.raises(NotationError, match=told):
        read("".join(lines[:last] + lines[last + 1 :]))


def test_dice_of_hands_and_open_questions_come_back() -> None:
    """A roll that somebody has to throw waits for it in the text, one that is thrown says who threw it."""
    store = MemoryStore()
    opened(store)
    table = Table(store, hands=["everybody"])
    attacker = table.state.active
    target = next(
        one.id for one in table.state.combatants.values() if one.side != table.state.combatants[attacker].side
    )
    table.declare(acts.Attack(actor=attacker, target=target))
    assert table.waiting is not None
    assert "; wait\n" in comes_back(store)
    table.choose("20", by="Anna")
    assert "; wait 20 (physical); wait\n" in comes_back(store)


def test_dice_from_links_come_back() -> None:
    """Dice that follow from the links of a player's chain, and the question for the next link."""
    store = MemoryStore()
    table = Table.create(store, dialect="srd35", terrain=["....."], seed=b"seed")
    chain = LinkChain(b"anna", 8)
    table.contribute("Anna", "a word of mine")
    table.begin_chain("Anna", chain.anchor.hex(), 8)
    for id, side, x in (("fighter", "heroes", 1), ("goblin", "monsters", 2)):
        table.declare(acts.Enter(id=id, side=side, sheet=library("srd35")[id], at=(x, 0)))
    outcome = table.declare(acts.Begin())
    assert outcome.waiting is not None
    comes_back(store)
    table.choose(chain.link(1).hex(), by="Anna")
    text = comes_back(store)
    assert "* seed.contributed Anna " in text
    assert "* chain.begun Anna " in text


def test_a_text_by_hand_becomes_a_fight_that_verifies() -> None:
    """Faces are imported, comments kept beside the log, the variation a branch, and the seed a secret."""
    store = read(BY_HAND)
    assert verify(store).ok
    (branch,) = store.branches()[1:]
    assert (branch.name, branch.parent) == ("instead", "main")
    assert next(e for e in store.read("main", after=branch.at)).type == "declared"
    assert store.secret("seed")
    text = text_of(store)
    for comment in ("# The gate at dusk\n", "2,1  # with a torch\n", "# and now the goblin\n"):
        assert comment in text
    assert "fighter (Anna): attack goblin; 17; 3\n" in text
    assert text_of(read(text)) == text


def test_a_text_by_hand_that_closes_reveals_the_seed() -> None:
    """As at any table: the seed opens the commitment, and all of it verifies."""
    store = read(f"{BY_HAND}close enough\n")
    assert verify(store).ok
    seed = store.secret("seed")
    assert seed is not None
    text = comes_back(store)
    assert f"[seed {written(seed.hex())}]" in text
    assert "\n% " not in text


@pytest.mark.parametrize(
    ("was", "now", "line", "told"),
    [
        ("attack goblin; 17; 3", "attack goblin; 17 (seeded); 3", 13, "the results: recorded 17, found "),
        ("fighter: end-turn", "@d4 fighter: end-turn", 17, "declaration d4 occurs twice"),
        ("attack fighter; 4", 'attack fighter; void "so"', 19, "d6: recorded so, found no refusal"),
        ("fighter: attack goblin; 2", "fighter: attack goblin; 2 (luck)", 15, "'luck' is not a provenance"),
    ],
)
def test_what_a_new_fight_says_verifies_or_has_its_line(was: str, now: str, line: int, told: str) -> None:
    """A log that begins with a text is one that verify finds nothing against."""
    with pytest.raises(NotationError, match=f"^line {line}, .*{told}"):
        read(BY_HAND.replace("# The gate at dusk", "[seed abcd]").replace(was, now, 1))


def test_what_is_unknown_is_thrown_if_that_is_asked_for() -> None:
    """An unknown face is refused, or thrown by the fight's own seed, as verify confirms."""
    text = BY_HAND.replace("attack fighter; 4", "attack fighter; ?")
    with pytest.raises(NotationError, match="line 19, column 25"):
        read(text)
    store = read(text, roll=True)
    assert verify(store).ok
    assert "(seeded)" in text_of(store)


def test_a_line_that_was_changed_is_noticed() -> None:
    """A text that says a digest comes to it, or is refused there."""
    text = text_of(loaded("srd35-things-lie.jsonl"))
    changed = text.replace("attack fighter greatclub; 2", "attack fighter greatclub; 3", 1)
    assert changed != text
    with pytest.raises(NotationError, match="one was changed, or the rules decide differently today"):
        read(changed)


def test_5000_lines_a_second_are_read() -> None:
    """Lines are read without the rules in far less than the fifth of a millisecond that each may take."""
    text = text_of(loaded("woa.jsonl"))
    lines = [line for line in text.split("\n")[1:] if line and line[0] not in "%|["] * 20
    whole = "\n".join(lines)
    taken = seconds(lambda: list(statements(whole)), enough=len(lines) / 20_000)
    assert taken < len(lines) / 5000
