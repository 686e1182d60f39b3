"""The sheets that ship: a dozen and more a dialect, with the figures printed for each, ready to fight."""

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from affray.engine.dialects.woa.grapple.grapple_checks import grapple_parts
from affray.engine.dialects.woa.maneuvers.maneuver_check import strength_bonus
from affray.engine.dice.notation import Notation, Throw, throw
from affray.engine.kernel.turns import is_decided
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple import grapple_bonus
from affray.engine.statblock import creature
from affray.engine.table import policies
from affray.engine.table.appending import Outcome
from affray.engine.table.scenario import set_up
from affray.engine.table.scenario_parts import Entrant, Scenario, packaged_sheets
from affray.engine.table.table import Table
from affray.engine.table.tactics import play_on
from affray.events import MemoryStore
from affray.events.codec import decode
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.flow import Declared, InitiativeRolled
from affray.events.facts.sheet import Bonus, Modifier, Saves, Sheet, Weapon
from affray.replay.verification.verify import verify

HERE = Path(__file__).parent
DIALECTS = ("srd35", "pf1", "woa", "futurepath")
MAP = ("." * 20,) * 9
SHEETS = [(dialect, name) for dialect in DIALECTS for name in packaged_sheets(dialect)]
MOST_ROUNDS = 300
"""So long zombies may need, who hardly hurt each other."""
SITUATION = ("Point Blank Shot", "point blank shot")
"""What a shot gets from being a near one."""
SLOW = (Bonus(-50, "penalty", "stands still"),)
"""What makes somebody last in the order and always hit."""


@cache
def printed(dialect: str) -> dict[str, str]:
    """Return the figures of each sheet from the table beside: worked out by hand, from the rules."""
    text = (HERE / "packaged_sheets.txt").read_text(encoding="utf-8")
    _, _, part = text.partition(f"\n[{dialect}]\n")
    rows = (row.partition(": ") for row in part.partition("\n\n")[0].splitlines())
    return {name: figures for name, _, figures in rows}


class Tens:
    """Dice that show 10, or the most they can."""

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str]:
        return throw(notation, lambda sides, count: (min(10, sides),) * count), "scripted"


def opened(
    dialect: str, *sides: str, told: list[Outcome] | None = None, held: tuple[str, ...] | None = None
) -> Table:
    """Return a fight in which those of the sheets stand against each other, not begun."""
    people = tuple(
        Entrant(id=f"{side}-{at}", side=side, use=name, at=(2 + 4 * at, 3), held=held)
        for at, (side, name) in enumerate(zip("ab", sides, strict=False))
    )
    scenario = Scenario(map=MAP, combatants=people, dialect=dialect, name=f"{sides} of {dialect}")
    watch = told.append if told is not None else None
    return set_up(scenario, MemoryStore(), seed=b"sheets that ship, thrown for two", watch=watch)


def worked_out(dialect: str, name: str) -> str:
    """Return the figures of a sheet, once it has entered, as the engine's own rules work them out."""
    fight = opened(dialect, name, held=()).fight
    one = fight.state.combatants["a-0"]
    sheet = one.sheet
    ac, touch, _ = creature.armor_class(sheet, dialect)
    saves = " ".join(f"{creature.save_bonus(sheet, kind, dialect):+d}" for kind in ("fort", "ref", "will"))
    if dialect == "pf1":
        cmb = creature.combat_maneuver_bonus(sheet, dialect)
        cmd = creature.combat_maneuver_defense(sheet, dialect)
        wrestling = f"CMB {sum(part.value for part in cmb):+d}, CMD {sum(part.value for part in cmd)}"
    elif dialect == "woa":
        grapple = fight.dialect.attacks.stack(fight, grapple_parts(fight, one, [one], [one])).total
        wrestling = f"grapple {grapple:+d}, against maneuvers {touch + strength_bonus(fight, one)}"
    else:
        wrestling = f"grapple {sum(part.value for part in grapple_bonus(fight, one)):+d}"
    fists = any(weapon.wield == "unarmed" for weapon in sheet.weapons)
    bare = [unarmed(fight, one)] if "improved unarmed strike" in sheet.feats and not fists else []
    arms = (*bare, *sheet.weapons)
    lines = "; ".join(line for weapon in arms for line in attack_lines(dialect, name, weapon))
    return f"AC {ac}, touch {touch}, saves {saves}, init {initiative(dialect, name):+d}, {wrestling}, {lines}"


def initiative(dialect: str, name: str) -> int:
    """Return what is added to the roll for initiative."""
    table = begun(dialect, name)
    facts = (decode(event) for event in table.store.read("main"))
    (rolled,) = (fact for fact in facts if isinstance(fact, InitiativeRolled) and fact.who == "a-0")
    return sum(part.value for part in rolled.parts if not part.denied)


