"""That a sealed line of play is a longer one's beginning, proven without either log (RFC 6962, 2.1.2).

A seal is a code over branch, length and root, so the proof carries what the codes of both seals are made of.
The roots know no names: a branch that left its parent behind the sealed event continues the parent's seal.
"""

from collections.abc import Sequence

from msgspec import Struct

from affray.events import merkle
from affray.events.errors import AffrayError
from affray.events.wording import counted
from affray.replay.sealing import Seal, Verdict, code, judged


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
