"""What declarations are said to roll and ask is no more than what they do in play.

That it is no less is seen with each scenario, in tests/scenarios/test_scenarios.py.
"""

import pytest

from affray.engine.book.source import MEANWHILE, read_seen, shipped
from tests.scenarios.test_scenarios import CASES, HOW, heard, played


@pytest.mark.parametrize("dialect", shipped())
def test_what_is_listed_was_seen(dialect: str) -> None:
    """Each roll and question listed with a declaration comes in some scenario that declares it."""
    lacking = {
        (act, kind, name)
        for act, seen in read_seen(dialect).items()
        for kind, names in (("rolls", seen.rolls), ("asks", seen.asks))
        for name in names
    }
    for _, case in CASES:
        said = [line.do for line in case.script if line.do is not None]
        declared = {str(act.__struct_config__.tag) for act in said} | {"begin", *MEANWHILE}
        automatic = len(said) < len(case.script)
        if case.dialect == dialect and (automatic or any(act in declared for act, _, _ in lacking)):
            lacking -= {(act, kind, name) for act, kind, name, _ in heard(played(case, memory=True))}
    assert not lacking, HOW
