"""That a log is an earlier one, grown: proofs from an earlier seal to a later one, without the log."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.events.stores.memory import MemoryStore
from affray.replay.log.branches import fork
from affray.replay.verification.seals import (
    Growth,
    NotGrown,
    NotThere,
    Point,
    Seal,
    grown,
    held,
    prove_growth,
    roots,
    sealed,
)
from tests.replay.fights import fought

FOUGHT = fought(rounds=3).store
HEAD = FOUGHT.head("main").seq
DIGESTS = held(FOUGHT).digests()
NOW = sealed(FOUGHT)


@pytest.mark.parametrize("seq", [0, 1, 2, 31, 32, 33, 64, 65, HEAD - 1, HEAD])
@pytest.mark.parametrize("whole", [True, False])
def test_a_proof_leads_from_each_earlier_seal_to_the_later_one(seq: int, whole: bool) -> None:
    """Whole seals and their eight groups alone: the proof holds, and says how much was added."""
    early = sealed(FOUGHT, upto=seq)
    wanted = early if whole else Seal("", -1, early.code)
    growth = prove_growth(DIGESTS, "main", wanted)
    verdict = grown(growth, wanted, NOW)
    assert verdict.outcome == ("same" if seq == HEAD else "longer")
    assert verdict.found == NOW
    assert grown(growth, wanted).outcome == verdict.outcome
    assert growth == msgspec.json.decode(msgspec.json.encode(growth), type=Growth)


def test_what_was_altered_is_not_proven() -> None:
    """Other hashes, roots, lengths, names and seals: none is taken for a proof."""
    early = sealed(FOUGHT, upto=40)
    growth = prove_growth(DIGESTS, "main", early)
    before, now, path = growth.before, growth.now, growth.path
    turned = msgspec.structs.replace
    for wrong in (
        turned(growth, path=path[1:]),
        turned(growth, path=(*path, "00" * 32)),
        turned(growth, path=("00" * 32, *path[1:])),
        turned(growth, path=("zz", *path[1:])),
        turned(growth, before=now),
        turned(growth, now=before),
        turned(growth, before=turned(before, seq=41)),
        turned(growth, before=turned(before, root="00" * 32)),
        turned(growth, before=turned(before, branch="other")),
        turned(growth, now=turned(now, seq=HEAD - 1)),
        turned(growth, now=turned(now, root="00" * 32)),
        turned(growth, now=turned(now, root="")),
        turned(growth, now=Point("main", -1, now.root)),
    ):
        assert grown(wrong, early, NOW).outcome == "other"
    assert "begins with" in grown(growth, sealed(FOUGHT, upto=41), NOW).told
    assert "leads to" in grown(growth, early, sealed(FOUGHT, upto=HEAD - 1)).told


@given(
    st.builds(
        Growth,
        st.builds(Point, st.text(max_size=3), st.integers(-5, 300) | st.integers(), st.text(max_size=4)),
        st.builds(
            Point, st.just("main"), st.integers(-5, 300) | st.integers(), st.sampled_from(["", "00" * 32])
        ),
        st.lists(st.sampled_from(["", "00" * 32, "x"]), max_size=4).map(tuple),
    )
)
def test_any_file_is_a_proof_or_none(growth: Growth) -> None:
    """Numbers beyond all logs, names that are none, hashes that are none: not proven, and that is all."""
    assert grown(growth, NOW, NOW).outcome == "other"


def test_other_and_shorter_logs_have_no_proof() -> None:
    """What does not begin with the sealed events is refused, and how it differs is said."""
    early = sealed(FOUGHT, upto=40)
    other = held(fought(rounds=3, seed=b"other").store).digests()
    with pytest.raises(NotGrown, match="other events: the first 40 are not those that were sealed"):
        prove_growth(other, "main", early)
    with pytest.raises(NotGrown, match="shorter: ends at event 30, but 40 were sealed"):
        prove_growth(DIGESTS[:30], "main", early)
    with pytest.raises(NotGrown, match="no beginning"):
        prove_growth(other, "main", Seal("", -1, early.code))
    with pytest.raises(NotThere, match=f"from 1 to {HEAD}"):
        held(FOUGHT).upto("main", HEAD + 1)


def test_a_branch_continues_what_its_parent_had_before_it_left() -> None:
    """The roots know no names: a branch that left behind the sealed event is that log, grown."""
    store = MemoryStore()
    store.restore(FOUGHT.branches(), FOUGHT.read("main", 0, 60))
    fork(store, "50", "other", "main")
    digests = held(store).digests("other")
    growth = prove_growth(digests, "other", sealed(store, "main", 40))
    verdict = grown(growth, sealed(store, "main", 40), sealed(store, "other"))
    assert (verdict.outcome, growth.now.branch) == ("longer", "other")
    with pytest.raises(NotGrown, match="shorter: ends at event 50"):
        prove_growth(digests, "other", sealed(store, "main", 60))


def test_roots_of_beginnings() -> None:
    """As many as there are, of nothing too."""
    found = roots(DIGESTS[:9], {0, 4, 9, 12})
    assert set(found) == {0, 4, 9}
    assert found[4] == roots(DIGESTS, {4})[4]
