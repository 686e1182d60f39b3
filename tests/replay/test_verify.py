"""Verify finds a log that was broken on purpose, and says where."""

import json
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from affray.engine.dice import Scripted, Seeded, commitment
from affray.engine.table import dice as tables
from affray.engine.table.policies import ask
from affray.engine.table.table import Table
from affray.events.codec import decode, encode
from affray.events.envelope import Entry, Event
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.checks import Report
from affray.replay.cli.verify import differing, lines
from affray.replay.verification.verify import verify
from tests.replay.fights import SEED, fought, opened

Edit = Callable[[list[Entry]], object]
FOUGHT = fought(rounds=4).store


def forged(store: Store, edit: Edit, secret: bytes | None = SEED) -> Store:
    """Return the log after `edit` changed its entries, chained anew as a careful forger would do it."""
    entries = [
        Entry(e.type, e.version, e.round, e.turn, e.actor, e.cause, e.data) for e in store.read("main")
    ]
    edit(entries)
    made = MemoryStore()
    made.append("main", entries, 0)
    if secret is not None:
        made.keep_secret("seed", secret)
    return made


def at(entries: list[Entry], type: str, nth: int = 0) -> int:
    """Return the index of the nth entry of a type."""
    return [index for index, entry in enumerate(entries) if entry.type == type][nth]


def changed(entry: Entry, **fields: Any) -> Entry:
    """Return an entry whose fact differs in some fields."""
    fact = decode(Event("main", 1, *[getattr(entry, n) for n in entry.__struct_fields__], b""))
    return msgspec.structs.replace(entry, data=encode(msgspec.structs.replace(fact, **fields)))


def failing(report: Report) -> list[str]:
    """Return the names of the checks that found a problem."""
    return [check.name for check in report.checks if not check.ok]


def test_a_log_as_it_was_played_is_good() -> None:
    """Every check looks at something and finds nothing; all seeded dice are compared with the seed."""
    report = verify(FOUGHT)
    assert report.ok
    assert failing(report) == []
    assert report.events == FOUGHT.head("main").seq
    assert all(check.count for check in report.checks)
    assert "seeded ones compared with the seed" in report["dice"].note


def test_a_revealed_seed_is_enough() -> None:
    """Without the kept secret the seed of the closing event proves the dice."""
    report = verify(forged(FOUGHT, lambda entries: None, secret=None))
    assert report.ok
    assert "seeded ones compared with the seed" in report["dice"].note


def test_while_the_seed_is_secret_seeded_dice_are_taken_on_trust() -> None:
    """An open encounter without its secret verifies and says what could not be checked."""
    report = verify(forged(fought(close=False).store, lambda entries: None, secret=None))
    assert report.ok
    assert "cannot be checked" in report["dice"].note


def test_a_changed_die_is_found_by_the_seed_and_by_the_rules() -> None:
    """Another face with its total mended is not what the seed gives, and the outcome does not follow."""
    where = 0

    def edit(entries: list[Entry]) -> None:
        nonlocal where
        where = at(entries, "rolled", 6)
        face = 1 if b'"faces":[1]' not in entries[where].data else 2
        entries[where] = changed(entries[where], faces=(face,), total=face)

    report = verify(forged(FOUGHT, edit))
    assert failing(report)[:1] == ["dice"]
    assert "outcomes" in failing(report)
    problem = report["dice"].problem
    assert problem is not None
    assert problem.seq == where + 1
    assert problem.recorded
    assert problem.found


def test_a_total_that_the_dice_do_not_show_is_found() -> None:
    """Faces and total must agree even where nobody knows a seed."""

    def edit(entries: list[Entry]) -> None:
        entries[at(entries, "rolled")] = changed(entries[at(entries, "rolled")], total=99)

    assert "dice" in failing(verify(forged(FOUGHT, edit, secret=None)))


