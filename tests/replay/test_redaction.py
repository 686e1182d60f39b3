"""Redacted exports: what they hide, what they still prove, and what they cannot be used for."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from affray.engine.table.scenario import packaged, play
from affray.events.chain import SALT_KEY, digest
from affray.events.codec import TAG_OF, decode, encode
from affray.events.envelope import Event
from affray.events.errors import AffrayError, BrokenExport, NewerLog, NotALog
from affray.events.exports import Hidden, Redacted, import_jsonl
from affray.events.facts import acts
from affray.events.stores.memory import MemoryStore
from affray.projections.state import Encounter
from affray.replay.privacy.audience import Audience, AudienceFilter
from affray.replay.privacy.redaction import Redaction, audit_redacted, export_redacted
from affray.replay.privacy.visibility import NUMBERS, OPEN, whose
from affray.replay.verification.seals import sealed
from tests.cli.conftest import Run, copy, played, run  # noqa: F401


class Plain(MemoryStore):
    """A log without salts, as older releases wrote it; `test_salted_copies` is about the others."""

    def keep_secret(self, name: str, value: bytes) -> None:
        """Keep all but the key that salts are made from."""
        if name != SALT_KEY:
            super().keep_secret(name, value)


def a_fight() -> MemoryStore:
    """Return the packaged fight, closed."""
    store = Plain()
    play(packaged("demo_srd35"), store).declare(acts.Close(reason="over"))
    return store


FOUGHT = a_fight()
SEAL = sealed(FOUGHT)


class Lines(bytearray):
    """Bytes to write to."""

    write = bytearray.extend


def exported(side: str = "", hide: tuple[str, ...] = ()) -> list[bytes]:
    """Return the lines of a redacted export."""
    out = Lines()
    export_redacted(FOUGHT, "main", out, Redaction(FOUGHT, "main", side=side, hide=hide))  # type: ignore[arg-type]
    return bytes(out).splitlines(keepends=True)


HEROES = exported("heroes")


def shown(lines: list[bytes]) -> Iterator[Event]:
    """Yield the events that a redacted export shows."""
    for one in Redacted(lines).events():
        if isinstance(one, Event):
            yield one


def resealed(lines: list[bytes], hidden: int | None = None) -> list[bytes]:
    """Return the lines with header and end that fit, as a careful forger writes them."""
    header = msgspec.json.decode(lines[0])
    header["events"] = len(lines) - 2
    body = [msgspec.json.encode(header) + b"\n", *lines[1:-1]]
    count = sum(b'"hidden":"' in line for line in body) if hidden is None else hidden
    end = {"events": len(body) - 1, "hidden": count, "sha256": sha256(b"".join(body)).hexdigest()}
    return [*body, msgspec.json.encode(end) + b"\n"]


def test_every_event_stays_in_its_place() -> None:
    """Position, round, turn and digest of all events are those of the log; only data is missing."""
    events = list(FOUGHT.read("main"))
    for event, one in zip(events, Redacted(HEROES).events(), strict=True):
        if isinstance(one, Hidden):
            assert (one.stream, one.seq, one.round, one.turn) == (
                event.stream,
                event.seq,
                event.round,
                event.turn,
            )
            assert bytes.fromhex(one.digest) == event.digest
        else:
            assert one == event


def test_a_side_sees_no_numbers_of_the_other() -> None:
    """No sheet, roll, check, damage or hit point of the monsters is shown, and the heroes' own are."""
    side = {e.id: e.side for e in map(decode, FOUGHT.read("main")) if type(e).__name__ == "CombatantEntered"}
    seen = set()
    for event in shown(HEROES):
        fact = decode(event)
        for field in NUMBERS.get(event.type, ()):
            assert side.get(getattr(fact, field), "heroes") == "heroes", event
            seen.add(event.type)
        if event.type == "declared" and isinstance(fact.act, acts.Enter):
            assert fact.act.side == "heroes"
    assert {"rolled", "combatant.entered", "hit-points.changed"} <= seen
    assert any(event.type == "moved" and event.actor == "ogre" for event in shown(HEROES))
    text = b"".join(HEROES)
    assert b"greatclub" not in b"".join(line for line in HEROES if b'"combatant.entered"' in line)
    assert b'"seed"' not in text


