"""Witness files: signed seals of one log, written, checked and added to."""

import os
import re
import subprocess
from base64 import b64decode, b64encode
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from msgspec import Struct

from affray.events import merkle
from affray.events.errors import AffrayError, NewerLog, UnknownStream, counted
from affray.events.validation import Unreadable, read_json
from affray.replay.checks import Check, Problem
from affray.replay.verification.seals import LogDigests, Seal, code, roots

# --- What is signed: that a line of play was this one at one moment, said by one person
#
# The text begins as a checkpoint of a transparency log does (C2SP tlog-checkpoint: origin, number of leaves,
# root in base64), and goes on with lines of its own:
#
#     affray/c2a1...64 hexadecimal digits.../main
#     246
#     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
#     seal main:246:7K3M-9QXT-0ABC-DEFG-HJKM-NPQR-STVW-XYZ0
#     when 2026-11-23T20:44:00Z
#     by alex
#     after q1pz...=
#
# The origin names the log by the digest of its first event, and the line of play. `after` is sha256 over the
# witness file that the signer had before it, so who signs vouches for all that came before. Every line ends
# with a line feed.

_TEXT = re.compile(
    r"affray/(?P<log>[0-9a-f]{64})/(?P<branch>[A-Za-z0-9][A-Za-z0-9._-]{0,63})\n"
    r"(?P<seq>[1-9][0-9]{0,14})\n"
    r"(?P<root>[A-Za-z0-9+/]{43}=)\n"
    r"seal (?P<seal>[^\n]{1,200})\n"
    r"when (?P<when>2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\n"
    r"by (?P<by>[^\n]{1,100})\n"
    r"after (?P<after>[A-Za-z0-9+/]{43}=)\n"
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9@._+-]{0,99}")
_WHEN = "%Y-%m-%dT%H:%M:%SZ"


class BadName(AffrayError):
    """A signer's name that no list of signers could hold."""


class BadStatement(ValueError):
    """A text that nobody who signs with Affray has signed."""


class Statement(Struct, frozen=True):
    """That `branch` of the log whose first event has the digest `log` had this root after `seq` events.

    Said by `by`, at `when` by the signer's own clock (UTC), knowing the file of which `after` is the sha256.
    """

    log: str
    branch: str
    seq: int
    root: bytes
    when: str
    by: str
    after: bytes

    @property
    def seal(self) -> Seal:
        """The seal of the line as it was."""
        return Seal(self.branch, self.seq, code(self.branch, self.seq, self.root))

    @property
    def text(self) -> str:
        """What the signature covers, in ASCII."""
        return (
            f"affray/{self.log}/{self.branch}\n{self.seq}\n{_base64(self.root)}\nseal {self.seal}\n"
            f"when {self.when}\nby {self.by}\nafter {_base64(self.after)}\n"
        )


def parse_statement(text: str) -> Statement:
    """Return what a signed text says. Raises BadStatement, also for one written otherwise."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise BadStatement("the signed text is none of a seal")
    root, after = b64decode(match["root"]), b64decode(match["after"])
    names = match["log"], match["branch"], int(match["seq"])
    said = Statement(*names, root, match["when"], match["by"], after)
    if not _NAME.fullmatch(said.by):
        raise BadStatement("it is signed by no name")
    try:
        datetime.strptime(said.when, _WHEN)
    except ValueError:
        raise BadStatement(f"{said.when} is no time") from None
    if said.text != text:
        raise BadStatement("the seal in the signed text is not that of its root")
    return said


def check_name(name: str) -> str:
    """Return a signer's name. Raises BadName for one that a list of signers could read otherwise."""
    if not _NAME.fullmatch(name):
        allowed = "letters, digits and @ . _ + -, a letter or digit first, 100 at most"
        raise BadName(f"{name!r} is no name of a signer: {allowed}")
    return name


def now() -> str:
    """Return the time of this machine's clock as statements say it."""
    return datetime.now(UTC).strftime(_WHEN)


def format_local_time(when: str) -> str:
    """Return a statement's time as ssh-keygen reads one: this machine's time zone, YYYYMMDDHHMMSS."""
    return datetime.strptime(when, _WHEN).replace(tzinfo=UTC).astimezone().strftime("%Y%m%d%H%M%S")


