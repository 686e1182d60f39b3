"""Starting a grapple, stage by stage: the opening, the grab, the hold, and into the target's square.

futurepath.grapple.start.*, futurepath.grapple.join.*.
"""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.grapple.grapple_options import (
    IN_PLACE_OF_AN_ATTACK,
    action_of_option,
    carry_out_option,
    refuse_closed_option,
    unarmed_blow,
)
from affray.engine.dialects.futurepath.grapple.wrestling import wins_check
from affray.engine.dialects.futurepath.maneuvers.provoking import provoke_by_maneuver, rules_of_table
from affray.engine.dialects.futurepath.maneuvers.sizes import refuse_thing
from affray.engine.fight.fight import Fight
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.classes.ability_modifiers import sizes_larger
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple.holds import opponents, refuse_too_many, take_hold
from affray.engine.rules.grapple.move_in import move_in
from affray.engine.rules.grapple.option_in_place import option_in_place
from affray.engine.rules.maneuvers.attempts import melee_attempt, still_possible
from affray.engine.rules.maneuvers.harmless_touch import touch
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Choice, Refusal, Steps, unknown_word
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

START: Final = "futurepath.grapple.start.replaces-attack"
OPENING: Final = "futurepath.grapple.start.step-1-aoo"
GRAB: Final = "futurepath.grapple.start.step-2-grab"
HOLD: Final = "futurepath.grapple.start.step-3-hold"
LIMITED: Final = "futurepath.grapple.options-limited"
SUBSTITUTES: Final = "futurepath.action.disarm-grapple-trip-replace-attack"


def wrestle(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple with an attack action, or use one of the options of those who grapple."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    if act.what == "start":
        attempt = attempt_to_grab(fight, grappler, target, "attack")
        yield spending(fight, grappler, "standard", "grapple", *fight.rules(START, SUBSTITUTES))
        yield from seize(fight, attempt)
        return
    refuse_closed_option(fight, grappler, target, act)
    kind, topic = action_of_option(act)
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *fight.rules(topic))
    yield from carry_out_option(fight, grappler, target, act)


def prepare_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt in place of another attack: to start a grapple, or the option named by `item`.

    Whether an option is open shows when its turn comes in a full attack.
    """
    if weapon not in ("", "unarmed strike") and item != "attack":
        raise Refusal(f"one does not grapple with the {weapon}", fight.rule(START))
    if item in ("", "start"):
        return attempt_to_grab(fight, grappler, target, kind)
    if item not in IN_PLACE_OF_AN_ATTACK:
        kind = "option of a grapple in place of an attack"
        raise unknown_word(kind, item, ("start", *IN_PLACE_OF_AN_ATTACK), fight.rule(LIMITED))
    return Attempt(unarmed_blow(fight, grappler, target), item, weapon=weapon)


def attempt_to_grab(fight: Fight, grappler: Combatant, target: Combatant, kind: str) -> Attempt:
    """Return the attempt to grab an opponent. Refuses whom one holds already, and one grappler too many."""
    rule = fight.rule(START)
    refuse_thing(fight, target, rule)
    if target is grappler:
        raise Refusal(f"{grappler.id} cannot grapple itself", rule)
    if opponents(fight, grappler):
        raise Refusal(f"{grappler.id} is grappling already", fight.rule(LIMITED))
    refuse_too_many(fight, grappler, target)
    blow = melee_attempt(fight, grappler, target, unarmed(fight, grappler), kind, rule)
    refuse_hopeless(fight, blow)
    return Attempt(blow, "start", name=fight.declaration)


def carry_out_grapple(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out what stands in the place of an attack: a start, or an option that is open now."""
    blow = attempt.blow
    if attempt.item == "start":
        if blow.intent.kind == "full":
            what = "a grapple in place of an attack of the full attack"
            yield RuleApplied(who=blow.attacker.id, what=what, cites=fight.rules(START))
        return (yield from seize(fight, attempt))
    return (yield from option_in_place(fight, attempt, refuse_closed_option, carry_out_option, LIMITED))


