"""What a printed hit does: dice, ability points, levels, and what else is said in parentheses."""

import pytest

from affray.engine import Table, acts
from affray.engine.statblock import read
from affray.engine.statblock.armory import harm_of
from affray.events import MemoryStore
from affray.events.facts.sheet import Rider
from tests.statblock.blocks import trial


@pytest.mark.parametrize(
    ("damage", "dice", "flat", "losses"),
    [
        ("1d6 Strength damage", "0", 0, ("1d6 str",)),
        ("1d6 Strength", "0", 0, ("1d6 str",)),
        ("1d4+2 Con drain", "0", 0, ("1d4+2 con drain",)),
        ("1 point of Wisdom damage", "0", 0, ("1 wis",)),
        ("2d6+4 plus 1d4 Cha drain", "2d6", 4, ("1d4 cha drain",)),
        ("1d3 plus 1 Con damage", "1d3", 0, ("1 con",)),
        ("1d8+3 plus 2 negative levels", "1d8", 3, ("2 negative levels",)),
        ("1d8+3 plus energy drain (1 level)", "1d8", 3, ("1 negative level",)),
        ("1d10+1d6+13", "1d10+1d6", 13, ()),
        ("6d6; DC 22", "6d6", 0, ()),
        ("2d4+5/19-20", "2d4", 5, ()),
    ],
)
def test_hit_points_and_other_losses(damage: str, dice: str, flat: int, losses: tuple[str, ...]) -> None:
    """Ability points and levels are no hit points, dice of several kinds are one sum."""
    found = harm_of(damage)
    assert (found.get("dice", "0"), found.get("flat", 0), found["losses"]) == (dice, flat, losses)


def test_a_lost_blank() -> None:
    """Print that has run together keeps its critical multiplier, its threat and its riders."""
    spear = harm_of("1d8+4/x3plus poison")
    assert (spear["dice"], spear["flat"], spear["multiplier"], spear["riders"]) == ("1d8", 4, 3, ("poison",))
    assert harm_of("1d4/19-20plus poison")["threat"] == 19
    assert harm_of("1d4+1plus1d6 fire")["extra"] == (("1d6", "fire"),)


def test_losses_are_riders_of_the_weapon() -> None:
    """What costs no hit points needs no wound; the save printed beside it holds it off."""
    touch, claw = read(
        trial("Melee touch +9 (1d6 Strength damage, Fort DC 14 negates), claw +9 (1d4+3 plus 1d4 Con drain)")
    ).sheet.weapons
    assert (touch.damage, touch.bonus_damage) == ("0", ())
    assert touch.riders == (Rider("strength damage", "ability", "contact", "fort", 14, "1d6 str"),)
    assert claw.damage == "1d4"
    assert claw.riders == (Rider("constitution drain", "ability", "injury", effect="1d4 con drain"),)


def test_a_touch_that_weakens_in_play() -> None:
    """In srd35 such a touch costs Strength and no hit points."""
    table = Table.create(MemoryStore(), dialect="srd35", terrain=("." * 9,) * 3, name="trial", seed=bytes(32))
    sheet = read(trial("Melee touch +30 touch (1d6 Strength damage)"), dialect="srd35").sheet
    for number, id in enumerate(("shade", "guard")):
        enter = acts.Enter(id=id, side=id, sheet=sheet, at=(number, 0), initiative=20 - number)
        assert table.declare(enter).refused is None
    table.declare(acts.Begin())
    outcome = table.declare(acts.Attack(actor="shade", target="guard"))
    assert outcome.refused is None
    guard = table.state.combatants["guard"]
    assert guard.hp == guard.max_hp
    assert guard.losses
