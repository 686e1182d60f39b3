"""Fights that begin anywhere, and declarations of every act that there is, field by field at random."""

import random
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec.structs import replace

from affray.engine.book.catalogue import Book
from affray.engine.dialects.srd35.classes.abilities import OF
from affray.engine.dice import LeftoverDice
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Mode
from affray.engine.record.acts import ActValidator, Form
from affray.engine.table.policies import LeftoverAnswers
from affray.engine.table.scenario import play_line, set_up, sheet_of
from affray.engine.table.scenario_parts import BadScenario, Line, Scenario
from affray.engine.table.table import Table
from affray.events.facts import acts
from affray.events.facts.sheet import Rider, Sheet
from affray.events.stores.store import Store
from affray.projections.state import Combatant
from tests.house.fights import MOST, random_act
from tests.relatives import conditions_of
from tests.scenarios.cases import all_cases

DULL = (acts.Enter, acts.Begin, acts.Rule, acts.Close, acts.Plan)
"""Acts that end a fight or are declared by hand-written lines."""

WORDS: Mapping[str, tuple[Any, ...]] = {
    "how": (
        "normal",
        "tumble",
        "careful",
        "balance",
        "minimum",
        "double",
        "crawl",
        "wriggle",
        "climb",
        "swim",
        "fly",
    ),
    "surface": ("", "severe", "2-6 in", "rough", "7-12 in", "calm", "rough", "stormy"),
    "skill": ("", "", "spot", "strength", "climb", "dance"),
    "what": ("", "condition", "spot", "entangled", "dying"),
    "ability": (*OF, "wish"),
    "kind": ("undead", "undead", "fire", "plant"),
    "words": ("", "fight him", "have at you"),
    "source": ("hazard", "trap"),
    "why": ("", "mud"),
    "save": ("", "fort", "ref", "will"),
    "damage": ("", "1d6", "4d6", "2d6[fire]", "1d4-3"),
    "damage_type": ("", "fire", "cold", "slashing"),
    "condition": ("", "prone", "stunned", "helpless", "blinded", "paralyzed", "frightened", "exhausted"),
    "degree": ("", "contact", "immersion", "strong", "windstorm", "severe", "deep", "rough"),
    "by": ("",),
    "dc": (0, 5, 15, 25, 60),
    "feet": (0, 5, 10, 30, 200),
    "depth": (0, 5, 20),
    "pounds": (0, 50, 300, 3000),
    "power": (0, 0, 1, 2, 5),
    "expertise": (0, 0, 1, 5),
    "hours": (0, 1, 8, 24),
    "minutes": (0, 1, 10, 60),
    "arrows": (0, 2, 3, 4),
    "amount": (0, 0, 1, 5, 100),
    "helpers": (0, 1, 3),
    "take": (0, 0, 10, 20),
    "up": (0, 0, 5, 20, -5, -20),
    "takeoff": (0, 1, 2),
    "hardness": (0, 5),
    "hp": (0, 3),
}
RIDERS = (
    Rider("venom", "poison", save="fort", dc=15, effect="1d6 str", secondary="1d4 con"),
    Rider("fumes", "other", save="will", dc=12, effect="nauseated", rounds=2),
    Rider("touch", "energy drain", effect="1 negative levels"),
    Rider("sting", "ability", save="fort", dc=14, effect="1d4 dex drain"),
)


def tables(dialect: str) -> tuple[Scenario, ...]:
    """Return every scenario of a dialect's tables."""
    return tuple(case for _, case in all_cases() if case.dialect == dialect)


@cache
def sheets(dialect: str) -> tuple[Sheet, ...]:
    """Return a sheet of every kind that the tables know: riders, swarms, giants, undead, things."""
    found = {}
    for entry in tables(dialect):
        for one in entry.combatants:
            try:
                sheet = sheet_of(entry, one)
            except BadScenario:
                continue
            found[msgspec.json.encode(sheet)] = sheet
    return tuple(found.values())


