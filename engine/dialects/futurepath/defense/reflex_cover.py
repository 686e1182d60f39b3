"""What cover does against attacks on an area: a better Reflex save, and less damage behind nine tenths."""

from affray.engine.dialects.futurepath.defense.cover import declared_degree
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.position.cover_between import cover_between
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The degree of cover that nobody has declared: around a corner, or behind a creature.
PLAIN = "one-half"
MOST = "nine-tenths"
#: What stands in the way on the map: obstacles, and creatures.
COVERING = ("cover", "soft")


def by_degree(fight: Fight, origin: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against an effect from its far side, by its degree.

    Cover on the map counts only between the two, as half cover; a declared degree as it is declared
    (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if degree == "total":
        degree = ""
    if not degree and cover_between(fight, origin, target, False).kind not in COVERING:
        return ()
    row = degree or PLAIN
    value = fight.book.figure("futurepath.table.cover", f"degree={row}", "reflex")
    source = f"{degree} cover" if degree else "cover"
    return (Modifier(value, "cover", source, fight.rule("futurepath.cover.reflex-bonus")),)


def hardly_touched(
    fight: Fight, combatant: Combatant, kind: str, on_save: str, saved: bool, amount: int, spared: Spared
) -> Spared:
    """Return what is left of damage behind nine tenths of cover: half after a failed save, else nothing.

    futurepath.cover.nine-tenths-improved-evasion.
    """
    if kind != "ref" or on_save != "half" or declared_degree(combatant, "cover") != MOST:
        return spared
    rules = fight.rules("futurepath.cover.nine-tenths-improved-evasion")
    if saved:
        return 0, "nothing behind nine-tenths cover", rules
    return amount // 2, "half behind nine-tenths cover", rules