def _base64(data: bytes) -> str:
    return b64encode(data).decode()


# --- SSH signatures by the system's `ssh-keygen -Y`: Affray neither signs nor checks anything by itself
#
# Keys stay where they are: ssh-keygen gets their paths, reads them or asks the agent, and asks for the
# passphrase on the terminal. Who may sign under which name stands in a file of allowed signers
# (ssh-keygen(1), ALLOWED SIGNERS).

NAMESPACE = "affray-seal"
"""What signatures are made for: one that was made for something else, as a file or mail, does not count."""

TOOL = "ssh-keygen"
WANTED = "OpenSSH 8.9 or newer"
SECONDS_TO_SIGN = 300
"""So long somebody may take for the passphrase, or to touch the key."""

SECONDS_TO_CHECK = 20
_ARMOUR = re.compile(
    r"-----BEGIN SSH SIGNATURE-----\n((?:[A-Za-z0-9+/=]{1,76}\n)+)-----END SSH SIGNATURE-----\n"
)
_MAGIC = b"SSHSIG\x00\x00\x00\x01"
_STRINGS, _RESERVED = 5, 2
_OWN = ("Could not verify signature.", "Signing data on standard input", "sig_verify:")


class NoTool(AffrayError):
    """ssh-keygen is not installed, or so old that it knows no signatures."""


class NotSigned(AffrayError):
    """ssh-keygen made no signature: no key, no agent, a wrong passphrase."""


class NoSigners(AffrayError):
    """No file of allowed signers, or of revoked keys, or one that cannot be read."""


class Signers:
    """Who may sign: a file of allowed signers, and where there is one a file of revoked keys."""

    def __init__(self, allowed: Path, revoked: Path | None = None) -> None:
        """Take the files as they are. Raises NoSigners if one is not there."""
        for path, what in ((allowed, "allowed signers"), (revoked, "revoked keys")):
            if path is not None and not os.access(path, os.R_OK):
                raise NoSigners(f"{path}: no file of {what} that can be read (see ssh-keygen(1))")
            if path is not None and not path.is_file():
                raise NoSigners(f"{path}: no file of {what}")
        self.allowed, self.revoked = allowed, revoked

    def fault(self, said: Statement, signature: str) -> str:
        """Return what is wrong with a signature, "" if the signer's own key made it for this very text.

        Keys count at the time that the statement says. Raises NoTool.
        """
        with TemporaryDirectory(prefix="affray-") as folder:
            file = Path(folder, "signature")
            file.write_text(signature, encoding="ascii")
            at = ("-O", f"verify-time={format_local_time(said.when)}", "-s", str(file))
            who = ("verify", "-f", str(self.allowed), "-I", said.by, "-n", NAMESPACE, *at)
            revoked = () if self.revoked is None else ("-r", str(self.revoked))
            if (done := _keygen(*who, *revoked, text=said.text)).returncode == 0:
                return ""
            # Why not is told by no status: it is asked for piece by piece.
            whole = _keygen("check-novalidate", "-n", NAMESPACE, "-s", str(file), text=said.text)
            if whole.returncode:
                return f"the signature is not one of this text: {_reason(whole) or 'ssh-keygen rejects it'}"
            if revoked and _keygen(*who, text=said.text).returncode == 0:
                return f"the key of {said.by} is revoked in {self.revoked}, or that is no list of keys"
            found = _keygen("find-principals", "-f", str(self.allowed), *at, text="")
            if names := found.stdout.replace(",", " ").split():
                if said.by not in names:
                    return f"signed with the key of {', '.join(names)}, not of {said.by}"
                return _reason(done) or f"{said.by} may not sign seals with this key (see {self.allowed})"
            # A key that is out of its time is found for nobody, but ssh-keygen says why.
            return _reason(done) or f"an unknown key, which {self.allowed} gives to nobody"


