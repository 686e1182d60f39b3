"""Disarm: opposed attack rolls for a weapon in hand, a blow at one that shoots, and snatching what is worn.

futurepath.disarm.*, futurepath.grab-object.*.
"""

from typing import Final

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.gear.objects import defense_of_carried, rules_of_sizes, weapon_size
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt, Side, Substitute
from affray.engine.rules.classes.sheets import sizes_larger, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import powerless
from affray.engine.rules.gear.hands import choose_weapon, held_weapons, strikes_in_melee
from affray.engine.rules.gear.objects import reach_thing
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.opposed_checks import defending_roll, melee_weapon, roll_opposed, take_item
from affray.engine.rules.maneuvers.trample import (
    GONE,
    Opening,
    attempt_goes_on,
    melee_attempt,
    still_possible,
)
from affray.engine.rules.movement.movement import refuse_prone
from affray.engine.rules.opportunity.attacks_of_opportunity import in_order
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import footing
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant

# --- An attack action in the midst of a move (futurepath.bull-rush.when, futurepath.overrun.when)

#: What is done in the midst of a move, and the rule.
WHEN: Final = {"bull rush": "futurepath.bull-rush.when", "overrun": "futurepath.overrun.when"}
#: What leaves no 5-foot step in its round, as it stands among what a turn has spent, and the rule.
NO_STEP: Final = {
    "bull rush": "futurepath.bull-rush.no-5-foot-step",
    "overrun": "futurepath.overrun.no-5-foot-step",
}


