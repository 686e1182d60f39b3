"""Non-interference: of two fights that differ in what is hidden only, the same bytes leave the server."""

import random

import pytest

from affray.events.stores.store import Store
from affray.replay.privacy.audience import Audience
from affray.replay.serve.visibility import source_of
from tests.house.fights import DIALECTS
from tests.serve.looks import audience, entered_sides, everything, fought
from tests.serve.many import seeds
from tests.serve.twins import twin


def assert_same(one: Store, other: Store, who: Audience, then: Audience | None = None, **more: bool) -> None:
    """Assert that an audience gets the same of two logs, but for what the logs are called."""
    source, another = source_of(one).encode(), source_of(other).encode()
    first = {name: data.replace(source, b"S") for name, data in everything(one, who, **more)}  # type: ignore[arg-type]
    second = {name: data.replace(another, b"S") for name, data in everything(other, then or who, **more)}  # type: ignore[arg-type]
    assert first.keys() == second.keys()
    for name, data in first.items():
        if data != second[name]:
            at = next(
                i for i, (a, b) in enumerate(zip(data + b"$", second[name] + b"$", strict=False)) if a != b
            )
            raise AssertionError((name, data[max(0, at - 200) : at + 100], second[name][at - 20 : at + 100]))


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_numbers_of_others_leave_no_trace(dialect: str, seed: int) -> None:
    """Sheets, hit points, rolls, modifiers, plans, hazards of others: whatever they are, the bytes stay."""
    store = fought(dialect, seed, close=seed % 4 == 3)
    sides = entered_sides(store)
    dice = random.Random(seed)
    for own in ((), (dice.choice(sorted(sides)),)):
        who = audience(store, own)
        other = twin(store, who, sides)
        assert [e.data for e in store.read("main")] != [e.data for e in other.read("main")]
        assert_same(store, other, who, legal=False)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("seed", seeds(1))
def test_what_is_open_depends_on_arms_alone(dialect: str, seed: int) -> None:
    """Whom a way passes shows what an opponent threatens; hit points, rolls and plans have no part in it."""
    store = fought(dialect, seed)
    sides = entered_sides(store)
    for own in sides:
        who = audience(store, (own,))
        name = f"legal {own}"
        found = [dict(everything(log, who, every=10**6))[name] for log in
                 (store, twin(store, who, sides, armed=True))]  # fmt: skip
        assert found[0] == found[1], own
