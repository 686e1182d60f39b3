"""Witness files: their bytes, what may follow what, and putting copies together."""

import re
import subprocess
from base64 import b64decode, b64encode
from contextlib import suppress
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from affray.events import merkle
from affray.events.errors import AffrayError, NewerLog
from affray.replay.verification import witness
from affray.replay.verification.seals import code, held
from affray.replay.verification.witness import (
    HEADER,
    NAMESPACE,
    TOOL,
    BadName,
    BadStatement,
    BadWitness,
    NotWitnessed,
    NoWitness,
    SignedAlready,
    Signers,
    Statement,
    Witness,
    added,
    against,
    check_name,
    countersignature,
    encoded,
    find_followed_seal,
    is_signature,
    is_witness,
    joined,
    make_further_statement,
    parse_statement,
    parse_witness,
    reckon,
    sign,
)
from tests.replay.fights import fought
from tests.replay.signing import FOUGHT, HEAD, HELD, NEEDS_SSH, make_keys, when, witnessed

pytestmark = NEEDS_SSH
DIGESTS = HELD.digests()


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a key for each of three people, and the file that lets them sign."""
    folder = tmp_path_factory.mktemp("keys")
    make_keys(folder)
    return folder


@pytest.fixture(scope="module")
def file(keys: Path) -> Witness:
    """Three seals: the first signed by two, the second by one, the third by all."""
    steps = (("alex", 40), ("kim", 0), ("alex", 70), ("alex", HEAD), ("kim", 0), ("lee", 0))
    return witnessed(keys, steps)


def test_no_more_sign_than_sit_at_a_table(file: Witness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not signed a seal is told of each: with any number of names that would be a file by itself."""
    monkeypatch.setattr(witness, "MOST_SIGNERS", 2)
    with pytest.raises(BadWitness, match="line 7: more than 2 people have signed"):
        parse_witness(file.data)


