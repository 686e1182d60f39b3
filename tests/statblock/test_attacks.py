"""Printed attacks become weapons whose parts the rules explain."""

import pytest

from affray.engine.statblock import Block, creature, read
from affray.engine.statblock.creature import PRINTED_ATTACK_PRINTED
from affray.events.facts.sheet import Bonus, ExtraDamage, Weapon
from tests.statblock.blocks import CLASSIC, trial


def weapon(attacks: str, feats: str = "Alertness", strength: int | str = 16) -> Weapon:
    """Return the first weapon of a block with these attacks."""
    return read(trial(attacks, strength, feats)).sheet.weapons[0]


def reasons(block: Block) -> str:
    """Return the reasons of all notes in one text."""
    return "\n".join(note.reason for note in block.notes)


def test_two_handed_strength() -> None:
    """A two-handed weapon needs no part for one and a half times Strength."""
    found = weapon("Melee greataxe +9/+4 (1d12+4/x3)")
    assert (found.wield, found.multiplier, found.attack, found.bonus_damage) == ("two-handed", 3, (), ())


def test_a_one_handed_weapon_held_in_two_hands() -> None:
    """The printed damage tells that a longsword is held in both hands."""
    assert weapon("Melee longsword +9/+4 (1d8+4/19-20)").hands == 2
    assert weapon("Melee longsword +9/+4 (1d8+3/19-20)").hands == 1


def test_off_hand() -> None:
    """Half Strength is an off-hand weapon's; the penalties of two weapons are the rules' to take."""
    text = trial("Melee longsword +7/+2 (1d8+3/19-20), dagger +7 (1d4+1/19-20)", feats="Two-Weapon Fighting")
    long, dagger = read(text, dialect="srd35").sheet.weapons
    assert long.attack == dagger.attack == ()
    assert (long.off_hand, dagger.off_hand, dagger.bonus_damage) == (False, True, ())


def test_enhancement_and_masterwork() -> None:
    """An enhancement is in attack and damage, masterwork in the attack only."""
    magic = weapon("Melee +2 flaming longsword +11/+6 (1d8+5/19-20 plus 1d6 fire)")
    assert magic.name == "longsword"
    assert magic.attack == magic.bonus_damage == (Bonus(2, "enhancement", "+2 longsword"),)
    assert magic.extra == (ExtraDamage("1d6", "fire", "flaming longsword"),)
    assert "magic" in magic.traits
    good = weapon("Melee mwk longsword +10/+5 (1d8+3/19-20)")
    assert (good.attack, good.bonus_damage) == ((Bonus(1, "enhancement", "masterwork"),), ())


def test_weapon_focus_goes_by_the_name() -> None:
    """Weapon Focus is the engine's to add, whatever form of the name the feat has."""
    assert weapon("Melee 2 claws +10 (1d6+3)", "Weapon Focus (claws)").attack == ()
    assert weapon("Melee tail slap +10 (1d6+3)", "Weapon Focus (tail)").attack == (
        Bonus(1, "untyped", "Weapon Focus"),
    )


def test_natural_weapons_primary_and_secondary() -> None:
    """What is 5 lower, or 2 with Multiattack, and has half Strength is secondary."""
    claw, bite, _ = read(CLASSIC).sheet.weapons
    assert {"primary", "attacks 2"} <= set(claw.traits)
    assert "secondary" in bite.traits
    assert bite.attack == (Bonus(-5, "penalty", "secondary natural attack"),)
    assert bite.bonus_damage == (Bonus(-3, "ability", "Strength, half of it"),)
    trained = weapon("Melee wing +7 (1d4+1)", "Multiattack")
    assert trained.attack == (Bonus(-2, "penalty", "secondary natural attack, Multiattack"),)


