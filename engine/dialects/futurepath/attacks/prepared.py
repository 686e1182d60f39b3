"""Blows that are declared: what their weapon has to say to it, before anything else is asked."""

from typing import Final

from affray.engine.dialects.futurepath.gear.throwables import DEFINITION, EXPLOSIVE, TOUCH, as_thrown
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.gear.substances import SPLASH
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: The trait of weapons that fire automatically and not otherwise.
ONLY: Final = "automatic only"
#: The kind of a blow that fires automatically.
AUTOFIRE: Final = "autofire"


def prepare_declared(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: Weapon,
    kind: str,
    *,
    thrown: bool = False,
    nonlethal: bool | None = None,
) -> Blow:
    """Return the blow that a declaration means; what splashes is always thrown, by a touch.

    Refuses single shots of what only fires automatically (futurepath.attack.autofire.autofire-only-weapons,
    futurepath.attack.splash.ranged-touch).
    """
    splashes = SPLASH in weapon.traits
    if splashes:
        weapon, thrown = as_thrown(fight, weapon), True
    prepare = fight.dialect.attacks.prepare
    blow: Blow = prepare(fight, attacker, target, weapon, kind, thrown=thrown, nonlethal=nonlethal)
    if splashes:
        blow.cites += fight.rules(DEFINITION, TOUCH)
    if ONLY in weapon.traits and not blow.melee and kind != AUTOFIRE:
        reason = f"the {weapon.name} fires no single shots, but automatically"
        raise Refusal(reason, fight.rule("futurepath.attack.autofire.autofire-only-weapons"))
    return blow


def only_at_squares(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that what explodes strikes and is aimed at nobody: it is thrown at a square, or planted.

    futurepath.attack.thrown-explosive.target-square.
    """
    reason = f"the {blow.weapon.name} is thrown at a square"
    return reason, "futurepath.attack.thrown-explosive.target-square"


def finishes(weapon: Weapon) -> bool:
    """Say whether a ranged weapon can deliver a coup de grace: none that bursts, or breaks and splashes."""
    return not {EXPLOSIVE, SPLASH}.intersection(weapon.traits)