def anywhere(
    dice: random.Random,
    dialect: str,
    store: Store,
    seed: int,
    memory: Mode | bool = True,
    readings: bool = False,
) -> Table:
    """Return a table in the middle of a random scenario: somewhere in its script, with its dice.

    With `readings` that of every contested rule is chosen at random.
    """
    entry = dice.choice(playable(dialect))
    if readings:
        contested = [one for one in Book.load(dialect).contested.values() if not one.awaits]
        entry = replace(entry, options={one.option: dice.choice(one.readings).name for one in contested})
    table = set_up(entry, store, seed=f"anywhere {seed}".encode(), memory=memory)
    start = entry.begin
    begin = start.act()
    script = entry.script[: dice.randint(0, len(entry.script))]
    for line in (Line(begin, entry.dice, entry.choose), *script):
        if not line.dice:
            line = replace(line, dice="seed")
        with suppress(LeftoverDice, LeftoverAnswers, BadScenario):
            play_line(table, line)
        if table.waiting is not None:
            break
    return table


@cache
def playable(dialect: str) -> tuple[Scenario, ...]:
    """Return the scenarios that go on after the beginning, with nobody better than whole."""
    return tuple(
        one
        for one in tables(dialect)
        if one.script
        and not any(entrant.hp and entrant.hp > sheet_of(one, entrant).hp for entrant in one.combatants)
    )


def any_act(dice: random.Random, fight: Fight) -> Any:
    """Return any act that the dialect knows, by whoever's turn it is, with fields that often make sense.

    Most of them say nothing that the dialect would not read.
    """
    kinds = sorted((kind for kind in fight.dialect.acts if kind not in DULL), key=lambda kind: kind.__name__)
    state = fight.state
    everybody = list(state.combatants)
    actor = state.active if state.active and dice.random() < 0.93 else dice.choice(everybody)
    act = made(dice, fight, dice.choice(kinds), actor)
    return act if dice.random() < 0.1 else heard(dice, fight, act)


def heard(dice: random.Random, fight: Fight, act: Any) -> Any:
    """Return a declaration without what the dialect would refuse to read."""
    return without(dice, fight.dialect.heeded.get(type(act)), act)


def without(dice: random.Random, heeded: ActValidator | None, part: Any) -> Any:
    """Return a declaration, or a part of one, with what is not read at its default, other words for unknown.

    A word of a vocabulary is any of it, or the default.
    """
    if heeded is None:
        return part
    values = dict(heeded.unread)
    for name, (default, words) in heeded.closed.items():
        said = getattr(part, name)
        known = sorted(words, key=str) if not isinstance(words, Form) else [default]
        if isinstance(said, tuple):
            values[name] = tuple(
                one if one in words else dice.choice(known)
                for one in said
                if one in words or known != [default]
            )
        elif said not in words:
            values[name] = dice.choice((default, dice.choice(known)))
    for name, default, others in heeded.under:
        if any(other.fault(part) for other in others):
            values[name] = default
    for name, inner in heeded.deep:
        held = getattr(part, name)
        if isinstance(held, tuple):
            values[name] = tuple(without(dice, inner.get(type(one)), one) for one in held)
        else:
            values[name] = without(dice, inner.get(type(held)), held)
    return replace(part, **values)


def made(dice: random.Random, fight: Fight, kind: type[Any], actor: str) -> Any:
    """Return an act or a part of one with every field at random; some are left at their default."""
    who = fight.state.combatants.get(actor) or next(iter(fight.state.combatants.values()))
    hints = hints_of(kind)
    values: dict[str, Any] = {}
    for entry in msgspec.structs.fields(kind):
        if entry.name == "actor":
            values["actor"] = actor
        elif entry.required or dice.random() < 0.75:
            values[entry.name] = value(dice, fight, entry.name, hints[entry.name], who)
    return kind(**values)


@cache
def hints_of(kind: type[Any]) -> dict[str, Any]:
    """Return the types of a struct's fields, without what bounds them."""
    return get_type_hints(kind, include_extras=False)


def value(dice: random.Random, fight: Fight, name: str, hint: Any, who: Combatant) -> Any:
    """Return a value of a field by its type, and by its name where that says what it holds."""
    origin, options = get_origin(hint), get_args(hint)
    if origin is Literal:
        return dice.choice(options)
    if hint is bool:
        return dice.random() < 0.4
    if origin in (Union, UnionType):
        return value(dice, fight, name, dice.choice(options), who)
    if hint is type(None):
        return None
    if hint == tuple[int, int]:
        return beside(dice, who)
    if origin is tuple:
        if name in ("path", "onward"):
            return walk(dice, fight, who)
        many = dice.choice((0, 1, 1, 2, 3)) if len(options) == 2 and options[1] is ... else len(options)
        return tuple(value(dice, fight, name, options[0], who) for _ in range(many))
    if hint is Rider:
        return dice.choice(RIDERS)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return made(dice, fight, hint, "" if issubclass(hint, acts.Act) else who.id)
    if origin is dict:
        return {}
    if hint is int:
        return dice.choice(WORDS.get(name, (0, 1, 2, 5)))
    return word(dice, fight, name, who)


