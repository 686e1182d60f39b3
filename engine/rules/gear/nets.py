"""Nets: cast over a target, held by the rope, escaped from, folded (srd35.weapons.net,
pf1.gear.splash-ref).
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.distance import distance_ft
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Side
from affray.engine.rules.classes.abilities import strength_to_break
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import size_step
from affray.engine.rules.conditions.conditions import apply_fear_condition
from affray.engine.rules.gear.hands import lose
from affray.engine.rules.gear.weapons_in_hand import find_weapon, square_of_target
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, ResourceSpent
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

TOPIC: Final = "weapons.net"
#: The trait of a weapon that is cast over its target.
NET: Final = "entangle"
ENTANGLED: Final = "entangled"
#: The condition of a combatant held within the length of a rope, with the holder as its source.
TETHERED: Final = "tethered"

Contest = Callable[[Fight, Side, Side, str], Steps[bool]]
"""How two combatants that pull against each other roll: returns whether the first one wins, by a rule."""


# casting it


def is_unfolded(holder: Combatant, weapon: Weapon) -> bool:
    """Return whether a net has been thrown, or was unfolded from the start, and not folded since."""
    started = int("unfolded" in weapon.traits)
    return started + holder.resources.get(f"throws of the {weapon.name}", 0) > 0


def is_net_cast(fight: Fight, act: acts.Attack, *given: object) -> bool:
    """Return whether an attack is one with a net."""
    actor = fight.combatant(act.actor)
    if not any(NET in one.traits for one in actor.sheet.weapons):
        return False
    return NET in find_weapon(fight, actor, act.weapon).traits


def as_thrown_net(fight: Fight, act: acts.Attack) -> acts.Attack:
    """Return an attack with a net as a throw. Refuses targets that a net does not reach or fit.

    srd35.weapons.net, pf1.gear.splash-ref.
    """
    actor = fight.combatant(act.actor)
    refuse_net(fight, actor, fight.combatant(act.target), find_weapon(fight, actor, act.weapon))
    return replace(act, thrown=True)


def refuse_net(fight: Fight, holder: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse to cast a net farther than it reaches, or over a target of the wrong size."""
    rule = fight.rule(TOPIC)
    feet = fight.figure(TOPIC, "range_ft")
    if distance(holder, target) > feet:
        raise Refusal(f"the {weapon.name} reaches {feet} ft.", rule)
    if abs(size_step(target) - size_step(holder)) > fight.figure(TOPIC, "max_size_difference"):
        raise Refusal(f"the {weapon.name} does not fit {target.id}", rule)


