"""The seal of a line of play: so short that two people can compare it, and nothing can change behind it.

A seal is written `BRANCH:SEQ:CODE`, for example

    main:246:7K3M-9QXT-0ABC-DEFG-HJKM-NPQR-STVW-XYZ0

CODE is the first 160 bits of sha256 over `affray seal 1`, a zero byte, the length of the branch's name in
bytes, a colon, the name in UTF-8, SEQ, a colon (numbers in decimal) and the 32 bytes of the root of the
Merkle tree over the digests of events 1 to SEQ of the line; it is written in Crockford's base 32, eight
groups of four. When reading, case does not count, O is 0, I and L are 1.
"""

import re
from collections.abc import Iterator
from hashlib import sha256

from msgspec import Struct

from affray.events import merkle
from affray.events.chain import verified
from affray.events.envelope import Event
from affray.events.errors import AffrayError
from affray.events.store import Store
from affray.events.wording import counted

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
