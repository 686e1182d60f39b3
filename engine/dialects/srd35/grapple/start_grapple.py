"""Start a grapple: taking hold of an opponent, in four steps (srd35.grapple.*)."""

from affray.engine.dialects.srd35.grapple.grapple_options import (
    IN_PLACE_OF_AN_ATTACK,
    WITH_AN_ITEM,
    option_action,
    refuse_option,
)
from affray.engine.dialects.srd35.grapple.grapple_state import grapple_check, refuse_item_in_grapple
from affray.engine.dialects.srd35.grapple.option_choice import carry_out_option
from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed
from affray.engine.dialects.srd35.maneuvers.touch_attack import touch_attack
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import WHIRLWIND
from affray.engine.record.maneuvers import Attempt, Substitute
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.classes.ability_modifiers import has_feat, has_trait, size_step
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.grapple.holds import (
    holds_nothing_out_of_turn,
    opponents,
    refuse_too_many,
    take_hold,
)
from affray.engine.rules.grapple.move_in import move_in
from affray.engine.rules.grapple.option_in_place import activation, option_in_place
from affray.engine.rules.magic.held_charge import discharge_by_strike
from affray.engine.rules.maneuvers.attempts import melee_attempt, provoke_from_target, still_possible
from affray.engine.rules.turns.action_budget import spending
from affray.engine.rules.turns.interruption import attack_is_lost
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant


def grapple(fight: Fight, act: acts.Grapple) -> Steps[None]:
    """Start a grapple as an attack, or use one of the options of those who grapple."""
    grappler, target = fight.combatant(act.actor), fight.combatant(act.target)
    kind = option_action(fight, act)
    if act.what == "start":
        attempt = grapple_attempt(fight, grappler, target, "attack")
        yield spending(
            fight, grappler, kind, "grapple", *fight.rules("srd35.grapple.start", "srd35.aoo.substitutes")
        )
        yield from carry_out_start(fight, attempt)
        return
    refuse_option(fight, grappler, target, act)
    use = activation(grappler, target, act.weapon) if act.what == "activate" else None
    if use is not None:
        refuse_item_in_grapple(fight, grappler, use.item)
        yield from fight.dialect.acts[acts.Activate](fight, use)
        return
    yield spending(fight, grappler, kind, f"grapple: {act.what}", *fight.rules("srd35.grapple.actions"))
    yield from carry_out_option(fight, grappler, target, act)


