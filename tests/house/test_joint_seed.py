"""A seed that nobody chose: from a secret committed to first, and from what players gave in the open."""

from hashlib import blake2b

import pytest
from msgspec.structs import replace

from affray.engine.dice import Seeded, commitment, joint_seed, parse
from affray.engine.table.appending import TooLate
from affray.engine.table.scenario_parts import packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events import MemoryStore
from affray.events.codec import decode, encode, entry
from affray.events.envelope import Entry
from affray.events.errors import InvalidEntry
from affray.events.exports import export_jsonl, import_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import Rolled, SeedContributed
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.verification.verify import verify
from affray.replay.whatif.what_if import what_if

SECRET = b"the game master's own secret"
GIVEN = (("alex", "seven purple dragons"), ("kim", "\u03c0"), ("kim", "again"))


def opened(*given: tuple[str, str]) -> Table:
    """Return an encounter with that given to its seed."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=["......"] * 4, seed=SECRET)
    for by, words in given:
        table.contribute(by, words)
    return table


def entered(table: Table) -> Table:
    """Return the encounter begun, with two combatants in it."""
    for id, side, at in (("fighter", "heroes", (1, 1)), ("ogre", "monsters", (3, 1))):
        table.declare(acts.Enter(id=id, side=side, sheet=packaged_sheets("srd35")[id], at=at))
    assert table.declare(acts.Begin()).refused is None
    return table


def rolls(table: Table) -> list[Rolled]:
    """Return what the dice showed so far."""
    return [fact for fact in map(decode, table.store.read(table.branch)) if isinstance(fact, Rolled)]


def test_the_seed_is_as_described() -> None:
    """Any other program can work it out: BLAKE2b over lengths and texts, keyed with the secret."""
    framed = b"4:alex20:seven purple dragons3:kim2:\xcf\x803:kim5:again"
    expected = blake2b(framed, key=SECRET, digest_size=32, person=b"affray joint").digest()
    assert joint_seed(SECRET, GIVEN) == expected
    assert joint_seed(SECRET, ()) == SECRET
    shifted = joint_seed(SECRET, [("alexs", "even purple dragons"), *GIVEN[1:]])
    assert len({expected, shifted, joint_seed(b"other", GIVEN), joint_seed(SECRET, GIVEN[:2])}) == 4


def test_every_die_follows_from_the_secret_and_all_that_was_given() -> None:
    table = entered(opened(*GIVEN))
    dice = Seeded(joint_seed(SECRET, GIVEN))
    assert rolls(table)
    for roll in rolls(table):
        answer = dice.throw(roll.key, parse(roll.notation))
        assert answer is not None
        assert (roll.faces, roll.provenance) == (answer[0].faces, "seeded")
    assert [roll.faces for roll in rolls(entered(opened(*GIVEN[:2])))] != [r.faces for r in rolls(table)]
    assert table.state.commitment == commitment(SECRET)
    assert verify(table.store)["dice"].note.endswith("seeded ones compared with the seed")


def test_what_is_given_comes_before_any_declaration() -> None:
    """Afterwards, also after a refused one, it is too late; what was given stays."""
    table = opened(*GIVEN[:1])
    assert table.declare(acts.Attack(actor="nobody", target="nothing")).refused is not None
    with pytest.raises(TooLate):
        table.contribute("kim", "late")
    for by, words in (
        ("", "words"),
        ("kim", ""),
        ("x" * 201, "words"),
        ("kim", "x" * 10_001),
        ("kim", "\ud800"),
    ):
        with pytest.raises(InvalidEntry):
            opened().contribute(by, words)
    assert table.state.contributions == GIVEN[:1]


def test_a_fight_with_a_joint_seed_lives_on() -> None:
    """Opened anew, closed, imported without its secret, asked what if from its opening: all verify."""
    table = entered(opened(*GIVEN))
    again = Table(table.store)
    for _ in range(20):
        act = next_act(again)
        assert act is not None
        again.declare(act)
    again.declare(acts.Close(reason="over"))
    assert verify(again.store).ok
    made = what_if(again.store, reading={"soft_cover_blocks_aoo": "off"}, name="off")
    assert verify(again.store, made.name).ok
    assert rolls(Table(again.store, "off"))[:2] == rolls(again)[:2]
    lines: list[bytes] = []

    class Lines:
        def write(self, data: bytes) -> None:
            lines.append(data)

    export_jsonl(again.store, Lines())
    copied = MemoryStore()
    import_jsonl(b"".join(lines).splitlines(keepends=True), copied)
    assert verify(copied).ok
    assert freeze(fold(copied.read("main"))) == freeze(again.state)


@pytest.mark.parametrize("change", ["dropped", "edited", "late"])
def test_verify_finds_what_was_done_to_what_was_given(change: str) -> None:
    """A forger who chains the log anew cannot leave out or alter words, or add some later."""
    table = entered(opened(*GIVEN))
    events = list(table.store.read("main"))
    entries = [Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in events]
    if change == "dropped":
        # The rest moves up: causes count positions.
        del entries[2]
        entries = [
            Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause - (e.cause > 3), e.data)
            for e in entries
        ]
    elif change == "edited":
        entries[1] = replace(entries[1], data=encode(SeedContributed("alex", "six purple dragons")))
    else:
        state = table.state
        entries.append(entry(SeedContributed("kim", "late"), state.round, state.turn, "", len(entries) + 1))
    forged = MemoryStore()
    forged.append("main", entries, 0)
    forged.keep_secret("seed", SECRET)
    report = verify(forged)
    assert [check.name for check in report.checks if not check.ok] == ["dice"]
