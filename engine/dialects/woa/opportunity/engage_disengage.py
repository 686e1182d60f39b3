"""Engaging and disengaging: what movement past enemies means when it provokes nothing (woa.aoo.*)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.gear.held_weapons import fights_unarmed, held_weapons
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import in_band
from affray.engine.steps import Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: Ways of movement that are not part of another action than moving.
OF_ITSELF = frozenset(
    {"normal", "defensive", "step", "double", "fast", "tumble", "tumble-fast", "leave", "vault"}
    | {"crawl", "crowd", "squeeze", "wriggle", "climb", "brachiate", "burrow", "swim", "fly", "hiding"}
)


def rules_of_no_opening(
    fight: Fight, mover: Combatant, squares: Sequence[Square], how: str
) -> tuple[str, ...]:
    """Return the rules by which going over these squares provoked nothing from those who threatened it.

    Entering a threatened area is free, so is going about within it; a short step provokes nothing at all
    (woa.aoo.provoke.engaging-is-free, .moving-within-threat, woa.aoo.avoid.short-step,
    woa.short-step.no-aoo).
    """
    found: list[str] = []
    for enemy in fight.enemies(mover):
        if is_down(fight, enemy):
            continue
        for here, there in pairwise(squares):
            before, after = threatens(fight, enemy, mover, here), threatens(fight, enemy, mover, there)
            if how == "step":
                found += ["woa.short-step.no-aoo", "woa.aoo.avoid.short-step"] if before and not after else []
            elif before and after:
                found.append("woa.aoo.provoke.moving-within-threat")
            elif after and how != "defensive":
                found.append("woa.aoo.provoke.engaging-is-free")
    return fight.rules(*dict.fromkeys(found)) if found else ()


def stays_engaged(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Note those whose area a mover leaves without disengaging from them.

    They stay within its own threatened area, or it sees all around (woa.aoo.engaged-state,
    woa.aoo.avoid.all-around-vision). Defensive movers and short steps provoke nothing by leaving anyway.
    """
    if how in ("step", "defensive"):
        return
    for enemy in fight.enemies(mover):
        if is_down(fight, enemy) or not threatens(fight, enemy, mover, here):
            continue
        if threatens(fight, enemy, mover, there):
            continue
        if within_own_area(fight, mover, enemy, there):
            what, topic = f"stays engaged with {enemy.id}", "woa.aoo.engaged-state"
        elif has_trait(mover, "all-around vision"):
            what, topic = f"sees all around, {enemy.id} too", "woa.aoo.avoid.all-around-vision"
        else:
            continue
        yield RuleApplied(who=mover.id, what=what, cites=(fight.rule(topic),))


def within_own_area(fight: Fight, mover: Combatant, enemy: Combatant, at: Square) -> bool:
    """Say whether an enemy stands within the area that the mover threatens from a square."""
    return any(
        in_band(at, mover.space, enemy.at, enemy.space, least, most)
        for least, most in fight.dialect.position.reach_bands(fight, mover)
    )


def unarmed_within_reach(enemy: Combatant, mover: Combatant, at: Square) -> bool:
    """Say whether an enemy would threaten the mover at a square if it were not unarmed.

    woa.aoo.unarmed-does-not-threaten.
    """
    return is_unarmed(enemy) and in_band(enemy.at, enemy.space, at, mover.space, 0, enemy.reach)


def is_unarmed(combatant: Combatant) -> bool:
    """Say whether a combatant holds nothing, has no natural weapons and does not fight unarmed."""
    return not held_weapons(combatant) and not fights_unarmed(combatant)


def carried_along(how: str) -> bool:
    """Say whether movement is part of another action than a move (woa.aoo.provoke.movement-in-actions)."""
    return how not in OF_ITSELF


def evades_by_acrobatics(combatant: Combatant) -> bool:
    """Say whether a mover is skilled enough to evade blows by Acrobatics (woa.aoo.avoid.acrobatics)."""
    return "acrobatics" in combatant.sheet.skills
