"""Attempts at a special attack, the declared trip, and trampling.

srd35.trample-monster, pf1.trample.
"""

from functools import partial

from msgspec import Struct

from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import distance
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.record.chapters import Attempt, ReactionBlow
from affray.engine.rules.classes.abilities import ability_now, character_level
from affray.engine.rules.classes.checks import saving_throw
from affray.engine.rules.classes.sheets import size_step
from affray.engine.rules.damage.damage import amount_dealt, rolled_part
from affray.engine.rules.gear.hands import choose_weapon, natural_weapons
from affray.engine.rules.gear.weapons_in_hand import refuse_lost_weapon
from affray.engine.rules.movement.movement import (
    is_stopped,
    last_stop,
    refuse_after_step,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.attacks_of_opportunity import (
    prepare_blows,
    prospective_blow,
    why_no_opportunity,
)
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import holders_of
from affray.engine.rules.turns.actions import spending
from affray.engine.rules.turns.delay_and_ready import ActionSnapshot, footing, goes_on, triggered
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- An attempt at a special attack: the blow that carries it, its target's reaction, and whether it goes on


class Opening(Struct, frozen=True, gc=False):
    """The result of the attack of opportunity that an attempt provoked: the damage, and whether it goes
    on.
    """

    hurt: int
    goes_on: bool


#: States of an item that its holder can no longer lose.
GONE = ("dropped", "broken", "gone")


def melee_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon, kind: str, rule: str
) -> Blow:
    """Return the melee attack that carries a special attack. Refuses targets out of reach in melee."""
    blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, kind)
    if not blow.melee:
        raise Refusal(f"{target.id} is out of the {weapon.name}'s reach in melee", rule)
    return blow


def trip(fight: Fight, act: acts.Trip) -> Steps[None]:
    """Trip an opponent as a standard action, in place of an attack.

    srd35.trip.attack, pf1.trip, pf1.maneuver.modes, futurepath.trip.attempt.
    """
    plan = fight.dialect.maneuvers.substitutes["trip"]
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan.prepare(fight, actor, target, act.weapon, "", "attack")
    yield spending(fight, actor, "standard", "trip", *fight.rules(*plan.declared))
    yield from plan.carry_out(fight, attempt)


