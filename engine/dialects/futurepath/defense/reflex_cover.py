"""What cover does against effects on an area: it keeps them off, helps Reflex saves, leaves less damage."""

from typing import Final, NamedTuple

from affray.engine.dialects.futurepath.conditions.degrees import declared_degree
from affray.engine.dialects.futurepath.defense.things_as_cover import (
    degree_in_way,
    is_less,
    is_walled_off,
    things_in_way,
)
from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight
from affray.engine.grid.cover import Cover
from affray.engine.record.blow import SaveMade
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.position.cover_between import cover_at, creatures_that_cover
from affray.engine.rules.position.place import footprint
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Save(NamedTuple):
    """A Reflex save, whether it was made, and the damage that it is made against."""

    made: bool
    amount: int


TABLE: Final = "futurepath.table.cover"
BONUS: Final = "futurepath.cover.reflex-bonus"
#: The degree of cover that nobody has declared: around a corner, or behind a creature.
PLAIN: Final = "one-half"
MOST: Final = "nine-tenths"


def cover_from(fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None) -> Cover:
    """Return the cover from where an effect originates: for a burst a grid corner, which has no side."""
    away = {target.id, attacker.id if attacker is not None else ""}
    between = tuple(one for one in fight.memory.scene[creatures_that_cover] if one[0] not in away)
    between += things_in_way(fight, target, attacker)
    return cover_at(fight, origin, footprint(target), False, False, between)


def is_sheltered(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> bool:
    """Say whether total cover, that of a closed door too, keeps an effect off (futurepath.cover.total)."""
    return (
        declared_degree(target, "cover") == "total"
        or cover_from(fight, origin, target, attacker).kind == "total"
        or is_walled_off(fight, origin, footprint(target), target, attacker)
    )


def degree_against(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> str:
    """Return the degree of cover from where an effect originates: as declared, or as a thing gives it.

    "" for none, and for plain cover, of which nobody has said how much it is (futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if degree and degree != "total":
        return degree
    found = cover_from(fight, origin, target, attacker)
    in_way = degree_in_way(fight, found)[0] if found.kind in ("soft", "cover") else ""
    plain = not in_way or in_way == PLAIN or (found.kind == "cover" and is_less(in_way, PLAIN))
    return "" if plain else in_way


def spared_behind(
    fight: Fight, origin: Standing, one: Combatant, attacker: Combatant | None, spared: Spared, save: Save
) -> Spared:
    """Return what is left of damage behind nine tenths of cover that a thing gives, a door that is ajar.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    if declared_degree(one, "cover") == MOST or degree_against(fight, origin, one, attacker) != MOST:
        return spared
    return behind_nine_tenths(fight, save)


def cover_parts(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> tuple[Modifier, ...]:
    """Return what cover from where an effect originates gives to a Reflex save, by its degree.

    Cover on the map counts only where it lies between, as half cover, a creature's too, a thing's by what it
    covers; a declared degree as it is declared (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = degree_against(fight, origin, target, attacker)
    if not degree and cover_from(fight, origin, target, attacker).kind not in ("soft", "cover"):
        return ()
    value = fight.figure(TABLE, f"degree={degree or PLAIN}", "reflex")
    return (Modifier(value, "cover", f"{degree} cover" if degree else "cover", fight.rule(BONUS)),)


def rules_of_cover(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the table by which cover helps a save, if it does (futurepath.table.cover)."""
    return fight.rules(TABLE) if parts else ()


def against_spell(
    fight: Fight, caster: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against a spell, from where it takes effect."""
    return cover_parts(fight, origin, target, caster)


def hardly_touched(
    fight: Fight,
    combatant: Combatant,
    save: SaveMade,
    spared: Spared,
) -> Spared:
    """Return what is left of damage behind nine tenths of cover: half after a failed save, else nothing.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    if save.kind != "ref" or declared_degree(combatant, "cover") != MOST:
        return spared
    return behind_nine_tenths(fight, Save(save.succeeded, save.amount))


def behind_nine_tenths(fight: Fight, save: Save) -> Spared:
    """Return what is left of damage behind nine tenths of cover: half after a failed save, else nothing.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    rules = fight.rules("futurepath.cover.nine-tenths-improved-evasion")
    if save.made:
        return 0, "nothing behind nine-tenths cover", rules
    return save.amount // 2, "half behind nine-tenths cover", rules