def test_a_sole_natural_attack_has_half_again_the_strength() -> None:
    """What a single bite adds over Strength is the engine's to add, unless print has it otherwise."""
    sole = weapon("Melee bite +9 (1d8+4)")
    assert (sole.bonus_damage, sole.traits) == ((), ("slashing", "bludgeoning"))
    plain = weapon("Melee bite +9 (1d8+3)")
    assert (plain.bonus_damage, plain.traits) == ((), ("slashing", "bludgeoning", "primary"))


def test_bows() -> None:
    """The printed damage of a composite bow gives its rating, another bow has none."""
    composite = weapon("Ranged composite longbow +8/+3 (1d8+2/x3)")
    assert (composite.family, composite.rating, composite.range, composite.hands) == ("bow", 2, 110, 2)
    printed = weapon("Ranged +1 composite longbow (+3 Str bonus) +9/+4 (1d8+4/x3)")
    assert (printed.rating, printed.bonus_damage) == (3, (Bonus(1, "enhancement", "+1 composite longbow"),))
    assert weapon("Ranged longbow +8/+3 (1d8/x3)").rating is None


def test_a_thrown_weapon_is_one_weapon() -> None:
    """A dagger in both lines is one weapon, to be thrown too; its finesse is the engine's."""
    block = read(trial("Melee dagger +9/+4 (1d4+3/19-20)\nRanged dagger +8 (1d4+3/19-20)"))
    (dagger,) = block.sheet.weapons
    assert (dagger.thrown, dagger.range, dagger.threat) == (True, 10, 19)
    assert len(block.strikes) == 2
    assert weapon("Melee rapier +8/+3 (1d6+1/18-20)", "Weapon Finesse", 12).attack == ()


def test_two_of_a_name_stay_apart() -> None:
    """Unlike weapons of one name get names of their own; feats by name are then parts."""
    text = trial("Melee +1 dagger +11/+6 (1d4+4/19-20) or dagger +10/+5 (1d4+3/19-20)")
    block = read(text.replace("Alertness", "Weapon Focus (dagger)"))
    magic, plain = block.sheet.weapons
    assert {magic.name, plain.name} == {"dagger", "dagger (2)"}
    for one, strike in zip((magic, plain), block.strikes, strict=True):
        assert creature.attack_bonus(block.sheet, one, True, "pf1") == strike.attack.bonuses[0]


def test_touch_and_energy() -> None:
    """A ray is a ranged touch attack whose energy has no Strength behind it."""
    ray = weapon("Ranged 2 fire rays +8 ranged touch (2d6 fire)")
    assert "touch" in ray.traits
    assert (ray.damage_type, ray.bonus_damage, ray.range) == ("fire", (), 60)


def test_riders_are_kept_and_noted() -> None:
    """What a hit does besides damage is a trait of the weapon and a note."""
    block = read(trial("Melee bite +9 (1d6+4 plus grab, poison and 1d4 acid)"))
    (bite,) = block.sheet.weapons
    assert {"plus grab", "plus poison"} <= set(bite.traits)
    assert bite.extra == (ExtraDamage("1d4", "acid", "bite"),)
    assert reasons(block).count("further effect of a hit of the bite") == 2


def test_an_unexplained_difference_is_kept_and_noted() -> None:
    """The printed figure stands, as an untyped part that says so."""
    block = read(trial("Melee longsword +12/+7 (1d8+9/19-20)"))
    (sword,) = block.sheet.weapons
    assert sword.attack == (Bonus(3, "untyped", PRINTED_ATTACK_PRINTED),)
    assert "attack bonus +12: +3 of it is explained by nothing" in reasons(block)
    assert "damage bonus +9: +6 of it is explained by nothing" in reasons(block)


def test_another_series_of_attacks_is_noted() -> None:
    """The engine derives further attacks from base attack; a print that differs is named."""
    assert "as one full attack" in reasons(read(trial("Melee longsword +9/+9/+9/+4 (1d8+3/19-20)")))
    assert "as one full attack" in reasons(read(trial("Melee bite +9/+4 (1d8+4)")))
    assert "as one full attack" not in reasons(read(trial("Melee longsword +9/+4 (1d8+3/19-20)")))


