"""How the steps of magic fit together in srd35: castings and blows."""

from affray.engine.blow import Blow, Harm
from affray.engine.dialects.srd35.attacks import shooting
from affray.engine.dialects.srd35.classes import rogue
from affray.engine.dialects.srd35.conditions import confusion_fascination
from affray.engine.dialects.srd35.conditions import fear as srd35_fear
from affray.engine.dialects.srd35.damage import damage_reduction
from affray.engine.dialects.srd35.gear import object_creature, splash_weapons
from affray.engine.dialects.srd35.magic import long_castings as srd35_long_castings
from affray.engine.dialects.srd35.magic import special_abilities as special
from affray.engine.dialects.srd35.senses import concealment, hide
from affray.engine.fight import Fight
from affray.engine.rules.magic import held_charge as charges
from affray.engine.steps import NOTHING, Steps
from affray.projections.state import Combatant


def meanwhile(fight: Fight, harm: Harm) -> Steps[None] | None:
    """Return what happens as harm is taken: resistance is used up, a rogue rolls with it; else None."""
    if harm.resisted:
        return resisting(fight, harm)
    return rogue.roll_with(fight, harm) if harm.target.sheet.traits else None


def resisting(fight: Fight, harm: Harm) -> Steps[None]:
    """Use up resistance, then let a rogue roll with the blow."""
    yield from damage_reduction.used_up(fight, harm)
    rolling = rogue.roll_with(fight, harm)
    if rolling is not None:
        yield from rolling


def injure(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Settle what lost hit points do, sudden death and broken concentration among it."""
    if target.conditions or target.casting is not None or target.hp <= target.nonlethal or target.hp <= 0:
        return badly(fight, target, before, harm)
    if harm.amount >= fight.figure("injury.massive-damage", "threshold"):
        return badly(fight, target, before, harm)
    return NOTHING


def badly(fight: Fight, target: Combatant, before: int, harm: Harm) -> Steps[None]:
    """Settle what lost hit points do to somebody who was not quite well, or is so no longer."""
    alive = "dead" not in target.conditions
    yield from object_creature.injure(fight, target, before, harm)
    if object_creature.is_thing(target):
        return
    destroyed = target.hp <= 0 and target.sheet.kind in fight.figure("nonlethal.immune")
    if alive and "dead" in target.conditions and not destroyed:
        yield from srd35_fear.beyond_help(fight, target)
    if target.casting is not None or target.conditions:
        yield from srd35_long_castings.shaken_by_harm(fight, target, harm)


def after_blow(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """After a declared blow: what it cost the weapon, a held charge goes off, the struck mind reacts."""
    if blow.attacker.conditions or blow.target.conditions:
        return after_effects(fight, blow, hit)
    return splash_weapons.after_blow(fight, blow, hit)


def after_effects(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """After a blow: what it cost the weapon, then a held charge and the mind of whom it struck."""
    yield from splash_weapons.after_blow(fight, blow, hit)
    if blow.attacker.conditions:
        yield from charges.struck_home(fight, blow, hit)
    yield from confusion_fascination.attacked(fight, blow)


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement: those who readied for it act, and the fascinated may take notice."""
    yield from hide.arrived(fight, who)
    yield from confusion_fascination.possible_threat(fight, who)


def sheltered(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return what keeps a creature from an attack of opportunity: a confused mind, a shield, cover, sight."""
    reason = confusion_fascination.minds_other_things(fight, blow)
    return reason if reason[0] else concealment.sheltered(fight, blow)


def miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return the chance to miss: the greater of what the place gives and of eyes turned away."""
    found = concealment.miss_chance(fight, blow)
    if blow.attacker.effects:
        found = max(found, special.hidden_from(fight, blow), key=lambda one: one[0])
    return shooting.past_concealment(fight, blow, found) if found[0] else found
