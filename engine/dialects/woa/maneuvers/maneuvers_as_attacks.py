"""Maneuvers in the place of attacks: in a full attack, at the end of a charge, as an opportunity.

woa.attack.in-place-of-attack; what may be replaced, and by whose feat, stands with each maneuver.
"""

from contextlib import suppress

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal, Steps
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

#: The feats that let a maneuver take the place of any melee attack.
STRIKES = {"trip": "tripping strike", "disarm": "disarming strike", "sunder": "sundering strike"}
#: Rules that a place in the fight decides: a charger is not there yet.
PLACE = ("woa.attack.melee-reach", "woa.attack.reach-weapons", "woa.cover.total")


def refuse_instead(
    fight: Fight, attacker: Combatant, target: Combatant, name: str, kind: str, topic: str
) -> None:
    """Refuse a maneuver in the place of an attack to who has no feat for it.

    A standard action of its own ("attack") is none. A trip needs no feat where the spaces overlap
    (woa.maneuver.trip.action-cost, woa.disarm.action, woa.maneuver.sunder.action-cost).
    """
    if kind == "attack" or has_feat(attacker, STRIKES[name]):
        return
    if name == "trip" and distance(attacker, target) == 0:
        return
    raise Refusal(f"to {name} is a standard action without {STRIKES[name].title()}", fight.rule(topic))


def maneuver_for_attack(
    fight: Fight, attacker: Combatant, target: Combatant, special: str, weapon: str, item: str, kind: str
) -> Blow:
    """Return the blow of a maneuver that takes the place of an attack. Refuses what cannot."""
    plan = fight.dialect.maneuvers.substitutes[special]
    planned = plan.prepare(fight, attacker, target, weapon, item, kind)
    blow = planned.blow
    blow.intent = replace(blow.intent, item=planned.item)
    return blow


def carry_out(fight: Fight, blow: Blow) -> Steps[bool]:
    """Make a maneuver where an attack was due; return whether it succeeded."""
    plan = fight.dialect.maneuvers.substitutes[blow.intent.maneuver]
    yield RuleApplied(
        who=blow.attacker.id,
        what=f"{blow.intent.maneuver} in place of an attack",
        cites=fight.rules(plan.topic, *plan.listed),
    )
    return (yield from plan.carry_out(fight, Attempt(blow, blow.intent.item, name=fight.declaration)))


def refuse_before(
    fight: Fight, attacker: Combatant, target: Combatant, special: str, weapon: str, item: str
) -> None:
    """Refuse a charge with a maneuver at its end that could not be made from any place."""
    try:
        maneuver_for_attack(fight, attacker, target, special, weapon, item, "charge")
    except Refusal as refusal:
        if refusal.rule not in fight.rules(*PLACE):
            raise


def maneuvers_for_opportunity(fight: Fight, enemy: Combatant, mover: Combatant) -> tuple[str, ...]:
    """Return the maneuvers that may take the place of an attack of opportunity."""
    feats = enemy.sheet.feats
    if distance(enemy, mover) and not any(feat in feats for feat in STRIKES.values()):
        return ()
    names = []
    for name, plan in fight.dialect.maneuvers.substitutes.items():
        with suppress(Refusal):
            plan.prepare(fight, enemy, mover, "", "", "opportunity")
            names.append(name)
    return tuple(names)
