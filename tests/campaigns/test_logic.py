"""The campaign on logic in small: most changes to rule code are noticed, and each is taken back."""

import random

from affray.engine.testing import check
from tests.campaigns.logic import all_mutants, campaign, noticing, prepare, reviewed
from tests.campaigns.mutants import function_at, in_place, lists_of, mutants_of, stage_mutants
from tests.scenarios.cases import all_cases

SAMPLE = 8
"""So many changes out of all, the same each time for the same code."""
DIALECT = "woa"
"""Whose code is changed: the one that shares the least with others."""
LEAST = 0.8
"""The share of them that scenarios have to notice; to be raised as more scenarios would notice."""


def test_a_sample_of_changes_is_noticed() -> None:
    """Of one dialect's own code, by its scenarios alone; the whole is `python tests/campaigns/logic.py`."""
    mutants = random.Random("a sample").sample(all_mutants(f"dialects/{DIALECT}/"), SAMPLE)
    scenarios = [at for at, (name, _) in enumerate(all_cases()) if name.startswith(f"{DIALECT}/")]
    found = campaign(mutants, 1, quiet=True, scenarios=scenarios)
    assert found["changes"] > SAMPLE / 2
    assert found["share"] >= LEAST, found["unnoticed"]


def test_a_change_stands_in_place_for_a_while() -> None:
    """A function and a list of stages are changed where the dialects' records hold them, and changed back."""
    prepare()
    number = next(at for at, (name, _) in enumerate(all_cases()) if name.startswith("srd35/charge"))
    module, name = "rules/attacks/straight_charge", "blow_of_charge"
    code = function_at(module, name).__code__
    assert any(noticing(one, [number]) for one in mutants_of(module) if one.place.endswith(name))
    assert function_at(module, name).__code__ is code
    mutant = next(
        one for one in stage_mutants("srd35") if one.place.startswith("srd35/attacks.attack_situation")
    )
    situation = dict(lists_of("srd35"))[mutant.place]
    before, names = situation.__code__, dict(situation.__globals__)
    with in_place(mutant):
        assert situation.__code__ is not before
    assert situation.__code__ is before
    assert situation.__globals__ == names
    check(all_cases()[number][1])


def test_reviewed_changes_are_there() -> None:
    """Every change of unnoticeable/ is still one of the code, and has a reason."""
    known = {one.name for one in all_mutants()}
    assert [name for name, why in reviewed().items() if name not in known or not why] == []