def still_possible(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Let those with an act readied for an attack act first; return whether the attempt can still be made."""
    blow = attempt.blow
    before = footing(fight, blow.attacker, blow.target)
    if blow.intent.kind != "opportunity":
        yield from triggered(fight, blow.attacker, "attacks")
    return (yield from is_attempt_possible(fight, before, attempt))


def is_attempt_possible(fight: Fight, before: ActionSnapshot, attempt: Attempt) -> Steps[bool]:
    """Return whether an attempt can be made after an interruption: its weapon, the reach, the wanted item."""
    blow = attempt.blow
    if "dead" in blow.target.conditions:
        return False
    if not (yield from goes_on(fight, before, partial(refuse_attempt, fight, attempt), "the attempt")):
        return False
    blow.distance = distance(blow.attacker, blow.target)
    return True


def refuse_attempt(fight: Fight, attempt: Attempt) -> None:
    """Refuse an attempt that can no longer be made as declared (srd35.grab.item, pf1.disarm)."""
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
    """Give only the target an attack of opportunity; return its result."""
    attacker, target = attempt.blow.attacker, attempt.blow.target
    if not threatens(fight, target, attacker):
        return Opening(0, True)
    stood = footing(fight, attacker, target)
    before = attacker.hp - attacker.nonlethal + attacker.temporary
    yield from fight.dialect.opportunity.provoke(fight, attacker, [target], reason, opportunity, *cites)
    hurt = before - (attacker.hp - attacker.nonlethal + attacker.temporary)
    return Opening(hurt, (yield from is_attempt_possible(fight, stood, attempt)))


TOPIC = "trample-monster"
TRAMPLE = "trample"


def trample(fight: Fight, act: acts.Trample) -> Steps[None]:
    """Run as far as the rule allows over smaller opponents, each of which is trampled once.

    A full-round action. An opponent run over takes the trample's dice and one and a half times the Strength
    bonus; it may save for half, or attack instead.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    dice = trample_dice(actor)
    if not dice:
        raise Refusal(f"{actor.id} does not trample", rule)
    refuse_after_step(fight, actor)
    refuse_prone(fight, actor)
    most = speed(fight, actor) * int(fight.figure(TOPIC, "max_speed_multiple"))
    refuse_path(fight, actor, act.path, most, rule, how=TRAMPLE)
    yield spending(fight, actor, "full-round", TRAMPLE, rule)
    met: set[str] = set()
    begun, done = actor.at, 0
    for place, there in enumerate(act.path, 1):
        under = [
            one
            for one in holders_of(fight, actor, there, actor.space, actor.space)
            if one.id not in met and runs_over(actor, one)
        ]
        if not under and place < len(act.path):
            continue
        legal = last_stop(fight, actor, (begun, *act.path[:done]))
        stretch = act.path[done:place]
        onward = place < len(act.path)
        if not (
            yield from fight.dialect.movement.walk(
                fight, actor, stretch, TRAMPLE, rule, legal=legal, onward=onward
            )
        ):
            return
        done = place
        for one in under:
            met.add(one.id)
            yield from run_over(fight, actor, one, dice)
            if (yield from is_stopped(fight, actor, there, TRAMPLE)):
                legal = last_stop(fight, actor, (begun, *act.path[:place]))
                yield from fight.dialect.movement.step_aside(fight, actor, legal)
                return


def trample_dice(combatant: Combatant) -> str:
    """Return the dice of a creature's trample: those of its trait, or of its slam; "" if it has none."""
    for detail in details_of(TRAMPLE, combatant.sheet.traits):
        slams = [weapon.damage for weapon in natural_weapons(combatant) if weapon.name == "slam"]
        return detail or next(iter(slams), "")
    return ""


def runs_over(combatant: Combatant, other: Combatant) -> bool:
    """Return whether a trampler runs over another creature: an opponent at least one size smaller."""
    return other.side != combatant.side and size_step(other) < size_step(combatant)


def drop_those_run_over(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    how: str,
    found: list[Combatant],
) -> list[Combatant]:
    """Return those in the way that a trampler does not run over."""
    return [one for one in found if not runs_over(mover, one)]


def run_over(fight: Fight, attacker: Combatant, target: Combatant, dice: str) -> Steps[None]:
    """Trample one opponent: it attacks at -4, or saves for half of the damage."""
    rule = fight.rule(TOPIC)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    struck = yield from strikes_back(fight, attacker, target)
    if is_down(fight, attacker):
        return
    saved = False
    if not struck:
        dc = fight.formula(TOPIC, "dc") + character_level(attacker) // 2 + ability_now(fight, attacker, "str")
        saved = yield from saving_throw(fight, target, "ref", dc, f"{attacker.id}'s trample", rule)
    rolled = yield Roll(attacker.id, TRAMPLE, dice)
    strength = int(ability_now(fight, attacker, "str") * fight.figure(TOPIC, "str"))
    part = Modifier(strength, "ability", "Strength, one and a half", rule)
    amount = max(1, rolled.total + strength)
    amount = amount // 2 if saved else amount
    harm = Harm(target, amount, "bludgeoning", TRAMPLE, attacker)
    half = "half on a successful save" if saved else ""
    yield amount_dealt(fight, harm, rolled_part(harm, dice, rolled), rule, modifiers=(part,), why=half)
    yield from fight.dialect.damage.suffer(fight, harm)


def strikes_back(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Ask whether the trampled one makes its attack of opportunity, at -4, instead of the saving throw.

    srd35.aoo.limit, srd35.aoo.timing.
    """
    rule = fight.rule(TOPIC)
    opportunity = f"{TRAMPLE}:{fight.declaration}"
    found = prospective_blow(fight, target, attacker)
    denied, topic = why_no_opportunity(fight, target, opportunity, found)
    if denied is None:
        return False
    blows: list[ReactionBlow] = []
    if not denied:
        blows, denied, barred = prepare_blows(fight, target, attacker, found.weapons)
        topic = barred or topic
    cites = (rule, fight.rule(topic)) if denied else (rule,)
    yield Provoked(who=attacker.id, by=target.id, reason=f"tramples {target.id}", denied=denied, cites=cites)
    if denied:
        return False
    question = f"{attacker.id} tramples {target.id}: does it strike, or try to get out of the way?"
    if (yield Choice(target.id, TRAMPLE, question, ("avoid", "strike"), rule)) != "strike":
        return False
    yield ReactionSpent(
        who=target.id,
        kind="opportunity",
        against=attacker.id,
        opportunity=opportunity,
        cites=fight.rules("aoo.limit", "aoo.timing"),
    )
    fight.scope = f"aoo:{target.id}"
    question = f"with which weapon does {target.id} strike at {attacker.id}?"
    weapon = yield from choose_weapon(target.id, question, [one.blow.weapon for one in blows], rule)
    chosen = next(one for one in blows if one.blow.weapon is weapon)
    blow = chosen.blow
    blow.attack_extra.append(fight.modifier(TOPIC, "aoo", kind="penalty", source="trampled"))
    try:
        yield from chosen.carry_out(fight, blow)
    finally:
        fight.scope = ""
    return True