def word(dice: random.Random, fight: Fight, name: str, who: Combatant) -> str:
    """Return a text for a field: somebody, something that `who` has, or a word of the field."""
    sheet, everybody = who.sheet, list(fight.state.combatants)
    if name in ("target", "targets", "friend", "opponent", "helper", "healer", "who"):
        near = [one.id for one in fight.state.combatants.values() if one is not who]
        near.sort(key=lambda id: apart(fight.state.combatants[id], who))
        return dice.choice((*near[:2], *near[:1], dice.choice(everybody), who.id, "", who.mount or who.rider))
    weapons = [weapon.name for weapon in sheet.weapons]
    if name in ("weapon", "second", "also"):
        return dice.choice(("", *who.held, *weapons, "unarmed strike"))
    if name == "item":
        worn = [one.name for one in sheet.worn]
        return dice.choice(("", *who.held, *weapons, *worn, *who.items, "hemp rope", "manacles", "prone"))
    if name == "spell":
        spells = [spell.name for spell in sheet.spells]
        return dice.choice(("wish", *spells, *spells))
    if name == "poison":
        return dice.choice(("", *(one.name for one in sheet.poisons)))
    if name == "feat":
        return dice.choice((*sheet.feats, "dodge", "luck"))
    return str(dice.choice(WORDS.get(name, ("", "nonsense"))))


def apart(one: Combatant, other: Combatant) -> int:
    """Return about how many squares lie between two."""
    return max(abs(one.at[0] - other.at[0]), abs(one.at[1] - other.at[1]))


def beside(dice: random.Random, who: Combatant) -> tuple[int, int]:
    """Return a square about as far as a step."""
    x, y = who.at
    return (x + dice.randint(-1, who.space), y + dice.randint(-1, who.space))


def walk(dice: random.Random, fight: Fight, who: Combatant) -> tuple[tuple[int, int], ...]:
    """Return a path: straight on, or towards somebody, or any way at all."""
    (x, y), way = who.at, (dice.choice((-1, 0, 1)), dice.choice((-1, 0, 1)))
    goal = dice.choice(list(fight.state.combatants.values()))
    manner = dice.choice(("straight", "towards", "towards", "wild"))
    path = []
    for _ in range(dice.choice((0, 1, 2, 2, 3, 4, 6, 12))):
        if manner == "wild":
            way = (dice.choice((-1, 0, 1)), dice.choice((-1, 0, 1)))
        elif manner == "towards":
            way = (sign(goal.at[0] - x), sign(goal.at[1] - y))
        x, y = x + way[0], y + way[1]
        path.append((x, y))
    return tuple(path)


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


def any_entry(dice: random.Random, fight: Fight) -> Any:
    """Return the entry of somebody from any table; a rider now and then onto a mount."""
    state = fight.state
    sheet = dice.choice(sheets(state.dialect))
    mounts = [one.id for one in state.combatants.values() if not one.rider and not one.mount]
    wide, high = len(state.terrain[0]), len(state.terrain)
    riding = dice.choice(("", "", "", *mounts[:1]))
    at = (dice.randint(0, wide - 1), dice.randint(0, high - 1))
    side = dice.choice(sorted({one.side for one in state.combatants.values()}) or ["heroes"])
    if riding:
        at, side = state.combatants[riding].at, state.combatants[riding].side
    return acts.Enter(
        id=f"late{len(state.combatants) + 1}",
        side=side,
        sheet=sheet,
        at=at,
        hp=dice.choice((None, None, None, 1, 0, -3)),
        conditions=dice.choice(((), (), ("prone",), (dice.choice(conditions_of(fight.dialect)),))),
        initiative=dice.choice((None, 5, 30)),
        riding=riding,
    )


def wild_act(dice: random.Random, fight: Fight) -> Any:
    """Return any declaration: hand-written, of any act there is, or an entry from the tables."""
    share = dice.random()
    if share < 0.45 or not fight.state.combatants:
        return random_act(dice, fight)
    if share < 0.48 and len(fight.state.combatants) < MOST:
        return any_entry(dice, fight)
    return any_act(dice, fight)
