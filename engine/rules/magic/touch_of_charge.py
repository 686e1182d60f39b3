"""What comes before a touch or a ray, what a held charge goes into, and what ends it.

srd35.cast.hold-charge, srd35.ready.trigger, pf1.cast.touch.
"""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic import held_charge
from affray.engine.rules.magic.lost_charge import CHARGED, discharge_into_object, dissipate, held_spell
from affray.engine.rules.magic.touch_spells import let_ready_act
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def into_drawn_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Let a held charge go off into the weapon that is drawn (srd35.cast.hold-charge, pf1.cast.touch)."""
    return discharge_into_object(fight, fight.combatant(act.actor), act.item)


def lost_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a held charge be lost as another spell is cast (srd35.cast.hold-charge)."""
    if not spell.ability and not spell.item:
        yield from dissipate(fight, caster)


def deliver_or_hold(fight: Fight, caster: Combatant, spell: Spell, targets: list[Combatant]) -> Steps[None]:
    """Deliver a spell by ray or touch, once those have acted who readied for an attack; or hold its charge.

    srd35.cast.touch, srd35.cast.hold-charge, srd35.cast.ray, pf1.cast.touch, pf1.cast.ranged-touch.
    """
    able = yield from let_ready_act(fight, caster, spell, targets)
    yield from held_charge.deliver_or_hold(fight, caster, spell, targets if able else [])


def set_about_touch(fight: Fight, act: acts.Touch, touching: Steps[None]) -> Steps[None]:
    """Touch with a held charge, once those have acted who readied for an attack (srd35.ready.interrupt)."""
    first = next(touching)
    caster = fight.combatant(act.actor)
    yield first
    targets = [fight.combatant(id) for id in act.targets]
    able = yield from let_ready_act(fight, caster, held_spell(fight, caster), targets)
    if able and CHARGED in caster.conditions:
        yield from touching