def seize(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, grab, hold, and move in; return whether the two grapple then.

    Whoever joins a grapple gives its target no opening and grabs of itself.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)) or (yield from grapples_already(fight, attacker)):
        return False
    joins = bool(opponents(fight, target))
    opening = yield from provoke_by_maneuver(
        fight,
        attempt,
        "tries to grapple",
        f"grapple:{attempt.name}",
        fight.rule(OPENING),
        *rules_of_table(fight, blow.intent.kind, "grapple"),
        spared=target if joins else None,
    )
    if opening.hurt > 0:
        what = "hurt, the attempt to grapple fails"
        yield RuleApplied(who=attacker.id, what=what, cites=fight.rules(OPENING))
        return False
    if not opening.goes_on or (yield from grapples_already(fight, attacker)):
        return False
    if joins:
        topics = ("futurepath.grapple.join.grab-auto", *chosen_of_several(fight, target))
        yield RuleApplied(
            who=attacker.id, what=f"joins the grapple against {target.id}", cites=fight.rules(*topics)
        )
    elif (yield from touch(fight, blow, *fight.rules(GRAB, "futurepath.grapple.stages"))) is None:
        return False
    if not (yield from goes_on_to_hold(fight, attacker, target)):
        return False
    if not (yield from get_hold(fight, attempt)):
        return False
    return (yield from move_in(fight, attacker, target))


def chosen_of_several(fight: Fight, target: Combatant) -> tuple[str, ...]:
    """Return the rule by which one of several enemies in a grapple is picked, () where there is one."""
    enemies = [
        other
        for friend in opponents(fight, target)
        for other in opponents(fight, friend)
        if other is not target
    ]
    return ("futurepath.grapple.join.choose-opponent",) if enemies else ()


def grapples_already(fight: Fight, attacker: Combatant) -> Steps[bool]:
    """Tell of an attacker whom an interruption has brought into a grapple that it starts none; say so."""
    if not opponents(fight, attacker):
        return False
    held = Refusal(f"{attacker.id} is grappling already", fight.rule(LIMITED))
    yield attack_is_lost(attacker, held, "the attempt")
    return True


def goes_on_to_hold(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Return whether a grab goes on to a hold: not if that is all that is wanted, nor on one too large.

    hold_size_limit: two or more sizes larger, or more than two (futurepath.grapple.start.hold-size-auto-fail,
    futurepath.grapple.hold-size-limit, futurepath.grapple.grab-only).
    """
    how = fight.option("hold_size_limit")
    if how == "two-or-more":
        topic = "futurepath.grapple.start.hold-size-auto-fail"
        too_large = sizes_larger(target, attacker) >= fight.figure(topic, "min_sizes_larger")
    else:
        topic = "futurepath.grapple.hold-size-limit"
        too_large = sizes_larger(target, attacker) > fight.figure(topic, "max_sizes_larger")
    only = fight.rule("futurepath.grapple.grab-only")
    if too_large:
        what = f"grabs {target.id}, who is too large to be held (hold_size_limit: {how})"
        yield RuleApplied(who=attacker.id, what=what, cites=(fight.rule(topic), only))
        return False
    question = f"{attacker.id} has grabbed {target.id}: does it go on to hold it?"
    if (yield Choice(attacker.id, "grab", question, ("hold", "grab only"), only)) == "hold":
        return True
    yield RuleApplied(who=attacker.id, what=f"grabs {target.id} and does not hold it", cites=(only,))
    return False


def get_hold(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose grapple checks; a win takes hold and hurts as an unarmed strike does.

    futurepath.grapple.start.step-3-hold, futurepath.grapple.hold-means-grapple.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from wins_check(fight, attacker, target, HOLD, *blow.attack_extra)):
        return False
    cites = fight.rules(HOLD, "futurepath.grapple.no-threat", "futurepath.grapple.no-movement")
    yield from take_hold(fight, attacker, target, *cites)
    blow.cites = [fight.rule(HOLD)]
    yield from fight.dialect.damage.deal(fight, blow, False)
    return target in opponents(fight, attacker)  # not in those of one that is dead


GRAPPLE = Substitute(prepare_grapple, carry_out_grapple)
