"""Printed routines, declared: each alternative of a creature's attacks is one full attack at a table.

The blocks are not part of the project; without them beside the checkout these tests are skipped, saying so.
What does not come out as printed is listed in routines.toml, each with the reason that a look has given.
"""

import tomllib
from pathlib import Path

import pytest

from tests.statblock.printed_routines import play_at_table
from tests.statblock.printing import DATA, blocks

PAGE = (Path(__file__).parents[2] / "docs" / "statblocks.md").read_text(encoding="utf-8")
OTHERWISE = tomllib.loads((Path(__file__).parent / "routines.toml").read_text(encoding="utf-8"))
#: Percent of the printed routines that come out with every printed bonus: may rise, not fall.
LEAST = {("srd35", "melee"): 98, ("srd35", "ranged"): 98, ("pf1", "melee"): 98, ("pf1", "ranged"): 98}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA.exists(), reason=f"no printed creatures at {DATA}"),
]


def found(dialect: str) -> dict[str, dict[str, str]]:
    """Return by way of attack each routine, by the creature's name and its number, and how it differs."""
    outcomes: dict[str, dict[str, str]] = {"melee": {}, "ranged": {}}
    for name, block in blocks(dialect):
        for number, routine in enumerate(block.routines, 1):
            differs = play_at_table(block.sheet, routine, dialect).differs(routine)
            outcomes[routine.mode][f"{name} {number}"] = differs
    return outcomes


@pytest.mark.parametrize("dialect", ["pf1", "srd35"])
def test_routines_come_out_as_printed(dialect: str) -> None:
    """Declared as one full attack, a printed routine has every printed bonus, but for those reviewed."""
    for mode, outcomes in found(dialect).items():
        check(dialect, mode, outcomes)


def check(dialect: str, mode: str, outcomes: dict[str, str]) -> None:
    """Compare what comes out of the routines of one way to attack with the reviewed list, and print it."""
    otherwise = {name: differs for name, differs in outcomes.items() if differs}
    come = len(outcomes) - len(otherwise)
    print(
        f"{dialect} {mode}: {len(outcomes)} routines, {come} as printed, {100 * come / len(outcomes):.1f} %"
    )
    for name, differs in otherwise.items():
        print(f"    {name}: {differs}")
    assert 100 * come >= LEAST[dialect, mode] * len(outcomes)
    assert f"| {dialect}, {mode} | {len(outcomes)} | {come} |" in PAGE
    names = {name.rpartition(" ")[0] for name in otherwise}
    assert names == set(OTHERWISE[dialect][mode])