def sign(text: str, key: Path) -> str:
    """Return the signature over a text by a private key, or by the agent for a public one; armoured.

    The passphrase is asked for on the terminal, by ssh-keygen. Raises NoTool and NotSigned.
    """
    if not key.is_file():
        raise NotSigned(f"{key}: no key of that name; make one: ssh-keygen -t ed25519 -f {key}")
    done = _keygen("sign", "-n", NAMESPACE, "-f", str(key), text=text, seconds=SECONDS_TO_SIGN)
    if done.returncode or not is_signature(done.stdout):
        raise NotSigned(f"{key}: nothing was signed: {_hint(_reason(done))}")
    return done.stdout


def is_signature(text: str) -> bool:
    """Say whether a text is an SSH signature in armour, written in the one way that its bytes have."""
    match = _ARMOUR.fullmatch(text)
    if match is None:
        return False
    letters = match[1].replace("\n", "")
    try:
        blob = b64decode(letters, validate=True)
    except ValueError:
        return False
    return b64encode(blob).decode() == letters and _is_framed(blob)


def _is_framed(blob: bytes) -> bool:
    """Say whether bytes have the one frame of an SSH signature (PROTOCOL.sshsig); ssh-keygen takes others.

    Behind the magic and version 1 stand five strings with their lengths: key, namespace, a reserved one that
    is empty, hash and signature. What they hold is for ssh-keygen to say.
    """
    if not blob.startswith(_MAGIC):
        return False
    at = len(_MAGIC)
    strings: list[bytes] = []
    while at < len(blob) and len(strings) < _STRINGS:
        size = int.from_bytes(blob[at : at + 4], "big")
        strings.append(blob[at + 4 : at + 4 + size])
        at += 4 + size
    return at == len(blob) and len(strings) == _STRINGS and not strings[_RESERVED]


def _keygen(
    what: str, *words: str, text: str, seconds: float = SECONDS_TO_CHECK
) -> "subprocess.CompletedProcess[str]":
    """Run `ssh-keygen -Y what` on a text. Raises NoTool, NotSigned when it takes too long."""
    try:
        done = subprocess.run(
            [TOOL, "-Y", what, *words],
            input=text,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C"},
            timeout=seconds,
            check=False,
        )
    except FileNotFoundError:
        raise NoTool(f"{TOOL} is not installed: signatures need {WANTED}") from None
    except OSError as error:
        raise NoTool(f"{TOOL} cannot be run: {error.strerror}") from error
    except subprocess.TimeoutExpired:
        raise NotSigned(f"{TOOL} -Y {what} gave no answer in {seconds:.0f} seconds") from None
    if "unknown option" in done.stderr or "Unsupported operation" in done.stderr:
        raise NoTool(f"{TOOL} is too old: signatures need {WANTED}")
    return done


def _reason(done: "subprocess.CompletedProcess[str]") -> str:
    """Return what ssh-keygen complained of, in one line."""
    lines = [line.strip() for line in f"{done.stderr}\n{done.stdout}".splitlines()]
    return "; ".join(line for line in lines if line and not line.startswith(_OWN))


def _hint(reason: str) -> str:
    """Return a complaint about a key with what helps."""
    if "incorrect passphrase" in reason:
        return "wrong passphrase, or none was asked for where there is no terminal"
    if "UNPROTECTED PRIVATE KEY" in reason:
        return "others may read the key (chmod 600 it)"
    if "No private key found" in reason or "agent" in reason:
        return f"{reason} (a public key needs the agent: ssh-add KEY)"
    if "Couldn't load public key" in reason or "invalid format" in reason:
        return f"{reason} (is it a private key of SSH, or its .pub?)"
    return reason or f"{TOOL} said nothing"


# --- The witness file: signed seals of one log, one below the other, each the continuation of the one before
#
# JSON Lines. A header, then one line for each signature:
#
#     {"format":"affray-witness","version":1}
#     {"text":"affray/c2a1.../main\n246\n...","proof":null,"signature":"-----BEGIN SSH SIGNATURE-----\n..."}
#
# `text` is what was signed (`statement`), `signature` the SSH signature as ssh-keygen writes it. The first
# line on a seal brings the `proof` that it continues the last seal of the same branch (RFC 6962, hashes in
# hexadecimal digits, in the order of the standard). For the first seal of a branch the proof is from the
# last seal in the file, or null where it continues none. Further lines on the same seal are
# countersignatures, with an empty proof.
#
# The signed `after` of a first line is sha256 over all bytes before the line, the one of a countersignature
# over all bytes up to and with the seal's first line. So several people can sign one seal at the same time,
# each on a copy; their lines stand in the order of their times, then names. As soon as a further seal is
# signed, nothing before it can be added, dropped, moved or changed.

