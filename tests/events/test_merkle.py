"""The Merkle tree: the roots of RFC 6962, proofs for every place, and nothing that passes for a leaf."""

from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.events.merkle import EMPTY, Tree, included, leaf, node, proof, root

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
