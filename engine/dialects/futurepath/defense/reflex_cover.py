"""What cover does against attacks on an area: a better Reflex save, and less damage behind nine tenths."""

from affray.engine.dialects.futurepath.conditions.degrees import declared_degree
from affray.engine.fight.extent import NO_STRETCH
from affray.engine.fight.fight import Fight
from affray.engine.rules.classes.saves_and_checks import Spared
from affray.engine.rules.magic.known_spells import named_spell
from affray.engine.rules.magic.targets_and_areas import AROUND
from affray.engine.rules.position.cover_between import cover_at, creatures_that_cover
from affray.engine.rules.position.place import Standing, footprint
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

#: The degree of cover that nobody has declared: around a corner, or behind a creature.
PLAIN = "one-half"
MOST = "nine-tenths"
#: What stands in the way on the map: obstacles, and creatures.
COVERING = ("cover", "soft")


def by_degree(fight: Fight, caster: Combatant, target: Combatant) -> tuple[Modifier, ...]:
    """Return what cover gives to a Reflex save against an effect from its far side, by its degree.

    Cover on the map counts only where it lies between, as half cover; a declared degree as it is declared
    (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if degree == "total":
        degree = ""
    creatures = tuple(
        one for one in fight.memory.scene[creatures_that_cover] if one[0] not in (caster.id, target.id)
    )
    origin = origin_of(fight, caster)
    found = cover_at(fight, origin, footprint(target), False, False, creatures)
    if not degree and found.kind not in COVERING:
        return ()
    row = degree or PLAIN
    # The flat figure of the new table is of Defense alone.
    value = fight.book.figure("futurepath.table.cover", f"degree={row}", "reflex")
    source = f"{degree} cover" if degree else "cover"
    return (Modifier(value, "cover", source, fight.rule("futurepath.cover.reflex-bonus")),)


def origin_of(fight: Fight, caster: Combatant) -> Standing:
    """Return where an effect comes from: the square in which it bursts, else its caster's place."""
    act = fight.doing
    if isinstance(act, acts.Cast) and act.actor == caster.id and act.at is not None:
        spell = named_spell(caster, act.spell)
        if spell is not None and spell.area in AROUND:
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
