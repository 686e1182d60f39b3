"""Seals: what they name, how they are read aloud, and what a comparison says."""

from hashlib import sha256
from pathlib import Path

import msgspec
import pytest

from affray.events import merkle
from affray.events.errors import BrokenLog
from affray.events.stores.memory import MemoryStore
from affray.events.stores.store import Store
from affray.replay.log.branches import fork
from affray.replay.verification.seals import (
    BadSeal,
    NotThere,
    Seal,
    compared,
    parse_seal,
    prove,
    proven,
    sealed,
)
from tests.cli.conftest import Run, copy, played, run  # noqa: F401
from tests.replay.fights import fought

FOUGHT = fought(rounds=3).store
HEAD = FOUGHT.head("main").seq


def beginning(upto: int) -> MemoryStore:
    """Return the first events of the fight as a log of their own."""
    store = MemoryStore()
    store.restore(FOUGHT.branches(), FOUGHT.read("main", 0, upto))
    return store


def test_the_format_is_the_documented_one() -> None:
    """The seal can be computed from the digests alone, as the page about trust says."""
    digests = [event.digest for event in FOUGHT.read("main")]
    framed = b"affray seal 1\x004:main" + f"{HEAD}:".encode() + merkle.root(digests)
    bits = "".join(f"{byte:08b}" for byte in sha256(framed).digest()[:20])
    alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    letters = "".join(alphabet[int(bits[at : at + 5], 2)] for at in range(0, 160, 5))
    code = "-".join(letters[at : at + 4] for at in range(0, 32, 4))
    assert str(sealed(FOUGHT)) == f"main:{HEAD}:{code}"


def test_a_seal_is_read_however_it_was_written() -> None:
    """Case, blanks and letters that look like digits do not matter; a wrong letter does."""
    seal = sealed(FOUGHT)
    text = str(seal)
    code = text.split(":")[2]
    assert parse_seal(text) == seal
    assert parse_seal(f"  {text.lower().replace('main', 'main')} ") == seal
    for spoken in (
        code.replace("-", " "),
        code.replace("-", ""),
        code.lower().replace("0", "o").replace("1", "l"),
    ):
        assert compared(FOUGHT, parse_seal(spoken)).outcome == "same"
    wrong = code[:-1] + ("7" if code[-1] != "7" else "8")
    assert compared(FOUGHT, parse_seal(wrong)).outcome == "other"
    for bad in ("", "main", code[:-1], f"main:x:{code}", f"{text}:1", code.replace(code[0], "U")):
        with pytest.raises(BadSeal, match="not a seal"):
            parse_seal(bad)


@pytest.mark.parametrize("whole", [True, False])
def test_a_comparison_says_what_differs(whole: bool) -> None:
    """Longer, shorter and other logs are told apart; without its length a shorter one is just other."""

    def seal(store: Store) -> Seal:
        made = sealed(store)
        return made if whole else Seal("", -1, made.code)

    short = beginning(40)
    assert compared(FOUGHT, seal(FOUGHT)).outcome == "same"
    longer = compared(FOUGHT, seal(short))
    assert (longer.outcome, longer.told) == (
        "longer",
        f"longer: events 1 to 40 are as they were sealed, {HEAD - 40} more follow",
    )
    assert compared(short, seal(FOUGHT)).outcome == ("shorter" if whole else "other")
    assert compared(fought(rounds=3, seed=b"other").store, seal(short)).outcome == "other"
    assert compared(FOUGHT, seal(MemoryStore())).outcome == "longer"


def test_each_branch_has_its_own_seal() -> None:
    """A branch is sealed with what it has from its parent, under its own name."""
    store = beginning(60)
    fork(store, "50", "other", "main")
    main, other = sealed(store, "main"), sealed(store, "other")
    assert (main.seq, other.seq) == (60, 50)
    assert sealed(store, "main", 50).code != other.code
    assert compared(store, other).outcome == "same"
    assert "of branch 'other'" in compared(store, other, "main").told


def test_a_broken_chain_is_never_sealed() -> None:
    """The seal covers digests, so the digests are compared with the events first."""

    class Edited(MemoryStore):
        def read(self, stream, after=0, upto=None):  # type: ignore[no-untyped-def]
            for e in super().read(stream, after, upto):
                yield msgspec.structs.replace(e, data=e.data + b" ") if e.seq == 7 else e

    store = Edited()
    store.restore(FOUGHT.branches(), FOUGHT.read_all())
    for ask in (lambda: sealed(store), lambda: compared(store, sealed(FOUGHT)), lambda: prove(store, 3)):
        with pytest.raises(BrokenLog, match="main#7"):
            ask()


def test_a_proof_holds_for_one_event_under_one_seal() -> None:
    """Without the log a proof shows that an event stands in it, and nothing else can be made of it."""
    seal = sealed(FOUGHT)
    proof = prove(FOUGHT, 17)
    assert proven(proof, seal)
    assert proven(proof, Seal("", -1, seal.code))
    assert len(proof.path) <= HEAD.bit_length()
    assert not proven(proof, sealed(FOUGHT, "main", HEAD - 1))
    other = prove(FOUGHT, 18)
    for forged in (
        {"seq": 18},
        {"digest": other.digest},
        {"path": other.path},
        {"size": HEAD - 1},
        {"branch": "b"},
        {"root": "00" * 32},
        {"root": "zz"},
    ):
        assert not proven(msgspec.structs.replace(proof, **forged), seal)
    for seq in (0, HEAD + 1):
        with pytest.raises(NotThere, match=f"goes from 1 to {HEAD}"):
            prove(FOUGHT, seq)


def test_the_command(copy: Path, tmp_path: Path, run: Run) -> None:  # noqa: F811
    """Seal, compare, compare with an earlier seal, and prove one event, by status and by JSON."""
    seal = run("seal", copy).stdout.strip()
    assert msgspec.json.decode(run("seal", copy, "--json").stdout)["seal"] == seal
    assert run("seal", copy, "--check", seal).exit_code == 0
    early = run("seal", copy, "--at", 100).stdout.strip()
    result = run("seal", copy, "--check", early)
    assert (result.exit_code, result.stdout.startswith("longer: events 1 to 100")) == (1, True)
    assert run("seal", copy, "--check", early, "--grown").exit_code == 0
    told = msgspec.json.decode(run("seal", copy, "--check", early, "--json").stdout)
    assert (told["ok"], told["outcome"], told["seal"]) == (False, "longer", seal)
    proof = tmp_path / "proof.json"
    proof.write_text(run("seal", copy, "--prove", 52).stdout)
    assert run("seal", proof, "--check", seal).exit_code == 0
    assert run("seal", proof, "--check", early).exit_code == 1
    proof.write_text('{"a": 1}')
    assert run("seal", proof, "--check", seal).exit_code == 2


@pytest.mark.parametrize(
    "words", [("--check", "nonsense"), ("--at", "9999"), ("--grown",), ("--prove", "1", "--check", "x")]
)
def test_bad_usage_is_one_line(copy: Path, run: Run, words: tuple[str, ...]) -> None:  # noqa: F811
    """What cannot be answered ends with 2 and one line."""
    result = run("seal", copy, *words)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
