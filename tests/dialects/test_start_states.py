"""Whoever enters under a condition is as whoever comes under it in play, in every dialect."""

from typing import Any

import pytest
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.table.scenario import fixed_seed, parse_scenario, play_line, set_up
from affray.engine.table.scenario_parts import BadScenario, Line, Scenario
from affray.engine.table.table import Table
from affray.events import MemoryStore

DIALECTS = ("futurepath", "pf1", "srd35", "woa")

SCENE = """
dialect = "DIALECT"
map = ["............", "............", "............"]
combatants = [
  {id = "caster", side = "x", at = [6, 0], use = "caster", acted = true, initiative = 20},
  {id = "target", side = "y", at = [2, 1], use = "target", ENTRY acted = true, initiative = 10},
]
begin = {ROUND turn = "caster"}

[sheets.caster]
name = "Caster"
hp = 40
hit_dice = 9
skills = {heal = 30, "treat injury" = 30}
spells = [{name = "word", level = 1, range = 200, components = [], resistance = false, SPELL}]

[sheets.target]
name = "Target"
hp = 40
hit_dice = 5
classes = {fighter = 5}
base_attack = 3
abilities = {str = 14, dex = 14, con = 14, int = 10, wis = 10, cha = 10}
weapons = [{name = "sword", damage = "1d8"}]

"""
CAST = '[[script]]\ndo = {act = "cast", actor = "caster", spell = "word", targets = ["target"]}\n'
TURNS = "".join(f'[[script]]\ndo = {{act = "end-turn", actor = "{id}"}}\n' for id in ("caster", "target"))

BLOW = '[[script]]\ndo = {act = "hazard", target = "target", damage = "43", source = "a rock"}\n'
FIRST_AID = '[[script]]\ndo = {act = "stabilize", actor = "caster", target = "target"}\n'

#: Conditions that a spell or an entry brings about in another way, by the reason for it.
APART = {
    "carried": "loads follow from what is carried: entered or given, they are settled by that",
    "posture": "in play it comes with a level that a spell does not give",
    "water": "in play the game master says at once how deep the water is",
    "round": "what lasts for a round is over as the round ends in which the spell works",
}
NOT_ALIKE = {
    "overloaded": "carried",
    "under a heavy load": "carried",
    "under a medium load": "carried",
    "squeezed": "posture",
    "stooping": "posture",
    "worming": "posture",
    "wriggling": "posture",
    "holding its breath": "water",
    "swimming": "water",
    "dazed": "round",
    "refocused": "round",
    "staggered": "round",
    "stunned": "round",
}


def scene(dialect: str, *, spell: str = "", entry: str = "", script: str = "") -> Scenario:
    """Return a fight of a caster and its target."""
    text = SCENE.replace("DIALECT", dialect)
    text = text.replace(", SPELL", f", {spell}" if spell else "").replace("ENTRY", entry)
    return parse_scenario(text.replace("ROUND", "" if dialect == "woa" else "round = 2,") + script)


def beside(scenario: Scenario) -> Scenario:
    """Return the fight with the caster next to its target."""
    caster, target = scenario.combatants
    return replace(scenario, combatants=(replace(caster, at=(3, 1)), target))


def played(scenario: Scenario) -> Table:
    """Return the table of a fight that nobody refuses any line of."""
    table = set_up(scenario, MemoryStore(), seed=fixed_seed(scenario))
    for line in (Line(scenario.begin.act(), dice="seed"), *scenario.script):
        outcome = play_line(table, line)
        assert outcome.refused is None, outcome.refused
    return table


def standing(table: Table) -> dict[str, Any]:
    """Return how the target stands, whatever has brought it there."""
    one = table.fight.state.combatants["target"]
    return {
        "conditions": {name: held.level for name, held in one.conditions.items()},
        "hit points": (one.hp, one.max_hp, one.nonlethal, one.temporary),
        "held": one.held,
        "items": dict(one.items),
        "effects": sorted((effect.stat, effect.modifier.value) for effect in one.effects),
        "afflictions": len(one.afflictions),
    }


