"""A Merkle tree over digests: one root for a whole log, short proofs of one event and of how the log grew.

The tree is that of RFC 6962: a leaf is sha256(0x00 + digest), a node sha256(0x01 + left + right), so that
no node can pass for a leaf; n leaves are split at the largest power of two below n. The root of nothing is
sha256 of nothing.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256

EMPTY = sha256().digest()
"""The root of a tree without leaves."""


def leaf(digest: bytes) -> bytes:
    """Return the hash of a leaf, 32 bytes."""
    return sha256(b"\x00" + digest).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of an inner node, 32 bytes."""
    return sha256(b"\x01" + left + right).digest()


class Tree:
    """A tree that grows by one leaf at a time and knows its root at any size. Keeps O(log n) hashes."""

    def __init__(self, digests: Iterable[bytes] = ()) -> None:
        self.size = 0
        self._peaks: list[bytes] = []  # the roots of the full subtrees, largest first
        for digest in digests:
            self.add(digest)

    def add(self, digest: bytes) -> None:
        """Append a leaf. O(1) amortized."""
        found, size = leaf(digest), self.size
        while size & 1:
            found = node(self._peaks.pop(), found)
            size >>= 1
        self._peaks.append(found)
        self.size += 1

    def root(self) -> bytes:
        """Return the root over all leaves so far. O(log n)."""
        if not self._peaks:
            return EMPTY
        found = self._peaks[-1]
        for peak in reversed(self._peaks[:-1]):
            found = node(peak, found)
        return found


def root(digests: Iterable[bytes]) -> bytes:
    """Return the root of a tree over `digests`. O(n)."""
    return Tree(digests).root()


def proof(digests: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """Return the hashes that lead from leaf `index` (from 0) to the root, nearest first. O(n).

    Raises IndexError if there is no such leaf.
    """
    if not 0 <= index < len(digests):
        raise IndexError(f"no leaf {index} in a tree of {len(digests)}")
    path: list[bytes] = []
    low, high = 0, len(digests)
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            path.append(root(digests[middle:high]))
            high = middle
        else:
            path.append(root(digests[low:middle]))
            low = middle
    return tuple(reversed(path))


def included(top: bytes, digest: bytes, index: int, size: int, path: Sequence[bytes]) -> bool:
    """Return whether `path` proves that leaf `index` of a tree with root `top` and `size` leaves is `digest`.

    O(log size). A path of the wrong length for this place proves nothing.
    """
    if not 0 <= index < size:
        return False
    sides = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        sides.append(index < middle)
        low, high = (low, middle) if index < middle else (middle, high)
    if len(sides) != len(path):
        return False
    found = leaf(digest)
    for first, other in zip(reversed(sides), path, strict=True):
        found = node(found, other) if first else node(other, found)
    return found == top


def consistency(digests: Sequence[bytes], size: int) -> tuple[bytes, ...]:
    """Return the hashes that prove that the tree of the first `size` leaves begins the whole. O(n).

    The proof is that of RFC 6962, 2.1.2, in its order; it is empty for no leaves, because every tree
    continues the empty one, and for all leaves. Raises IndexError if there are fewer leaves.
    """
    if not 0 <= size <= len(digests):
        raise IndexError(f"no beginning of {size} leaves in a tree of {len(digests)}")
    path: list[bytes] = []
    low, high, whole = 0, len(digests), True
    while size and size < high - low:
        middle = low + _split(high - low)
        if size <= middle - low:
            path.append(root(digests[middle:high]))
            high = middle
        else:
            path.append(root(digests[low:middle]))
            size, low, whole = size - (middle - low), middle, False
    if not whole:
        # The remainder is a subtree at the end of the beginning whose root is not otherwise known.
        path.append(root(digests[low:high]))
    return tuple(reversed(path))


def consistent(before: bytes, size_before: int, top: bytes, size: int, path: Sequence[bytes]) -> bool:
    """Return whether `path` proves that the tree with root `before` begins the tree with root `top`.

    O(log size). The roots are those of `size_before` and of `size` leaves; a path of
    the wrong length proves nothing.
    """
    if not 0 <= size_before <= size:
        return False
    # Hashes of other lengths could be split differently and give the same node.
    if any(len(each) != len(EMPTY) for each in (before, top, *path)):
        return False
    if size_before in (0, size):
        return not path and before == (top if size_before else EMPTY)
    # Both roots are recomputed from the path, from the last leaf of the beginning upwards (RFC 9162,
    # 2.1.4.2).
    index, last = size_before - 1, size - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    # A beginning that is one full subtree is its own first hash.
    hashes = iter(path) if index else iter((before, *path))
    found = old = next(hashes, b"")
    for each in hashes:
        if not last:
            return False
        if index & 1 or index == last:
            old, found = node(each, old), node(each, found)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            found = node(found, each)
        index, last = index >> 1, last >> 1
    return not last and old == before and found == top


def _split(size: int) -> int:
    """Return the largest power of two below `size`, which is at least 2."""
    return 1 << (size - 1).bit_length() - 1