def test_lost_commas() -> None:
    """Attacks that print has run together are two attacks."""
    block = read(trial("Melee bite +9 (1d6+3) 2 claws +9 (1d4+3) or2 slams +9 (1d8+3)"))
    assert [one.name for one in block.sheet.weapons] == ["bite", "claw", "slam"]


@pytest.mark.parametrize("piece", ["swarm (2d6 plus distraction)", "by weapon", "0d6"])
def test_what_is_no_attack_is_noted(piece: str) -> None:
    """A piece without a bonus makes no weapon and is noted."""
    block = read(trial(f"Melee {piece}"))
    assert block.sheet.weapons == ()
    assert [note.line for note in block.notes if note.text == piece] == [7]


def test_a_die_that_does_not_exist_is_noted() -> None:
    """Dice that nobody can throw make no weapon."""
    block = read(trial("Melee club +9/+4 (1d0+3)"))
    assert block.sheet.weapons == ()
    assert "dice notation" in reasons(block)


def test_fixed_damage() -> None:
    """Damage without dice is a constant, to which Strength adds nothing that is not printed."""
    slam = weapon("Melee slam +9 (1 plus 1 fire)")
    assert (slam.damage, slam.bonus_damage) == ("1", (Bonus(-3, "ability", "no Strength"),))
    assert slam.extra == (ExtraDamage("1", "fire", "slam"),)


def test_unknown_weapons_that_were_made_are_no_part_of_the_body() -> None:
    """Magic, masterwork, several blows or a word such as sword show that a weapon is held in hand."""
    text = "Melee +1 zabbatan +10/+5 (1d8+4) or mwk thrum +10 (1d6+3) or cutter of dusk +9/+4 (1d6+3)"
    found = read(trial(f"{text} or hooked sword +9 (1d6+3) or snout +9 (1d6+3)")).sheet.weapons
    assert [(one.name, one.wield) for one in found] == [
        ("zabbatan", "one-handed"),
        ("thrum", "one-handed"),
        ("cutter of dusk", "one-handed"),
        ("hooked sword", "one-handed"),
        ("snout", "natural"),
    ]


def test_a_name_with_more_than_the_weapon() -> None:
    """What follows "of", a parenthesis, a mark of a footnote and a lost blank keep no weapon unknown."""
    text = (
        "Melee mace of ruin +9 (1d8+3) or pledge (whip) +9 (1d3+3) or scimitar* +9 (1d6+3) orspear +9 (1d8+4)"
    )
    found = read(trial(text)).sheet.weapons
    assert [one.name for one in found] == ["mace", "whip", "scimitar", "spear"]


def test_a_sling_staff_shoots() -> None:
    """A sling staff is a sling wherever the line does not say melee; swung it is held in hand."""
    staff = weapon("Ranged sling staff +8 (1d8+3/x3)")
    assert (staff.wield, staff.range, staff.damage_type) == ("projectile", 80, "bludgeoning")
    text = CLASSIC.replace("Full Attack: 2 claws +9 melee (1d6+6)", "Full Attack: sling staff +4 (1d8+6)")
    staff, *_ = read(text).sheet.weapons
    assert (staff.name, staff.wield) == ("sling staff", "projectile")
    swung = weapon("Melee sling staff +9 (1d8+3)")
    assert (swung.wield, swung.range, swung.attack, swung.bonus_damage) == ("one-handed", 0, (), ())


def test_a_family_that_no_rule_knows_is_left_out() -> None:
    """Weapons have no family that the dialect would refuse as its bearer enters."""
    assert weapon("Melee glaive +9/+4 (1d10+4/x3)").family == ""
    assert weapon("Ranged pistol +8/+3 (1d8/x4)").family == ""


def test_an_attack_bonus_of_nothing() -> None:
    """A bonus of 0 without a sign is a bonus."""
    (attack,) = read(trial("Melee club 0 (1d6+3)")).strikes
    assert attack.attack.bonuses == (0,)