FORMAT = "affray-witness"
VERSION = 1
HEADER = b'{"format":"affray-witness","version":1}\n'
MAX_BYTES = 20_000_000
"""The most bytes of such a file: one of another kind cannot fill the memory."""

MAX_LINE = 20_000
MOST_SIGNERS = 200
"""More people than sit at any table: of each seal it is told who has not signed it."""


class NoWitness(AffrayError):
    """A file of another kind."""


class BadWitness(AffrayError):
    """A line that was changed, or stands where it cannot; `line` counts from 1, the header's."""

    status = 1

    def __init__(self, line: int, reason: str, file: str = "") -> None:
        super().__init__(f"broken witness file: line {line}{f' of {file}' if file else ''}: {reason}")
        self.line, self.reason = line, reason


class _Format(Struct, frozen=True):
    format: str
    version: int


class Written(Struct, frozen=True, forbid_unknown_fields=True):
    """A line as it stands in the file."""

    text: str
    proof: tuple[str, ...] | None
    signature: str


class Signed(Struct, frozen=True):
    """A line of the file: its number from 1, its bytes, and what they say."""

    number: int
    data: bytes
    said: Statement
    proof: tuple[bytes, ...] | None
    signature: str


class SignedSeal(Struct, frozen=True):
    """A seal with all its signatures: the line that brought it, and the countersignatures behind it.

    `follows` is the seal in the file that it continues, None where it is the first of a line of play and
    continues none. `before` is the sha256 over the file up to and with its first line.
    """

    lines: tuple[Signed, ...]
    follows: "SignedSeal | None"
    before: bytes

    @property
    def first(self) -> Signed:
        """The line that brought the seal."""
        return self.lines[0]

    @property
    def said(self) -> Statement:
        """What the first who signed it said."""
        return self.lines[0].said

    @property
    def signers(self) -> tuple[str, ...]:
        """Who has signed it, in the order of the file."""
        return tuple(line.said.by for line in self.lines)


class Witness(Struct, frozen=True):
    """A witness file that hangs together: its bytes, and the seals in it. No signature has been looked at."""

    data: bytes = HEADER
    seals: tuple[SignedSeal, ...] = ()

    @property
    def last(self) -> SignedSeal | None:
        """The newest seal."""
        return self.seals[-1] if self.seals else None

    @property
    def digest(self) -> bytes:
        """The sha256 over the whole file."""
        return sha256(self.data).digest()

    @property
    def lines(self) -> Iterator[Signed]:
        """All signed lines, in their order."""
        return (line for seal in self.seals for line in seal.lines)

    @property
    def everybody(self) -> tuple[str, ...]:
        """Who has signed anything, in the order in which they first did."""
        return tuple(dict.fromkeys(line.said.by for line in self.lines))

    def last_of(self, branch: str) -> SignedSeal | None:
        """Return the newest seal of a branch."""
        return next((seal for seal in reversed(self.seals) if seal.said.branch == branch), None)

    def followed(self, branch: str) -> SignedSeal | None:
        """Return the seal that the next one of this branch has to continue, or may as its first."""
        return self.last_of(branch) or self.last


def is_witness(first: bytes) -> bool:
    """Say whether a file with this first line is a witness file."""
    try:
        return bool(read_json(first, _Format).format == FORMAT)
    except Unreadable:
        return False


