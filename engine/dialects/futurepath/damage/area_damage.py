"""The damage of what strikes an area: where it reaches, rolled, and dealt to each who is in it."""

from collections.abc import Iterable

from msgspec import Struct

from affray.engine.dialects.futurepath.defense.things_as_cover import is_walled_off, things_at
from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Harm
from affray.engine.rules.damage.energies import ENERGY
from affray.engine.rules.damage.weapon_damage import amount_dealt
from affray.engine.rules.position.cover_between import cover_at
from affray.engine.steps import Roll, Steps
from affray.events.facts.combat import DamagePart
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class AreaDamage(Struct, frozen=True, gc=False):
    """What the damage of a weapon comes to: its dice, what is added to them, the total, and energy in it."""

    dice: tuple[DamagePart, ...]
    tally: Tally
    total: int
    energies: dict[str, int]


def covered_squares(fight: Fight, squares: Iterable[Square], origin: Standing) -> tuple[Square, ...]:
    """Return those squares of an area that an effect from somewhere reaches, in the order of the rows.

    What lies beyond the map, in a wall or behind total cover it does not (futurepath.cover.total).
    """
    return tuple(
        square
        for square in sorted(squares, key=lambda at: (at[1], at[0]))
        if fight.field.passable(square)
        and cover_at(fight, origin, (square, 1, (0, 0)), False, False, ()).kind != "total"
        and not is_walled_off(fight, origin, (square, 1, (0, 0)), *things_at(fight, square))
    )


def roll_damage(fight: Fight, attacker: Combatant, weapon: Weapon, dice: str = "") -> Steps[AreaDamage]:
    """Roll the damage of a weapon, or other `dice` of it: its own, its bonuses and what it adds.

    futurepath.damage.minimum-1.
    """
    kind = weapon.damage_type
    shown = dice or weapon.damage
    rule = fight.rule("damage.bonus")
    flat = () if dice else weapon.bonus_damage
    tally = fight.stack([Modifier(one.value, one.kind, one.source or one.kind, rule) for one in flat])
    parts: list[DamagePart] = []
    energies: dict[str, int] = {}
    if shown.isdecimal():
        total = int(shown)
    else:
        rolled = yield Roll(attacker.id, "damage", shown)
        parts.append(DamagePart(shown, rolled.key, rolled.total, kind, weapon.name))
        total = rolled.total
    for extra in () if dice else weapon.extra:
        rolled = yield Roll(attacker.id, f"extra-{extra.kind}", extra.dice)
        parts.append(DamagePart(extra.dice, rolled.key, rolled.total, extra.kind, extra.source or extra.kind))
        total += rolled.total
        if extra.kind in ENERGY:
            energies[extra.kind] = energies.get(extra.kind, 0) + rolled.total
    least = int(fight.figure("damage.minimum", "min"))
    return AreaDamage(tuple(parts), tally, max(total + tally.total, least), energies)


def deal_area_damage(
    fight: Fight,
    weapon: Weapon,
    found: AreaDamage,
    harm: Harm,
    *cites: str,
    why: str = "",
) -> Steps[None]:
    """Deal a harm that comes of a weapon's rolled damage, `why` saying what has made it less."""
    harm.nonlethal = "nonlethal" in weapon.traits
    if harm.amount == found.total:
        harm.energies = dict(found.energies)
    else:
        harm.energies = {kind: harm.amount * part // found.total for kind, part in found.energies.items()}
    yield amount_dealt(fight, harm, found.dice, *cites, modifiers=found.tally.parts, why=why)
    yield from fight.dialect.damage.suffer(fight, harm)