@pytest.mark.parametrize("dialect", ["srd35", "pf1", "woa", "futurepath"])
def test_a_copy_shows_no_more_than_the_served_table(dialect: str) -> None:
    """In a fight with refusals, whoever the copy is for; what is nobody's is decided on afterwards."""
    store = Plain()
    table = play(packaged(f"demo_{dialect}"), store)
    for one in list(table.state.combatants):
        table.declare(acts.Attack(actor=one, target="nobody"))
    types = set()
    for side in {one.side for one in table.state.combatants.values()}:
        redaction = Redaction(store, "main", side=side)
        eyes = AudienceFilter(Audience(frozenset({side})), Encounter())
        for event in store.read("main"):
            fact = decode(event)
            eyes.learn(event, fact)
            if eyes.why(event, fact) and not (event.type in NUMBERS and not any(whose(event, fact))):
                types.add(event.type)
                assert redaction.why(event), (side, event)
            if event.type == "rolled" and fact.who in table.state.combatants:
                assert bool(redaction.why(event)) is (table.state.combatants[fact.who].side != side)
    assert {"condition.gained", "refused", "reaction.spent"} <= types


def test_a_hidden_combatant_is_named_nowhere() -> None:
    """Neither sheet nor order nor any roll tells of it, whether its id or its name was given."""
    lines = exported(hide=("gharm",))
    assert lines == exported(hide=("ogre",))
    assert b'"ogre' not in b"".join(lines)
    assert audit_redacted(lines, SEAL).verdict.outcome == "same"
    assert any(event.type == "turn.began" for event in shown(lines))


def test_a_tie_that_tells_a_result_is_hidden() -> None:
    """The reason of an order may hold another side's initiative: then the event is hidden, else shown."""
    redaction = Redaction(FOUGHT, "main", side="heroes")
    (event,) = [e for e in FOUGHT.read("main") if e.type == "order.set"][:1]
    for why, hidden in (("", False), ("fighter, ogre at 15 by a roll-off", True), ("fighter at 9", False)):
        fact = msgspec.structs.replace(decode(event), why=why)
        assert bool(redaction.why(msgspec.structs.replace(event, data=encode(fact)))) is hidden


def test_the_same_seal_holds() -> None:
    """Whatever is hidden, the seal that was noted for the log is the seal of the file."""
    for lines in (HEROES, exported("monsters"), exported("heroes", ("ogre",))):
        audit = audit_redacted(lines, SEAL)
        assert (audit.verdict.outcome, audit.seal) == ("same", SEAL)
        assert 0 < audit.hidden < audit.events == SEAL.seq
        assert audit_redacted(lines).verdict.outcome == "same"


def test_every_type_of_event_has_a_rule() -> None:
    """A new type is hidden from other sides until somebody says what it shows."""
    assert NUMBERS.keys() | OPEN == set(TAG_OF.values())
    assert not NUMBERS.keys() & OPEN
    for kind, tag in TAG_OF.items():
        assert set(NUMBERS.get(tag, ())) <= set(kind.__struct_fields__)


def test_an_edited_event_is_named() -> None:
    """Every shown event is compared with its digest, also one that follows a hidden one."""
    for number, line in enumerate(HEROES[1:-1], start=2):
        if b'"hidden":"' in line:
            continue
        lines = list(HEROES)
        lines[number - 1] = line.replace(b'"cites":', b'"cited":').replace(b'"id":"d', b'"id":"e')
        if lines[number - 1] == line:
            lines[number - 1] = line.replace(b'"round":', b'"round":1')
        with pytest.raises(BrokenExport) as caught:
            audit_redacted(resealed(lines), SEAL)
        assert (caught.value.line, caught.value.seq) == (number, number - 1)


def test_nothing_can_be_dropped_or_reordered() -> None:
    """Missing, doubled and swapped lines are named; a cut end is shorter than the seal."""
    at = 60
    swapped = [*HEROES[:at], HEROES[at + 1], HEROES[at], *HEROES[at + 2 :]]
    dropped = [*HEROES[:at], *HEROES[at + 1 :]]
    for lines in (swapped, dropped):
        with pytest.raises(BrokenExport, match="stands where event 60 was expected"):
            audit_redacted(resealed(lines), SEAL)
    assert audit_redacted(resealed([*HEROES[:at], HEROES[-1]]), SEAL).verdict.outcome == "shorter"
    for lines in (
        HEROES[:-1],
        [*HEROES, b"more\n"],
        [*HEROES[:-1], HEROES[-1].replace(b'"hidden":', b'"hidden":1')],
    ):
        with pytest.raises(BrokenExport):
            audit_redacted(lines, SEAL)


