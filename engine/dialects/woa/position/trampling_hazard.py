"""Big creatures' movement as a danger to those underfoot (woa.size.trampling-hazard)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.movement import terrain
from affray.engine.dialects.woa.position.pass_through import entered_occupants
from affray.engine.fight.fight import Fight
from affray.engine.grid.battlefield import Square
from affray.engine.record.blow import Harm
from affray.engine.rules.classes.ability_modifiers import has_trait, size_step
from affray.engine.steps import Choice, Roll, Steps
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: What the game master may set for those underfoot.
DCS = ("15", "10", "20", "25", "30", "no danger")
DAMAGES = ("1d6", "2d6", "4d6", "6d6", "8d6", "none")


def underfoot(fight: Fight, who: Combatant, here: Square, there: Square) -> list[Combatant]:
    """Return those far smaller into whose space a big creature's step leads on the ground."""
    found = entered_occupants(fight, who, here, there)
    if not found or terrain.avoids_obstacles(who):
        return []
    least = fight.figure("woa.size.trampling-hazard", "trigger_size_difference")
    return [one for one in found if size_step(who) - size_step(one) >= least and one.mount != who.id]


def endanger_underfoot(fight: Fight, who: Combatant, trodden: Sequence[Combatant]) -> Steps[None]:
    """Endanger those far smaller through whose space a big creature goes without care.

    DC and damage are for the game master to say (woa.size.trampling-hazard).
    """
    rule = fight.rule("woa.size.trampling-hazard")
    if trodden and has_trait(who, "weightless"):
        yield RuleApplied(who=who.id, what="weighs nothing", cites=(rule, fight.rule("woa.size.weight")))
        return
    for other in trodden:
        question = f"does {who.id} take care not to step on {other.id}?"
        if (yield Choice(who.id, "tread", question, ("with care", "carelessly"), rule)) == "with care":
            continue
        dc = yield Choice("", "trample-dc", f"what Reflex DC saves {other.id} from {who.id}?", DCS, rule)
        if not dc.isdecimal():
            yield RuleApplied(who=other.id, what=f"{who.id} is no danger to it", cites=(rule,))
            continue
        saved = yield from saving_throw(fight, other, "ref", int(dc), f"being trodden on by {who.id}", rule)
        if saved.success:
            continue
        damage = yield Choice("", "trample-damage", f"what damage does {other.id} take?", DAMAGES, rule)
        if damage != "none":
            rolled = yield Roll(who.id, "trample", damage)
            source = f"trodden on by {who.id}"
            yield from fight.dialect.damage.suffer(
                fight, Harm(other, rolled.total, "bludgeoning", source, who, cites=(rule,))
            )
        if "dead" not in other.conditions and "prone" not in other.conditions:
            yield ConditionGained(who=other.id, condition="prone", source=f"{who.id}'s tread", cites=(rule,))
