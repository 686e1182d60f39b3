"""Printed routines become declarations, and what attacks made together cost is left to the rules."""

import pytest

from affray.engine.statblock import Block, Routine, read
from affray.engine.statblock.armory import play
from affray.events.facts.acts import Strike
from affray.events.facts.sheet import Bonus
from tests.statblock.blocks import trial
from tests.statblock.printed_routines import play_at_table

TWO = "Melee longsword +7/+2 (1d8+3/19-20), short sword +7 (1d6+1/19-20)"


def block(attacks: str, feats: str = "Alertness", dialect: str = "srd35") -> Block:
    """Return a block with these attacks: base attack +6, Strength 16, Dexterity 14."""
    return read(trial(attacks, feats=feats), dialect=dialect)


def bonuses(found: Block, number: int = 0) -> list[int]:
    """Return what the attacks of a routine come to, played."""
    played = play(found.sheet, found.routines[number], found.dialect)
    assert not isinstance(played, str), played
    return [one.bonus for one in played]


def reasons(found: Block) -> str:
    """Return the reasons of all notes in one text."""
    return "\n".join(note.reason for note in found.notes)


def test_two_weapons_pay_once() -> None:
    """The penalties of two weapons are the rules' to take: no part of a weapon holds them."""
    found = block(TWO, "Two-Weapon Fighting")
    assert [weapon.attack for weapon in found.sheet.weapons] == [(), ()]
    assert bonuses(found) == [7, 2, 7]
    (routine,) = found.routines
    assert routine.held == ("longsword", "short sword")
    assert [one.off_hand for one in routine.strikes] == [False, False, True]
    assert play_at_table(found.sheet, routine, "srd35").differs(routine) == ""


def test_a_routine_is_declared() -> None:
    """A routine knows how it is declared, at whatever target."""
    found = block("Melee 2 claws +9 (1d6+3), bite +9 (1d8+3)")
    act = found.routines[0].declared("it", "ogre")
    assert act.strikes == (Strike("ogre", "claw"), Strike("ogre", "claw"), Strike("ogre", "bite"))
    assert found.routines[0] == Routine(
        "melee", (Strike("", "claw"), Strike("", "claw"), Strike("", "bite")), (9, 9, 9)
    )


def test_natural_weapons_beside_made_ones() -> None:
    """One bite is primary alone and secondary beside a sword, without a part of its own in either."""
    found = block(
        "Melee longsword +9/+4 (1d8+3/19-20), bite +4 (1d6+1) or bite +9 (1d6+3), 2 claws +9 (1d4+3)"
    )
    assert [weapon.name for weapon in found.sheet.weapons] == ["longsword", "bite", "claw"]
    assert all(weapon.attack == weapon.bonus_damage == () for weapon in found.sheet.weapons)
    assert bonuses(found) == [9, 4, 4]
    assert bonuses(found, 1) == [9, 9, 9]


@pytest.mark.parametrize(
    ("attacks", "feats", "series"),
    [
        ("Melee 2 short swords +7/+7 (1d6+3/19-20)", "Two-Weapon Fighting", [7, 7]),
        ("Melee short swords +7/+7/+2 (1d6+3/19-20)", "Two-Weapon Fighting", [7, 2, 7]),
        ("Melee 2 mwk sickles +8 (1d6+3)", "Two-Weapon Fighting", [8, 8]),
        ("Melee quarterstaff +7/+2 (1d6+3), quarterstaff +7 (1d6+1)", "Two-Weapon Fighting", [7, 2, 7]),
        ("Ranged longbow +6/+6/+1 (1d8/x3)", "Point-Blank Shot, Rapid Shot", [6, 6, 1]),
        ("Ranged longbow +8 (1d8/x3) or Rapid Shot +6/+6/+1 (1d8/x3)", "Rapid Shot", [8]),
        ("Ranged 4 spikes +8 (1d6+3)", "Alertness", [8, 8, 8, 8]),
        ("Ranged javelin +8/+3 (1d6+3)", "Alertness", [8, 3]),
        ("Melee 3 blades +9 (1d6+3)", "Alertness", [9, 9, 9]),
    ],
)
def test_forms_of_print(attacks: str, feats: str, series: list[int]) -> None:
    """Series of both hands in one, counted and double weapons, volleys and throws come out as printed."""
    found = block(attacks, feats)
    assert bonuses(found) == series
    assert all(weapon.attack == () or "masterwork" in str(weapon.attack) for weapon in found.sheet.weapons)
    for routine in found.routines:
        assert play_at_table(found.sheet, routine, "srd35").differs(routine) == ""