def test_the_format_is_the_documented_one(keys: Path, file: Witness, tmp_path: Path) -> None:
    """Each line can be checked with the digests and ssh-keygen alone, as the page about trust says."""
    header, first, second, third, *_ = file.data.splitlines(keepends=True)
    assert header == HEADER
    row = msgspec.json.decode(first)
    root = merkle.root(DIGESTS[:40])
    letters = code("main", 40, root)
    seal = "main:40:" + "-".join(letters[at : at + 4] for at in range(0, 32, 4))
    assert row["text"] == (
        f"affray/{DIGESTS[0].hex()}/main\n40\n{b64encode(root).decode()}\n"
        f"seal {seal}\nwhen {when(0)}\nby alex\n"
        f"after {b64encode(sha256(header).digest()).decode()}\n"
    )
    assert list(row) == ["text", "proof", "signature"]
    assert row["proof"] is None
    counter, later = msgspec.json.decode(second), msgspec.json.decode(third)
    assert (counter["proof"], counter["text"].splitlines()[:4]) == ([], row["text"].splitlines()[:4])
    assert after(counter) == sha256(header + first).digest()
    assert after(later) == sha256(header + first + second).digest()
    assert later["proof"] == [one.hex() for one in merkle.consistency(DIGESTS[:70], 40)]
    (tmp_path / "signature").write_text(counter["signature"])
    words = (
        "-f",
        str(keys / "allowed_signers"),
        "-I",
        "kim",
        "-n",
        NAMESPACE,
        "-s",
        str(tmp_path / "signature"),
    )
    done = subprocess.run(
        [TOOL, "-Y", "verify", *words], input=counter["text"], text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr


def after(row: dict[str, str]) -> bytes:
    """Return the hash that stands at the end of a signed text."""
    return b64decode(row["text"].splitlines()[-1].removeprefix("after "))


def test_every_good_file_is_good(keys: Path, file: Witness) -> None:
    """Read again it is the same, every signature counts, every seal is of the log."""
    assert parse_witness(file.data) == file
    found = reckon(file.data, "file", Signers(keys / "allowed_signers"), HELD, ("alex", "kim", "lee"))
    assert found.ok, found.checks
    assert [check.count for check in found.checks] == [3, 6]
    assert [found.missing(number) for number in range(3)] == [("lee",), ("kim", "lee"), ()]
    assert [seal.signers for seal in file.seals] == [("alex", "kim"), ("alex",), ("alex", "kim", "lee")]
    assert [seal.follows for seal in file.seals] == [None, *file.seals[:2]]


def rows(file: Witness) -> list[bytes]:
    """Return the lines of a file."""
    return file.data.splitlines(keepends=True)


def test_each_line_dropped_doubled_or_moved_is_named(file: Witness) -> None:
    """All but a countersignature at the end, which nothing in the file can miss."""
    lines = rows(file)
    everything = range(len(lines))
    for at in everything[:-2]:
        bad(lines[:at] + lines[at + 1 :])
    for at in everything:
        for to in everything:
            bad([*lines[:to], lines[at], *lines[to:]])
    for one, other in combinations(everything, 2):
        swapped = list(lines)
        swapped[one], swapped[other] = swapped[other], swapped[one]
        bad(swapped)


def bad(lines: list[bytes]) -> None:
    """Hold that a file of these lines is named as broken, or as none."""
    with pytest.raises((BadWitness, NoWitness)):
        parse_witness(b"".join(lines))


def test_no_byte_can_be_changed(keys: Path, file: Witness) -> None:
    """Bytes of every line in turn: what they leave is no witness file, or has a signature that is wrong."""
    signers, trusted = Signers(keys / "allowed_signers"), len(file.data) - sum(map(len, rows(file)[-2:]))
    for at in [*range(0, trusted, 3), *range(trusted, len(file.data), 23)]:
        changed = bytearray(file.data)
        changed[at] ^= 1
        try:
            found = parse_witness(bytes(changed))
        except (BadWitness, NoWitness, NewerLog):
            continue
        # Only the countersignatures of the newest seal are held by nothing behind them.
        assert at >= trusted
        assert any(signers.fault(line.said, line.signature) for line in found.lines)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "none of a seal"),
        ("by alex\n", "none of a seal"),
        ("by a lex\n", "no name"),
        ("when 2026-13-23T20:00:00Z\n", "no time"),
        ("when 0001-01-01T00:00:00Z\n", "none of a seal"),
        ("seal main:40:0000-0000-0000-0000-0000-0000-0000-0000\n", "not that of its root"),
        ("41\n", "not that of its root"),
        ("040\n", "none of a seal"),
    ],
)
def test_a_text_in_other_words_is_no_statement(file: Witness, text: str, reason: str) -> None:
    """Only what Affray writes is read, byte for byte."""
    good = next(file.lines).said.text
    assert parse_statement(good).text == good
    lines = good.splitlines(keepends=True)
    place = {"by": 5, "when": 4, "seal": 3, "41\n": 1, "040\n": 1}.get(text.split(" ")[0])
    if text == "by alex\n":
        lines[5] = "by  alex\n\n"
    elif place is not None:
        lines[place] = text
    with pytest.raises(BadStatement, match=reason):
        parse_statement("".join(lines) if text else good[:-1])


def test_names_that_a_list_of_signers_reads_otherwise_are_refused() -> None:
    """Patterns, lists, blanks and options are no names."""
    assert check_name("alex@example.org") == "alex@example.org"
    for name in ("", "*", "a,b", "a b", "!a", "-a", "a\n", "é", "a" * 101, "a?"):
        with pytest.raises(BadName, match="no name of a signer"):
            check_name(name)


