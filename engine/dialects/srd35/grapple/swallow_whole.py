"""Swallow whole: down the gullet, and out again (srd35.swallow-whole)."""

from typing import Final

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

SWALLOW: Final = "swallow-whole"
CUTTING: Final = ("slashing", "piercing")


def is_inside(who: Combatant, of: Combatant) -> bool:
    """Say whether a combatant has been swallowed by another."""
    held = who.conditions.get("swallowed")
    return held is not None and held.source == of.id


def refuse_inside(fight: Fight, who: Combatant, weapon: Weapon) -> None:
    """Refuse to the swallowed what does not cut: anything but light slashing and piercing weapons."""
    cuts = weapon.damage_type in CUTTING or any(trait in CUTTING for trait in weapon.traits)
    if "swallowed" in who.conditions and not (cuts and weapon.wield in ("light", "natural")):
        raise Refusal(f"the {weapon.name} does not cut a way out", fight.rule(SWALLOW))


def armor_from_inside(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the Armor Class of a swallower against whom it has swallowed: 10 and half of its natural armor.

    Nothing against others (srd35.swallow-whole).
    """
    if not is_inside(blow.attacker, blow.target):
        return ()
    rule = fight.rule(SWALLOW)
    hide = sum(one.value for one in blow.target.sheet.armor if one.kind == "natural")
    share = int(hide * fight.figure(SWALLOW, "natural_share"))
    return (
        fight.modifier(SWALLOW, "ac", kind="base", source="inside"),
        Modifier(share, "natural", "half of the natural armor", rule),
    )
