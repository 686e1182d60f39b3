"""Each immunity that a trait may name changes what happens; any other is remarked on."""

from typing import Any

import pytest
from msgspec import convert
from msgspec.json import decode, encode

from affray.engine.dialects import load
from affray.engine.record.chapters import lone_conditions
from affray.engine.rules.classes.remarks import remarks
from affray.engine.rules.conditions.conditions import SPARED_BY, kind_of
from affray.engine.table.scenario import play_line, set_up
from affray.engine.table.scenario_parts import Scenario
from affray.events import MemoryStore
from affray.events.facts.sheet import Sheet
from tests.dialects.test_topics import each_dialect

DIALECTS = ("srd35", "pf1", "futurepath", "woa")
DAMAGE = ("acid", "cold", "electricity", "fire", "sonic", "ballistic", "concussion")
STRIKES = ("bludgeoning", "piercing", "slashing")
SCHOOLS = (
    *("abjuration", "conjuration", "divination", "enchantment", "evocation", "illusion", "necromancy"),
    "transmutation",
)
#: A condition that an immunity keeps off which is called otherwise.
BY_CONDITION = {kind: condition for condition, kinds in SPARED_BY.items() for kind in kinds}
RIDERS = {
    "poison": {"name": "venom", "kind": "poison", "effect": "3 str"},
    "disease": {"name": "filth", "kind": "disease", "effect": "3 con"},
    "ability loss": {"name": "withering", "kind": "ability", "effect": "3 cha drain"},
    "ability damage": {"name": "withering", "kind": "ability", "effect": "3 cha"},
    "physical ability damage": {"name": "withering", "kind": "ability", "effect": "3 str"},
    "ability drain": {"name": "withering", "kind": "ability", "effect": "3 cha drain"},
    "energy drain": {"name": "chill", "kind": "energy drain", "effect": "1 negative level"},
}


def declared(dialect: str, kind: str) -> dict[str, Any]:
    """Return what is declared at somebody to whom an immunity of that kind is something."""
    hazard = {"act": "hazard", "target": "victim"}
    conditions = lone_conditions(load(dialect))
    if kind in DAMAGE:
        return {**hazard, "damage": "5", "damage_type": kind}
    if kind == "bleed" and dialect == "woa":
        return {**hazard, "bleeding": "1d6"}
    if kind in conditions:
        return {**hazard, "condition": kind}
    if kind in BY_CONDITION:
        return {**hazard, "condition": BY_CONDITION[kind]}
    if kind in SCHOOLS or kind in RIDERS or kind == "gaze":
        return {"act": "cast", "actor": "foe", "spell": kind, "targets": ["victim"]}
    if kind == "suffocation":
        return {"act": "expose", "target": "victim", "to": "no air"}
    strike = {"act": "attack", "actor": "foe", "target": "victim", "weapon": kind}
    if kind in STRIKES:
        return strike
    return {**strike, "weapon": "fist" if kind == "nonlethal" else "slashing"}


def told(dialect: str, kind: str, traits: tuple[str, ...]) -> list[Any]:
    """Return the facts of a declaration at a combatant with these traits."""
    weapons = [{"name": one, "damage": "1d6", "damage_type": one, "threat": 2} for one in STRIKES]
    weapons.append({"name": "fist", "damage": "1d3", "damage_type": "bludgeoning", "traits": ["nonlethal"]})
    spells = [{"name": one, "school": one, "damage": "3", "range": 60} for one in SCHOOLS]
    spells += [{"name": one, "riders": [rider], "range": 60} for one, rider in RIDERS.items()]
    spells.append({"name": "gaze", "delivery": "gaze", "ability": "supernatural", "damage": "3", "range": 60})
    armed = {
        "hp": 50,
        "base_attack": 20,
        "weapons": weapons,
        "traits": ["sneak attack 3d6"],
        "spells": spells,
    }
    entries = [
        {
            "id": "foe",
            "side": "a",
            "at": [1, 0],
            "sheet": {"name": "Foe", **armed},
            "held": [kind_held(kind)],
        },
        {
            "id": "friend",
            "side": "a",
            "at": [3, 0],
            "sheet": {"name": "Friend", **armed},
            "held": ["slashing"],
        },
        {"id": "victim", "side": "b", "at": [2, 0], "sheet": {"name": "Victim", "hp": 90, "traits": traits}},
    ]
    for number, entry in enumerate(entries):
        entry |= {"acted": True, "initiative": 20 - number}
    line = {"do": declared(dialect, kind)}
    if line["do"]["act"] == "attack":
        line["dice"] = {"attack": 19}
    scenario = convert(
        {
            "dialect": dialect,
            "name": kind,
            "map": ["....."],
            "combatants": entries,
            "begin": {"round": 2, "turn": "foe"},
            "script": [line],
        },
        Scenario,
    )
    table = set_up(scenario, MemoryStore(), seed=b"the same for both")
    table.declare(scenario.begin.act())
    outcome = play_line(table, scenario.script[0], strict=False)
    assert outcome.refused is None or kind == "suffocation", outcome.refused
    return [decode(encode(fact)) for fact in outcome.facts]


def kind_held(kind: str) -> str:
    """Return the weapon in hand for a blow of a kind."""
    return kind if kind in STRIKES else "fist" if kind == "nonlethal" else "slashing"


@pytest.mark.parametrize(
    ("dialect", "kind"),
    [(name, kind) for name in DIALECTS for kind in sorted(load(name).classes.sheet_names.immunities)],
)
def test_every_immunity_acts(dialect: str, kind: str) -> None:
    """With the trait something else happens than without, under either of its spellings."""
    plain = told(dialect, kind, ())
    assert told(dialect, kind, (f"immunity to {kind}",)) != plain
    assert told(dialect, kind, (f"immune to {kind}",)) != plain
    assert told(dialect, kind, ("immunity to basket weaving",)) == plain


@each_dialect
def test_other_immunities_are_remarked_on(dialect: str) -> None:
    """What no rule can mean is told as the combatant enters; what stat blocks print is known."""
    of = load(dialect)
    sheet = Sheet("warden", 5, traits=("immunity to basket weaving", "immunity to fear effects"))
    assert remarks(of, sheet) == (f"no rule of {dialect} reads these traits: immunity to basket weaving",)


@pytest.mark.parametrize(
    ("printed", "kind"),
    [
        ("mind-affecting effects", "mind-affecting"),
        ("death effects", "death"),
        ("magic sleep effects", "sleep"),
        ("fire damage", "fire"),
        ("ability damage", "ability damage"),
        ("nonlethal damage", "nonlethal"),
        ("sneak attacks", "precision damage"),
        ("blindness", "blinded"),
    ],
)
def test_printed_names_are_understood(printed: str, kind: str) -> None:
    """Stat blocks print one immunity in several ways."""
    assert kind_of(printed) == kind