def test_a_roll_forged_with_all_its_consequences_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fight played with other dice that are labelled as seeded follows the rules but not the seed.

    An Affray that does not look at what it is given can write such a log.
    """

    class Loaded:
        def __init__(self) -> None:
            self.honest = Seeded(SEED)

        def throw(self, key: str, notation: Any) -> Any:
            answer = self.honest.throw(key, notation)
            assert answer is not None
            if "/attack/" not in key:
                return answer
            return msgspec.structs.replace(answer[0], faces=(20,), total=20), "seeded"

    monkeypatch.setattr(tables, "checked_dice", lambda dice, seeded, sealed: dice or seeded)
    report = verify(fought(dice=Loaded()).store)
    assert failing(report) == ["dice"]
    assert report["dice"].problems > 3


def test_a_changed_rule_is_found_at_the_first_outcome_that_differs() -> None:
    """With another figure in the catalogue the problem shows the event as recorded and as it would be."""
    report = verify(FOUGHT, changes={"srd35.ac.formula/base": 11})
    assert failing(report) == ["outcomes"]
    problem = report["outcomes"].problem
    assert problem is not None
    event = next(iter(FOUGHT.read("main", problem.seq - 1, problem.seq)))
    assert event.type == "attack.resolved"
    assert problem.recorded == event.data.decode()
    assert problem.found != problem.recorded
    # After each difference it goes on with what was recorded: every attack differs, nothing else does.
    count = sum(1 for each in FOUGHT.read("main") if each.type == "attack.resolved")
    assert 1 < report["outcomes"].problems <= count


@pytest.mark.parametrize(
    "type", ["declared", "rolled", "attack.resolved", "hit-points.changed", "combatant.entered", "turn.began"]
)
def test_a_dropped_event_is_found(type: str) -> None:
    """Taking any kind of event out of the log is noticed although the chain was mended."""

    def edit(entries: list[Entry]) -> None:
        gone = at(entries, type, 3)
        del entries[gone]
        for index, entry in enumerate(entries):
            if entry.cause > gone + 1:
                entries[index] = msgspec.structs.replace(entry, cause=entry.cause - 1)

    assert not verify(forged(FOUGHT, edit)).ok


def test_an_edited_state_digest_is_found() -> None:
    """A digest at a round's end that is not that of the state is named with both versions."""

    def edit(entries: list[Entry]) -> None:
        where = at(entries, "round.ended", 1)
        entries[where] = changed(entries[where], state="0" * 64)

    report = verify(forged(FOUGHT, edit))
    assert failing(report) == ["state", "outcomes"]
    assert report["state"].problem is not None
    assert report["state"].problem.recorded == "0" * 64


def test_swapped_events_are_found() -> None:
    """Two events of one declaration in the wrong order are noticed."""

    def edit(entries: list[Entry]) -> None:
        where = at(entries, "damage.resolved")
        entries[where], entries[where + 1] = entries[where + 1], entries[where]

    assert failing(verify(forged(FOUGHT, edit))) == ["outcomes"]


def test_a_wrong_seed_opens_no_commitment() -> None:
    """A revealed seed that was not the sealed one is a problem of the dice."""

    def edit(entries: list[Entry]) -> None:
        where = at(entries, "encounter.closed")
        entries[where] = changed(entries[where], seed=b"another".hex())

    report = verify(forged(FOUGHT, edit, secret=None))
    assert "dice" in failing(report)
    assert "does not open" in str(report["dice"].problem)
    report = verify(forged(FOUGHT, lambda entries: None, secret=b"another"))
    assert report.ok, "the revealed seed opens the commitment, whatever is kept beside the log"


def test_a_wrong_secret_opens_no_commitment_either() -> None:
    """While nothing is revealed, the seed kept beside the log must be the sealed one."""
    report = verify(forged(fought(close=False).store, lambda entries: None, secret=b"another"))
    assert failing(report) == ["dice"]
    assert report["dice"].problem is not None
    assert report["dice"].problem.seq == 1


def test_a_commitment_put_in_afterwards_is_found() -> None:
    """With the commitment of another seed in the opening event, seed and dice no longer agree with it."""

    def edit(entries: list[Entry]) -> None:
        entries[0] = changed(entries[0], commitment=commitment(b"another"))

    assert "dice" in failing(verify(forged(FOUGHT, edit)))


def test_a_broken_chain_is_found_and_the_rest_is_still_judged() -> None:
    """An edited event breaks the chain at its place; the other checks speak all the same."""
    store = MemoryStore()
    events = list(FOUGHT.read("main"))
    events[20] = msgspec.structs.replace(events[20], actor="somebody")
    store.restore(FOUGHT.branches(), events)
    report = verify(store)
    assert report["chain"].problems == 1
    assert report["chain"].problem is not None
    assert report["chain"].problem.seq == 21
    assert report["outcomes"].count


