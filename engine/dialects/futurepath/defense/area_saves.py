"""Cover against what bursts somewhere: what it keeps off, and what it gives to Reflex saves."""

from typing import Final

from affray.engine.dialects.futurepath.conditions.degrees import declared_degree
from affray.engine.fight.fight import Fight
from affray.engine.grid.cover import Cover
from affray.engine.rules.position.cover_between import cover_at, creatures_that_cover
from affray.engine.rules.position.place import Standing, footprint
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TABLE: Final = "futurepath.table.cover"
#: The degree that cover has of which no degree is known.
USUAL: Final = "one-half"


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

    A creature in the way covers one half, and so does cover of which no degree is known
    (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if not degree and cover_from(fight, origin, target, attacker).kind not in ("soft", "cover"):
        return ()
    if degree == "total":
        return ()
    path = (f"degree={degree or USUAL}", "reflex")
    return (fight.modifier(TABLE, *path, kind="cover", source=f"{degree or USUAL} cover"),)


def rules_of_cover(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the rule by which cover helps a save, if it does (futurepath.cover.reflex-bonus)."""
    return fight.rules("futurepath.cover.reflex-bonus") if parts else ()
