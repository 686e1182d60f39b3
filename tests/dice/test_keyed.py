"""The keyed generator: fixed for ever, fair for every size, and undisturbed by other rolls."""

from collections import Counter
from hashlib import blake2b, sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.engine.dice import ALGORITHM, BadSeed, Seeded, commitment, faces, new_seed, parse
from affray.engine.dice.notation import Dice, Draw, of_terms

SEED = bytes(range(32))
keys = st.text(alphabet="abcdefgh0123456789/:", max_size=30)
seeds = st.binary(min_size=1, max_size=64)


def _by_the_book(seed: bytes, key: str, sides: int, index: int) -> int:
    """One face computed straight from the published description, one digest per attempt."""
    attempt = 0
    while True:
        suffix = (index // 16).to_bytes(4, "little") + attempt.to_bytes(4, "little")
        digest = blake2b(key.encode("utf-8") + suffix, key=seed, digest_size=64).digest()
        lane = index % 16 * 4
        value = int.from_bytes(digest[lane : lane + 4], "little")
        if value < 2**32 // sides * sides:
            return value % sides + 1
        attempt += 1


VECTORS: list[tuple[str, int, int, tuple[int, ...]]] = [
    ("", 6, 0, (3, 2, 3, 5, 3, 5, 5, 6)),
    ("d17/aoo:ogre/attack/1", 20, 0, (3,)),
    ("d17/aoo:ogre/attack/2", 20, 0, (11,)),
    ("d1/orc/damage/1", 6, 0, (2, 5, 4, 1, 5, 1, 5, 1, 3, 1, 5, 1, 6, 2, 5, 5, 4, 5, 6, 5)),
    ("d1/orc/damage/1", 6, 14, (5, 5, 4, 5)),
    ("d1/orc/miss-chance/1", 100, 0, (97, 72, 78)),
    ("d2/öger/attack/1", 3, 0, (3, 3, 2, 3, 3, 3)),
    ("d3/x/1", 1000, 0, (734, 507, 602, 396)),
    ("rejects", 2147483649, 0, (1620119080, 606150588, 1831095373)),
]


@pytest.mark.parametrize(("key", "sides", "start", "shown"), VECTORS)
def test_known_answers(key: str, sides: int, start: int, shown: tuple[int, ...]) -> None:
    """The faces for a fixed seed and key are those written down here; a change needs a new algorithm name."""
    assert ALGORITHM == "blake2b-1"
    assert faces(SEED, key, sides, len(shown), start) == shown


@given(seeds, keys, st.integers(1, 1000) | st.sampled_from([2**31 + 1, 2**32]), st.integers(0, 40))
def test_every_face_follows_the_description(seed: bytes, key: str, sides: int, index: int) -> None:
    """Each face equals the one computed from the description, for sizes that reject half the reads too."""
    assert faces(seed, key, sides, 1, index) == (_by_the_book(seed, key, sides, index),)


class Counting(Seeded):
    """Seeded dice that count the throws which the first value did not settle."""

    further = 0

    def _drawing(self, key: str) -> Draw:
        self.further += 1
        return super()._drawing(key)


def test_single_dice_reject_as_well() -> None:
    """A lone first die of a size that rejects half the reads follows the description too."""
    sides, seeded = 2**31 + 1, Counting(SEED)
    die = of_terms((Dice(1, sides),))
    for number in range(64):
        key = f"d{number}/orc/attack/1"
        shown = _by_the_book(SEED, key, sides, 0)
        assert faces(SEED, key, sides, 1) == (shown,)
        thrown = seeded.throw(key, die)
        assert thrown is not None
        assert thrown[0].faces == (shown,)
    assert 10 < seeded.further < 54


@given(seeds, keys, st.integers(1, 1000), st.integers(0, 40), st.integers(0, 40))
def test_asking_in_parts_is_asking_at_once(seed: bytes, key: str, sides: int, first: int, more: int) -> None:
    """Dice drawn in two calls are the dice drawn in one, all within 1..sides."""
    whole = faces(seed, key, sides, first + more)
    assert faces(seed, key, sides, first) + faces(seed, key, sides, more, first) == whole
    assert all(1 <= face <= sides for face in whole)


@pytest.mark.parametrize("sides", [2, 3, 4, 6, 8, 10, 12, 20, 100, 1000])
@pytest.mark.parametrize("apart", ["keys", "dice"])
def test_faces_are_uniform(sides: int, apart: str) -> None:
    """Over 20 000 throws, across keys or within one, chi-square stays within 4.5 deviations of its mean."""
    throws = 20_000
    if apart == "keys":
        shown = [faces(SEED, f"d{number}/orc/attack/1", sides, 1)[0] for number in range(throws)]
    else:
        shown = list(faces(SEED, "many", sides, throws))
    counts = Counter(shown)
    expected = throws / sides
    square = sum((counts[face] - expected) ** 2 for face in range(1, sides + 1)) / expected
    freedom = sides - 1
    assert abs(square - freedom) < 4.5 * (2 * freedom) ** 0.5


def test_neighbouring_keys_are_independent() -> None:
    """The pairs of faces of two keys that differ in the ordinal alone are as uniform as chance has it."""
    pairs = Counter(
        (faces(SEED, f"d{n}/orc/attack/1", 6, 1)[0], faces(SEED, f"d{n}/orc/attack/2", 6, 1)[0])
        for n in range(18_000)
    )
    square = sum((pairs[a, b] - 500) ** 2 for a in range(1, 7) for b in range(1, 7)) / 500
    assert abs(square - 35) < 4.5 * 70**0.5


@given(keys, keys)
def test_other_keys_shift_nothing(key: str, other: str) -> None:
    """Rolling other keys first leaves a key's faces as they are."""
    alone, disturbed = Seeded(SEED), Seeded(SEED)
    disturbed.throw(other, parse("7d8e8"))
    assert disturbed.throw(key, parse("4d6kh3")) == alone.throw(key, parse("4d6kh3"))


def test_commitment_is_the_sum_people_can_check() -> None:
    """The commitment is the plain SHA-256 of the seed's bytes."""
    assert commitment(SEED) == sha256(SEED).hexdigest()


def test_new_seeds_are_32_bytes_and_differ() -> None:
    """Fresh seeds have 32 bytes and do not repeat."""
    assert len(new_seed()) == 32
    assert new_seed() != new_seed()


@pytest.mark.parametrize("seed", [b"", bytes(65)])
def test_unusable_seeds_are_refused(seed: bytes) -> None:
    """An empty seed would be no key at all and a long one cannot key BLAKE2b: both are refused."""
    with pytest.raises(BadSeed):
        Seeded(seed)
    with pytest.raises(BadSeed):
        commitment(seed)
