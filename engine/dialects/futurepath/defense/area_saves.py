"""Cover against what affects an area: the bonus to Reflex saves, and what nine-tenths leave of the damage."""

from typing import Final

from affray.engine.dialects.futurepath.conditions.condition_table import DEGREES
from affray.engine.fight.fight import Fight
from affray.engine.grid.cover import Cover
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.position.cover_between import cover_at, creatures_that_cover
from affray.engine.rules.position.place import Standing, footprint
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TABLE: Final = "futurepath.table.cover"
#: The degree that cover has of which no degree is known.
USUAL: Final = "one-half"
#: The degree behind which a failed save means half the damage, a successful one none.
NEARLY_ALL: Final = "nine-tenths"


def degree_of(target: Combatant) -> str:
    """Return the best degree of cover that is declared for a combatant, "" for none."""
    return next((one for one in reversed(DEGREES) if f"{one} cover" in target.conditions), "")


def cover_from(fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None) -> Cover:
    """Return the cover from where an effect originates: for a burst a grid corner, which has no side."""
    away = {target.id, attacker.id if attacker is not None else ""}
    between = tuple(one for one in fight.memory.scene[creatures_that_cover] if one[0] not in away)
    return cover_at(fight, origin, footprint(target), False, False, between)


def is_sheltered(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> bool:
    """Say whether total cover keeps an effect off altogether (futurepath.cover.total)."""
    return degree_of(target) == "total" or cover_from(fight, origin, target, attacker).kind == "total"


def cover_parts(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> tuple[Modifier, ...]:
    """Return what cover from where an effect originates gives to a Reflex save, by its degree.

    A creature in the way covers one half, and so does cover of which no degree is known
    (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = degree_of(target)
    if not degree and cover_from(fight, origin, target, attacker).kind not in ("soft", "cover"):
        return ()
    if degree == "total":
        return ()
    path = (f"degree={degree or USUAL}", "reflex")
    return (fight.modifier(TABLE, *path, kind="cover", source=f"{degree or USUAL} cover"),)


def reflex_cover(fight: Fight, combatant: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against an effect that comes from a combatant.

    futurepath.cover.reflex-bonus.
    """
    return cover_parts(fight, footprint(combatant), target, combatant)


def rules_of_cover(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the rule by which cover helps a save, if it does (futurepath.cover.reflex-bonus)."""
    return fight.rules("futurepath.cover.reflex-bonus") if parts else ()


def behind_nearly_all(
    fight: Fight, combatant: Combatant, kind: str, on_save: str, saved: bool, amount: int, found: Spared
) -> Spared:
    """Return what a save leaves of damage behind nine-tenths cover: none, and half of it where it failed.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    if kind != "ref" or degree_of(combatant) != NEARLY_ALL:
        return found
    rule = fight.rule("futurepath.cover.nine-tenths-improved-evasion")
    if saved:
        return 0, "nine-tenths cover: no damage on a successful save", (*found[2], rule)
    return amount // 2, "nine-tenths cover: half damage", (*found[2], rule)