def test_no_penalty_in_print() -> None:
    """Where print takes nothing off for several weapons, the creature has a trait by which rules do so."""
    found = block("Melee longsword +9/+4 (1d8+3/19-20), handaxe +9 (1d6+1/x3), dagger +9 (1d4+1/19-20)")
    assert {"multiweapon mastery", "arms 4"} <= set(found.sheet.traits)
    assert bonuses(found) == [9, 4, 9, 9]
    assert "multiweapon mastery is assumed" in reasons(found)
    two = block("Melee 2 flails +9/+4 (1d8+3)")
    assert "superior two-weapon fighting" in two.sheet.traits
    assert bonuses(two) == [9, 4, 9, 4]


def test_the_weapon_of_the_off_hand_counts_as_light() -> None:
    """Where print takes 2 off for two scimitars, the one in the off hand is as light."""
    found = block("Melee 2 scimitars +7 (1d6+3/18-20)", "Two-Weapon Fighting")
    assert [weapon.wield for weapon in found.sheet.weapons] == ["one-handed", "light"]
    assert bonuses(found) == [7, 7]
    assert "counts as light" in reasons(found)


def test_feats_without_their_prerequisites() -> None:
    """A printed feat whose prerequisites the sheet lacks is a bonus feat."""
    clumsy = (
        trial(TWO, feats="Two-Weapon Fighting").replace("Dex 14", "Dex 12").replace("(+2 Dex)", "(+1 Dex)")
    )
    found = read(clumsy, dialect="srd35")
    assert "bonus feat two-weapon fighting" in found.sheet.traits
    assert "asks for Dexterity 15, which the sheet lacks" in reasons(found)
    assert bonuses(found) == [7, 2, 7]


def test_an_or_that_print_has_lost() -> None:
    """Two full series without training in two weapons are alternatives; so is what follows a glued "or"."""
    found = block("Melee falchion +9/+4 (2d4+4/18-20), spear +9/+4 (1d8+4/x3)")
    assert len(found.routines) == 2
    assert "read as another attack" in reasons(found)
    glued = block("Melee longsword +9/+4 (1d8+3/19-20) or2 slams +9 (1d4+3)")
    assert [len(routine.strikes) for routine in glued.routines] == [2, 2]


def test_print_against_the_rules_keeps_its_figure_by_itself() -> None:
    """A bite at its full bonus beside a sword is as printed by itself; of the full attack a note tells."""
    found = block("Melee longsword +9/+4 (1d8+3/19-20), bite +9 (1d6+3)")
    assert [weapon.attack for weapon in found.sheet.weapons] == [(), ()]
    assert bonuses(found) == [9, 4, 4]
    assert "with all others as one full attack: +9 +4 +4" in reasons(found)


def test_a_dialect_without_the_rules() -> None:
    """Where a dialect does not play a routine, the weapons hold what print takes off, and a note tells it."""
    found = block("Ranged longbow +6/+6/+1 (1d8/x3)", "Rapid Shot", "futurepath")
    assert found.sheet.weapons[0].attack == (Bonus(-2, "penalty", "Rapid Shot"),)
    assert "with all others as one full attack" in reasons(found)
