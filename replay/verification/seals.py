"""The seal of a line of play: so short that two people can compare it, and nothing can change behind it.

A seal is written `BRANCH:SEQ:CODE`, for example

    main:246:7K3M-9QXT-0ABC-DEFG-HJKM-NPQR-STVW-XYZ0

CODE is the first 160 bits of sha256 over `affray seal 1`, a zero byte, the length of the branch's name in
bytes, a colon, the name in UTF-8, SEQ, a colon (numbers in decimal) and the 32 bytes of the root of the
Merkle tree over the digests of events 1 to SEQ of the line; it is written in Crockford's base 32, eight
groups of four. When reading, case does not count, O is 0, I and L are 1.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from msgspec import Struct

from affray.events import merkle
from affray.events.chain import verified
from affray.events.envelope import Event
from affray.events.errors import AffrayError, UnknownStream, counted
from affray.events.exports import Redacted, digest_of
from affray.events.stores.store import Store

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_READ = str.maketrans("OIL", "011")
_SEAL = re.compile(r"(?:(?P<branch>[A-Za-z0-9][A-Za-z0-9._-]{0,63}):(?P<seq>[0-9]{1,15}):)?(?P<code>[^:]+)")


class BadSeal(AffrayError):
    """A text that is no seal."""


class NotThere(AffrayError):
    """A position outside the line."""


class Seal(Struct, frozen=True):
    """What a line of play was at one moment: 32 characters for `seq` events of `branch`.

    A seal read from its code alone has no branch and `seq` -1.
    """

    branch: str
    seq: int
    code: str

    def __str__(self) -> str:
        code = "-".join(self.code[at : at + 4] for at in range(0, 32, 4))
        return code if self.seq < 0 else f"{self.branch}:{self.seq}:{code}"


class Proof(Struct, frozen=True, forbid_unknown_fields=True):
    """That event `seq` of a sealed line has this digest: the path from its leaf to the root (hex)."""

    branch: str
    size: int
    root: str
    seq: int
    digest: str
    path: tuple[str, ...]


class Verdict(Struct, frozen=True):
    """What a comparison with a seal came to: `same`, `longer`, `shorter` or `other`, said in `told`."""

    outcome: str
    told: str
    found: Seal


def code(branch: str, seq: int, root: bytes) -> str:
    """Return the 32 characters of a seal."""
    name = branch.encode()
    framed = b"affray seal 1\x00%d:%s%d:%s" % (len(name), name, seq, root)
    number = int.from_bytes(sha256(framed).digest()[:20], "big")
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(155, -1, -5))


def parse_seal(text: str) -> Seal:
    """Return the seal that was written or read aloud; raises BadSeal."""
    match = _SEAL.fullmatch(text.strip())
    found = re.sub(r"[\s-]", "", match["code"]).upper().translate(_READ) if match else ""
    if match is None or len(found) != 32 or not set(found) <= set(_ALPHABET):
        raise BadSeal(f"no seal: {text[:80]!r}; one looks like main:246:XXXX-XXXX-..., eight groups of four")
    return Seal(match["branch"] or "", int(match["seq"]) if match["seq"] else -1, found)


def sealed(store: Store, branch: str = "", upto: int | None = None) -> Seal:
    """Return the seal of a line up to event `upto` (its end without one). O(events).

    The chain is checked on the way: raises BrokenLog where it breaks, NotThere, UnknownStream.
    """
    branch = branch or store.main_line()
    tree = merkle.Tree(event.digest for event in _line(store, branch, upto))
    return Seal(branch, tree.size, code(branch, tree.size, tree.root()))


def compared(store: Store, seal: Seal, branch: str = "") -> Verdict:
    """Compare a line with a seal and say what differs. O(events); raises as `sealed` does.

    `longer` means that the log is what was sealed and goes on: every beginning of it is tried.
    """
    branch = branch or seal.branch or store.main_line()
    tree = merkle.Tree()
    hit = 0 if seal.code == code(branch, 0, tree.root()) else -1
    for event in _line(store, branch, None):
        tree.add(event.digest)
        # Without a position in the seal every beginning is a candidate.
        if seal.seq in (-1, tree.size) and code(branch, tree.size, tree.root()) == seal.code:
            hit = tree.size
    found = Seal(branch, tree.size, code(branch, tree.size, tree.root()))
    return judged(seal, found, hit)


def judged(seal: Seal, found: Seal, hit: int = -1) -> Verdict:
    """Say how a line's seal differs from another one; `hit` is the beginning of the line that it fits."""
    size = found.seq
    if seal.branch and seal.branch != found.branch:
        return Verdict("other", f"the seal is of branch {seal.branch!r}, this is {found.branch!r}", found)
    if seal.code == found.code and seal.seq in (-1, size):
        return Verdict("same", f"{found.branch}: {counted(size, 'event')}, as they were sealed", found)
    if hit >= 0:
        told = f"longer: events 1 to {hit} are as they were sealed, {size - hit} more follow"
        return Verdict("longer", told, found)
    if seal.seq > size:
        return Verdict("shorter", f"shorter: ends at event {size}, sealed were {seal.seq}", found)
    if seal.seq >= 0:
        return Verdict("other", f"other events: the first {seal.seq} are not those that were sealed", found)
    return Verdict("other", f"other or fewer events: no beginning of the {size} has this seal", found)