def test_signatures_have_one_form() -> None:
    """Armour with other letters for the same bytes, more around it, or another frame within, is none."""
    armour = "-----BEGIN SSH SIGNATURE-----\n{}-----END SSH SIGNATURE-----\n".format
    magic, lower, empty = b"SSHSIG\0\0\0\1", b"SSHSIG\0\0\0\0", bytes(4)
    text = bytes([0, 0, 0, 2]) + b"ab"

    def of(blob: bytes) -> str:
        return armour(b64encode(blob).decode() + "\n")

    good = magic + text * 2 + empty + text * 2
    letters = b64encode(good).decode()
    assert is_signature(of(good))
    assert letters.endswith("I=")
    for wrong in (
        armour(letters[:-2] + "J=\n"),
        armour(""),
        armour("Q U\n"),
        armour("QUJD\n"),
        " " + of(good),
        of(good).replace("\n", "\r\n"),
        # ssh-keygen takes a lower version, and words in the place that is reserved.
        of(lower + text * 2 + empty + text * 2),
        of(magic + text * 5),
        of(good + empty),
        of(good[:-1]),
        of(magic + text * 2 + empty + text),
    ):
        assert not is_signature(wrong)


def test_other_kinds_of_file_are_told_apart(file: Witness) -> None:
    """Logs, exports, newer versions and files that were cut."""
    assert is_witness(HEADER)
    for other in (
        b"",
        b"{}\n",
        b'{"format":"affray-log","version":1}\n',
        b"SQLite format 3\0",
        file.data[1:],
    ):
        with pytest.raises(NoWitness):
            parse_witness(other)
    with pytest.raises(NewerLog, match="version 2"):
        parse_witness(HEADER.replace(b"1", b"2"))
    for cut in range(len(HEADER) + 1, len(file.data), 97):
        if file.data[cut - 1 : cut] != b"\n":
            with pytest.raises(BadWitness, match="cut off"):
                parse_witness(file.data[:cut])
    with pytest.raises(BadWitness, match=r"line 1 .*not as it was written"):
        parse_witness(HEADER.replace(b",", b", "), "it")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_bytes_are_a_witness_file_or_refused(file: Witness, data: st.DataObject) -> None:
    """Whatever stands in a file, in a line or in a text: a file that reads back, or one line of refusal."""
    good = rows(file)
    text = st.text(max_size=20) | st.sampled_from(msgspec.json.decode(good[1])["text"].splitlines())
    line = st.fixed_dictionaries(
        {
            "text": st.lists(text, max_size=9).map("\n".join),
            "proof": st.none() | st.lists(st.sampled_from(["", "zz", "00" * 32, "AA" * 32]), max_size=3),
            "signature": st.sampled_from(["", next(file.lines).signature]),
        }
    ).map(lambda one: msgspec.json.encode(one) + b"\n")
    deep = st.integers(0, 9000).map(lambda many: b'{"text":' + b"[" * many)
    row = line | st.binary(max_size=40) | st.sampled_from(good) | deep
    made = data.draw(st.sampled_from([HEADER, b""])) + b"".join(data.draw(st.lists(row, max_size=5)))
    with suppress(AffrayError):
        assert parse_witness(made, "it").data == made


def test_a_further_seal_continues_those_before(keys: Path, file: Witness) -> None:
    """Nothing older, no other log, no other events, nothing of nothing; the reason names the line."""
    known = witnessed(keys, (("alex", 40), ("alex", 70)))

    def offered(log: object = HELD, seq: int = HEAD, by: str = "alex", second: int = 9) -> None:
        make_further_statement(known, log, "main", by=by, when=when(second), seq=seq)  # type: ignore[arg-type]

    for seq in (40, 69, 1):
        with pytest.raises(NotWitnessed, match="already: nothing older is signed"):
            offered(seq=seq)
    with pytest.raises(NotWitnessed, match="nothing to sign"):
        offered(seq=0)
    with pytest.raises(SignedAlready, match=r"alex has signed main:70:.* already, on line 3"):
        offered(seq=70)
    with pytest.raises(NotWitnessed, match=r"line 2 .*of another log"):
        offered(held(fought(rounds=3, seed=b"other").store), seq=100)
    with pytest.raises(NotWitnessed, match=f"clock says {when(0)}, but alex signed at {when(1)}"):
        offered(second=0)
    with pytest.raises(BadName):
        offered(by="*")
    said, proof = make_further_statement(known, HELD, "main", by="kim", when=when(0), seq=70)
    assert (said.by, said.after, proof) == ("kim", known.seals[-1].before, ())


