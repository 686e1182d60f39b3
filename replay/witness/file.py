r"""The witness file: signed seals of one log, one below the other, each the continuation of the one before.

JSON Lines. A header, then one line for each signature:

    {"format":"affray-witness","version":1}
    {"text":"affray/c2a1.../main\n246\n...","proof":null,"signature":"-----BEGIN SSH SIGNATURE-----\n..."}

`text` is what was signed (`statement`), `signature` the SSH signature as ssh-keygen writes it. The first line
on a seal brings the `proof` that it continues the last seal of the same branch (RFC 6962, hashes in
hexadecimal digits, in the order of the standard). For the first seal of a branch the proof is from the last
seal in the file, or null where it continues none. Further lines on the same seal are countersignatures, with
an empty proof.

The signed `after` of a first line is sha256 over all bytes before the line, the one of a countersignature
over all bytes up to and with the seal's first line. So several people can sign one seal at the same time,
each on a copy; their lines stand in the order of their times, then names. As soon as a further seal is
signed, nothing before it can be added, dropped, moved or changed.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256

import msgspec
from msgspec import Struct

from affray.events import merkle
from affray.events.errors import AffrayError, NewerLog
from affray.events.misfit import Unreadable, read_json
from affray.replay.witness.ssh import is_signature
from affray.replay.witness.statement import BadStatement, Statement, parse_statement

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
