"""Printed routines, played: what each of their attacks comes to when all are declared as one full attack.

The runner of the engine plays them against a post that stands still: what a fight makes of a routine, with
every rule on several weapons that the dialect has, is what is found here.
"""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects import load
from affray.engine.dice.notation import Notation
from affray.engine.dice.throw import Throw, throw
from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.held_weapons import melee_band
from affray.engine.statblock.figures import attack_series
from affray.engine.statblock.routines import Routine
from affray.engine.table.policies import cautious
from affray.engine.table.runner import resolve
from affray.events.facts.combat import AttackResolved, DamageResolved
from affray.events.facts.declared import Declared
from affray.events.facts.sheet import Sheet, Weapon
from affray.events.facts.sheet_parts import Bonus
from affray.projections.state import Combatant, Encounter

#: Who strikes, and the two that are struck at: one beside it, one as far away as its weapon reaches.
STRIKER, NEAR, FAR = "striker", "post", "far post"
_POST: Final = Sheet("post", 1_000_000, kind="construct", armor=(Bonus(-100, "penalty", "stands still"),))
_MAP: Final = ("." * 64,) * 24
_AT: Final = (2, 8)


class Played(Struct, frozen=True, gc=False):
    """One attack as it was played: the weapon, the bonus of the roll, and what its dice of damage are added.

    `damage` is None where no damage to hit points came of it.
    """

    weapon: str
    bonus: int
    damage: int | None


class _Even:
    """Dice that always hit, threaten nothing and do their most, so that no damage is raised to the least."""

    def throw(self, key: str, notation: Notation) -> tuple[Throw, str]:
        face = 10 if "/attack/" in key else 1_000
        return throw(notation, lambda sides, count: (min(face, sides),) * count), "scripted"


def is_plain(sheet: Sheet, routine: Routine, dialect: str) -> bool:
    """Say whether each attack of a routine is what it would be alone.

    One weapon made, with the series of the base attack bonus, or limbs only, without further attacks.
    """
    if routine.flurry or routine.rapid_shot or any(one.off_hand for one in routine.strikes):
        return False
    by_weapon: dict[str, list[int]] = {}
    for one, bonus in zip(routine.strikes, routine.bonuses, strict=True):
        by_weapon.setdefault(one.weapon, []).append(bonus)
    limbs = {weapon.name for weapon in sheet.weapons if weapon.wield == "natural"}
    if by_weapon.keys() <= limbs:
        return all(len(set(bonuses)) == 1 for bonuses in by_weapon.values())
    first = routine.bonuses[0]
    series = attack_series(sheet, first, dialect)
    return len(by_weapon) == 1 and routine.bonuses == series[: len(routine.bonuses)]


def play(sheet: Sheet, routine: Routine, dialect: str) -> tuple[Played, ...] | str:
    """Return what each attack of a routine comes to in a fight, or why the dialect refuses it."""
    fight = Fight(_scene(sheet, routine, dialect), load(dialect))
    striker = fight.state.combatants[STRIKER]
    weapons = {weapon.name: weapon for weapon in sheet.weapons}
    act = routine.declared(STRIKER, NEAR)
    if routine.mode == "melee":
        strikes = (
            replace(one, target=_target(striker, weapons[one.weapon])) if one.weapon in weapons else one
            for one in act.strikes
        )
        act = replace(act, strikes=tuple(strikes))
    told: list[Any] = []
    found = resolve(fight, Declared("d1", act), seq=1, dice=_Even(), answers=cautious, tell=told.append)
    return found.refused.reason if found.refused is not None else _attacks(told)


def _attacks(told: list[Any]) -> tuple[Played, ...]:
    """Return the attacks among the facts, each with the damage that follows it."""
    found: list[Played] = []
    for fact in told:
        if isinstance(fact, AttackResolved) and fact.attacker == STRIKER:
            found.append(Played(fact.weapon, fact.total - fact.natural, None))
        elif isinstance(fact, DamageResolved) and found and found[-1].damage is None:
            dice = sum(part.total for part in fact.dice)
            found[-1] = replace(found[-1], damage=fact.total - dice)
    return tuple(found)


def _target(striker: Combatant, weapon: Weapon) -> str:
    """Return the post that a weapon reaches in melee."""
    least, _ = melee_band(striker, weapon)
    return FAR if least > 5 else NEAR


def _scene(sheet: Sheet, routine: Routine, dialect: str) -> Encounter:
    """Return a fight in which it is the striker's turn."""
    state = Encounter(
        dialect=dialect,
        terrain=_MAP,
        begun=True,
        round=1,
        turn=1,
        active=STRIKER,
        until_closed=True,
        things_lie=True,
        defaults=load(dialect).book.defaults,
    )
    space, reach = load(dialect).position.space_and_reach(Fight(state, load(dialect)), sheet)
    column, row = _AT
    # Whoever has no reach strikes from the square of its target.
    places = {NEAR: column + space if reach >= 5 or routine.mode == "ranged" else column}
    if reach >= 5 and routine.mode == "melee":
        places[FAR] = column + space - 1 + reach * 2 // 5
    posts = [
        Combatant(id, "posts", _POST, (at, row), 1, 5, _POST.hp, _POST.hp, acted=True)
        for id, at in places.items()
    ]
    striker = Combatant(
        STRIKER, "strikers", sheet, _AT, space, reach, sheet.hp, sheet.hp, held=routine.held, acted=True
    )
    state.combatants = {one.id: one for one in (striker, *posts)}
    state.order = tuple(state.combatants)
    return state
