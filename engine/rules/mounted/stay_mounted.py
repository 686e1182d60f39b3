"""Staying in the saddle: what follows for the other when rider or mount is struck down (srd35.mount.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.rules.attacks.miss_chance import percent_roll
from affray.engine.rules.mounted.riding import SLUMPED, come_off, release_mount
from affray.engine.rules.movement.fly import BORNE
from affray.engine.rules.position.place import height_of
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.projections.state import Combatant


def part_if_driven_off(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Part a rider from its mount when it was moved away from it (srd35.mount.space)."""
    steed = fight.state.combatants[combatant.mount]
    if combatant.at != steed.at:
        yield from come_off_in_the_air(
            fight, combatant, steed, "is driven", fight.rule("mount.space"), to=combatant.at
        )


def come_off_in_the_air(
    fight: Fight, rider: Combatant, steed: Combatant, how: str, *cites: str, to: Square | None = None
) -> Steps[bool]:
    """Come off a mount, and in the air fall from there; return whether that was so (srd35.falling.damage)."""
    feet = height_of(rider)
    yield from come_off(fight, rider, steed, how, *cites, to=to)
    if BORNE in rider.conditions:
        rules = fight.rules("falling.damage")
        yield ConditionLost(who=rider.id, condition=BORNE, why="out of the saddle", cites=rules)
        yield from fight.dialect.movement.fall(fight, rider, feet)
    return feet > 0


def stays_or_slumps(fight: Fight, rider: Combatant, steed: Combatant, percent: int, rule: str) -> Steps[bool]:
    """Have a rider slump in the saddle by so many percent, or fall out of it; return whether it stays."""
    stays = yield from percent_roll(rider, "stay mounted", percent, f"{percent}% to stay mounted", rule)
    if stays:
        yield ConditionGained(who=rider.id, condition=SLUMPED, source=steed.id, cites=(rule,))
        yield from release_mount(fight, rider, steed)
    else:
        yield from come_off_in_the_air(fight, rider, steed, "falls", rule)
    return stays
