"""Copies of a salted log: the same seal, no guess confirmed, more shown later."""

from collections.abc import Callable
from io import BytesIO
from typing import Any

import msgspec
import pytest

from affray.engine.dice import Seeded, seed_of
from affray.engine.table.scenario import packaged, set_up
from affray.engine.table.table import Table
from affray.engine.table.tactics import next_act, play_on
from affray.events.chain import SALT_KEY
from affray.events.envelope import Event
from affray.events.errors import BrokenExport
from affray.events.exports import (
    DifferentLines,
    Header,
    Redacted,
    Withheld,
    export_jsonl,
    import_jsonl,
    write_redacted,
)
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.projections.fold import fold
from affray.projections.state import freeze
from affray.replay.log.branches import fork
from affray.replay.privacy.redaction import Redaction, audit_redacted, combine, export_redacted
from affray.replay.verification.seals import prove, proven, sealed
from affray.replay.verification.verify import verify
from tests.replay.guessing import recovered


def a_fight(salted: bool = True, seed: bytes | None = None, rounds: int = 3) -> MemoryStore:
    """Return the first rounds of the packaged fight."""
    store = MemoryStore()
    table = set_up(packaged("demo_srd35"), store, seed=seed, salted=salted)
    table.declare(acts.Begin())
    play_on(table, rounds)
    return store


FOUGHT = a_fight()
EVENTS = list(FOUGHT.read("main"))
SEAL = sealed(FOUGHT)


def copied(store: MemoryStore = FOUGHT, side: str = "heroes", hide: tuple[str, ...] = ()) -> list[bytes]:
    """Return the lines of the copy for a side."""
    out = BytesIO()
    export_redacted(store, "main", out, Redaction(store, "main", side=side, hide=hide))
    return out.getvalue().splitlines(keepends=True)


def showing(shown: Callable[[Event], bool]) -> list[bytes]:
    """Return the lines of a copy that shows some events."""
    out = BytesIO()
    write_redacted(
        EVENTS, out, branch="main", count=SEAL.seq, seal=str(SEAL), why=lambda e: "" if shown(e) else "no"
    )
    return out.getvalue().splitlines(keepends=True)


def test_every_event_has_a_salt_of_its_own() -> None:
    """They follow from the seed: the same fight has the same digests, with another seed none is the same."""
    assert len({event.salt for event in EVENTS}) == len(EVENTS)
    assert list(a_fight().read("main")) == EVENTS
    assert not {e.salt for e in a_fight(seed=b"other").read("main")} & {e.salt for e in EVENTS}
    assert {e.salt for e in a_fight(salted=False).read("main")} == {b""}
    assert freeze(fold(a_fight(salted=False).read("main"))) == freeze(fold(EVENTS))


def test_no_hidden_die_is_found_out() -> None:
    """The script that recovers every hidden roll of a copy without salts recovers none of one with them."""
    plain = a_fight(salted=False)
    found, hidden = recovered(copied(plain), plain.read("main"))
    assert found == hidden > 10
    assert recovered(copied(), EVENTS) == (0, hidden)


@pytest.mark.parametrize("rules", [{"side": "heroes"}, {"side": "", "hide": ("ogre",)}])
def test_nothing_that_is_shown_confirms_a_guess(rules: dict[str, Any]) -> None:
    """The digest of the whole state at a round's end covers hidden hit points: it is not shown either."""
    assert "round.ended" in {event.type for event in EVENTS}
    shown = [one for one in Redacted(copied(**rules)).events() if isinstance(one, Event)]
    assert not {"round.ended", "encounter.closed"} & {event.type for event in shown}
    assert {"round.began", "turn.began", "moved"} <= {event.type for event in shown}


def test_of_a_hidden_event_its_place_is_all_that_is_told() -> None:
    """Its line holds the position and the digest: no kind, no round, no reason, no salt."""
    lines, hidden = copied(), 0
    for event, one, line in zip(EVENTS, Redacted(lines).events(), lines[1:], strict=False):
        if isinstance(one, Withheld):
            hidden += 1
            assert msgspec.json.decode(line) == {"seq": event.seq, "digest": event.digest.hex()}
        else:
            assert one == event
    assert hidden > 20
    assert audit_redacted(lines, SEAL).hidden == hidden
    text = b"".join(lines)
    for event, one in zip(EVENTS, Redacted(lines).events(), strict=True):
        assert (event.salt.hex().encode() in text) == isinstance(one, Event)