def enters_by_name(dialect: str, name: str) -> bool:
    """Say whether somebody can enter under a condition by its name alone, at full hit points."""
    conditions = load(dialect).conditions
    if name in conditions.paired or name in conditions.cast or name in ("dying", "stable", "disabled"):
        return False
    return not (dialect == "pf1" and name == "broken") and not (dialect == "woa" and name.startswith("in "))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_enters_under_a_condition_is_as_whom_a_spell_puts_under_it(dialect: str) -> None:
    """Hands, posture, hit points and what comes along are the same both ways."""
    cast = CAST + (TURNS if dialect == "woa" else "")
    unlike = {}
    for name in load(dialect).conditions.table:
        if not enters_by_name(dialect, name):
            continue
        entered = standing(played(scene(dialect, entry=f'conditions = ["{name}"],')))
        put = standing(played(scene(dialect, spell=f'condition = "{name}"', script=cast)))
        if entered != put:
            unlike[name] = (entered, put)
    assert {name: both for name, both in unlike.items() if NOT_ALIKE.get(name) not in APART} == {}


@pytest.mark.parametrize("dialect", ["futurepath", "pf1", "srd35"])
@pytest.mark.parametrize(
    ("spell", "entry"),
    [
        ('damage = "43"', "hp = -3,"),
        ('damage = "43"', 'hp = -3, conditions = ["dying"],'),
        ('damage = "40"', "hp = 0,"),
        ('damage = "40"', 'hp = 0, conditions = ["disabled"],'),
        ('damage = "90"', "hp = -50,"),
        ('damage = "90"', 'hp = -50, conditions = ["dead"],'),
    ],
)
def test_who_enters_hurt_is_as_whom_damage_has_hurt(dialect: str, spell: str, entry: str) -> None:
    """The states of hit points are the same, whether the entry names them, gives the points, or play does."""
    assert standing(played(scene(dialect, entry=entry))) == standing(
        played(scene(dialect, spell=spell, script=CAST))
    )


@pytest.mark.parametrize("dialect", ["futurepath", "pf1", "srd35"])
def test_who_enters_stable_is_as_whom_first_aid_has_made_so(dialect: str) -> None:
    """The stable lie with empty hands, whether damage and first aid have brought them there or the entry."""
    entered = standing(played(scene(dialect, entry='hp = -3, conditions = ["stable"],')))
    assert entered == standing(played(beside(scene(dialect, script=BLOW + FIRST_AID))))


@pytest.mark.parametrize("dialect", DIALECTS)
def test_who_enters_unconscious_holds_what_the_entry_says(dialect: str) -> None:
    """An entry that says what is held is heeded, and what is said of lying is not said twice."""
    entry = 'conditions = ["unconscious", "prone"], held = ["sword"],'
    table = played(scene(dialect, entry=entry))
    assert table.fight.state.combatants["target"].held == ("sword",)
    gained = [event for event in table.store.read("main") if event.type == "condition.gained"]
    assert sum(b'"condition":"prone"' in event.data for event in gained) == 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_nobody_enters_with_what_is_used_up_in_hand(dialect: str) -> None:
    """Unasked the next weapon is in hand; of counted pieces one has to be left to be held."""
    sword = 'weapons = [{name = "sword", damage = "1d8"}]'
    darts = sword.replace(
        "[{", '[{name = "dart", damage = "1d4", range = 20, thrown = true, ammunition = 2}, {'
    )

    def entered(entry: str) -> tuple[str, ...]:
        text = SCENE.replace(sword, darts).replace("DIALECT", dialect).replace("ENTRY", entry)
        scenario = parse_scenario(text.replace("ROUND", "").replace("SPELL, ", "").replace(", SPELL", ""))
        table = set_up(scenario, MemoryStore(), seed=fixed_seed(scenario))
        return table.state.combatants["target"].held

    assert entered("used = {dart = 1},") == ("dart",)
    assert entered("used = {dart = 2},") == ("sword",)
    with pytest.raises(BadScenario, match="target cannot hold the dart: none is left"):
        entered('used = {dart = 2}, held = ["dart"],')