def unfolded_part(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty on throwing an unfolded net (srd35.weapons.net, pf1.gear.splash-ref)."""
    if not is_unfolded(blow.attacker, blow.weapon):
        return []
    return [fight.modifier(TOPIC, "unfolded_attack", kind="penalty", source="the net is unfolded")]


def cast_away(fight: Fight, blow: Blow, hit: bool) -> Steps[None]:
    """Leave a thrown net on its target or on the ground, unfolded.

    srd35.weapons.net, pf1.gear.splash-ref.
    """
    attacker, net, rule = blow.attacker, blow.weapon.name, fight.rule(TOPIC)
    if not is_unfolded(attacker, blow.weapon):
        yield ResourceSpent(who=attacker.id, resource=f"throws of the {net}", amount=1, cites=(rule,))
    yield from lose(fight, attacker, net, "gone" if hit else "dropped", (rule,), square_of_target(blow))


def cast_over(fight: Fight, blow: Blow, contest: Contest) -> Steps[None]:
    """Entangle the target of a net that hits, and hold it by the trailing rope, won by Strength.

    srd35.weapons.net, srd35.cond.entangled, pf1.gear.splash-ref, pf1.cond.entangled.
    """
    thrower, target, rule = blow.attacker, blow.target, fight.rule(TOPIC)
    cites = fight.rules(TOPIC, "cond.entangled")
    source = f"net of {thrower.id}"
    gained = ConditionGained(who=target.id, condition=ENTANGLED, source=source, cites=cites)
    yield from apply_fear_condition(fight, gained)
    question = f"does {thrower.id} hold on to the rope of the net?"
    if (yield Choice(thrower.id, "rope", question, ("let go", "hold"), rule)) != "hold":
        return
    mine, theirs = (
        side_of(fight, one, "strength", strength_to_break(fight, one, rule)) for one in (thrower, target)
    )
    if (yield from contest(fight, mine, theirs, rule)):
        yield ConditionGained(who=target.id, condition=TETHERED, source=thrower.id, cites=(rule,))


# folding it


def is_to_be_folded(fight: Fight, act: acts.Load) -> bool:
    """Return whether the item to load is a net that has to be folded."""
    actor = fight.combatant(act.actor)
    nets = (one for one in actor.sheet.weapons if one.name == act.item and NET in one.traits)
    return any(is_unfolded(actor, one) for one in nets)


def fold_net(fight: Fight, act: acts.Load) -> Steps[None]:
    """Fold a net for one more full round; after two, four without proficiency, it is ready to be thrown.

    srd35.weapons.net, pf1.gear.splash-ref.
    """
    holder, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    weapon = next(one for one in holder.sheet.weapons if one.name == act.item)
    if weapon.name not in holder.held:
        raise Refusal(f"{holder.id} does not hold the {weapon.name}", rule)
    trained, untrained = fight.figure(TOPIC, "fold_rounds")
    rounds = trained if weapon.proficient else untrained
    resource = f"rounds of folding the {weapon.name}"
    yield spending(fight, holder, "full-round", "fold", rule)
    yield ResourceSpent(who=holder.id, resource=resource, amount=1, cites=(rule,))
    if holder.resources[resource] % rounds == 0:
        folded = f"throws of the {weapon.name}"
        yield ResourceSpent(who=holder.id, resource=folded, amount=-1, cites=(rule,))
        yield ItemChanged(who=holder.id, item=weapon.name, state="held", cites=(rule,))


# getting out of it


def is_in_net(combatant: Combatant) -> bool:
    """Return whether a net is what entangles a combatant."""
    held = combatant.conditions.get(ENTANGLED)
    return held is not None and "net" in held.source.split()


def refuse_beyond_rope(fight: Fight, captive: Combatant, act: acts.Act) -> None:
    """Refuse to move farther from the holder of the net's rope than its length.

    srd35.weapons.net, pf1.gear.splash-ref.
    """
    holder = fight.state.combatants.get(captive.conditions[TETHERED].source)
    path = (act.to,) if isinstance(act, acts.Step) else getattr(act, "path", ())
    feet = fight.figure(TOPIC, "range_ft")
    if holder is None or "dead" in holder.conditions:
        return
    if any(distance_ft(holder.at, at, holder.space, captive.space) > feet for at in path):
        raise Refusal(f"{holder.id} holds {captive.id} within {feet} ft.", fight.rule(TOPIC))


def dc_of_net(fight: Fight, by_skill: bool) -> int:
    """Return the DC to get out of a net, by Escape Artist or by Strength."""
    return int(fight.figure(TOPIC, "escape_dc" if by_skill else "burst_dc"))


def strain(
    fight: Fight, captive: Combatant, by_skill: bool, dc: int, what: str, rule: str, *provoking: str
) -> Steps[bool]:
    """Try to get out of one's bonds, a full-round action; return whether it succeeds.

    It provokes by the rules `provoking`, if there are any.
    """
    yield spending(fight, captive, "full-round", "break free", rule)
    if provoking:
        reason, name = f"struggles with the {what}", f"free:{fight.declaration}"
        enemies = threatening(fight, captive)
        yield from fight.dialect.opportunity.provoke(fight, captive, enemies, reason, name, *provoking)
        if is_down(fight, captive):
            return False
    if by_skill:
        parts = skill_parts(fight, captive, "escape artist", "dex", rule)
        out = yield from check(fight, captive, "escape artist", parts, dc, rule, why=f"out of the {what}")
    else:
        parts = strength_to_break(fight, captive, rule)
        out = yield from check(fight, captive, "strength", parts, dc, rule, why=what)
    return out


def get_out_of_net(fight: Fight, act: acts.GetFree) -> Steps[None]:
    """Get out of a net by Escape Artist, or by Strength, which tears it; it provokes.

    srd35.weapons.net, pf1.gear.splash-ref, pf1.actions-table.full-round.
    """
    captive, rule = fight.combatant(act.actor), fight.rule(TOPIC)
    source = captive.conditions[ENTANGLED].source
    dc = dc_of_net(fight, act.skill)
    table = fight.dialect.turns.table_rules(fight, "full-round", "Escape from a net")
    if (yield from strain(fight, captive, act.skill, dc, source, rule, *table)):
        yield from end_net(captive, "slips out" if act.skill else f"breaks the {source}", rule)


def end_net(captive: Combatant, how: str, rule: str) -> Steps[None]:
    """End the net that entangles a combatant, and the rope that went with it."""
    for condition in (ENTANGLED, TETHERED):
        if condition in captive.conditions:
            yield ConditionLost(who=captive.id, condition=condition, why=how, cites=(rule,))
