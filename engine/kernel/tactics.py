"""Automatic play without any one game's rules: attack what is in reach, otherwise walk up to it."""

from affray.engine.fight.fight import Fight, is_down
from affray.engine.kernel.actions import can_spend, is_permitted
from affray.engine.kernel.paths import ways
from affray.engine.kernel.places import distance, reaches, reaches_from
from affray.events.facts import acts
from affray.events.facts.flow import AnyAct
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def arms(fight: Fight, combatant: Combatant) -> list[Weapon]:
    """Return the weapons in a combatant's hands, and its natural ones."""
    natural = ("natural", "unarmed")
    return [one for one in combatant.sheet.weapons if one.name in combatant.held or one.wield in natural]


def reach_bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances in feet at which a combatant can attack in melee."""
    bands = {(0, max(combatant.reach, one.far)) for one in fight.dialect.kernel.arms(fight, combatant)}
    return tuple(sorted(bands))


def next_declaration(fight: Fight, combatant: Combatant) -> AnyAct | None:
    """Return an attack on the nearest enemy in reach or range, otherwise a move toward it; None if neither
    is left.

    Only for a dialect whose `action_type` gives attacks and moves a kind of action.
    """
    enemies = [one for one in fight.enemies(combatant) if not is_down(fight, one)]
    enemies.sort(key=lambda one: (distance(combatant, one), one.hp))
    kernel = fight.dialect.kernel
    attack = acts.Attack(actor=combatant.id)
    if can_spend(fight, combatant, kernel.action_type(fight, combatant, attack)):
        for enemy in enemies:
            for weapon in kernel.arms(fight, combatant):
                far = max(combatant.reach, weapon.far, weapon.range)
                act = acts.Attack(actor=combatant.id, target=enemy.id, weapon=weapon.name)
                if reaches(combatant, enemy, 0, far) and is_permitted(fight, act):
                    return act
    step = acts.Move(actor=combatant.id)
    if not enemies or not can_spend(fight, combatant, kernel.action_type(fight, combatant, step)):
        return None
    nearest = enemies[0]
    if any(reaches(combatant, nearest, *band) for band in kernel.reach_bands(fight, combatant)):
        return None
    best = None
    for way in ways(fight, combatant):
        arrived = any(
            reaches_from(combatant, way.to, nearest, *band) for band in kernel.reach_bands(fight, combatant)
        )
        apart = max(abs(way.to[0] - nearest.at[0]), abs(way.to[1] - nearest.at[1]))
        rank = (not arrived, apart, way.feet, way.path)
        if best is None or rank < best:
            best = rank
    if best is None or best[1] >= max(
        abs(combatant.at[0] - nearest.at[0]), abs(combatant.at[1] - nearest.at[1])
    ):
        return None
    move = acts.Move(actor=combatant.id, path=best[3])
    return move if is_permitted(fight, move) else None