@pytest.mark.parametrize("side", ["heroes", "monsters"])
def test_the_same_seal_holds(side: str) -> None:
    """Whoever was given which part: the seal noted for the log is that of the copy."""
    audit = audit_redacted(copied(side=side), SEAL)
    assert (audit.verdict.outcome, audit.seal) == ("same", SEAL)
    assert proven(prove(FOUGHT, 9), SEAL)


def test_another_salt_or_another_text_is_found() -> None:
    """Neither can a shown event be altered so that its digest fits with another salt."""
    lines = copied()
    for number, line in enumerate(lines[1:-1], start=1):
        if b'"salt":"' not in line:
            continue
        for changed in (
            line.replace(b'"salt":"', b'"salt":"0', 1).replace(b'"}', b"0", 0),
            line[: line.index(b',"salt"')] + b"}\n",
            line.replace(b'"round":', b'"round":1', 1),
        ):
            if changed == line:
                continue
            with pytest.raises(BrokenExport):
                list(Redacted([*lines[:number], changed, *lines[number + 1 :]]).events())


def test_copies_are_put_together() -> None:
    """What one of them shows the new one shows; at the end all of it, under the same seal."""
    first, second = copied(), copied(side="monsters")
    out = BytesIO()
    events, hidden = combine([first, second], out)
    lines = out.getvalue().splitlines(keepends=True)
    shown = [[isinstance(one, Event) for one in Redacted(each).events()] for each in (first, second, lines)]
    assert shown[2] == [a or b for a, b in zip(shown[0], shown[1], strict=True)]
    assert (events, hidden) == (len(EVENTS), shown[2].count(False))
    assert audit_redacted(lines, SEAL).verdict.outcome == "same"
    rest = showing(lambda event: not shown[2][event.seq - 1])
    out = BytesIO()
    assert combine([lines, rest], out) == (len(EVENTS), 0)
    assert list(Redacted(out.getvalue().splitlines(keepends=True)).events()) == EVENTS


def test_a_copy_given_away_earlier_is_taken_up() -> None:
    """The log went on since: the earlier, shorter copy goes into the longer one."""
    early = 40
    out = BytesIO()
    write_redacted(EVENTS[:early], out, branch="main", count=early, seal="", why=lambda event: "")
    shorter = out.getvalue().splitlines(keepends=True)
    for copies in ([shorter, copied()], [copied(), shorter]):
        out = BytesIO()
        combine(copies, out)
        lines = out.getvalue().splitlines(keepends=True)
        assert list(Redacted(lines).events())[:early] == EVENTS[:early]
        assert audit_redacted(lines, SEAL).verdict.outcome == "same"


def test_copies_of_other_lines_are_not_mixed() -> None:
    """Another fight, or another branch, is refused and named."""
    with pytest.raises(DifferentLines, match="part at event 1"):
        combine([copied(), copied(a_fight(seed=b"other"))], BytesIO())
    lines = copied()
    header = msgspec.json.decode(lines[0], type=Header)
    other = msgspec.json.encode(msgspec.structs.replace(header, branch="other")) + b"\n"
    with pytest.raises(DifferentLines, match="different branches: main, other"):
        combine([lines, [other, *lines[1:]]], BytesIO())


def test_a_salted_log_is_exported_imported_and_played_on() -> None:
    """Its salts go along, its key does not: what is played on has salts of a new key."""
    out = BytesIO()
    export_jsonl(FOUGHT, out)
    assert out.getvalue().startswith(b'{"format":"affray-log","version":2,')
    again = MemoryStore()
    import_jsonl(out.getvalue().splitlines(keepends=True), again)
    assert list(again.read("main")) == EVENTS
    assert again.secret(SALT_KEY) is None
    assert verify(again).ok
    whole = list(a_fight(rounds=5).read("main"))
    fork(again, "r3", "on", "main")
    table = Table(again, "on", dice=Seeded(seed_of(packaged("demo_srd35").seed)))
    act = next_act(table)
    assert act is not None
    salts = [event.salt for event in table.declare(act).events]
    assert {len(salt) for salt in salts} == {16}
    assert not {*salts} & {event.salt for event in whole}
    assert verify(again, "on").ok
    plain = BytesIO()
    export_jsonl(a_fight(salted=False), plain)
    assert plain.getvalue().startswith(b'{"format":"affray-log","version":1,')
    assert b'"salt"' not in plain.getvalue()