def refuse_attack_in_move(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun without both a move and an attack action left, or on no feet."""
    refuse_unless_allowed(fight, mover, "standard")
    allowed = fight.dialect.turns.allowance(fight, mover)
    used = mover.spent.get("standard", 0) + mover.spent.get("move", 0)
    if used + 2 > allowed.total or fight.readied == mover.id:
        raise Refusal(f"{mover.id} needs a move and an attack action to {what}", fight.rule(WHEN[what]))
    refuse_prone(fight, mover)


def refuse_stepped(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun after a 5-foot step of the round."""
    if mover.spent.get("step"):
        reason = f"{mover.id} has taken a 5-foot step this round and cannot {what}"
        raise Refusal(reason, fight.rule(NO_STEP[what]))


def refuse_step_afterwards(fight: Fight, mover: Combatant, act: object) -> None:
    """Refuse a 5-foot step in the round of a bull rush or an overrun.

    futurepath.bull-rush.no-5-foot-step, futurepath.overrun.no-5-foot-step.
    """
    what, topic = next((name, topic) for name, topic in NO_STEP.items() if mover.spent.get(name))
    raise Refusal(f"the {what} leaves {mover.id} no 5-foot step", fight.rule(topic))


# --- What openings a maneuver gives, by which edition (futurepath.action.combat-maneuver)
#
# The new table says of a combat maneuver as an attack action that it provokes, as it says it of a shot: from
# whoever threatens. The old text says maneuver by maneuver that the target alone may strike; so it is too
# where the maneuver takes the place of an attack in a full attack, in a charge or out of turn, of which the
# new table says nothing.

NEW: Final = "futurepath.table.actions.attack"
OLD: Final = "futurepath.table.actions.varies.legacy"


def provokes_by_table(fight: Fight) -> bool:
    """Say whether a maneuver that is an attack action provokes from all who threaten: by the new table.

    futurepath.table.actions.attack.
    """
    return not old_only(fight) and dict(fight.figure(NEW))["attack (combat maneuver)"] == "yes"


def rules_of_table(fight: Fight, kind: str, row: str, *, bare: bool = False) -> tuple[str, ...]:
    """Return the rule of the edition's table that lets a maneuver provoke, () where its `row` does not.

    The new table speaks of attack actions, which the maneuver may be as its `kind` says; one row of the old
    table says yes of the `bare` hand alone.
    """
    if not old_only(fight):
        spoken_of = kind == "attack" and provokes_by_table(fight)
        return fight.rules("futurepath.action.combat-maneuver") if spoken_of else ()
    says = dict(fight.figure(OLD)).get(row, "")
    return fight.rules(OLD) if says == "yes" or (bare and "yes if unarmed" in says) else ()


def gives_openings_to_all(fight: Fight, blow: Blow) -> bool:
    """Say whether a maneuver is made as an attack action of which the new table says that it provokes."""
    return blow.intent.kind == "attack" and provokes_by_table(fight)


def those_provoked(fight: Fight, blow: Blow, spared: Combatant | None = None) -> list[Combatant]:
    """Return who may strike at the attacker for its maneuver, but the one `spared`."""
    attacker, target = blow.attacker, blow.target
    if gives_openings_to_all(fight, blow):
        found = threatening(fight, attacker)
    else:
        found = [target] if threatens(fight, target, attacker) else []
    return in_order(fight, (one for one in found if one is not spared))


def provoke_by_maneuver(
    fight: Fight,
    attempt: Attempt,
    reason: str,
    opportunity: str,
    *cites: str,
    spared: Combatant | None = None,
) -> Steps[Opening]:
    """Give those who may the attack of opportunity that a maneuver provokes; return what came of it.

    The points of damage are those of the target's: only its attack can spoil an attempt.
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    enemies = those_provoked(fight, blow, spared)
    if not enemies:
        return Opening(0, True)
    stood, hurt = footing(fight, attacker, target), 0
    for enemy in enemies:
        before = attacker.hp - attacker.nonlethal
        yield from fight.dialect.opportunity.provoke(fight, attacker, [enemy], reason, opportunity, *cites)
        if enemy is target:
            hurt = before - (attacker.hp - attacker.nonlethal)
        if is_down(fight, attacker):
            break
    return Opening(hurt, (yield from attempt_goes_on(fight, stood, attempt)))


# --- Whom size keeps out of reach of a maneuver, and what the larger of two gets (futurepath.*.size-limit)

#: What size keeps out of reach of, and the rule.
LIMITS: Final = {
    "bull rush": "futurepath.bull-rush.size-limit",
    "overrun": "futurepath.overrun.size-limit",
    "trip": "futurepath.trip.size-limit",
}


def refuse_unfit(fight: Fight, attacker: Combatant, target: Combatant, what: str) -> None:
    """Refuse things, the dead, oneself, and who is more sizes larger than the rule of the maneuver allows."""
    topic = LIMITS[what]
    rule = fight.rule(topic)
    refuse_thing(fight, target, rule)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {what} itself", rule)
    if sizes_larger(target, attacker) > fight.figure(topic, "max_sizes_larger"):
        raise Refusal(f"{target.id} is too big for {attacker.id} to {what}", rule)
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("futurepath.injury.dead-at-minus-10"))


def refuse_thing(fight: Fight, target: Combatant, rule: str) -> None:
    """Refuse a maneuver against a thing, which is no opponent."""
    if target.sheet.thing is not None:
        raise Refusal(f"{target.id} is a thing and no opponent", rule)


def for_larger(fight: Fight, one: Combatant, other: Combatant, topic: str) -> list[Modifier]:
    """Return what the one has for being larger than the other, for each size category."""
    larger = sizes_larger(one, other)
    if larger <= 0:
        return []
    per = int(fight.figure(topic, "per_size"))
    return [Modifier(per * larger, "size difference", f"larger than {other.id}", fight.rule(topic))]


REPLACES: Final = "futurepath.disarm.replaces-attack"
OPPOSED: Final = "futurepath.disarm.step-2-opposed"
OUTCOME: Final = "futurepath.disarm.step-3-outcome"
GRAB: Final = "futurepath.grab-object.procedure"
SECURED: Final = "futurepath.grab-object.modifiers"
RANGED: Final = "futurepath.disarm.ranged-weapon"
NOT_IN_RETURN: Final = "futurepath.disarm.ranged-weapon.no-counter"
SUBSTITUTES: Final = "futurepath.action.disarm-grapple-trip-replace-attack"


def disarm_opponent(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent, or snatch what it wears, with an attack action."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    attempt = plan_disarm(fight, actor, target, act.weapon, act.item, "attack", act.secured)
    yield spending(fight, actor, "standard", "disarm", *fight.rules(REPLACES, SUBSTITUTES))
    yield from try_to_disarm(fight, attempt)


def plan_disarm(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    weapon: str,
    item: str,
    kind: str,
    secured: str = "normal",
) -> Attempt:
    """Return the attempt to disarm. Refuses what cannot be reached, or is not there to be taken."""
    rule = fight.rule(REPLACES)
    refuse_thing(fight, target, rule)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot disarm itself", rule)
    blow = melee_attempt(fight, attacker, target, find_weapon(fight, attacker, weapon), kind, rule)
    refuse_hopeless(fight, blow)
    held = [one.name for one in arms_of(target)]
    if not item and not held:
        raise Refusal(f"{target.id} holds nothing to be disarmed of", rule)
    item = item or held[0]
    if item in held and secured != "normal":
        raise Refusal(
            f"the {item} is in hand: how well it sits is asked of what is worn", fight.rule(SECURED)
        )
    if target.items.get(item) in GONE:
        raise Refusal(f"{target.id} has no {item} any more", fight.rule(GRAB))
    return Attempt(blow, item, secured, fight.declaration)


def arms_of(combatant: Combatant) -> list[Weapon]:
    """Return the weapons of which somebody can be disarmed: those in hand."""
    return [one for one in held_weapons(combatant) if one.wield not in ("natural", "unarmed")]


def try_to_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, then oppose attack rolls, or strike at a weapon that shoots; return whether it succeeds.

    futurepath.disarm.step-1-aoo, futurepath.disarm.ranged-weapon.no-counter,
    futurepath.grab-object.aoo-damage-fails.
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)):
        return False
    weapon = next((one for one in arms_of(target) if one.name == item), None)
    shoots = weapon is not None and not strikes_in_melee(weapon)
    topic = NOT_IN_RETURN if shoots else "futurepath.disarm.step-1-aoo"
    opening = yield from provoke_by_maneuver(
        fight,
        attempt,
        "tries to disarm" if weapon is not None else f"snatches at the {item}",
        f"disarm:{attempt.name}",
        fight.rule(topic),
        *rules_of_table(fight, blow.intent.kind, "disarm"),
    )
    if weapon is None and opening.hurt > 0:
        fails = fight.rules("futurepath.grab-object.aoo-damage-fails")
        yield RuleApplied(who=attacker.id, what=f"hurt, the snatch at the {item} fails", cites=fails)
        return False
    if not opening.goes_on:
        return False
    if weapon is None:
        return (yield from snatch(fight, attempt))
    if shoots:
        return (yield from strike_from_hand(fight, blow, weapon))
    if item not in target.held:
        return False
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    guard = defending_roll(fight, target, attacker, weapon)
    if (yield from beats(fight, "disarm", blow, guard, OPPOSED, in_both_hands(fight, weapon))):
        yield from take_item(fight, blow, item, *fight.rules(OUTCOME, REPLACES))
        return True
    yield from disarm_in_return(fight, target, blow, weapon)
    return False


def beats(
    fight: Fight, name: str, blow: Blow, guard: Blow, topic: str, more: tuple[Modifier, ...] = (), *cites: str
) -> Steps[bool]:
    """Oppose the attack rolls of two weapons; return whether the first beats the other.

    `more` counts for the guard (futurepath.disarm.step-2-opposed, futurepath.disarm.weapon-size,
    futurepath.disarm.combatant-size).
    """
    mine, theirs = attack_with(fight, blow, guard), attack_with(fight, guard, blow)
    theirs.parts += more
    if any(part.kind == "weapon size" for part in (*mine.parts, *theirs.parts)):
        cites += fight.rules("futurepath.disarm.weapon-size", *rules_of_sizes(blow.weapon, guard.weapon))
    margin = yield from roll_opposed(fight, name, mine, theirs, fight.rule(topic), *cites)
    return margin > 0


def attack_with(fight: Fight, blow: Blow, other: Blow) -> Side:
    """Return an opposed attack roll: the whole attack bonus, the larger weapon's +4s and the larger one's."""
    attacks = fight.dialect.attacks
    parts = [*attacks.attack_bonus(fight, blow), *blow.attack_extra, *attacks.attack_situation(fight, blow)]
    topic = "futurepath.disarm.weapon-size"
    sizes = [SIZES.index(weapon_size(fight, one.attacker, one.weapon)) for one in (blow, other)]
    if sizes[0] > sizes[1]:
        value = int(fight.figure(topic, "per_size")) * (sizes[0] - sizes[1])
        source = f"{blow.weapon.name} larger than {other.weapon.name}"
        parts.append(Modifier(value, "weapon size", source, fight.rule(topic)))
    parts += for_larger(fight, blow.attacker, other.attacker, "futurepath.disarm.combatant-size")
    return Side(blow.attacker, parts)


def in_both_hands(fight: Fight, weapon: Weapon) -> tuple[Modifier, ...]:
    """Return what a target has for holding its weapon in both hands (futurepath.disarm.two-hands)."""
    if not wielded_in_two_hands(weapon):
        return ()
    source = f"{weapon.name} in two hands"
    return (fight.modifier("futurepath.disarm.two-hands", "bonus", kind="handling", source=source),)


def snatch(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose attack rolls for what the target wears; a failure may not be answered.

    futurepath.grab-object.modifiers, futurepath.grab-object.no-counter.
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    rule = fight.rule(GRAB)
    ready = [one for one in held_weapons(target) if strikes_in_melee(one)]
    guard = unarmed(fight, target)
    if ready:
        question = f"with which weapon does {target.id} guard the {item}?"
        guard = yield from choose_weapon(target.id, question, ready, rule)
    more: tuple[Modifier, ...] = ()
    if attempt.secured == "poorly":
        source = f"the {item} is easy to snatch"
        blow.attack_extra.append(fight.modifier(SECURED, "unsecured", kind="circumstance", source=source))
    elif attempt.secured == "well":
        source = f"the {item} is well secured"
        more = (fight.modifier(SECURED, "secured", kind="circumstance", source=source),)
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    against = defending_roll(fight, target, attacker, guard)
    if (yield from beats(fight, "disarm", blow, against, OPPOSED, more, rule)):
        yield from take_item(fight, blow, item, *fight.rules(GRAB, OUTCOME))
        return True
    cites = fight.rules("futurepath.grab-object.no-counter")
    yield RuleApplied(who=target.id, what="a failed snatch allows no disarm in return", cites=cites)
    return False


def strike_from_hand(fight: Fight, blow: Blow, weapon: Weapon) -> Steps[bool]:
    """Strike a weapon that shoots out of its holder's hands: a blow at an object that is held.

    futurepath.disarm.ranged-weapon, futurepath.object.defense.held-carried-worn.
    """
    target = blow.target
    defense = defense_of_carried(fight, target, weapon_size(fight, target, weapon))
    if wielded_in_two_hands(weapon):
        source = f"{weapon.name} in two hands"
        defense.append(fight.modifier(RANGED, "two_handed_defense", kind="handling", source=source))
    cites = fight.rules(RANGED, "futurepath.object.defense.held-carried-worn", *rules_of_sizes(weapon))
    if (yield from reach_thing(fight, blow, weapon.name, defense, *cites)):
        yield from take_item(fight, blow, weapon.name, *fight.rules(RANGED))
        return True
    over = fight.rules(NOT_IN_RETURN)
    what = f"the {weapon.name} stays in hand, and allows no disarm in return"
    yield RuleApplied(who=target.id, what=what, cites=over)
    return False


def disarm_in_return(fight: Fight, combatant: Combatant, failed: Blow, weapon: Weapon) -> Steps[None]:
    """Let the one who kept its weapon try to disarm the attacker: no opening, no further answer.

    futurepath.disarm.counter.
    """
    disarmer = failed.attacker
    theirs = melee_weapon(disarmer, failed.weapon.name)
    able = "pinned" not in combatant.conditions and not powerless(fight, combatant)
    if theirs is None or theirs.wield == "natural" or not able:
        return
    rule = fight.rule("futurepath.disarm.counter")
    question = f"{disarmer.id} failed to disarm {combatant.id}: does {combatant.id} try it in return?"
    if (yield Choice(combatant.id, "counter-disarm", question, ("try", "decline"), rule)) != "try":
        return
    blow = defending_roll(fight, combatant, disarmer, weapon)
    guard = defending_roll(fight, disarmer, combatant, theirs)
    more = in_both_hands(fight, theirs)
    if (yield from beats(fight, "counter-disarm", blow, guard, OPPOSED, more, rule)):
        yield from take_item(fight, blow, theirs.name, *fight.rules(OUTCOME, "futurepath.disarm.counter"))


DISARM = Substitute(plan_disarm, try_to_disarm)