def prove(store: Store, seq: int, branch: str = "", upto: int | None = None) -> Proof:
    """Return the proof that event `seq` stands in the sealed line. O(events); raises as `sealed` does."""
    branch = branch or store.main_line()
    digests = [event.digest for event in _line(store, branch, upto)]
    if not 1 <= seq <= len(digests):
        raise NotThere(f"there is no event {seq}: {branch!r} goes from 1 to {len(digests)}")
    path = tuple(each.hex() for each in merkle.proof(digests, seq - 1))
    root = merkle.root(digests).hex()
    return Proof(branch, len(digests), root, seq, digests[seq - 1].hex(), path)


def proven(proof: Proof, seal: Seal) -> bool:
    """Say whether a proof holds under a seal, without the log. O(log events)."""
    try:
        root, digest = bytes.fromhex(proof.root), bytes.fromhex(proof.digest)
        path = [bytes.fromhex(each) for each in proof.path]
    except ValueError:
        return False
    return (
        (seal.seq < 0 or (seal.branch, seal.seq) == (proof.branch, proof.size))
        and code(proof.branch, proof.size, root) == seal.code
        and merkle.included(root, digest, proof.seq - 1, proof.size, path)
    )


def _line(store: Store, branch: str, upto: int | None) -> Iterator[Event]:
    last = store.head(branch).seq
    if upto is not None and not 0 <= upto <= last:
        raise NotThere(f"there is no event {upto}: {branch!r} goes from 1 to {last}")
    return verified(store.read(branch, upto=upto))


# --- That a sealed line of play is a longer one's beginning, proven without either log (RFC 6962, 2.1.2)
#
# A seal is a code over branch, length and root, so the proof carries what the codes of both seals are made
# of. The roots know no names: a branch that left its parent behind the sealed event continues the parent's
# seal.


class NotGrown(AffrayError):
    """A line of play does not continue what was sealed: the answer is no."""

    status = 1


