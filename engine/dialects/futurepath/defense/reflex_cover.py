"""What cover does against effects on an area: it keeps them off, helps Reflex saves, leaves less damage."""

from typing import Final

from affray.engine.dialects.futurepath.conditions.degrees import declared_degree
from affray.engine.fight.extent import NO_STRETCH
from affray.engine.fight.fight import Fight
from affray.engine.grid.cover import Cover
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.magic.targets_and_areas import AROUND
from affray.engine.rules.position.cover_between import cover_at, creatures_that_cover
from affray.engine.rules.position.place import Standing, footprint
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TABLE: Final = "futurepath.table.cover"
BONUS: Final = "futurepath.cover.reflex-bonus"
#: The degree of cover that nobody has declared: around a corner, or behind a creature.
PLAIN: Final = "one-half"
MOST: Final = "nine-tenths"


def cover_from(fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None) -> Cover:
    """Return the cover from where an effect originates: for a burst a grid corner, which has no side."""
    away = {target.id, attacker.id if attacker is not None else ""}
    between = tuple(one for one in fight.memory.scene[creatures_that_cover] if one[0] not in away)
    return cover_at(fight, origin, footprint(target), False, False, between)


def is_sheltered(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> bool:
    """Say whether total cover keeps an effect off altogether (futurepath.cover.total)."""
    return (
        declared_degree(target, "cover") == "total"
        or cover_from(fight, origin, target, attacker).kind == "total"
    )


def cover_parts(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> tuple[Modifier, ...]:
    """Return what cover from where an effect originates gives to a Reflex save, by its degree.

    Cover on the map counts only where it lies between, as half cover, a creature's too; a declared degree as
    it is declared (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if degree == "total":
        degree = ""
    if not degree and cover_from(fight, origin, target, attacker).kind not in ("soft", "cover"):
        return ()
    value = fight.figure(TABLE, f"degree={degree or PLAIN}", "reflex")
    return (Modifier(value, "cover", f"{degree} cover" if degree else "cover", fight.rule(BONUS)),)


def rules_of_cover(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the table by which cover helps a save, if it does (futurepath.table.cover)."""
    return fight.rules(TABLE) if parts else ()


def against_spell(fight: Fight, caster: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against a spell, from where it takes effect."""
    return cover_parts(fight, origin_of(fight, caster), target, caster)


def origin_of(fight: Fight, caster: Combatant) -> Standing:
    """Return where an effect comes from: the square in which it bursts, else its caster's place."""
    act = fight.doing
    if isinstance(act, acts.Split):
        act = act.then
    if isinstance(act, acts.Cast):
        spell = named_spell(caster, act.spell)
        if spell is not None and spell.area in AROUND and act.at is not None:
            return act.at, 1, NO_STRETCH
    return footprint(caster)


def hardly_touched(
    fight: Fight, combatant: Combatant, kind: str, on_save: str, saved: bool, amount: int, spared: Spared
) -> Spared:
    """Return what is left of damage behind nine tenths of cover: half after a failed save, else nothing.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    if kind != "ref" or declared_degree(combatant, "cover") != MOST:
        return spared
    rules = fight.rules("futurepath.cover.nine-tenths-improved-evasion")
    if saved:
        return 0, "nothing behind nine-tenths cover", rules
    return amount // 2, "half behind nine-tenths cover", rules
