"""The packaged heroes of fifth edition at levels 1 to 5: hit points, supplies and attacks of each level."""

import pytest

from affray.engine import acts
from affray.engine.kernel.actions import left_of
from affray.engine.table.scenario import parse_scenario, set_up
from affray.events.stores.memory import MemoryStore
from affray.replay.log.rules_for_fight import make_fight_context

FIGHT = """
dialect = "srd52"
seed = "levels"
map = ["........"]
combatants = [
  {{id = "hero", side = "heroes", use = "{}", at = [0, 0], initiative = 20}},
  {{id = "goblin", side = "foes", use = "goblin", at = [1, 0], initiative = 1}},
]
"""
DICE = {"fighter": 10, "rogue": 8, "cleric": 8, "monk": 8, "paladin": 10, "wizard": 6}
"""The Hit Point Die of each class; the barbarian is tougher than its class."""

SUPPLIES: dict[str, dict[str, tuple[int, ...]]] = {
    "fighter": {"second wind": (2, 2, 2, 3, 3), "action surge": (0, 1, 1, 1, 1)},
    "rogue": {},
    "barbarian": {"rage": (2, 2, 3, 3, 3)},
    "monk": {"focus points": (0, 2, 3, 4, 5)},
    "cleric": {
        "level 1 slots": (2, 3, 4, 4, 4),
        "level 2 slots": (0, 0, 2, 3, 3),
        "level 3 slots": (0, 0, 0, 0, 2),
        "channel divinity (cleric)": (0, 2, 2, 2, 2),
    },
    "paladin": {
        "level 1 slots": (2, 2, 3, 3, 4),
        "level 2 slots": (0, 0, 0, 0, 2),
        "lay on hands": (5, 10, 15, 20, 25),
        "channel divinity (paladin)": (0, 0, 2, 2, 2),
    },
    "wizard": {
        "level 1 slots": (2, 3, 4, 4, 4),
        "level 2 slots": (0, 0, 2, 3, 3),
        "level 3 slots": (0, 0, 0, 0, 2),
    },
}
"""What each class has at levels 1 to 5, by its table."""


@pytest.mark.parametrize("level", range(1, 6))
@pytest.mark.parametrize("name", SUPPLIES)
def test_a_hero_has_what_its_level_gives(name: str, level: int) -> None:
    """Nothing on the sheet is without effect; level 5 is the sheet without a number."""
    table = set_up(parse_scenario(FIGHT.format(name if level == 5 else f"{name}{level}")), MemoryStore())
    table.declare(acts.Begin())
    fight = make_fight_context(table.state, None)
    hero = fight.state.combatants["hero"]
    assert hero.sheet.classes == {name: level}
    assert fight.dialect.kernel.remarks(fight.dialect, hero.sheet, None) == ()
    left = {one.kind: one.most for one in left_of(fight, hero)}
    assert {kind: left.get(kind, 0) for kind in SUPPLIES[name]} == {
        kind: amounts[level - 1] for kind, amounts in SUPPLIES[name].items()
    }
    if name in DICE:
        con, die = (hero.sheet.abilities.con or 10) // 2 - 5, DICE[name]
        assert hero.max_hp == die + con + (level - 1) * (die // 2 + 1 + con)
    table.declare(acts.Attack(actor="hero", target="goblin"))
    fight = make_fight_context(table.state, None)
    attacks = {one.kind: one.most for one in left_of(fight, fight.state.combatants["hero"])}["attacks"]
    assert attacks == (2 if level == 5 and name in ("fighter", "barbarian", "monk", "paladin") else 1)


@pytest.mark.parametrize("name", ["bard", "druid", "ranger", "sorcerer", "warlock"])
def test_other_classes_are_figures(name: str) -> None:
    """They enter with their numbers; that no rule plays their features is reported."""
    sheet = f'{{name = "Other", hp = 20, classes = {{{name} = 3}}, custom = {{character = true}}}}'
    text = FIGHT.format("fighter1").replace('use = "fighter1"', f"sheet = {sheet}")
    fight = make_fight_context(set_up(parse_scenario(text), MemoryStore()).state, None)
    hero = fight.state.combatants["hero"]
    assert fight.dialect.kernel.remarks(fight.dialect, hero.sheet, None) == (
        f"no rule of srd52 reads the class {name}",
    )