def test_a_declaration_said_twice_is_found() -> None:
    """Ids and keys must be unique along a line."""

    def edit(entries: list[Entry]) -> None:
        where = at(entries, "declared", 6)
        entries[where] = changed(entries[where], id="d2")

    assert "structure" in failing(verify(forged(FOUGHT, edit)))


def test_a_fight_that_waits_verifies() -> None:
    """An open question at the end is no fault, and the report says what the fight waits for."""
    table = waiting()
    report = verify(table.store)
    assert report.ok
    assert "attack of opportunity" in report["outcomes"].note
    table.choose("take")
    assert verify(table.store).ok


def test_a_voided_declaration_verifies_as_far_as_it_went() -> None:
    """What was recorded before the ruling is decided again, and play goes on after it."""
    table = waiting()
    table.declare(acts.Rule(verdict="void", text="let it be", author="gm"))
    table.declare(acts.EndTurn(actor=table.state.active))
    assert verify(table.store).ok


def test_dice_of_any_origin_verify() -> None:
    """Scripted dice are recorded as such and need no seed."""
    report = verify(fought(rounds=2, dice=Scripted({"attack": [12] * 20}, Seeded(SEED))).store)
    assert report.ok
    assert "scripted" in report["dice"].note


def test_progress_is_told() -> None:
    """A long log tells how far it is."""
    told: list[int] = []
    verify(fought(rounds=40, close=False, seed=b"long").store, progress=told.append)
    assert told == sorted(told)


def waiting() -> Table:
    """Return a fight that waits for somebody to take an attack of opportunity or not."""
    table = opened(answers=ask)
    while table.state.round < 2:  # who has not acted yet is flat-footed and takes no such attack
        table.declare(acts.EndTurn(actor=table.state.active))
    who = table.state.combatants[table.state.active]
    away = {"fighter": (3, 1), "rogue": (4, 4), "ogre": (5, 1), "goblin": (1, 4)}[who.id]
    table.declare(acts.Move(actor=who.id, path=(away,)))
    assert table.waiting is not None
    return table


def test_rules_that_changed_are_told_apart_from_a_log_that_was_changed() -> None:
    """Recorded by another release, nothing but outcomes differs: so it says; not where more is wrong."""

    def older(entries: list[Entry]) -> None:
        entries[0] = changed(entries[0], engine="affray 0.0.1")

    base = {"srd35.ac.formula/base": 11}
    old = verify(forged(FOUGHT, older), changes=base)
    assert (old.ok, old.otherwise, old.other_rules) == (False, True, True)
    assert lines(old)[-1].endswith("today's rules differ from those it was recorded under")
    assert "they have changed, or the log was remade" in lines(old)[-2]
    assert "recorded by affray 0.0.1 srd35/" in old["outcomes"].note
    same = verify(FOUGHT, changes=base)
    assert (same.otherwise, same.other_rules) == (True, False)
    assert lines(same)[-1].endswith("the log is NOT as it was recorded")

    def touched(entries: list[Entry]) -> None:
        older(entries)
        entries[at(entries, "rolled")] = changed(entries[at(entries, "rolled")], total=99)

    tampered = verify(forged(FOUGHT, touched), changes=base)
    assert not tampered.otherwise
    assert lines(tampered)[-1].endswith("the log is NOT as it was recorded")
    assert verify(forged(FOUGHT, older)).ok


def test_a_difference_is_shown_without_what_is_the_same() -> None:
    """Of a whole sheet the one figure is left that differs, and what is long is cut."""
    sheet = {"name": "a", "weapons": [{"name": "axe"}, {"name": "bow", "range": 60}]}
    other = {"name": "a", "weapons": [{"name": "axe"}, {"name": "bow", "range": 70}]}
    told = [json.dumps({"type": "combatant.entered", "sheet": one}) for one in (sheet, other)]
    assert differing(*told) == (
        'combatant.entered {"sheet":{"weapons":[{"range":60}]}}',
        'combatant.entered {"sheet":{"weapons":[{"range":70}]}}',
    )
    assert [len(one) for one in differing("x" * 500, "y")] == [240, 1]
