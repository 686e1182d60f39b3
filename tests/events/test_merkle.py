"""The Merkle tree: the roots of RFC 6962, proofs for every place, and nothing that passes for a leaf."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.events.merkle import EMPTY, Tree, consistency, consistent, included, leaf, node, proof, root

# The leaves and roots of the Certificate Transparency test suite.
LEAVES = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
DIGESTS = [sha256(bytes([n])).digest() for n in range(70)]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_standard(size: int) -> None:
    """Every size from 0 to 8 has the published root, grown leaf by leaf or made at once."""
    tree = Tree()
    for each in LEAVES[:size]:
        tree.add(each)
    assert tree.root().hex() == root(LEAVES[:size]).hex() == ROOTS[size]
    assert tree.size == size


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 13, 31, 32, 33, 70])
def test_every_leaf_of_every_size_has_a_proof(size: int) -> None:
    """The path of each leaf leads to the root, and to no other leaf, place or size."""
    leaves = DIGESTS[:size]
    top = root(leaves)
    for index in range(size):
        path = proof(leaves, index)
        assert len(path) <= (size - 1).bit_length()
        assert included(top, leaves[index], index, size, path)
        assert not included(top, b"x", index, size, path)
        for other in range(-1, size + 1):
            assert other == index or not included(top, leaves[index], other, size, path)
        assert not included(top, leaves[index], index, size, (*path, EMPTY))
        assert not path or not included(top, leaves[index], index, size, path[1:])


def test_a_node_is_no_leaf() -> None:
    """Two leaves hashed together cannot be presented as one: the prefixes differ."""
    one, two = DIGESTS[:2]
    both = leaf(one) + leaf(two)
    assert root([one, two]) == node(leaf(one), leaf(two)) != leaf(both)
    assert not included(root([one, two]), both, 0, 1, ())


def test_there_is_no_proof_outside_the_tree() -> None:
    """A place that the tree does not have is an error."""
    for index in (-1, 3):
        with pytest.raises(IndexError):
            proof(DIGESTS[:3], index)


@given(st.lists(st.binary(max_size=4), max_size=40), st.data())
def test_any_change_changes_the_root(leaves: list[bytes], data: st.DataObject) -> None:
    """Editing, dropping, adding or swapping leaves never leaves the root as it was."""
    top = root(leaves)
    assert root([*leaves, b"x"]) != top
    if leaves:
        at = data.draw(st.integers(0, len(leaves) - 1))
        assert root(leaves[:at] + leaves[at + 1 :]) != top
        assert root([*leaves[:at], leaves[at] + b"!", *leaves[at + 1 :]]) != top
        assert included(top, leaves[at], at, len(leaves), proof(leaves, at))
        if leaves[at] != leaves[0]:
            swapped = [leaves[at], *leaves[1:at], leaves[0], *leaves[at + 1 :]]
            assert root(swapped) != top


def naive(leaves: list[bytes], size: int, whole: bool = True) -> list[bytes]:
    """Return SUBPROOF(size, leaves, whole) as RFC 6962, 2.1.2, defines it, word for word."""
    if size == len(leaves):
        return [] if whole else [root(leaves)]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    if size <= k:
        return [*naive(leaves[:k], size, whole), root(leaves[k:])]
    return [*naive(leaves[k:], size - k, False), root(leaves[:k])]


SIZES = [(size, whole) for whole in range(1, 41) for size in range(1, whole + 1)]


def test_consistency_proofs_are_those_of_the_standard() -> None:
    """Each beginning of each tree has the proof of the definition, and it leads from root to root."""
    for size, whole in SIZES:
        path = consistency(DIGESTS[:whole], size)
        assert list(path) == naive(DIGESTS[:whole], size)
        assert consistent(root(DIGESTS[:size]), size, root(DIGESTS[:whole]), whole, path)


def test_consistency_proofs_of_the_example_of_the_standard() -> None:
    """The tree of seven leaves in RFC 6962, 2.1.3: from 3, 4 and 6 leaves to seven."""
    a, b, c, d, e, f, j = map(leaf, DIGESTS[:7])
    g, h, i = node(a, b), node(c, d), node(e, f)
    k, m = node(g, h), node(i, j)
    assert consistency(DIGESTS[:7], 3) == (c, d, g, m)
    assert consistency(DIGESTS[:7], 4) == (m,)
    assert consistency(DIGESTS[:7], 6) == (i, j, k)


def test_every_tree_continues_nothing() -> None:
    """The beginning without leaves has an empty proof, and its root is that of nothing."""
    for whole in range(4):
        assert consistency(DIGESTS[:whole], 0) == ()
        assert consistent(EMPTY, 0, root(DIGESTS[:whole]), whole, ())
        assert not consistent(root(DIGESTS[:5]), 0, root(DIGESTS[:whole]), whole, ())
        assert not consistent(EMPTY, 0, root(DIGESTS[:whole]), whole, (EMPTY,))
    for size in (-1, 4):
        with pytest.raises(IndexError):
            consistency(DIGESTS[:3], size)
        assert not consistent(root(DIGESTS[:3]), size, root(DIGESTS[:3]), 3, ())


def test_altered_consistency_proofs_prove_nothing() -> None:
    """Another length, other hashes, other sizes and other roots: each is refused."""
    for size, whole in SIZES:
        before, top = root(DIGESTS[:size]), root(DIGESTS[:whole])
        path = consistency(DIGESTS[:whole], size)
        for wrong in (
            (*path, EMPTY),
            (EMPTY, *path),
            *(path[:at] + path[at + 1 :] for at in range(len(path))),
            *((*path[:at], EMPTY, *path[at + 1 :]) for at in range(len(path))),
            *((*path[:at], path[at + 1], path[at], *path[at + 2 :]) for at in range(len(path) - 1)),
        ):
            assert not consistent(before, size, top, whole, wrong)
        assert not consistent(EMPTY, size, top, whole, path)
        assert not consistent(before, size, EMPTY, whole, path)
        for other in range(-1, whole + 2):
            assert other == size or not consistent(before, other, top, whole, path)


def test_hashes_cut_at_another_place_prove_nothing() -> None:
    """Two hashes of which one is longer and one shorter make the same node, and are none."""
    six, seven = root(DIGESTS[:6]), root(DIGESTS[:7])
    i, j, k = consistency(DIGESTS[:7], 6)
    assert consistent(six, 6, seven, 7, (i, j, k))
    assert not consistent(six, 6, seven, 7, (i[1:], j, k + i[:1]))
    one, two = leaf(DIGESTS[0]), leaf(DIGESTS[1])
    assert not consistent(one + two, 1, node(one, two), 2, (b"",))
    assert not consistent(b"", 1, node(one, two), 2, (one + two,))


@given(st.lists(st.binary(max_size=4), min_size=1, max_size=130), st.data())
def test_only_a_beginning_has_a_proof(leaves: list[bytes], data: st.DataObject) -> None:
    """A tree that was changed anywhere before it grew is no beginning, whatever proof is offered."""
    size = data.draw(st.integers(1, len(leaves)))
    path = consistency(leaves, size)
    assert list(path) == naive(leaves, size)
    assert consistent(root(leaves[:size]), size, root(leaves), len(leaves), path)
    at = data.draw(st.integers(0, size - 1))
    other = [*leaves[:at], leaves[at] + b"!", *leaves[at + 1 :]]
    assert not consistent(root(leaves[:size]), size, root(other), len(leaves), consistency(other, size))
    assert not consistent(root(leaves[:size]), size, root(other), len(leaves), path)
