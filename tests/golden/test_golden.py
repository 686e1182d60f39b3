"""Logs of earlier schemas read today as they read on the day they were written."""

import hashlib
import json
from pathlib import Path

import msgspec
import pytest

from affray.engine.book import MissingPackage
from affray.engine.table.policies import auto
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act
from affray.events.chain import verified
from affray.events.codec import STEPS, VERSIONS, decode, upcast
from affray.events.envelope import Entry, Event
from affray.events.errors import BrokenLog
from affray.events.exports import export_jsonl
from affray.events.facts import acts
from affray.events.facts.flow import Refused
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import apply, fold
from affray.projections.state import Combatant, Encounter, digest
from affray.projections.view import VIEW, viewed
from affray.replay.checks import Problem
from affray.replay.log.branches import fork
from affray.replay.verification.verify import verify
from tests.golden import add
from tests.golden.add import Golden, frozen_fields, golden, loaded, state_fields
from tests.relatives import RELATIVES
from tests.replay.fights import fought

HERE = Path(__file__).parent
GOLDEN = golden()
FOUGHT = fought(rounds=3).store
GROWING = ("pf1", "futurepath")
"""Dialects that do not play all of their rules yet: what comes out may cite more of them than it did."""


@pytest.mark.parametrize("one", GOLDEN, ids=lambda one: one.file)
class TestGolden:
    """Each golden log keeps its bytes, its chain and its meaning."""

    def test_its_bytes_never_change(self, one: Golden) -> None:
        """The file has the hash it was recorded with, and reading and writing it gives the same file."""
        content = (HERE / one.file).read_bytes()
        assert hashlib.sha256(content).hexdigest() == one.sha256
        copy = Lines()
        export_jsonl(loaded(one.file), copy)
        assert bytes(copy) == content

    def test_it_folds_to_the_recorded_state(self, one: Golden) -> None:
        """Chain, head and final state are those of the day, whatever the structs of the state have become."""
        store = loaded(one.file)
        events = list(verified(store.read("main")))
        assert (len(events), events[-1].digest.hex()) == (one.events, one.head)
        state = fold(events)
        assert state.closed
        assert digest(state, one.view) == one.state

    def test_the_digests_at_its_round_ends_match(self, one: Golden) -> None:
        """Every state digest of the log comes out again from the view it names."""
        state, count = Encounter(), 0
        for event in loaded(one.file).read("main"):
            fact = decode(event)
            if event.type == "round.ended":
                assert digest(state, fact.view) == fact.state
                count += 1
            apply(state, fact)
        assert count >= 4

    def test_verify_finds_chain_states_and_dice_good(self, one: Golden) -> None:
        """Whatever today's rules say, what was recorded hangs together."""
        store = loaded(one.file)
        if packages := fold(store.read("main")).packages:
            with pytest.raises(MissingPackage, match=packages[0].name):
                verify(store)
            return
        report = verify(store)
        assert [check.name for check in report.checks if not check.ok] in ([], ["outcomes"])


class Lines(bytearray):
    """Bytes to write to."""

    write = bytearray.extend


@pytest.mark.parametrize("dialect", RELATIVES)
def test_turns_of_old_ended_with_one_side_standing(dialect: str) -> None:
    """A log from when no turn came for one side alone is decided so again, refusal and newcomer included."""
    store = loaded(f"{dialect}-one-side.jsonl")
    facts = [decode(event) for event in store.read("main")]
    assert any(isinstance(fact, Refused) and "nobody's turn is running" in fact.reason for fact in facts)
    for check in verify(store).checks:
        grown = dialect in GROWING and check.name == "outcomes"
        assert check.ok or (grown and differs_in_citations(check.problem))
    state = fold(store.read("main"))
    assert not state.until_closed
    over = next(e.seq for e in store.read("main") if e.type == "refused")
    fork(store, str(over), "again", "main")
    outcome = Table(store, "again").declare(acts.EndTurn())
    assert [event.type for event in outcome.events] == ["declared"]


def differs_in_citations(problem: Problem | None) -> bool:
    """Say whether a fact comes out as it did, by more rules than were cited then: dialects still grow."""
    assert problem is not None
    recorded, found = json.loads(problem.recorded), json.loads(problem.found)
    return {*recorded.pop("cites")} < {*found.pop("cites")} and recorded == found


@pytest.mark.parametrize("dialect", ["srd35", "woa"])
def test_an_old_fight_is_played_on(dialect: str) -> None:
    """A branch of an old log goes on with events of today, and states of both views match on one line."""
    store = loaded(f"{dialect}.jsonl")
    store.keep_secret("seed", bytes.fromhex(fold(store.read("main")).seed))
    fork(store, "r3", "again", "main")
    table = Table(store, "again", answers=auto)
    while table.state.round < 5 and (act := next_act(table)) is not None:
        table.declare(act)
    ends = [event.version for event in store.read("again") if event.type == "round.ended"]
    assert set(ends) == {1, 2}
    report = verify(store, "again")
    assert report["chain"].ok
    assert report["state"].ok
    assert report["state"].count == len(ends)


def test_every_dialect_has_a_golden_log() -> None:
    """One log of the first schema for each dialect of that time, and no file beside the manifest's."""
    files = {one.file for one in GOLDEN}
    assert {f"{dialect}.jsonl" for dialect in RELATIVES} <= files
    assert files == {file.name for file in HERE.glob("*.jsonl")} - {add.MANIFEST.name}


