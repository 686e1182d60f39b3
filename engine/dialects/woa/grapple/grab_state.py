"""Who holds whom by a grab, by what part of the body and with what (woa.grab.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import ConditionGained, ConditionLost, EffectEnded, EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant, Effect

BETWEEN = ", "
#: Who is held stands in the source of "grabbing", who holds in that of "grabbed".
GRABBING, GRABBED = "grabbing", "grabbed"
#: The passing effect on a grabber that says what of its opponent it holds, and with how many hands.
HOLD = "hold"
#: The parts of a body whose use a hold takes away.
WEAPON_ARM, OTHER_ARM, LEG = "weapon arm", "other arm", "leg"


def combatants_named(fight: Fight, combatant: Combatant, condition: str) -> list[Combatant]:
    """Return the combatants that a condition of `combatant` names."""
    held = combatant.conditions.get(condition)
    combatants = fight.state.combatants
    return [combatants[id] for id in held.source.split(BETWEEN) if id in combatants] if held else []


def held_by(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return those who hold a combatant, in the order in which they took hold."""
    return combatants_named(fight, combatant, GRABBED)


def holding(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return those whom a combatant holds, in the order in which it took hold of them."""
    return combatants_named(fight, combatant, GRABBING)


def hold_of(grappler: Combatant, target: str) -> Effect | None:
    """Return the hold that a combatant has on another: its modifier's kind is the part held, its value the
    number of hands that hold.
    """
    return next((one for one in grappler.effects if one.stat == HOLD and one.against == target), None)


def hands_on(grappler: Combatant, target: str) -> int:
    """Return with how many hands a combatant holds another, 0 without a hand."""
    hold = hold_of(grappler, target)
    return hold.modifier.value if hold is not None else 0


def parts_held(fight: Fight, combatant: Combatant) -> set[str]:
    """Return the parts of a combatant's body that others hold (woa.grab.occupied-limbs)."""
    holds = (hold_of(one, combatant.id) for one in held_by(fight, combatant))
    return {hold.modifier.kind for hold in holds if hold is not None}


def take_hold(
    fight: Fight, grappler: Combatant, target: Combatant, part: str, means: str, hands: int, *cites: str
) -> Steps[None]:
    """Let `grappler` hold a part of the target from now on, with so many hands or another means."""
    for one, other, condition in ((grappler, target, GRABBING), (target, grappler, GRABBED)):
        ids = dict.fromkeys([*(each.id for each in combatants_named(fight, one, condition)), other.id])
        yield ConditionGained(who=one.id, condition=condition, source=BETWEEN.join(ids), cites=cites)
    rule = fight.rule("woa.grab.occupied-limbs")
    yield EffectGained(
        who=grappler.id,
        id=f"{HOLD}:{target.id}",
        stat=HOLD,
        modifier=Modifier(hands, part, f"{means} on {target.id}", rule),
        until=Until(),
        against=target.id,
        cites=(rule, fight.rule("woa.grab.general-effect")),
    )


def end_hold(fight: Fight, grappler: Combatant, target: Combatant, why: str, *cites: str) -> Steps[None]:
    """End the hold that `grappler` has on the target."""
    for one, other, condition in ((grappler, target, GRABBING), (target, grappler, GRABBED)):
        left = [each.id for each in combatants_named(fight, one, condition) if each is not other]
        if left:
            yield ConditionGained(who=one.id, condition=condition, source=BETWEEN.join(left), cites=cites)
        elif condition in one.conditions:
            yield ConditionLost(who=one.id, condition=condition, why=why, cites=cites)
    if hold_of(grappler, target.id) is not None:
        yield EffectEnded(who=grappler.id, id=f"{HOLD}:{target.id}", why=why, cites=cites)


def are_tied(one: Combatant, other: Combatant) -> bool:
    """Say whether one of two holds the other, so that both move together."""
    return hold_of(one, other.id) is not None or hold_of(other, one.id) is not None
