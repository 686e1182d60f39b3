"""Fifth edition: what its rules do not play yet is reported, not ignored."""

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dialects.srd52.class_features import UseFeature
from affray.engine.table.scenario import fixed_seed, packaged, play, set_up
from affray.engine.testing import check
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.sheet import Abilities, Sheet, Spell
from affray.replay.chance.luck import luck
from affray.replay.chance.odds import odds
from affray.replay.explain.why import text, why
from affray.replay.rows.walk import rows_of
from affray.replay.verification.verify import verify
from affray.replay.viewer.pages import build
from tests.relatives import foreign_functions
from tests.scenarios.cases import cases_of

STRONG = Abilities(str=21)
FIVE = ("sacred flame", "guidance", "light", "spare the dying", "resistance")
FOUR = ("fire bolt", "ray of frost", "poison spray", "acid splash", "magic missile")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"spells": (Spell("fire bolt", damage="1d10"),)},
            "no rule of srd52 reads these fields of the sheet: spells",
        ),
        ({"traits": ("heavy sleeper",)}, "no rule of srd52 reads these traits: heavy sleeper"),
        ({"custom": {"items": ("rope", "tent")}}, "no rule of srd52 reads these items: tent"),
        ({"fast_healing": 5}, "no rule of srd52 reads these fields of the sheet: fast_healing"),
    ],
)
def test_what_no_rule_reads_is_reported(change: dict[str, object], told: str) -> None:
    """Spells, traits and figures of other games are named as the combatant enters."""
    plain = Sheet("Guard", 10)
    dialect = load("srd52")
    assert dialect.kernel.remarks(dialect, plain, None) == ()
    assert dialect.kernel.remarks(dialect, replace(plain, **change), None) == (told,)


HERO = Sheet("Hero", 20, classes={"fighter": 3})


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"classes": {"bard": 3}}, "no rule of srd52 reads the class bard"),
        (
            {"classes": {"fighter": 6}},
            "no rule of srd52 reads features of fighter above level 5, but its table",
        ),
        (
            {"traits": ("champion",), "classes": {"fighter": 2}},
            "the trait champion takes fighter 3",
        ),
        (
            {"feats": ("grappler",)},
            "the feat grappler has no effect: it takes level 4",
        ),
        (
            {"feats": ("grappler",), "classes": {"fighter": 4}},
            "the feat grappler has no effect: it takes str or dex 13",
        ),
        (
            {"feats": ("archery",), "classes": {"rogue": 3}},
            "the feat archery has no effect: each Fighting Style takes a Fighting Style feature",
        ),
        (
            {"feats": ("ability score improvement",), "classes": {"fighter": 4}, "abilities": STRONG},
            "the feat ability score improvement has no effect: Strength is above 20",
        ),
        (
            {"classes": {"wizard": 1}, "hp": 6, "custom": {"spells": FOUR}},
            "4 cantrips are more than the 3 that its classes give",
        ),
        (
            {"abilities": STRONG, "custom": {"character": True}},
            "Strength is above 20, and no feature raises it",
        ),
        (
            {"classes": {"cleric": 1}, "hp": 8, "traits": ("thaumaturge",), "custom": {"spells": FIVE}},
            "5 cantrips are more than the 4 that its classes give",
        ),
        (
            {"hp": 31},
            "31 hit points are more than the 30 that its classes and Constitution can give",
        ),
    ],
)
def test_what_levels_do_not_allow_is_reported(change: dict[str, object], told: str) -> None:
    """Classes, choices, feats and hit points beyond the levels of a character are named."""
    dialect = load("srd52")
    assert dialect.kernel.remarks(dialect, HERO, None) == ()
    assert dialect.kernel.remarks(dialect, replace(HERO, **change), None) == (told,)


@pytest.mark.parametrize(
    "change",
    [
        {"hp": 30},
        {"classes": {"fighter": 5}},
        {"abilities": Abilities(str=20), "custom": {"character": True}},
        {"abilities": STRONG},
        {"abilities": STRONG, "classes": {"fighter": 19}, "feats": ("boon of fate",), "hp": 30},
        {"classes": {"cleric": 1}, "hp": 8, "traits": ("thaumaturge",), "custom": {"spells": FIVE[:4]}},
        {"classes": {"wizard": 1}, "hp": 6, "custom": {"spells": FOUR[:3]}},
    ],
)
def test_what_levels_allow_is_not_reported(change: dict[str, object]) -> None:
    """Level 5, a score of 20, as many hit points and cantrips as classes give; any score of a monster."""
    dialect = load("srd52")
    told = dialect.kernel.remarks(dialect, replace(HERO, **change), None)
    assert [one for one in told if "above level 5" not in one] == []


