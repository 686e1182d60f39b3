"""A field of a spell, a rider or a hazard changes what happens, is refused, or is remarked on: none is lost.

Each field is set in fights in which it should matter, one after the other, until one goes otherwise with it
than without.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import pytest
from msgspec import convert
from msgspec.json import decode, encode

from affray.engine.dialects import load
from affray.engine.rules.classes.remarks import remarks
from affray.engine.table.scenario import set_up
from affray.engine.table.scenario_parts import BadScenario, Scenario
from affray.engine.table.table import Table
from affray.events import MemoryStore
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Rider, Sheet, Spell, Weapon

DIALECTS = ("srd35", "pf1", "futurepath", "woa")
Act = dict[str, Any]
CAST: Act = {"act": "cast", "actor": "caster", "spell": "bolt", "targets": ["target"]}
AREA: Act = {"act": "cast", "actor": "caster", "spell": "bolt", "at": [4, 1]}
TURNS: tuple[Act, ...] = tuple({"act": "end-turn", "actor": who} for who in ("caster", "target", "foe") * 4)
MENTAL: Act = {"save": "will", "dc": 14, "condition": "shaken", "rounds": 2}
HARM: Act = {"damage": "6", "damage_type": "fire"}
BLESSED: Act = {"grants": [{"stat": "attack", "value": 2, "kind": "morale"}]}
STRIKE_BACK: Act = {"act": "attack", "actor": "target", "target": "foe"}
LATER: Act = {"act": "rest", "minutes": 3}


#: The caster stands ready to counter what the foe casts; in woa this is planned.
READY: Act = {"act": "ready", "actor": "caster"}
COUNTER: Act = {"trigger": {"what": "casts"}, "then": {"act": "counter", "spell": "bolt"}}
RAY: Act = {"act": "cast", "actor": "foe", "spell": "ray", "targets": ["caster"]}
COUNTERED: tuple[Act, ...] = (
    {"act": "plan", "actor": "caster", "actions": [{"type": "standard", "what": "ready"}], "ready": COUNTER},
    {"act": "plan", "actor": "foe", "actions": [{"type": "standard", "what": "cast"}]},
    {**READY, **COUNTER},
    READY,
    *TURNS[:2],
    RAY,
)


class Setting:
    """A fight in which a field may matter: the spell without it, who stands there, what is declared."""

    def __init__(self, spell: Act, script: Sequence[Act], **entries: Act) -> None:
        self.spell = {"name": "bolt", "level": 1, "range": 60, **spell}
        self.script = tuple(script)
        self.entries = entries


NEAR: Act = {"at": [1, 1]}
BESIDE: Act = {"at": [1, 0]}
GIANT: Act = {"size": "huge", "at": [12, 2]}
WOUNDED: Act = {"hp": 12}
FAR: Act = {"at": [29, 1]}
SETTINGS = {
    "harm": Setting(HARM, (CAST, *TURNS)),
    "harm twice": Setting(HARM, (CAST, *TURNS[:3], CAST, *TURNS)),
    "harm by save": Setting({**HARM, "save": "ref", "dc": 25, "on_save": "half"}, (CAST, *TURNS)),
    "harm by easy save": Setting({**HARM, "save": "ref", "dc": 1, "on_save": "half"}, (CAST, *TURNS)),
    "mental": Setting(MENTAL, (CAST, *TURNS)),
    "mental by level": Setting({**MENTAL, "dc": 0, "key": "int"}, (CAST, *TURNS)),
    "by the strong": Setting({**MENTAL, "dc": 25}, (CAST, *TURNS)),
    "area": Setting({**HARM, "area": "burst", "area_feet": 10}, (AREA, *TURNS)),
    "area by save": Setting(
        {**HARM, "area": "burst", "area_feet": 10, "save": "ref", "dc": 5, "on_save": "half"}, (AREA, *TURNS)
    ),
    "defensively": Setting(HARM, ({**CAST, "defensively": True}, *TURNS), foe=NEAR),
    "threatened": Setting(HARM, (CAST, *TURNS), foe=NEAR),
    "touch": Setting({**HARM, "touch": "melee", "range": 0}, (CAST, *TURNS), target={"at": [0, 2]}),
    "resisting": Setting({**HARM, "resistance": True}, (CAST, *TURNS), target={"spell_resistance": 18}),
    "blessing": Setting({**BLESSED, "rounds": 3}, (CAST, STRIKE_BACK)),
    "wounded": Setting({"rounds": 2}, (CAST, *TURNS), target=WOUNDED),
    "gagged": Setting(HARM, (CAST, *TURNS), caster={"conditions": ["gagged"]}),
    "bound": Setting(HARM, (CAST, *TURNS), caster={"conditions": ["bound"]}),
    "deafened": Setting(HARM, (CAST, *TURNS), caster={"conditions": ["deafened"]}),
    "grappled": Setting(HARM, (CAST, *TURNS), caster={"conditions": ["entangled"]}),
    "far": Setting(HARM, (CAST, *TURNS), target=FAR),
    "armored": Setting(HARM, (CAST, *TURNS), caster={"worn": ["full plate"], "armor_weight": "heavy"}),
    "device": Setting(HARM, ({"act": "activate", "actor": "caster", "item": "bolt", "targets": ["target"]},)),
    "focused": Setting(MENTAL, (CAST, *TURNS), caster={"feats": ["spell focus (evocation)"]}),
    "immune": Setting(HARM, (CAST, *TURNS), target={"traits": ["immunity to evocation", "immunity to fire"]}),
    "countered": Setting({}, COUNTERED, caster=NEAR),
    "dispelled": Setting({"dispels": "normal"}, COUNTERED, caster=NEAR),
    "paralyzed": Setting(HARM, (CAST, *TURNS), caster={"conditions": ["paralyzed"]}),
    "of the mind": Setting({**HARM, "components": []}, (CAST, *TURNS), caster={"conditions": ["paralyzed"]}),
    "two touched": Setting(
        {**HARM, "touch": "melee"},
        ({**CAST, "targets": ["target", "foe"]}, *TURNS),
        target=NEAR,
        foe={"at": [1, 0]},
    ),
    "giants": Setting({**HARM, "save": "fort", "dc": 10}, (CAST, *TURNS), target=GIANT),
    "passing": Setting({"condition": "shaken", "rounds": 2}, (CAST, *TURNS)),
    "kept up": Setting(
        {**MENTAL, "dc": 40, "rounds": 9},
        (CAST, TURNS[0], {"act": "hazard", "target": "caster", "damage": "9"}, *TURNS[1:]),
    ),
    "charge": Setting(
        {**HARM, "touch": "melee", "range": 0},
        (CAST, *TURNS[:3], {"act": "touch", "actor": "caster", "targets": ["foe"]}),
        target={"at": [0, 2]},
        foe=NEAR,
    ),
}
#: Values that each field of a spell may take, beside a default that changes nothing.
SPELL: Mapping[str, Sequence[Any]] = {
    "level": (4,),
    "casting": ("one-round", "swift", "move", "full-round"),
    "range": (5,),
    "touch": ("melee", "ranged"),
    "area": ("burst", "cone"),
    "area_feet": (40, 5),
    "save": ("will", "fort"),
    "dc": (30, 1),
    "on_save": ("half", "negates", "partial"),
    "damage": ("9",),
    "damage_type": ("cold",),
    "condition": ("shaken", "dazed"),
    "rounds": (1, 5),
    "components": (("verbal",), ("somatic",), (), ("verbal", "somatic", "material")),
    "resistance": (False,),
    "uses": (1, 0),
    "school": ("evocation", "death"),
    "key": ("cha", "int"),
    "caster_level": (15, 1),
    "arcane": (True,),
    "spontaneous": (True,),
    "metamagic": (("empower spell",), ("quicken spell",)),
    "concentration": (True,),
    "touches": (3,),
    "grants": (({"stat": "attack", "value": 2, "kind": "morale"},),),
    "ongoing": ("4",),
    "ability": ("supernatural", "spell-like", "extraordinary"),
    "delivery": ("gaze", "breath", "presence"),
    "item": ("wand", "scroll", "potion", "worn"),
    "dispels": ("normal", "greater"),
    "reach": ("close", "long"),
    "riders": (
        ({"name": "venom", "kind": "poison", "effect": "2 str"},),
        ({"name": "blow", "kind": "stunning", "effect": "stunned"},),
    ),
    "healing": ("7",),
    "temporary": ("7",),
    "works": ("turn end", "round end", "at once"),
    "save_each_round": (True,),
}
#: Together with which further fields a field means something.
WITH: Mapping[str, Act] = {
    "metamagic": {"spontaneous": True},
    "spontaneous": {"metamagic": ["empower spell"]},
}
ARMED: Act = {"name": "club", "damage": "1d6", "damage_type": "bludgeoning"}
STRIKE: Act = {"act": "attack", "actor": "caster", "target": "target"}
BASE_RIDERS: tuple[Act, ...] = (
    {"name": "venom", "kind": "poison", "effect": "2 str"},
    {"name": "venom", "kind": "poison", "effect": "2 str", "save": "fort", "dc": 40},
    {"name": "venom", "kind": "poison", "effect": "2 str", "save": "fort", "dc": 40, "rounds": 4},
    {"name": "blow", "kind": "stunning", "effect": "stunned", "rounds": 2},
    {"name": "blow", "kind": "stunning", "effect": "stunned", "rounds": 2, "save": "fort", "dc": 40},
    {"name": "curse", "kind": "other", "effect": "shaken", "rounds": 2},
)
RIDER: Mapping[str, Sequence[Any]] = {
    "name": ("other name",),
    "kind": ("disease", "ability", "energy drain", "other", "stunning", "poison"),
    "delivery": ("contact",),
    "save": ("will", ""),
    "dc": (1,),
    "effect": ("3 con", "dazed"),
    "secondary": ("3 con",),
    "rounds": (1, 6),
}
BASE_HAZARDS: tuple[Act, ...] = (
    {"damage": "8"},
    {"damage": "8", "damage_type": "fire"},
    {"damage": "8", "save": "ref", "dc": 1},
    {"damage": "8", "save": "ref", "dc": 40},
    {"condition": "shaken"},
    {"condition": "shaken", "save": "will", "dc": 40},
    {"condition": "shaken", "save": "will", "dc": 1},
    {"condition": "shaken", "skill": "climb", "dc": 40},
    {"damage": "8", "save": "ref", "dc": 12, "area": True},
    {"damage": "8", "save": "ref", "dc": 12, "pit": True},
    {"damage": "8", "injury": "random"},
)
HAZARD: Mapping[str, Sequence[Any]] = {
    "save": ("will", "ref", "fort"),
    "dc": (1, 40),
    "damage": ("3",),
    "damage_type": ("fire", "cold"),
    "on_save": ("negates", "partial", "half"),
    "condition": ("dazed", "shaken"),
    "source": ("foe",),
    "rider": ({"name": "venom", "kind": "poison", "effect": "2 str"},),
    "skill": ("climb",),
    "area": (True,),
    "edge": (True,),
    "missiles": (True,),
    "pit": (True,),
    "unexpected": (True,),
    "origin": ([9, 1],),
    "injury": ("random", "random hand"),
    "cause": ("trap", "other"),
    "bleeding": ("1d6",),
}


#: What repeats what was said, or sums up the state: no difference of what happens.
SAID_OR_HASHED = ("act", "rider", "cites", "state")


def sheet_of(name: str, **changes: Any) -> Act:
    """Return a sheet as plain data."""
    return {
        "name": name,
        "hp": 40,
        "hit_dice": 5,
        "classes": {"wizard": 5},
        "abilities": {"int": 14, "cha": 18, "str": 12},
        "base_attack": 3,
        "weapons": [ARMED],
        "skills": {"concentration": 5, "climb": 2, "spellcraft": 20},
        **changes,
    }


def opened(dialect: str, entries: Mapping[str, Act], spells: Sequence[Act], weapon: Act = ARMED) -> Table:
    """Return a table with a caster, its target and another foe, in the second round."""
    combatants = []
    for number, (id, at) in enumerate((("caster", [0, 1]), ("target", [4, 1]), ("foe", [7, 1]))):
        said = dict(entries.get(id, {}))
        entry = {one: said.pop(one) for one in ("at", "conditions", "hp") if one in said}
        said["spells"] = list(spells) if id == "caster" else [{"name": "ray", "range": 60, "damage": "1"}]
        said["weapons"] = [weapon if id == "caster" else ARMED]
        side = "a" if id == "caster" else "b"
        combatants.append(
            {"id": id, "side": side, "at": at, "initiative": 20 - number, "acted": True, **entry}
            | {"sheet": sheet_of(id, **said)}
        )
    told = {"dialect": dialect, "name": "fields", "map": ["." * 32] * 10, "combatants": combatants}
    scenario = convert(told | {"begin": {"round": 2, "turn": "caster"}}, Scenario)
    table = set_up(scenario, MemoryStore(), seed=b"fields that do something")
    table.declare(scenario.begin.act())
    return table


def played(table: Table, script: Sequence[Act]) -> list[Any]:
    """Return what comes of declarations, each question answered by its first option."""
    found = []
    for line in script:
        outcome = table.declare(convert(line, AnyAct))
        while True:
            found += [decode(encode(fact)) for fact in outcome.facts if not isinstance(fact, acts.Act)]
            if table.waiting is None:
                break
            outcome = table.choose(table.waiting.options[0])
    return [
        {key: one[key] for key in one if key not in ("act", "rider", "cites", "state", "digest")}
        for one in found
    ]


def log_of(dialect: str, setting: str, changes: Act) -> list[Any]:
    """Return what happens in a setting with a spell that is changed so, nothing if it cannot be said so."""
    one = SETTINGS[setting]
    try:
        table = opened(dialect, one.entries, [{**one.spell, **changes}])
    except BadScenario:
        return []
    return played(table, one.script)


@cache
def plain_log(dialect: str, setting: str, beside: str) -> list[Any]:
    """Return what happens in a setting without the field that is tried."""
    return log_of(dialect, setting, dict(WITH.get(beside, {})))


def is_remarked(dialect: str, part: str, field: str) -> bool:
    """Say whether a sheet with something in a field of a part is remarked on."""
    return field in load(dialect).classes.sheet_names.unread.get(part, ())


def differing(dialect: str, field: str) -> Iterator[str]:
    """Yield the settings in which a field of a spell makes a difference."""
    for setting, one in SETTINGS.items():
        if not plain_log(dialect, setting, field if field in WITH else ""):
            continue
        for value in SPELL[field]:
            if one.spell.get(field) == value:
                continue
            if log_of(dialect, setting, {**WITH.get(field, {}), field: value}) != plain_log(
                dialect, setting, field if field in WITH else ""
            ):
                yield setting


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("field", sorted(set(Spell.__struct_fields__) - {"name"}))
def test_fields_of_spells_act(dialect: str, field: str) -> None:
    """A field of a spell makes a difference somewhere, or is remarked on."""
    if is_remarked(dialect, "Spell", field):
        return
    assert next(differing(dialect, field), ""), f"{dialect} does nothing with {field!r} of a spell"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("field", Rider.__struct_fields__)
def test_fields_of_riders_act(dialect: str, field: str) -> None:
    """A field of a rider makes a difference, brought by a blow or a spell, or is remarked on."""
    if is_remarked(dialect, "Rider", field) or is_remarked(dialect, "Weapon", "riders"):
        return
    script = (STRIKE, *TURNS, LATER)
    targets = ({}, {"traits": ["immunity to poison"]}, {"reductions": [{"amount": 90}]})
    for base, value, target in product(BASE_RIDERS, RIDER[field], targets):
        logs = []
        for rider in (base, {**base, field: value}):
            weapon = {**ARMED, "riders": [rider], "attack": [{"value": 30, "kind": "luck"}]}
            with suppress(BadScenario):
                logs.append(played(opened(dialect, {"target": {**NEAR, **target}}, (), weapon), script))
        if len(logs) == 2 and logs[0] != logs[1]:
            return
    pytest.fail(f"{dialect} accepts {field!r} of a rider and does nothing with it")


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("field", HAZARD)
def test_fields_of_hazards_act(dialect: str, field: str) -> None:
    """A field of a hazard makes a difference, or is refused by its name."""
    for base, value in product(BASE_HAZARDS, HAZARD[field]):
        logs = []
        for said in (base, {**base, field: value}):
            hazard = {"act": "hazard", "target": "target", **said}
            logs.append(played(opened(dialect, {}, ()), (hazard, *TURNS)))
        if logs[0] != logs[1]:
            return
    pytest.fail(f"{dialect} accepts {field!r} of a hazard and does nothing with it")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_does_nothing_is_remarked_on(dialect: str) -> None:
    """Each field that no rule reads is named as a combatant enters with something in it."""
    for field in load(dialect).classes.sheet_names.unread.get("Spell", ()):
        spell = convert({"name": "bolt", **WITH.get(field, {}), field: SPELL[field][0]}, Spell)
        assert any(field in line for line in remarks(load(dialect), Sheet("x", 5, spells=(spell,)))), field


def test_what_does_nothing_of_riders_is_remarked_on() -> None:
    """In woa nothing of a rider acts but that it stuns, in pf1 nothing follows a poison a minute later."""
    venom = Rider("venom", kind="poison", effect="2 str", secondary="2 con")
    sheet = Sheet("x", 5, weapons=(Weapon("fang", "1d4", riders=(venom,)),))
    assert remarks(load("woa"), sheet) == (
        "no rule of woa reads these riders: poison",
        "no rule of woa reads these fields of riders: effect, secondary",
    )
    assert remarks(load("pf1"), sheet) == ("no rule of pf1 reads these fields of riders: secondary",)
    assert remarks(load("srd35"), sheet) == ()
