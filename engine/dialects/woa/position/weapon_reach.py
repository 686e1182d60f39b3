"""How far weapons reach, and which are light (woa.reach.weapon, woa.space.own-space-not-threatened)."""

from affray.engine.dialects.woa.position.prone import lies
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

MULTIPLE, CLOSE = "woa.reach.weapon", "woa.reach.weapon-close-attacks"


def band(fight: Fight, combatant: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which a weapon strikes in melee.

    A reach weapon strikes as far as twice the natural reach and not within it (woa.reach.weapon).
    """
    if weapon.far:
        return 0, weapon.far
    if weapon.reach:
        near = 0 if "near-and-far" in weapon.traits else combatant.reach + SQUARE_FT
        return near, combatant.reach * fight.figure(MULTIPLE, "reach_multiplier")
    return 0, combatant.reach


def is_light(weapon: Weapon) -> bool:
    """Say whether a weapon is a light one; an unarmed strike is (woa.space.own-space-not-threatened)."""
    return weapon.wield in ("light", "unarmed")


def threatened(fight: Fight, combatant: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances at which a weapon threatens: of one's own space, only those of light ones."""
    least, most = band(fight, combatant, weapon)
    return (least if is_light(weapon) else max(least, 1)), most


def refuse_lying_shot(fight: Fight, blow: Blow) -> None:
    """Refuse to shoot prone with any but a crossbow (woa.posture.prone.ranged-weapons)."""
    attacker, weapon = blow.attacker, blow.weapon
    if not blow.melee and lies(attacker) and weapon.family != "crossbow" and "prone use" not in weapon.traits:
        raise Refusal(
            f"{attacker.id} is prone and cannot use the {weapon.name}",
            fight.rule("woa.posture.prone.ranged-weapons"),
        )