def parse_witness(data: bytes, file: str = "") -> Witness:
    """Return what a witness file holds, every line compared with those before it; no signature is looked at.

    Raises BadWitness for the first line that does not fit, NoWitness for a file of another kind, NewerLog.
    """
    rows = data.splitlines(keepends=True)
    if not rows or not is_witness(rows[0]):
        raise NoWitness(f"{file or 'it'}: no witness file: its first line is no header of {FORMAT!r}")
    if (version := read_json(rows[0], _Format).version) > VERSION:
        raise NewerLog(
            f"{file or 'it'}: a witness file of version {version}, this Affray reads up to {VERSION}"
        )
    reader = _Reader(file)
    if rows[0] != HEADER:
        raise reader.bad("it is not as it was written")
    for row in rows[1:]:
        reader.read(row)
    return Witness(data, tuple(reader.seals()))


def encoded(text: str, proof: Sequence[bytes] | None, signature: str) -> bytes:
    """Return the line of a signature, line feed included."""
    path = None if proof is None else tuple(one.hex() for one in proof)
    return msgspec.json.encode(Written(text, path, signature)) + b"\n"


class _Reader:
    """Reads line after line, and knows what may follow."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.number = 1
        self._all = sha256(HEADER)
        self._open: list[Signed] = []
        self._follows: SignedSeal | None = None
        self._before = b""
        self._seals: list[SignedSeal] = []
        self._latest: dict[str, SignedSeal] = {}
        self._clocks: dict[str, str] = {}

    def bad(self, reason: str) -> BadWitness:
        """Return what is said of the line that is being read."""
        return BadWitness(self.number, reason, self.file)

    def seals(self) -> list[SignedSeal]:
        """Return the seals that have been read."""
        self._close()
        return self._seals

    def read(self, row: bytes) -> None:
        """Take the next line."""
        self.number += 1
        line = self._line(row)
        said = line.said
        if self._seals or self._open:
            known = (self._open or self._seals[-1].lines)[0].said.log
            if said.log != known:
                raise self.bad(f"{said.by} signed {said.branch}:{said.seq} of another log")
        if said.when < self._clocks.get(said.by, ""):
            raise self.bad(f"{said.by} signed it before the line above of the same name, by its own time")
        if self._open and _sealed_as(self._open[0].said) == _sealed_as(said):
            self._countersigned(line)
        else:
            self._sealed(line)
        self._clocks[said.by] = said.when
        if len(self._clocks) > MOST_SIGNERS:
            raise self.bad(f"more than {MOST_SIGNERS} people have signed")
        self._all.update(row)
        if len(self._open) == 1:
            self._before = self._all.digest()

    def _line(self, row: bytes) -> Signed:
        if not row.endswith(b"\n"):
            raise self.bad("it is cut off")
        if len(row) > MAX_LINE:
            raise self.bad(f"it is longer than {MAX_LINE} bytes")
        try:
            written: Written = read_json(row, Written)
            said = parse_statement(written.text)
            proof = None if written.proof is None else tuple(bytes.fromhex(one) for one in written.proof)
        except (Unreadable, BadStatement) as error:
            raise self.bad(str(error)) from None
        except ValueError:
            raise self.bad("its proof holds something that is no hash") from None
        if not is_signature(written.signature):
            raise self.bad("it holds no SSH signature")
        if encoded(written.text, proof, written.signature) != row:
            raise self.bad("it is not as it was written")
        return Signed(self.number, row, said, proof, written.signature)

    def _countersigned(self, line: Signed) -> None:
        """Take a further signature of the newest seal."""
        first, last, said = self._open[0], self._open[-1], line.said
        if (same := next((one for one in self._open if one.said.by == said.by), None)) is not None:
            raise self.bad(f"{said.by} has signed {said.branch}:{said.seq} already, on line {same.number}")
        if said.after != self._before:
            raise self.bad(_unknown(said))
        if line.proof != ():
            raise self.bad("a countersignature needs no proof")
        if last is not first and (last.said.when, last.said.by) > (said.when, said.by):
            raise self.bad(f"{said.by} signed before {last.said.by} on line {last.number}: they are swapped")
        self._open.append(line)

    def _sealed(self, line: Signed) -> None:
        """Take the first signature of a further seal."""
        self._close()
        said = line.said
        before = self._latest.get(said.branch)
        if before is not None:
            earlier = f"line {before.first.number} has {before.said.seal} by {', '.join(before.signers)}"
            if said.seq == before.said.seq and said.root != before.said.root:
                raise self.bad(f"a fork: {said.by} signed {said.seal}, {earlier}")
            if said.seq <= before.said.seq:
                raise self.bad(f"{said.by} signed {said.seal} again or goes back: {earlier}")
            if line.proof is None:
                raise self.bad(f"no proof that {said.seal} continues it: {earlier}")
        if said.after != self._all.digest():
            raise self.bad(_unknown(said))
        if before is None and self._seals:
            before = self._seals[-1]
        if line.proof is None:
            before = None
        elif before is None:
            raise self.bad("a proof, but no seal before it")
        else:
            was = before.said
            if not merkle.consistent(was.root, was.seq, said.root, said.seq, line.proof):
                raise self.bad(
                    f"{said.seal} of {said.by} does not continue {was.seal} (line {before.first.number})"
                )
        self._follows = before
        self._open.append(line)

    def _close(self) -> None:
        if self._open:
            seal = SignedSeal(tuple(self._open), self._follows, self._before)
            self._seals.append(seal)
            self._latest[seal.said.branch] = seal
            self._open = []


def _sealed_as(said: Statement) -> tuple[str, int, bytes]:
    return said.branch, said.seq, said.root


def _unknown(said: Statement) -> str:
    return (
        f"the lines before it are not those that {said.by} knew: one was changed, dropped, added or moved, "
        f"or {said.by} signed another copy"
    )


# --- What a witness file comes to: its signatures, its seals beside the log, who has signed and who has not

MOST_FAULTS = 20
"""After so many signatures that do not count no others are looked at: each takes the system some time."""


class SealComparison(Struct, frozen=True):
    """What the seals of a file are beside a log: the faults with their lines, what could not be compared.

    `since` is how many events the log holds behind the newest seal.
    """

    faults: tuple[tuple[int, str], ...] = ()
    unseen: tuple[str, ...] = ()
    since: int = 0


class WitnessResult(Struct, frozen=True):
    """What was found of a file: the checks, and the file itself where it hangs together.

    `faults` says of lines by number what is wrong with the seal or the signature.
    """

    checks: tuple[Check, ...]
    witness: Witness | None
    expected: tuple[str, ...]
    faults: dict[int, str] = {}

    @property
    def ok(self) -> bool:
        """Whether every check passed."""
        return all(check.ok for check in self.checks)

    def missing(self, number: int) -> tuple[str, ...]:
        """Return who is expected, or has signed another seal, but not that of this number (from 0)."""
        if self.witness is None:
            return ()
        signed = self.witness.seals[number].signers
        return tuple(one for one in self.expected if one not in signed)


def against(witness: Witness, held: LogDigests) -> SealComparison:
    """Compare every seal of a file with what is held of a log. O(events).

    A copy that holds one line of play alone says nothing of other lines.
    """
    sizes: dict[str, set[int]] = defaultdict(set)
    for seal in witness.seals:
        sizes[seal.said.branch].add(seal.said.seq)
    found, ends, first = {}, {}, {}
    for branch, wanted in sizes.items():
        try:
            digests = held.digests(branch)
        except UnknownStream:
            continue
        found[branch], ends[branch] = roots(digests, wanted), len(digests)
        first[branch] = digests[0].hex() if digests else ""
    faults, unseen = [], []
    good: dict[str, int] = {}
    for seal in witness.seals:
        said, line = seal.said, seal.first.number
        place = f"{said.branch}:{said.seq}, signed by {', '.join(seal.signers)}"
        if said.branch not in found:
            if held.whole:
                faults.append((line, f"{place}: the log has no line of play {said.branch!r}"))
            else:
                unseen.append(str(said.seal))
        elif first[said.branch] != said.log:
            faults.append((line, f"{place}, is of another log: its first event is not the one here"))
        elif said.seq > ends[said.branch]:
            faults.append((line, f"{place}: here {said.branch} ends at event {ends[said.branch]}"))
        elif found[said.branch][said.seq] != said.root:
            agreed = good.get(said.branch, 0)
            faults.append((line, f"{place}: a fork: events {agreed + 1} to {said.seq} are not those sealed"))
        else:
            good[said.branch] = said.seq
    last = witness.last
    end = ends.get(last.said.branch, 0) if last is not None else 0
    since = end - last.said.seq if last is not None and not faults and end else 0
    return SealComparison(tuple(faults), tuple(unseen), since)


def reckon(
    data: bytes, file: str, signers: Signers, held: LogDigests | None = None, expected: Sequence[str] = ()
) -> WitnessResult:
    """Check a witness file: its lines, its signatures, and where a log is held every seal beside that.

    The newest seal must be signed by all who are `expected`. Raises NoWitness, NewerLog, NoTool.
    """
    asks = "each seal is of this log and" if held is not None else "each seal"
    seals = Check("witness", f"{asks} continues the one before")
    signed = Check("signed", "every signature is its signer's")
    try:
        witness = parse_witness(data, file)
    except BadWitness as error:
        _bad(seals, file, error.line, error.reason)
        return WitnessResult((seals,), None, tuple(expected))
    seals.count = len(witness.seals)
    faults: dict[int, str] = {}
    if held is not None:
        beside = against(witness, held)
        for line, told in beside.faults:
            faults[line] = told
            _bad(seals, file, line, told)
        notes = [f"{counted(beside.since, 'event')} since"] if beside.since else []
        if beside.unseen:
            notes.append(f"not compared, of other lines of play: {', '.join(beside.unseen)}")
        seals.note = "; ".join(notes)
    for one in witness.lines:
        if signed.problems == MOST_FAULTS:
            signed.note = f"only the first {signed.count} were looked at"
            break
        signed.count += 1
        if fault := signers.fault(one.said, one.signature):
            faults.setdefault(one.number, fault)
            _bad(signed, file, one.number, fault)
    last = witness.last
    if last is None:
        _bad(seals, file, 1, "it holds no seal")
    for name in expected:
        if last is not None and name not in last.signers:
            _bad(signed, file, last.first.number, f"{last.said.seal} is not signed by {name}")
    everybody = dict.fromkeys((*witness.everybody, *expected))
    return WitnessResult((seals, signed), witness, tuple(everybody), faults)


def _bad(check: Check, file: str, line: int, what: str) -> None:
    check.problems += 1
    check.problem = check.problem or Problem(file, line, what)


# --- What may be added to a witness file: a further seal, a countersignature, the lines of another copy

Proof = tuple[bytes, ...] | None


class NotWitnessed(AffrayError):
    """What was to be signed or put together is not what was signed before: the answer is no."""

    status = 1


class SignedAlready(AffrayError):
    """Nothing to add: the same name has signed the same seal."""


def make_further_statement(
    witness: Witness, held: LogDigests, branch: str, *, by: str, when: str, seq: int | None = None
) -> tuple[Statement, Proof]:
    """Return what is to be signed of a line of play, up to event `seq`, and its proof. O(events).

    That is a countersignature where the newest seal in the file is this very one. Raises NotWitnessed where
    the file holds a seal that the line does not continue, SignedAlready, BadName, NotThere, UnknownStream.
    """
    branch = branch or held.main
    digests = held.upto(branch, seq)
    if not digests:
        raise NotWitnessed(f"{branch}: without an event there is nothing to sign")
    _check_clock(witness, check_name(by), when)
    if faults := against(witness, held).faults:
        line, told = faults[0]
        raise NotWitnessed(f"line {line} of the witness file: {told}; nothing was signed")
    log, root = digests[0].hex(), merkle.root(digests)
    last = witness.last
    if last is not None and (last.said.branch, last.said.seq, last.said.root) == (branch, len(digests), root):
        return countersignature(witness, by=by, when=when), ()
    follows, proof = witness.followed(branch), None
    if follows is not None:
        was = follows.said
        if was.branch == branch and was.seq >= len(digests):
            raise NotWitnessed(f"the witness file has {was.seal} already: nothing older is signed behind it")
        if was.seq <= len(digests) and merkle.root(digests[: was.seq]) == was.root:
            proof = merkle.consistency(digests, was.seq)
    return Statement(log, branch, len(digests), root, when, by, witness.digest), proof


def countersignature(witness: Witness, *, by: str, when: str) -> Statement:
    """Return what a further signer of the newest seal signs; its proof is empty.

    Raises NotWitnessed for a file without a seal, SignedAlready, BadName.
    """
    last = witness.last
    if last is None:
        raise NotWitnessed("the witness file holds no seal that could be countersigned")
    _check_clock(witness, check_name(by), when)
    for line in last.lines:
        if line.said.by == by:
            raise SignedAlready(f"{by} has signed {last.said.seal} already, on line {line.number}")
    said = last.said
    return Statement(said.log, said.branch, said.seq, said.root, when, by, last.before)


def find_followed_seal(witness: Witness, by: str, known: Witness) -> SignedSeal | None:
    """Return the seal signed by `by`, in `witness` or a file known before, which the newest seal continues.

    None if there is none: then the newest seal does not follow from anything that `by` has signed.
    """
    mine = {
        (seal.said.branch, seal.said.seq, seal.said.root)
        for file in (witness, known)
        for seal in file.seals
        if by in seal.signers
    }
    seal = witness.last
    while seal is not None and (seal.said.branch, seal.said.seq, seal.said.root) not in mine:
        seal = seal.follows
    return seal


def added(witness: Witness, said: Statement, proof: Proof, signature: str) -> Witness:
    """Return the file with one more signed line, at its place. Raises BadWitness where it does not fit."""
    row = encoded(said.text, proof, signature)
    last = witness.last
    if last is None or said.after != last.before:
        return parse_witness(witness.data + row)
    further = [*last.lines[1:], Signed(0, row, said, (), signature)]
    return parse_witness(_until(witness, last) + b"".join(_in_order(further)))


def joined(copies: Sequence[tuple[str, Witness]]) -> tuple[Witness, tuple[str, ...]]:
    """Return one file with the lines of several copies, each named, and what came too late to be taken in.

    Too late is a countersignature that was not there when the next seal was signed. Raises NotWitnessed where
    two copies part: two seals are signed as the next one after the same lines.
    """
    names, late = [name for name, _ in copies[:1]], []
    whole = copies[0][1] if copies else Witness()
    for name, other in copies[1:]:
        shorter, longer = sorted((whole, other), key=lambda one: len(one.seals))
        for one, two in zip(shorter.seals, longer.seals, strict=False):
            if one.first.data != two.first.data:
                told = " and ".join(f"{side.said.seal} by {side.said.by}" for side in (one, two))
                where = f"{', '.join(names)} and {name} part at line {one.first.number}"
                raise NotWitnessed(f"{where}: {told} are signed as the next seal after the same lines")
        names.append(name)
        if shorter.last is None:
            whole = longer
        elif len(shorter.seals) == len(longer.seals):
            whole = _united(whole, other)
        else:
            end = longer.seals[len(shorter.seals) - 1]
            missed = [by for by in shorter.last.signers if by not in end.signers]
            late += [f"{by} signed {end.said.seal} too late: the next seal had been signed" for by in missed]
            whole = longer
    return whole, tuple(late)


def _united(one: Witness, other: Witness) -> Witness:
    """Return a file with the countersignatures of both; of who signed twice, the earlier one."""
    last = one.last
    found: dict[str, Signed] = {}
    if last is None or other.last is None:
        return one
    both = [*last.lines[1:], *other.last.lines[1:]]
    for line in sorted(both, key=lambda line: (line.said.when, line.said.by, line.data)):
        if line.said.by != last.said.by:
            found.setdefault(line.said.by, line)
    return parse_witness(_until(one, last) + b"".join(_in_order(found.values())))


def _until(witness: Witness, last: SignedSeal) -> bytes:
    """Return the bytes of a file up to and with the first line of its newest seal."""
    return witness.data[: len(witness.data) - sum(len(line.data) for line in last.lines[1:])]


def _in_order(lines: Iterable[Signed]) -> list[bytes]:
    return [line.data for line in sorted(lines, key=lambda line: (line.said.when, line.said.by))]


def _check_clock(witness: Witness, by: str, when: str) -> None:
    latest = max((line.said.when for line in witness.lines if line.said.by == by), default="")
    if when < latest:
        raise NotWitnessed(f"this machine's clock says {when}, but {by} signed at {latest} already")
