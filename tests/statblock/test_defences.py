"""Damage reduction, healing, saves and immunities as they are printed."""

import pytest

from affray.engine.statblock import Block, creature, read
from affray.events.facts.sheet import Reduction
from tests.statblock.blocks import trial


def block(*lines: str, dialect: str = "") -> Block:
    """Return a block with further lines."""
    return read(trial("Melee club +9/+4 (1d6+3)") + "\n".join(lines), dialect=dialect)


@pytest.mark.parametrize(
    ("printed", "kinds"),
    [
        ("20/cold iron, epic, and good", (("cold iron",), ("epic",), ("good",))),
        ("20/cold iron, silver, or good", (("cold iron", "silver", "good"),)),
        ("20/epic and good", (("epic",), ("good",))),
        ("20/-", ((),)),
    ],
)
@pytest.mark.parametrize(
    "line", ["DR {}", "SQ damage reduction {}, scent", "Defensive Abilities DR {}; evasion"]
)
def test_all_kinds_of_a_list(printed: str, kinds: tuple[tuple[str, ...], ...], line: str) -> None:
    """Of a list with "and" each kind must be had, of one with "or" any; what follows is something else."""
    assert block(line.format(printed)).sheet.reductions == tuple(Reduction(20, one) for one in kinds)


def test_reductions_side_by_side() -> None:
    """A second reduction in a list is one of its own, and a kind that no rule knows is told."""
    found = block("DR 10/magic and silver, 5/-, 3/feathers")
    assert [one.amount for one in found.sheet.reductions] == [10, 10, 5, 3]
    assert any("'feathers' bypasses nothing" in note.reason for note in found.notes)


def test_fast_healing_and_regeneration() -> None:
    """They reach the sheet from every line that prints them, with what is lethal all the same."""
    text = trial("Melee club +9/+4 (1d6+3)").replace(
        "(6d8+3)", "(6d8+3); regeneration 5 (fire, good weapons)"
    )
    sheet = read(text).sheet
    assert (sheet.regeneration, sheet.lethal, sheet.traits) == (5, ("fire", "good"), ())
    for line in ("Defensive Abilities fast healing 3, evasion", "SQ evasion, fast healing 3 (Ex)"):
        assert block(line).sheet.fast_healing == 3


def test_healing_in_some_cases_only() -> None:
    """What heals in water only is kept for people and told; so is that nothing lethal is printed."""
    found = block("SQ fast healing 3 (in water), regeneration 7")
    assert (found.sheet.fast_healing, found.sheet.regeneration) == (0, 7)
    assert "fast healing 3 (in water)" in found.sheet.traits
    assert any("what it does not regenerate" in note.reason for note in found.notes)


def test_numbers_without_a_sign() -> None:
    """A save, an initiative, a base attack bonus or a skill of 0 has no sign in many prints."""
    text = trial("Melee club +3 (1d6+3)").replace("Ref +4", "Ref 0").replace("Base Atk +6", "Base Atk 0")
    found = read(f"{text.replace('Speed', 'Init 0' + chr(10) + 'Speed')}Skills Climb 0, Swim +3\n")
    assert found.printed.saves["ref"] == creature.save_bonus(found.sheet, "ref", "pf1") == 0
    assert found.printed.initiative == creature.initiative_modifier(found.sheet, "pf1") == 0
    assert (found.sheet.base_attack, found.sheet.skills) == (0, {"climb": 0, "swim": 3})


def test_immunities_are_called_what_rules_call_them() -> None:
    """Immunity to poison is a trait under the name that the rules look for."""
    assert "immunity to poison" in block("Immune poison, fire").sheet.traits
    assert block("Immune poison, fire").sheet.resistances["fire"] > 1000


def test_a_trait_is_told_where_a_rule_knows_immunity_to_anything() -> None:
    """Only an immunity on the sheet is read as one; a trait of another name is told as unread."""
    of = block("Special Attacks: Mud spray", "Special Qualities: Immunity to sleep", dialect="srd35")
    assert [note.text for note in of.notes if "no rule reads" in note.reason] == ["Mud spray"]


@pytest.mark.parametrize(
    ("line", "nature"),
    [
        ("Immune undead traits", "undead"),
        ("Immune acid, construct traits", "construct"),
        ("Defensive Abilities swarm traits", "swarm"),
        ("SQ ooze traits, scent", "ooze"),
        ("Immune elemental traits; SR 18", "elemental"),
    ],
)
def test_traits_of_a_kind_make_the_kind(line: str, nature: str) -> None:
    """All traits of undead make the creature one, and nothing is left to note."""
    found = block(line, dialect="pf1")
    assert nature in found.sheet.traits
    assert not [note for note in found.notes if nature in note.text]


def test_traits_of_kinds_without_rules_are_noted() -> None:
    """Futurepath has no rules on what undead are immune to: that is said, and so it is of elves."""
    assert [
        one.text for one in block("Immune undead traits", dialect="futurepath").notes if "traits" in one.text
    ]
    assert "elf traits" in block("Immune elf traits", dialect="pf1").sheet.traits