CANTRIPS = ("fire bolt", "ray of frost", "poison spray", "acid splash", "light", "guidance")
GIVEN = (3,) * 3 + (4,) * 6 + (5,) * 11
"""The cantrips of clerics and wizards by level, 1 to 20."""


@pytest.mark.parametrize(
    ("change", "most"),
    [
        *(
            ({"classes": {name: level}}, most)
            for name in ("cleric", "wizard")
            for level, most in enumerate(GIVEN, 1)
        ),
        ({"classes": {"paladin": 2}, "traits": ("blessed warrior",)}, 2),
        ({"classes": {"wizard": 1}, "feats": ("magic initiate (wizard)",)}, 5),
    ],
)
def test_cantrips_beyond_the_table_are_reported(change: dict[str, object], most: int) -> None:
    """As many cantrips as the classes, Blessed Warrior and Magic Initiate give are none too many."""
    dialect = load("srd52")

    def told(many: int) -> list[str]:
        custom = {"spells": CANTRIPS[:many], "initiate_spells": ("magic missile",)}
        lines = dialect.kernel.remarks(dialect, replace(Sheet("Hero", 1, custom=custom), **change), None)
        return [one for one in lines if "cantrips" in one]

    assert told(most) == []
    assert told(most + 1) == [f"{most + 1} cantrips are more than the {most} that its classes give"]


@pytest.mark.parametrize(
    ("name", "die"),
    [
        ("barbarian", 12),
        ("fighter", 10),
        ("paladin", 10),
        ("cleric", 8),
        ("monk", 8),
        ("rogue", 8),
        ("wizard", 6),
    ],
)
def test_more_hit_points_than_the_hit_die_gives_are_reported(name: str, die: int) -> None:
    """A character of level 1 has no more hit points than its Hit Point Die has faces."""
    dialect, hero = load("srd52"), Sheet("Hero", die, classes={name: 1})
    assert dialect.kernel.remarks(dialect, hero, None) == ()
    more = f"{die + 1} hit points are more than the {die} that its classes and Constitution can give"
    assert dialect.kernel.remarks(dialect, replace(hero, hp=die + 1), None) == (more,)


def test_a_score_above_20_is_reported() -> None:
    """The scores of an adventurer end at 20, unless a feature raises them."""
    dialect, scores = load("srd52"), Abilities(str=20)
    hero = Sheet("Hero", 10, classes={"fighter": 1}, abilities=scores, custom={"character": True})
    assert dialect.kernel.remarks(dialect, hero, None) == ()
    told = dialect.kernel.remarks(dialect, replace(hero, abilities=STRONG), None)
    assert told == ("Strength is above 20, and no feature raises it",)


@pytest.mark.slow
def test_no_rule_of_35_runs() -> None:
    """Scenarios, automatic play, legal acts, explanations, odds, rows and the page run none of its layer."""
    with foreign_functions("srd52") as ran:
        for case in cases_of("srd52").values():
            check(case)
        for name in ("demo_srd52", "ledge", "palisade"):
            scenario = packaged(name)
            store = play(scenario, MemoryStore(), seed=fixed_seed(scenario)).store
            assert verify(store).ok
            blow = next(event.seq for event in store.read("main") if event.type == "attack.resolved")
            text(why(store, "main", blow))
            list(rows_of(store))
            luck(store)
            build(store)
            begun = set_up(scenario, MemoryStore())
            begun.declare(acts.Begin())
            begun.legal()
        odds(store, "r1", runs=2)
    assert ran == set()


def test_a_rage_lasts_ten_minutes_at_most() -> None:
    """Extended in each turn, it ends a hundred rounds after it began."""
    table = set_up(packaged("demo_srd52"), MemoryStore(), seed=b"rage")
    fight, sheet = table.fight, replace(HERO, classes={"barbarian": 5}, hp=40)
    table.declare(acts.Enter(id="bear", side="heroes", sheet=sheet, at=(0, 0)))
    table.declare(acts.Begin())
    ended = []
    while fight.state.round < 110 and not ended:
        active = fight.state.active
        if active == "bear":
            rage = UseFeature(actor="bear", feature="rage")
            table.declare(fight.dialect.recorded(rage))
        table.declare(acts.EndTurn(actor=active))
        lost = "raging" not in fight.state.combatants["bear"].conditions
        ended = [fight.state.round] if active == "bear" and lost else []
    assert ended == [101]
