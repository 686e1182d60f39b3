"""What spurs do to the mount (srd35.skill.ride-details)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Harm
from affray.engine.rules.mounted.ride_skill import spurred_in, urge_on
from affray.engine.steps import Steps
from affray.events.facts.combat import ResourceSpent
from affray.projections.state import Combatant


def spur(fight: Fight, rider: Combatant, steed: Combatant) -> Steps[None]:
    """Spur the mount: it is faster for a round and hurt, twice as much every round on end.

    srd35.skill.ride-table, srd35.skill.ride-details.
    """
    if not (yield from urge_on(fight, rider, steed)):
        return
    rules = fight.rules("srd35.skill.ride-details")
    before = steed.resources.get(spurred_in(fight.state.round - 1), 0)
    hurt = before * int(fight.figure("srd35.skill.ride-details", "spur_doubling"))
    hurt = hurt or int(fight.figure("srd35.skill.ride-details", "spur_damage"))
    yield ResourceSpent(who=steed.id, resource=spurred_in(fight.state.round), amount=hurt, cites=rules)
    yield from fight.dialect.damage.suffer(fight, Harm(steed, hurt, "", "the spurs", cites=rules))
