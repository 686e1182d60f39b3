"""What a held charge goes into, and what ends it (srd35.cast.hold-charge)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.magic.lost_charge import discharge_into_object, dissipate
from affray.engine.steps import Steps
from affray.events.facts import acts
from affray.events.facts.sheet import Spell
from affray.projections.state import Combatant


def into_drawn_weapon(fight: Fight, act: acts.Draw) -> Steps[None]:
    """Let a held charge go off into the weapon that is drawn (srd35.cast.hold-charge)."""
    return discharge_into_object(fight, fight.combatant(act.actor), act.item)


def lost_by_casting(fight: Fight, caster: Combatant, spell: Spell) -> Steps[None]:
    """Let a held charge be lost as another spell is cast (srd35.cast.hold-charge)."""
    if not spell.ability and not spell.item:
        yield from dissipate(fight, caster)