def test_another_digest_of_a_hidden_event_is_found_by_the_seal() -> None:
    """In a run of hidden events a swapped digest is only covered by the seal, and the seal finds it."""
    numbers = [n for n, line in enumerate(HEROES) if b'"hidden":"' in line]
    first = next(n for n in numbers if n + 1 in numbers)
    lines = list(HEROES)
    digest = msgspec.json.decode(lines[first])["digest"].encode()
    lines[first] = lines[first].replace(digest, b"ab" * 32)
    verdict = audit_redacted(resealed(lines), SEAL).verdict
    assert verdict.outcome == "other"
    last = max(n for n in numbers if n + 1 not in numbers and n + 2 < len(lines))
    lines = list(HEROES)
    digest = msgspec.json.decode(lines[last])["digest"].encode()
    lines[last] = lines[last].replace(digest, b"ab" * 32)
    with pytest.raises(BrokenExport, match=f"main#{last + 1}"):
        audit_redacted(resealed(lines), SEAL)


def test_importing_it_is_refused(tmp_path: Path, run: Run) -> None:  # noqa: F811
    """A log with holes is no log: one clear line, status 2, and no file is left."""
    path, db = tmp_path / "r.jsonl", tmp_path / "r.db"
    path.write_bytes(b"".join(HEROES))
    with pytest.raises(NotALog, match="redacted export: it can be verified but not imported"):
        import_jsonl(HEROES, MemoryStore())
    result = run("import", path, "--db", db)
    assert (result.exit_code, db.exists(), result.stderr.count("\n")) == (2, False, 1)
    assert "redacted" in result.stderr


def test_unknown_sides_combatants_and_formats_are_refused() -> None:
    """A slip of the pen never exports more than was meant; a newer format is named."""
    for wrong in ({"side": "hero"}, {"hide": ("goblin king",)}):
        with pytest.raises(AffrayError, match=r"there are|there is no combatant"):
            Redaction(FOUGHT, "main", **wrong)  # type: ignore[arg-type]
    with pytest.raises(NewerLog, match="format version 3"):
        Redacted([HEROES[0].replace(b'"version":1', b'"version":3')])
    with pytest.raises(NotALog):
        Redacted([b"{}\n"])


def test_the_commands(copy: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    """Export for the players, verify with and without the seal, and with a wrong one."""
    out = tmp_path / "players.jsonl"
    result = run("export", copy, "--format", "jsonl", "--for", "heroes", "--hide", "ogre", "--out", out)
    assert result.exit_code == 0, result.output
    seal = run("seal", copy).stdout.strip()
    result = run("verify", out)
    assert result.exit_code == 0
    assert f"compare the seal: {seal}" in result.stdout
    told = msgspec.json.decode(run("verify", out, "--seal", seal, "--json").stdout)
    assert (told["ok"], told["outcome"], told["compared"]) == (True, "same", "the seal")
    early = run("seal", copy, "--at", 100).stdout.strip()
    assert run("verify", out, "--seal", early).exit_code == 1
    assert run("verify", out, "--branch", "other").exit_code == 2
    assert run("export", copy, "--format", "markdown", "--hide", "ogre").exit_code == 2
    assert run("export", copy, "--format", "jsonl", "--for", "nobody").exit_code == 2


def test_a_guess_can_be_confirmed() -> None:
    """What redaction cannot do: whoever guesses every byte of a hidden event sees that the guess is right.

    A hidden die has few faces. This is a stated limit, and the test keeps the page about it honest.
    """
    events = list(FOUGHT.read("main"))
    lines = [msgspec.json.decode(line) for line in HEROES[1:-1]]
    hidden = next(e for e in events if e.type == "rolled" and "hidden" in lines[e.seq - 1])
    before = bytes.fromhex(lines[hidden.seq - 2]["digest"])
    fact = decode(hidden)
    hits = []
    for face in range(1, 21):
        guess = msgspec.structs.replace(fact, faces=(face,), total=face)
        data = encode(guess)
        place = {name: getattr(hidden, name) for name in ("stream", "seq", "round", "turn", "actor", "cause")}
        if (
            digest(before, type="rolled", version=1, data=data, **place).hex()
            == lines[hidden.seq - 1]["digest"]
        ):
            hits.append(face)
    assert hits == [fact.faces[0]]