def plan_grapple(
    fight: Fight, grappler: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt in place of another attack: to start a grapple, or the option named by `item`.

    Whether an option is open shows when its turn comes in a full attack.
    """
    if weapon not in ("", "unarmed strike") and item not in WITH_AN_ITEM:
        reason = f"a grapple begins with an unarmed strike, not with the {weapon}"
        raise Refusal(reason, fight.rule("srd35.grapple.start"))
    if item in ("", "start"):
        return grapple_attempt(fight, grappler, target, kind)
    if item not in IN_PLACE_OF_AN_ATTACK:
        raise Refusal(f"{item!r} cannot be done in place of an attack", fight.rule("srd35.grapple.actions"))
    blow = melee_attempt(
        fight, grappler, target, unarmed(fight, grappler), kind, fight.rule("srd35.grapple.start")
    )
    return Attempt(blow, item, weapon=weapon)


def grapple_attempt(fight: Fight, grappler: Combatant, target: Combatant, kind: str) -> Attempt:
    """Return the attempt to grab an opponent. Refuses whom one holds already, and one grappler too many."""
    rule = fight.rule("srd35.grapple.start")
    if target is grappler:
        raise Refusal(f"{grappler.id} cannot grapple itself", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("srd35.cond.dead"))
    if target in opponents(fight, grappler):
        raise Refusal(f"{grappler.id} grapples {target.id} already", fight.rule("srd35.grapple.consequences"))
    if opponents(fight, grappler):
        raise Refusal(f"{grappler.id} is grappling already", fight.rule("srd35.grapple.consequences"))
    refuse_too_many(fight, grappler, target)
    swarm_prohibitions.refuse_hold(fight, grappler, target, "grapple")
    blow = melee_attempt(fight, grappler, target, unarmed(fight, grappler), kind, rule)
    return Attempt(blow, "start", name=fight.declaration)


def carry_out_grapple(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out what stands in the place of an attack: a start, or an option that is open now."""
    if attempt.item == "start":
        if (yield from grapples_by_now(fight, attempt.blow.attacker)):
            return False
        if attempt.blow.intent.kind in ("full", WHIRLWIND):
            yield RuleApplied(
                who=attempt.blow.attacker.id,
                what="a grapple in place of an attack of the full attack",
                cites=fight.rules("srd35.grapple.start-multiple"),
            )
        return (yield from carry_out_start(fight, attempt))
    topic = "srd35.grapple.actions-iterative"
    return (yield from option_in_place(fight, attempt, refuse_option, carry_out_option, topic))


def carry_out_start(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, grab, hold, and move in; return whether the two grapple.

    Who joins a grapple provokes nothing and grabs of itself, but must still win the check.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)) or (yield from grapples_by_now(fight, attacker)):
        return False
    if opponents(fight, target):
        joins = fight.rules("srd35.grapple.join", "srd35.grapple.join-choose-opponent")
        yield RuleApplied(who=attacker.id, what=f"joins the grapple against {target.id}", cites=joins)
        yield from discharge_by_strike(fight, blow, True)
        if "dead" in target.conditions:
            return False
    else:
        if has_feat(attacker, "improved grapple") or has_trait(attacker, "improved grab"):
            free = fight.rules("srd35.grapple.aoo-exempt")
            yield RuleApplied(who=attacker.id, what="the attempt to grapple does not provoke", cites=free)
        else:
            name, rule = f"grapple:{attempt.name}", fight.rule("srd35.grapple.aoo")
            table = fight.dialect.turns.table_rules(fight, "varies", "Grapple")
            opening = yield from provoke_from_target(fight, attempt, "tries to grapple", name, rule, *table)
            if opening.hurt or is_down(fight, attacker):
                yield RuleApplied(who=attacker.id, what="hurt, the attempt to grapple fails", cites=(rule,))
                return False
            if not opening.goes_on or (yield from grapples_by_now(fight, attacker)):
                return False
        if not (yield from touch_attack(fight, blow, fight.rule("srd35.grapple.grab"))):
            return False
    if holds_nothing_out_of_turn(fight, blow):
        what, cites = "no hold follows a touch out of turn", fight.rules("srd35.grapple.hold")
        yield RuleApplied(who=attacker.id, what=what, cites=cites)
        return False
    if not (yield from win_hold(fight, attempt)):
        return False
    return (yield from move_in(fight, attacker, target))


def grapples_by_now(fight: Fight, attacker: Combatant) -> Steps[bool]:
    """Tell of an attacker that an interruption has brought into a grapple that it starts none; say so.

    srd35.grapple.consequences.
    """
    if not opponents(fight, attacker):
        return False
    held = Refusal(f"{attacker.id} is grappling already", fight.rule("srd35.grapple.consequences"))
    yield attack_is_lost(attacker, held, "the attempt")
    return True


def win_hold(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose grapple checks; a win takes hold and hurts like an unarmed strike (srd35.grapple.hold)."""
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    limit = fight.figure("srd35.grapple.hold-size-limit", "auto_fail_at_size_difference")
    if size_step(target) - size_step(attacker) >= limit:
        cites = fight.rules("srd35.grapple.hold-size-limit")
        yield RuleApplied(who=attacker.id, what=f"{target.id} is too big to be held", cites=cites)
        return False
    rules = fight.rules("srd35.grapple.hold", "srd35.grapple.check")
    contest = yield from beats_opposed(
        fight,
        "grapple",
        grapple_check(fight, attacker, target, *blow.attack_extra),
        grapple_check(fight, target, attacker),
        *rules,
        holding=True,
    )
    if not contest.won:
        return False
    yield from take_hold(
        fight,
        attacker,
        target,
        *fight.rules("srd35.grapple.hold", "srd35.grapple.consequences", "srd35.grapple.no-threat"),
    )
    blow.cites = [rules[0]]
    yield from fight.dialect.damage.deal(fight, blow, False)
    return "dead" not in target.conditions


GRAPPLE = Substitute(plan_grapple, carry_out_grapple)