def attack_lines(dialect: str, name: str, weapon: Weapon) -> Iterator[str]:
    """Yield what a weapon strikes and deals when it is declared: by hand, and shot or thrown."""
    crit = "" if weapon.threat == 20 or "broken" in weapon.traits else f"/{weapon.threat}-20"
    crit += "" if weapon.multiplier == 2 else f"/x{weapon.multiplier}"
    for shot in (False, True):
        if "explosive" in weapon.traits or ("no melee use" in weapon.traits and not shot):
            continue
        if not weapon.range if shot else weapon.wield == "projectile":
            continue
        attack, damage = struck(dialect, name, weapon, shot)
        bonus, harm = sum_of(attack.attack), sum_of(damage.modifiers)
        thrown = "thrown " if shot and weapon.thrown else ""
        dice = damage.dice[0].notation + (f"{harm:+d}" if harm else "")
        yield f"{thrown}{weapon.name} {bonus:+d} {dice}{crit}"


def sum_of(parts: Iterable[Modifier]) -> int:
    """Return what parts come to that hold wherever the target stands."""
    return sum(part.value for part in parts if not part.denied and part.source not in SITUATION)


def struck(dialect: str, name: str, weapon: Weapon, shot: bool) -> tuple[AttackResolved, DamageResolved]:
    """Return an attack and its damage, as they come of a declaration against somebody who is always hit."""
    held = () if weapon.wield in ("natural", "unarmed") else (weapon.name,)
    table = begun(dialect, name, held, away=shot and not weapon.thrown)
    thrown = shot and weapon.thrown
    act = acts.Attack(actor="a-0", target="post", weapon=weapon.name, thrown=thrown)
    found = table.declare(act)
    assert found.refused is None, (name, weapon.name, found.refused)
    facts = [decode(event) for event in found.events]
    attack = next(fact for fact in facts if isinstance(fact, AttackResolved))
    return attack, next(fact for fact in facts if isinstance(fact, DamageResolved))


def begun(dialect: str, name: str, held: tuple[str, ...] = (), away: bool = False) -> Table:
    """Return a fight with somebody who is always hit, beside the one of the sheet or 10 feet away."""
    table = opened(dialect, name, held=held)
    hero = table.state.combatants["a-0"]
    post = Sheet("Post", 10_000, armor=SLOW, initiative=SLOW, saves=Saves(ref=-50))
    at = (hero.at[0] + hero.space + away, hero.at[1])
    table.declare(acts.Enter(id="post", side="b", sheet=post, at=at))
    table.use(Tens(), policies.auto)
    table.declare(acts.Begin())
    if dialect == "woa":
        strike = acts.Intent(type="standard", what="attack", target="post")
        table.declare(acts.Plan(actor="a-0", actions=(strike,)))
        table.declare(acts.Plan(actor="post"))
    return table


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_dozen_sheets_and_more_ship(dialect: str) -> None:
    """Of each dialect there are a dozen at least, each with its figures in the table beside."""
    assert len(packaged_sheets(dialect)) >= 12
    assert [*printed(dialect)] == [*packaged_sheets(dialect)]


@pytest.mark.parametrize(("dialect", "name"), SHEETS)
def test_figures_are_those_printed(dialect: str, name: str) -> None:
    """A sheet enters without a remark, and the engine works out the figures that the rules give it."""
    told: list[Outcome] = []
    opened(dialect, name, told=told)
    assert [line for outcome in told for line in outcome.remarks] == []
    assert worked_out(dialect, name) == printed(dialect)[name]


@pytest.mark.parametrize(("dialect", "name"), SHEETS)
def test_each_fights_its_like(dialect: str, name: str) -> None:
    """Two of a kind fight by tactics until one side is down, and the log passes every check."""
    table = opened(dialect, name, name)
    table.declare(acts.Begin())
    play_on(table, MOST_ROUNDS)
    assert is_decided(table.fight)
    assert verify(table.store, "main").ok


@pytest.mark.parametrize("dialect", ["srd35", "pf1", "woa"])
def test_automatic_play_heals_no_enemy(dialect: str) -> None:
    """A cleric whom tactics play casts at an enemy what hurts, and none of its cures."""
    table = opened(dialect, "cleric", "ogre")
    table.declare(acts.Begin())
    play_on(table, MOST_ROUNDS)
    spells = [
        fact.act.spell
        for fact in map(decode, table.store.read("main"))
        if isinstance(fact, Declared) and isinstance(fact.act, acts.Cast)
    ]
    assert {"searing light", "hold person"} >= {*spells} >= {"searing light"}