def test_forks_are_named_with_the_first_seal_that_disagrees(keys: Path, file: Witness) -> None:
    """The same beginning with other events behind it: which events, under which seal, on which line."""
    other = DIGESTS[:50] + [sha256(one).digest() for one in DIGESTS[50:]]
    log = type(HELD)("main", lambda branch: other, whole=True)
    faults = against(file, log).faults
    assert [line for line, _ in faults] == [4, 5]
    assert faults[0][1] == "main:70, signed by alex: a fork: events 41 to 70 are not those sealed"
    short = type(HELD)("main", lambda branch: DIGESTS[:60], whole=True)
    assert against(file, short).faults[0] == (4, "main:70, signed by alex: here main ends at event 60")
    assert against(file, HELD).since == 0
    assert against(witnessed(keys, (("alex", 40),)), HELD).since == HEAD - 40
    found = reckon(file.data, "file", Signers(keys / "allowed_signers"), log)
    assert (found.ok, found.checks[0].problems) == (False, 2)


def forged(
    file: Witness, keys: Path, by: str, *, seq: int, second: int, branch: str = "main", **more: object
) -> bytes:
    """Return a file with one more line that a signer makes without asking whether it may."""
    last = file.seals[-1]
    root = more.get("root", merkle.root(DIGESTS[:seq]))
    log, end = more.get("log", last.said.log), more.get("after", file.digest)
    said = Statement(str(log), branch, seq, root, when(second), by, end)  # type: ignore[arg-type]
    proof = more.get("proof", ())
    return file.data + encoded(said.text, proof, sign(said.text, keys / by))  # type: ignore[arg-type]


def test_well_signed_lines_that_do_not_fit_are_named(keys: Path) -> None:
    """Signed with a good key, and still: older seals, forks, other logs, missing and wrong proofs, clocks."""
    file = witnessed(keys, (("alex", 40), ("kim", 0), ("alex", 70)))
    proof = merkle.consistency(DIGESTS, 70)
    assert parse_witness(forged(file, keys, "alex", seq=HEAD, second=9, proof=proof))
    for reason, data in {
        "again or goes back: line 4": forged(file, keys, "alex", seq=40, second=9),
        "no proof": forged(file, keys, "alex", seq=HEAD, second=9, proof=None),
        "does not continue": forged(file, keys, "alex", seq=HEAD, second=9, proof=proof[1:]),
        "a fork: alex signed": forged(file, keys, "alex", seq=70, second=9, root=b"x" * 32),
        "of another log": forged(file, keys, "alex", seq=HEAD, second=9, log="0" * 64, proof=proof),
        "not those that alex knew": forged(
            file, keys, "alex", seq=HEAD, second=9, after=b"y" * 32, proof=proof
        ),
        "not those that kim knew": forged(file, keys, "kim", seq=70, second=9, after=file.seals[0].before),
        "needs no proof": forged(
            file, keys, "kim", seq=70, second=9, after=file.seals[1].before, proof=proof
        ),
        "by its own time": forged(file, keys, "alex", seq=HEAD, second=1, proof=proof),
        "has signed main:70 already": forged(
            file, keys, "alex", seq=70, second=9, after=file.seals[1].before
        ),
    }.items():
        with pytest.raises(BadWitness, match=re.escape(reason)):
            parse_witness(data)
    own = parse_witness(forged(file, keys, "alex", seq=50, second=9, branch="other", proof=None))
    assert own.seals[-1].follows is None
    with pytest.raises(BadWitness, match="does not continue"):
        parse_witness(forged(file, keys, "alex", seq=HEAD, second=9, branch="other", proof=()))