def test_the_schemas_before_today_s_are_among_them() -> None:
    """Every version of every type that ever changed stands in some golden log."""
    seen = {(event.type, event.version) for one in GOLDEN for event in loaded(one.file).read("main")}
    stepped = {type: version for type, version in VERSIONS.items() if version > 1}
    assert stepped
    for type, version in stepped.items():
        assert {(type, number) for number in range(1, version + 1)} <= seen


def test_golden_logs_are_never_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script that adds logs refuses a name that is there, in the folder or in the manifest."""
    for name in ("MANIFEST", "HERE", "FIELDS"):
        monkeypatch.setattr(add, name, tmp_path / getattr(add, name).name if name != "HERE" else tmp_path)
    name = add.add("srd35", "new")
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(FileExistsError):
        add.add("srd35", "new")
    with pytest.raises(SystemExit, match="never change"):
        add.record(name)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_every_version_step_exists() -> None:
    """From each version of each type that is no longer written a step leads to the next, and no other."""
    wanted = {(type, version) for type, newest in VERSIONS.items() for version in range(1, newest)}
    assert set(STEPS) == wanted


def test_an_old_round_end_reads_as_one_of_view_1() -> None:
    """The step adds what the old schema left unsaid, and keeps the rest."""
    old = b'{"type":"round.ended","cites":[],"number":3,"state":"ab"}'
    assert msgspec.json.decode(upcast("round.ended", 1, 2, old)) == {
        **msgspec.json.decode(old),
        "view": 1,
    }
    for data in (b"[1]", b'"text"'):
        with pytest.raises(BrokenLog, match=r"unreadable round\.ended version 1"):
            decode(Event("main", 7, "round.ended", 1, 1, 1, "", 1, data, b""))


def test_old_round_ends_are_decided_again_in_their_own_view() -> None:
    """A fight as the first schema would have recorded it verifies, and a wrong digest in it is found."""
    for wrong in (False, True):
        made, state = MemoryStore(), Encounter()
        for e in FOUGHT.read("main"):
            fact, data, version = decode(e), e.data, e.version
            if e.type == "round.ended":
                old = digest(Encounter() if wrong else state, 1)
                value = {"type": "round.ended", "cites": fact.cites, "number": fact.number, "state": old}
                data, version = msgspec.json.encode(value), 1
            apply(state, fact)
            made.append("main", [Entry(e.type, version, e.round, e.turn, e.actor, e.cause, data)], e.seq - 1)
        report = verify(made)
        assert report.ok is not wrong
        assert report["state"].ok is report["outcomes"].ok is not wrong


def test_digested_fields_keep_their_names_and_defaults() -> None:
    """A field of the state that was released is still there with its default; a new one has a default."""
    now = state_fields()
    for kind, fields in frozen_fields().items():
        for name, default in fields.items():
            found = now[kind].get(name, "gone")
            if isinstance(default, dict) and isinstance(found, dict):
                # A struct as default may have gained fields, which are left out while they have theirs.
                found = {field: found.get(field, "gone") for field in default}
            assert found == default, f"{kind}.{name}: make a new view, keep the old"
    for kind, fields in now.items():
        for name, default in fields.items():
            if kind in frozen_fields() and name not in frozen_fields()[kind]:
                assert default != "required", f"{kind}.{name}: a new field needs a default"


def test_a_new_field_leaves_old_digests_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more fields in the state both views give the bytes they gave before, until one is used."""
    state = fold(loaded("srd35.jsonl").read("main"))
    before = [viewed(state, view) for view in (1, VIEW)]
    Grown = msgspec.defstruct(
        "Combatant", [("morale", int, 0), ("allies", tuple[str, ...], ())], bases=(Combatant,)
    )
    for id, one in state.combatants.items():
        values = {name: getattr(one, name) for name in one.__struct_fields__}
        state.combatants[id] = Grown(**values)
    assert [viewed(state, view) for view in (1, VIEW)] == before
    next(iter(state.combatants.values())).morale = 2  # type: ignore[attr-defined]
    assert viewed(state) != before[1]


def test_view_1_is_the_struct_as_it_was_encoded() -> None:
    """On the first day's fields view 1 equals the plain canonical encoding of the structs."""
    state = fold(loaded("woa.jsonl").read("main"))
    shown = msgspec.json.decode(viewed(state, 1))
    assert shown["combatants"].keys() == state.combatants.keys()
    plain = msgspec.json.decode(msgspec.json.encode(state))
    for id, fields in shown["combatants"].items():
        assert shows(fields, plain["combatants"][id])


def shows(shown: object, plain: object) -> bool:
    """Say whether all that a view shows is so; fields that came later are not shown."""
    if isinstance(shown, dict) and isinstance(plain, dict):
        return all(name in plain and shows(value, plain[name]) for name, value in shown.items())
    if isinstance(shown, list) and isinstance(plain, list):
        return len(shown) == len(plain) and all(map(shows, shown, plain))
    return shown == plain


def test_two_states_that_differ_have_two_digests() -> None:
    """Leaving out defaults hides nothing: None, 0 and an empty text stay apart."""
    base = Combatant(id="a", side="s", sheet=SHEET, at=(0, 0), space=5, reach=5, hp=1, max_hp=1)
    variants = [
        {},
        {"fixed_initiative": 0},
        {"initiative": 1},
        {"aware": False},
        {"acted": True},
        {"spent": {"move": 0}},
        {"resources": {"move": 0}},
        {"held": ("",)},
    ]
    digests = {
        digest(Encounter(combatants={"a": msgspec.structs.replace(base, **fields)})) for fields in variants
    }
    assert len(digests) == len(variants)


SHEET = fold(loaded("srd35.jsonl").read("main")).combatants["fighter"].sheet
