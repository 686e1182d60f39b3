"""What no rule reads of a sheet is accepted and told, once, and stands in no log."""

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.rules.classes.remarks import remarks
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Bonus, Grant, Sheet, Spell, Weapon, Worn
from affray.replay.verification.verify import verify
from tests.dialects.test_topics import each_dialect
from tests.house.fights import opened

PLAIN = Sheet("orc", 5, weapons=(Weapon("club", "1d6"),))
ODD = replace(
    PLAIN, feats=("basket weaving",), traits=("cowardly",), save_bonuses={"refl": (Bonus(1, "luck"),)}
)


@each_dialect
def test_what_nobody_reads_is_told(dialect: str) -> None:
    """Feats, traits, traits of weapons and saves of a name that no rule looks for."""
    sheet = replace(ODD, weapons=(Weapon("club", "1d6", traits=("sticky", "silver")),))
    found = remarks(load(dialect), sheet)
    assert [line for line in found if line.startswith(f"no rule of {dialect} reads these ")] == [
        f"no rule of {dialect} reads these feats: basket weaving",
        f"no rule of {dialect} reads these traits: cowardly",
        f"no rule of {dialect} reads these traits of weapons: sticky",
        f"no rule of {dialect} reads these saves: refl",
    ]
    assert remarks(load(dialect), PLAIN) == ()


@pytest.mark.parametrize(
    ("dialect", "sheet", "line"),
    [
        (
            "pf1",
            replace(PLAIN, spells=(Spell("x", school="evocation", arcane=True),)),
            "no rule of pf1 reads these fields of spells: arcane",
        ),
        (
            "futurepath",
            replace(PLAIN, spells=(Spell("x", grants=(Grant("attack", 1),), ongoing="1d6", healing="1d8"),)),
            "no rule of futurepath reads these fields of spells: grants, ongoing, healing",
        ),
        (
            "srd35",
            replace(PLAIN, spells=(Spell("daze", save="will", save_each_round=True),)),
            "daze allows a new save each round, but has no save, or no condition, to end by it",
        ),
        (
            "woa",
            replace(PLAIN, spells=(Spell("x", save="will", condition="paralyzed", save_each_round=True),)),
            "no rule of woa reads these fields of spells: save_each_round",
        ),
        (
            "pf1",
            replace(PLAIN, classes={"paladin": 3}, traits=("immunity to disease",)),
            "no rule of pf1 gives a paladin of level 3 this: 'immunity to fear'; a trait does",
        ),
        (
            "pf1",
            replace(PLAIN, classes={"monk": 11, "druid": 8}),
            "no rule of pf1 gives a monk of level 11 this: 'immunity to disease', 'immunity to poison'",
        ),
        (
            "srd35",
            replace(PLAIN, classes={"paladin": 3}),
            "no rule of srd35 gives a paladin of level 3 this: 'immunity to disease'; a trait does",
        ),
        (
            "futurepath",
            replace(PLAIN, worn=(Worn("vest", bonus=3),)),
            "no rule of futurepath reads these fields of armor: bonus",
        ),
        (
            "woa",
            replace(PLAIN, worn=(Worn("vest", max_dex=3),), spells=(Spell("x", key="wis"),)),
            "no rule of woa reads these fields of spells: key",
        ),
        (
            "woa",
            replace(PLAIN, weapons=(Weapon("club", "1d6", masterwork=True),)),
            "no rule of woa reads these fields of weapons: masterwork",
        ),
        (
            "pf1",
            replace(PLAIN, good_saves={"rogue": ("ref",)}),
            "no rule of pf1 reads these fields of the sheet: ",
        ),
        (
            "srd35",
            replace(PLAIN, feats=("power attack",), abilities=Abilities(str=11)),
            "the feat power attack asks for Strength 13 (srd35.feat.power-attack)",
        ),
        (
            "srd35",
            replace(PLAIN, feats=("great cleave",), abilities=Abilities(str=15), base_attack=1),
            "the feat great cleave asks for base attack bonus +4 (srd35.feat.great-cleave)",
        ),
    ],
)
def test_fields_and_prerequisites_are_told(dialect: str, sheet: Sheet, line: str) -> None:
    """Fields in which something is said for nothing, and what a feat asks of who has it."""
    assert any(told.startswith(line) for told in remarks(load(dialect), sheet)), remarks(load(dialect), sheet)


def test_classes_grant_feats() -> None:
    """A feat that a class grants asks for nothing."""
    monk = replace(PLAIN, feats=("stunning fist",), classes={"monk": 1})
    assert remarks(load("srd35"), monk) == ()
    assert remarks(load("srd35"), replace(monk, classes={}))


def test_features_and_patterns_are_read() -> None:
    """Names of features, with a detail or without, and names of a pattern are no matter for remarks."""
    sheet = replace(
        PLAIN,
        feats=("weapon focus (club)", "iron will"),
        base_attack=1,
        traits=("sneak attack 3d6", "favored enemy undead +2", "constrict 1d6", "turn undead"),
    )
    assert remarks(load("srd35"), sheet) == ()


def test_remarks_are_made_once_a_sheet_and_not_recorded() -> None:
    """The second of two orcs is not remarked on; the log has nothing of it and verifies."""
    store = MemoryStore()
    table = opened("srd35", store, 1)
    first = table.declare(acts.Enter(id="a", side="x", sheet=ODD, at=(0, 0)))
    second = table.declare(acts.Enter(id="b", side="x", sheet=ODD, at=(0, 1)))
    assert len(first.remarks) == 3
    assert not second.remarks
    assert not any(b"basket weaving: " in event.data for event in store.read("main"))
    assert verify(store, "main").ok


@each_dialect
def test_misspelt_skills_and_classes_are_told(dialect: str) -> None:
    """A rule looks for "heal" and finds no "heall": that is said; other names are a sheet's own."""
    sheet = replace(
        PLAIN,
        skills={"heall": 5, "Bluff": 3, "heal": 2, "craft (boats)": 4, "basket weaving": 1},
        ranks={"sleight of hands": 5},
        classes={"Soldier": 1, "adept": 1} if dialect == "futurepath" else {"fihgter": 2, "witch hunter": 1},
    )
    wrong = "Soldier" if dialect == "futurepath" else "fihgter"
    told = [line for line in remarks(load(dialect), sheet) if "did you mean" in line]
    assert told == [
        f"{dialect} knows no skill 'heall'; did you mean heal?",
        f"{dialect} knows no skill 'Bluff'; did you mean bluff?",
        f"{dialect} knows no skill 'sleight of hands'; did you mean sleight of hand?",
        f"{dialect} knows no class {wrong!r}; did you mean {'soldier' if wrong == 'Soldier' else 'fighter'}?",
    ]


@each_dialect
def test_an_immunity_of_a_class_that_is_said_acts(dialect: str) -> None:
    """What a remark asks for as a trait is read, and nothing more is asked for."""
    names = load(dialect).classes.sheet_names
    for name, immunities in names.class_immunities.items():
        assert name in names.classes
        assert set(immunities) <= names.immunities
        below = {kind: least - 1 for kind, least in immunities.items()}
        assert not remarks(load(dialect), replace(PLAIN, classes={name: min(below.values())}))
        traits = tuple(f"immunity to {kind}" for kind in immunities)
        assert not remarks(load(dialect), replace(PLAIN, classes={name: 20}, traits=traits))
