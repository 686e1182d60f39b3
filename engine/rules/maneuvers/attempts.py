"""An attempt at a special attack: the blow that carries it, its target's opening, and whether it goes on."""

from functools import partial

from msgspec import Struct

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.maneuvers import Attempt
from affray.engine.rules.gear.weapons_in_hand import refuse_lost_weapon
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import distance
from affray.engine.rules.turns.delay_and_ready import triggered
from affray.engine.rules.turns.interruption import Footing, footing, goes_on
from affray.engine.steps import Refusal, Steps
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


class Opening(Struct, frozen=True, gc=False):
    """What came of the attack of opportunity that an attempt gave: the points of damage, does it go on."""

    hurt: int
    goes_on: bool


#: What an item is that nobody can be rid of any more.
GONE = ("dropped", "broken", "gone")


def melee_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, kind: str, rule: str
) -> Blow:
    """Return the melee attack that a special attack is made as. Refuses what melee cannot reach."""
    blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, kind)
    if not blow.melee:
        raise Refusal(f"{target.id} is out of the {weapon.name}'s reach in melee", rule)
    return blow


def still_possible(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Let those who readied for an attack act first; return whether the attempt can still be made."""
    blow = attempt.blow
    before = footing(fight, blow.attacker, blow.target)
    if blow.intent.kind != "opportunity":
        yield from triggered(fight, blow.attacker, "attacks")
    return (yield from attempt_goes_on(fight, before, attempt))


def attempt_goes_on(fight: Fight, before: Footing, attempt: Attempt) -> Steps[bool]:
    """Return whether an attempt can be made after an interruption: its weapon, the reach, the item wanted."""
    blow = attempt.blow
    if "dead" in blow.target.conditions:
        return False
    if not (yield from goes_on(fight, before, partial(refuse_attempt, fight, attempt), "the attempt")):
        return False
    blow.distance = distance(blow.attacker, blow.target)
    return True


def refuse_attempt(fight: Fight, attempt: Attempt) -> None:
    """Refuse an attempt that can no longer be made as it was meant (srd35.grab.item, pf1.disarm)."""
    blow, item = attempt.blow, attempt.item
    refuse_lost_weapon(fight, blow.attacker, blow.weapon)
    thrown = not blow.melee
    fight.dialect.attacks.prepare(
        fight, blow.attacker, blow.target, blow.weapon, blow.intent.kind, thrown=thrown
    )
    if blow.target.items.get(item) in GONE:
        raise Refusal(f"{blow.target.id} has no {item} any more", fight.rule("grab.item"))


def provoke_from_target(
    fight: Fight, attempt: Attempt, reason: str, opportunity: str, *cites: str
) -> Steps[Opening]:
    """Give the target, and nobody else, an attack of opportunity; return what came of it."""
    attacker, target = attempt.blow.attacker, attempt.blow.target
    if not threatens(fight, target, attacker):
        return Opening(0, True)
    stood = footing(fight, attacker, target)
    before = attacker.hp - attacker.nonlethal + attacker.temporary
    yield from fight.dialect.opportunity.provoke(fight, attacker, [target], reason, opportunity, *cites)
    hurt = before - (attacker.hp - attacker.nonlethal + attacker.temporary)
    return Opening(hurt, (yield from attempt_goes_on(fight, stood, attempt)))