class Point(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of play at one moment: `seq` events of `branch` with this root (hex)."""

    branch: str
    seq: int
    root: str

    @property
    def seal(self) -> Seal:
        """The seal of the line at that moment. Raises ValueError for a root that is none."""
        return Seal(self.branch, self.seq, code(self.branch, self.seq, bytes.fromhex(self.root)))


class Growth(Struct, frozen=True, forbid_unknown_fields=True):
    """That the line of `now` begins with the events of `before`: the hashes that lead to both roots (hex)."""

    before: Point
    now: Point
    path: tuple[str, ...]


def prove_growth(digests: Sequence[bytes], branch: str, seal: Seal) -> Growth:
    """Return the proof that the line of `branch` with these digests continues what was sealed. O(events).

    A seal without its length is looked for in every beginning, one without its branch under this line's name.
    Raises NotGrown, saying what differs.
    """
    tree, name = merkle.Tree(), seal.branch or branch
    before = _fitting(tree, name, seal)
    for digest in digests:
        tree.add(digest)
        before = before or _fitting(tree, name, seal)
    top = tree.root()
    if before is None:
        # A line of another name may continue it; what differs is told as if it bore the sealed name.
        raise NotGrown(judged(seal, Seal(name, tree.size, code(name, tree.size, top))).told)
    path = merkle.consistency(digests, before.seq)
    return Growth(before, Point(branch, tree.size, top.hex()), tuple(one.hex() for one in path))


def grown(growth: Growth, seal: Seal, now: Seal | None = None) -> Verdict:
    """Say whether a proof shows that what was sealed went on; `now` is the seal that it must have led to.

    The outcome is `same`, `longer` or `other`; nothing but the proof and the seals is needed. O(log events).
    """
    before, end = growth.before, growth.now
    try:
        path = [bytes.fromhex(one) for one in growth.path]
        roots = bytes.fromhex(before.root), bytes.fromhex(end.root)
        found = end.seal
        began = before.seal
    except (ValueError, OverflowError):
        return Verdict("other", "not proven: the proof holds no hashes", Seal("", -1, "0" * 32))
    if not _is(seal, began):
        return Verdict("other", f"not proven: the proof begins with {began}, another seal", found)
    if now is not None and not _is(now, found):
        return Verdict("other", f"not proven: the proof leads to {found}, another seal", found)
    if not merkle.consistent(roots[0], before.seq, roots[1], end.seq, path):
        return Verdict("other", f"not proven: no proof that {found} continues {began}", found)
    if before.seq == end.seq:
        return Verdict("same", f"{found} has the events of {began}, no more", found)
    told = f"{found} continues {began}: {counted(end.seq - before.seq, 'event')} more"
    return Verdict("longer", told, found)


def _fitting(tree: merkle.Tree, branch: str, seal: Seal) -> Point | None:
    """Return where a tree has got to, if that is what was sealed."""
    if seal.seq not in (-1, tree.size) or code(branch, tree.size, tree.root()) != seal.code:
        return None
    return Point(branch, tree.size, tree.root().hex())


def _is(wanted: Seal, found: Seal) -> bool:
    """Say whether a seal, whole or its code alone, is this one."""
    return wanted == found if wanted.seq >= 0 else wanted.code == found.code


# --- What is held of a log: the digests of its lines of play, of a log, an export or a players' copy
#
# Roots, seals and proofs follow from the digests alone, and a copy with events hidden has them all.


class LogDigests:
    """The digests of a log, line by line; `main` is the line of play that is meant where none is named.

    `whole` says whether all lines of the log are held, or that one alone.
    """

    def __init__(self, main: str, read: Callable[[str], Iterable[bytes]], *, whole: bool) -> None:
        """Take what gives the digests of a line; each line is read once at most."""
        self.main, self.whole = main, whole
        self._read = read
        self._known: dict[str, list[bytes]] = {}

    def digests(self, branch: str = "") -> list[bytes]:
        """Return the digests of a line, those before it left its parent included. O(events) the first time.

        Raises UnknownStream, and BrokenLog where the chain breaks.
        """
        branch = branch or self.main
        if branch not in self._known:
            self._known[branch] = list(self._read(branch))
        return self._known[branch]

    def upto(self, branch: str, seq: int | None) -> list[bytes]:
        """Return the digests of a line up to event `seq`, all without one. Raises NotThere."""
        digests = self.digests(branch)
        if seq is not None and not 0 <= seq <= len(digests):
            raise NotThere(f"there is no event {seq}: {branch or self.main!r} goes from 1 to {len(digests)}")
        return digests[:seq]


def held(store: Store) -> LogDigests:
    """Return what a store holds, every digest compared with its event as it is read."""

    def read(branch: str) -> Iterator[bytes]:
        return (event.digest for event in verified(store.read(branch)))

    return LogDigests(store.main_line(), read, whole=True)


def get_digests_of_copy(lines: Iterable[bytes]) -> LogDigests:
    """Return what a redacted copy holds of its one line. O(events).

    Raises BrokenExport naming line and event, NotALog, NewerLog.
    """
    file = Redacted(lines)
    digests = [digest_of(one) for one in file.events()]
    name = file.header.branch

    def read(branch: str) -> list[bytes]:
        if branch != name:
            raise UnknownStream(f"the copy holds branch {name!r}, not {branch!r}")
        return digests

    return LogDigests(name, read, whole=False)


def roots(digests: Iterable[bytes], sizes: Collection[int]) -> Mapping[int, bytes]:
    """Return the roots of the beginnings of these sizes, as far as there are so many digests. O(n)."""
    tree = merkle.Tree()
    found = {0: tree.root()} if 0 in sizes else {}
    for digest in digests:
        tree.add(digest)
        if tree.size in sizes:
            found[tree.size] = tree.root()
    return found
