"""Big creatures' movement as a danger to those underfoot (woa.size.trampling-hazard)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.classes.saves import saving_throw
from affray.engine.dialects.woa.defense.reflex_save_modifiers import low_posture
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


def underfoot(fight: Fight, combatant: Combatant, here: Square, there: Square) -> list[Combatant]:
    """Return those far smaller into whose space a big creature's step leads on the ground."""
    found = entered_occupants(fight, combatant, here, there)
    if not found or terrain.avoids_obstacles(combatant):
        return []
    least = fight.figure("woa.size.trampling-hazard", "trigger_size_difference")
    return [
        one for one in found if size_step(combatant) - size_step(one) >= least and one.mount != combatant.id
    ]


def endanger_underfoot(fight: Fight, combatant: Combatant, trodden: Sequence[Combatant]) -> Steps[None]:
    """Endanger those far smaller through whose space a big creature goes without care.

    DC and damage are for the game master to say; a low posture is no help (woa.size.trampling-hazard,
    woa.posture.prone.reflex, woa.posture.crouching.modifiers, woa.posture.kneeling-sitting).
    """
    rule = fight.rule("woa.size.trampling-hazard")
    if trodden and has_trait(combatant, "weightless"):
        yield RuleApplied(
            who=combatant.id, what="weighs nothing", cites=(rule, fight.rule("woa.size.weight"))
        )
        return
    for other in trodden:
        question = f"does {combatant.id} take care not to step on {other.id}?"
        if (yield Choice(combatant.id, "tread", question, ("with care", "carelessly"), rule)) == "with care":
            continue
        dc = yield Choice(
            "", "trample-dc", f"what Reflex DC saves {other.id} from {combatant.id}?", DCS, rule
        )
        if not dc.isdecimal():
            yield RuleApplied(who=other.id, what=f"{combatant.id} is no danger to it", cites=(rule,))
            continue
        low = tuple(low_posture(fight, other, helps=False))
        saved = yield from saving_throw(
            fight, other, "ref", int(dc), f"being trodden on by {combatant.id}", rule, extra=low
        )
        if saved.success:
            continue
        damage = yield Choice("", "trample-damage", f"what damage does {other.id} take?", DAMAGES, rule)
        if damage != "none":
            rolled = yield Roll(combatant.id, "trample", damage)
            source = f"trodden on by {combatant.id}"
            yield from fight.dialect.damage.suffer(
                fight, Harm(other, rolled.total, "bludgeoning", source, combatant, cites=(rule,))
            )
        if "dead" not in other.conditions and "prone" not in other.conditions:
            yield ConditionGained(
                who=other.id, condition="prone", source=f"{combatant.id}'s tread", cites=(rule,)
            )