def test_a_branch_continues_the_last_seal_where_it_does(keys: Path) -> None:
    """A line of another name is tied to the last seal by its proof, or else is told as a line of its own."""
    file = witnessed(keys, (("alex", 40),))
    log = type(HELD)(
        "main",
        lambda branch: DIGESTS[:60] if branch == "main" else DIGESTS[:30] + [b"z" * 32] * 30,
        whole=True,
    )
    late = type(HELD)("late", lambda branch: DIGESTS[: 40 if branch == "main" else 55], whole=True)
    said, proof = make_further_statement(file, late, "", by="alex", when=when(5))
    assert (said.branch, proof) == ("late", merkle.consistency(DIGESTS[:55], 40))
    said, proof = make_further_statement(file, log, "early", by="alex", when=when(5))
    assert proof is None
    grown = added(file, said, proof, sign(said.text, keys / "alex"))
    assert grown.seals[1].follows is None
    assert find_followed_seal(grown, "alex", Witness()) is grown.seals[1]
    assert find_followed_seal(grown, "kim", Witness()) is None
    assert against(grown, HELD).faults[0][1].startswith("early:60, signed by alex")


def test_what_follows_from_a_signature_is_what_it_was_grown_to(keys: Path) -> None:
    """Signed once, every later seal follows by its proof; signed in a copy kept elsewhere, it counts too."""
    file = witnessed(keys, (("alex", 40), ("kim", 0), ("alex", 70), ("alex", HEAD)))
    assert find_followed_seal(file, "kim", Witness()) is file.seals[0]
    assert find_followed_seal(file, "lee", Witness()) is None
    assert find_followed_seal(file, "lee", witnessed(keys, (("lee", 70),))) is file.seals[1]
    assert find_followed_seal(Witness(), "lee", Witness()) is None


def test_copies_signed_by_several_are_put_together(keys: Path) -> None:
    """In whatever order they come, the same file; a name that signed twice counts once."""
    base = witnessed(keys, (("alex", 40), ("alex", 70)))

    def signed(by: str, second: int, file: Witness = base) -> Witness:
        said = countersignature(file, by=by, when=when(second))
        return added(file, said, (), sign(said.text, keys / by))

    kim, lee, again = signed("kim", 12), signed("lee", 11), signed("kim", 14)
    whole, late = joined([("a", kim), ("b", lee)])
    assert (joined([("b", lee), ("c", again), ("a", kim)]), late) == ((whole, ()), ())
    assert whole.seals[-1].signers == ("alex", "lee", "kim")
    assert signed("kim", 10, lee).seals[-1].signers == ("alex", "kim", "lee")
    said, proof = make_further_statement(lee, HELD, "main", by="alex", when=when(20))
    longer = added(lee, said, proof, sign(said.text, keys / "alex"))
    for copies in ([("a", kim), ("b", longer)], [("b", longer), ("a", kim)]):
        found, late = joined(copies)
        assert found == longer
        assert [one.partition(": ")[0].split(" signed")[0] for one in late] == ["kim"]
    assert joined([("a", Witness()), ("b", longer)]) == (longer, ())


def test_copies_that_part_are_named(keys: Path) -> None:
    """Two seals signed behind the same lines: who was shown what is said, nothing is put together."""
    base = (("alex", 40), ("kim", 0))
    one, other = witnessed(keys, (*base, ("alex", 70))), witnessed(keys, (*base, ("alex", HEAD)))
    with pytest.raises(
        NotWitnessed, match=f"a and b part at line 4: main:70:.* by alex and main:{HEAD}:.* by alex"
    ):
        joined([("a", one), ("b", other)])


def test_of_many_bad_signatures_some_are_enough(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long file of nonsense takes no longer than a short one."""
    monkeypatch.setattr(witness, "MOST_FAULTS", 2)
    file = witnessed(keys, (("alex", 40), ("kim", 0), ("lee", 0), ("alex", 70)))
    nobody = keys / "nobody"
    nobody.write_text("")
    found = reckon(file.data, "file", Signers(nobody))
    signed = found.checks[1]
    assert (signed.count, signed.problems, signed.note) == (2, 2, "only the first 2 were looked at")
    assert set(found.faults) == {2, 3}


def test_the_log_of_the_tests_is_long_enough() -> None:
    """The seals of these tests lie apart."""
    assert HEAD > 71
    assert held(FOUGHT).digests() == DIGESTS
