"""Implement maneuvers: what they provoke, size limits, disarm, feint, bull rush, trip and overrun."""

from itertools import pairwise
from typing import Final, NamedTuple

from affray.engine.dialects.futurepath.attacks.attack_roll import refuse_hopeless
from affray.engine.dialects.futurepath.attacks.full_attack import (
    begin_rush,
    refuse_no_rush,
    refuse_short_or_swerving,
)
from affray.engine.dialects.futurepath.contested import old_only
from affray.engine.dialects.futurepath.gear.objects import defense_of_carried, rules_of_sizes, weapon_size
from affray.engine.dialects.futurepath.turns.action_types import told_safe
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow
from affray.engine.record.chapters import Attempt, Contest, Side, Substitute
from affray.engine.rules.attacks.charge import refuse_swerving
from affray.engine.rules.classes.abilities import ability_now, lowered
from affray.engine.rules.classes.checks import skill_parts
from affray.engine.rules.classes.sheets import ability, has_trait, sizes_larger, wielded_in_two_hands
from affray.engine.rules.conditions.conditions import cannot_act, falls_prone
from affray.engine.rules.gear.hands import is_armed, strikes_in_melee
from affray.engine.rules.gear.objects import roll_blow_at_item
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.maneuvers.bull_rush import (
    BullRush,
    PushFigures,
    enter_space,
    push_back,
    refuse_no_meeting,
    step_back,
    would_be_adjacent,
)
from affray.engine.rules.maneuvers.opposed_checks import (
    arms_of,
    can_trip,
    choose_guard,
    defending_roll,
    drops_to_stay_up,
    melee_weapon,
    misled,
    roll_opposed,
    side_of,
    straight_on,
    take_item,
    touch,
    tripping_weapon,
)
from affray.engine.rules.maneuvers.trample import (
    GONE,
    Opening,
    is_attempt_possible,
    melee_attempt,
    still_possible,
)
from affray.engine.rules.movement.movement import (
    halted,
    last_stop,
    refuse_path,
    refuse_prone,
    report_halt,
    speed,
)
from affray.engine.rules.opportunity.attacks_of_opportunity import in_order
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.places import occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, footing
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import SIZES, Modifier, Weapon
from affray.projections.state import Combatant

# --- An attack action during a move (futurepath.bull-rush.when, futurepath.overrun.when)

#: Acts made during a move, and their rules.
WHEN: Final = {"bull rush": "futurepath.bull-rush.when", "overrun": "futurepath.overrun.when"}
#: Acts that rule out a 5-foot step in their round, as a turn's spending names them, and the rules.
NO_STEP: Final = {
    "bull rush": "futurepath.bull-rush.no-5-foot-step",
    "overrun": "futurepath.overrun.no-5-foot-step",
}


def refuse_attack_in_move(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun without both a move and an attack action left, or while prone."""
    refuse_unless_allowed(fight, mover, "standard")
    allowed = fight.dialect.turns.allowance(fight, mover)
    used = mover.spent.get("standard", 0) + mover.spent.get("move", 0)
    if used + 2 > allowed.total or fight.readied == mover.id:
        raise Refusal(f"{mover.id} needs a move and an attack action to {what}", fight.rule(WHEN[what]))
    refuse_prone(fight, mover)


def refuse_stepped(fight: Fight, mover: Combatant, what: str) -> None:
    """Refuse a bull rush or overrun after a 5-foot step in the round."""
    if mover.spent.get("step"):
        reason = f"{mover.id} has taken a 5-foot step this round and cannot {what}"
        raise Refusal(reason, fight.rule(NO_STEP[what]))


def refuse_step_afterwards(fight: Fight, mover: Combatant, act: object) -> None:
    """Refuse a 5-foot step in the round of a bull rush or an overrun.

    futurepath.bull-rush.no-5-foot-step, futurepath.overrun.no-5-foot-step.
    """
    what, topic = next((name, topic) for name, topic in NO_STEP.items() if mover.spent.get(name))
    raise Refusal(f"the {what} leaves {mover.id} no 5-foot step", fight.rule(topic))


# --- Attacks of opportunity against maneuvers, by edition (futurepath.action.combat-maneuver)
# By the new table a combat maneuver as an attack action provokes, as a shot does: from all who threaten. By
# the old text of each maneuver only the target may strike; this also applies to maneuvers in place of an
# attack in a full attack, in a charge or out of turn, which the new table does not cover.

NEW: Final = "futurepath.table.actions.attack"
OLD: Final = "futurepath.table.actions.varies.legacy"


def provokes_by_table(fight: Fight) -> bool:
    """Return whether a maneuver that is an attack action provokes from all who threaten, by the new table.

    futurepath.table.actions.attack
    """
    return not old_only(fight) and dict(fight.figure(NEW))["attack (combat maneuver)"] == "yes"


def rules_of_table(fight: Fight, kind: str, row: str, *, bare: bool = False) -> tuple[str, ...]:
    """Return the rule of the edition's table that lets a maneuver provoke, () if its `row` does not.

    The new table covers attack actions, if the maneuver is one by its `kind`; one row of the old table says
    yes for the `bare` hand only.
    """
    if not old_only(fight):
        spoken_of = kind == "attack" and provokes_by_table(fight)
        return fight.rules("futurepath.action.combat-maneuver") if spoken_of else ()
    says = dict(fight.figure(OLD)).get(row, "")
    return fight.rules(OLD) if says == "yes" or (bare and "yes if unarmed" in says) else ()


def gives_openings_to_all(fight: Fight, blow: Blow) -> bool:
    """Return whether a maneuver is made as an attack action, which provokes by the new table."""
    return blow.intent.kind == "attack" and provokes_by_table(fight)


def those_provoked(fight: Fight, blow: Blow, spared: Combatant | None = None) -> list[Combatant]:
    """Return the combatants that may strike at the attacker for its maneuver, except the one `spared`."""
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
    """Resolve the attacks of opportunity that a maneuver provokes; return the result.

    The points of damage are from the target's attack: only that can spoil an attempt.
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
    return Opening(hurt, (yield from is_attempt_possible(fight, stood, attempt)))


# --- Size limits of maneuvers, and the bonus of the larger combatant (futurepath.*.size-limit)

#: Maneuvers with a size limit, and the rules.
LIMITS: Final = {
    "bull rush": "futurepath.bull-rush.size-limit",
    "overrun": "futurepath.overrun.size-limit",
    "trip": "futurepath.trip.size-limit",
}


def refuse_unfit(fight: Fight, attacker: Combatant, target: Combatant, what: str) -> None:
    """Refuse things, the dead, the attacker itself, and targets larger than the rule of the
    maneuver allows.
    """
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
    """Refuse a maneuver against a thing, which is not an opponent."""
    if target.sheet.thing is not None:
        raise Refusal(f"{target.id} is a thing, not an opponent", rule)


def for_larger(fight: Fight, one: Combatant, other: Combatant, topic: str) -> list[Modifier]:
    """Return a combatant's bonus for being larger than another, for each size category."""
    larger = sizes_larger(one, other)
    if larger <= 0:
        return []
    per = int(fight.figure(topic, "per_size"))
    return [Modifier(per * larger, "size difference", f"larger than {other.id}", fight.rule(topic))]


# --- Disarm: opposed attack rolls for a held weapon, an attack at a ranged weapon, snatching worn items
#
# futurepath.disarm.*, futurepath.grab-object.*.

REPLACES: Final = "futurepath.disarm.replaces-attack"
OPPOSED: Final = "futurepath.disarm.step-2-opposed"
OUTCOME: Final = "futurepath.disarm.step-3-outcome"
GRAB: Final = "futurepath.grab-object.procedure"
SECURED: Final = "futurepath.grab-object.modifiers"
RANGED: Final = "futurepath.disarm.ranged-weapon"
SUBSTITUTES: Final = "futurepath.action.disarm-grapple-trip-replace-attack"


def disarm_opponent(fight: Fight, act: acts.Disarm) -> Steps[None]:
    """Disarm an opponent, or snatch an item it wears, with an attack action."""
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
    """Return the attempt to disarm. Refuse targets out of reach and missing items."""
    rule = fight.rule(REPLACES)
    refuse_thing(fight, target, rule)
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot disarm itself", rule)
    blow = melee_attempt(fight, attacker, target, find_weapon(fight, attacker, weapon), kind, rule)
    refuse_hopeless(fight, blow)
    held = [one.name for one in arms_of(target)]
    if not item and not held:
        raise Refusal(f"{target.id} holds nothing that it could be disarmed of", rule)
    item = item or held[0]
    if item in held and secured != "normal":
        raise Refusal(
            f"the {item} is held: how well it is secured counts for worn items only", fight.rule(SECURED)
        )
    if target.items.get(item) in GONE:
        raise Refusal(f"{target.id} has no {item} any more", fight.rule(GRAB))
    return Attempt(blow, item, secured, fight.declaration)


def try_to_disarm(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Provoke, then oppose attack rolls, or strike at a ranged weapon; return whether it succeeds.

    futurepath.disarm.step-1-aoo, futurepath.disarm.ranged-weapon.no-counter,
    futurepath.grab-object.aoo-damage-fails
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    if not (yield from still_possible(fight, attempt)):
        return False
    weapon = next((one for one in arms_of(target) if one.name == item), None)
    shoots = weapon is not None and not strikes_in_melee(weapon)
    topic = "futurepath.disarm.ranged-weapon.no-counter" if shoots else "futurepath.disarm.step-1-aoo"
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
    """Oppose the attack rolls of two weapons; return whether the first beats the second.

    `more` counts for the defender (futurepath.disarm.step-2-opposed, futurepath.disarm.weapon-size,
    futurepath.disarm.combatant-size).
    """
    mine, theirs = attack_with(fight, blow, guard), attack_with(fight, guard, blow)
    theirs.parts += more
    if any(part.kind == "weapon size" for part in (*mine.parts, *theirs.parts)):
        cites += fight.rules("futurepath.disarm.weapon-size", *rules_of_sizes(blow.weapon, guard.weapon))
    margin = yield from roll_opposed(fight, name, mine, theirs, fight.rule(topic), *cites)
    return margin > 0


def attack_with(fight: Fight, blow: Blow, other: Blow) -> Side:
    """Return an opposed attack roll: the whole attack bonus, and +4 for each size of a larger weapon or
    combatant.
    """
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
    """Return a target's bonus for holding its weapon in both hands (futurepath.disarm.two-hands)."""
    if not wielded_in_two_hands(weapon):
        return ()
    source = f"{weapon.name} in two hands"
    return (fight.modifier("futurepath.disarm.two-hands", "bonus", kind="handling", source=source),)


def snatch(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Oppose attack rolls for a worn item; a failure allows no disarm in return.

    futurepath.grab-object.modifiers, futurepath.grab-object.no-counter
    """
    blow, item = attempt.blow, attempt.item
    attacker, target = blow.attacker, blow.target
    rule = fight.rule(GRAB)
    guard = yield from choose_guard(fight, target, item, rule)
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
    """Strike a ranged weapon out of its holder's hands: an attack at a held object.

    futurepath.disarm.ranged-weapon, futurepath.object.defense.held-carried-worn
    """
    target = blow.target
    defense = defense_of_carried(fight, target, weapon_size(fight, target, weapon))
    if wielded_in_two_hands(weapon):
        source = f"{weapon.name} in two hands"
        defense.append(fight.modifier(RANGED, "two_handed_defense", kind="handling", source=source))
    cites = fight.rules(RANGED, "futurepath.object.defense.held-carried-worn", *rules_of_sizes(weapon))
    if (yield from roll_blow_at_item(fight, blow, weapon.name, defense, *cites)):
        yield from take_item(fight, blow, weapon.name, *fight.rules(RANGED))
        return True
    over = fight.rules("futurepath.disarm.ranged-weapon.no-counter")
    what = f"the {weapon.name} stays in hand, and allows no disarm in return"
    yield RuleApplied(who=target.id, what=what, cites=over)
    return False


def disarm_in_return(fight: Fight, combatant: Combatant, failed: Blow, weapon: Weapon) -> Steps[None]:
    """Let a target that kept its weapon try to disarm the attacker; it provokes nothing and allows no return.

    futurepath.disarm.counter
    """
    disarmer = failed.attacker
    theirs = melee_weapon(disarmer, failed.weapon.name)
    able = "pinned" not in combatant.conditions and not cannot_act(fight, combatant)
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


# --- Feint: Bluff to deny the target's Dexterity against one attack (futurepath.action.feint)


def mislead_by_bluff(fight: Fight, act: acts.Feint) -> Steps[None]:
    """Mislead an opponent: an attack action that does not provoke.

    The text leaves the rest to the skill. If Bluff beats Sense Motive and base attack bonus, the next melee
    attack on the target, until the end of the next turn, denies its Dexterity bonus (futurepath.action.feint,
    futurepath.assumed.feint, futurepath.defense.dexterity-denied).
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule, skill = fight.rules("futurepath.action.feint", "futurepath.assumed.feint")
    if target.side == actor.side or is_down(fight, target):
        raise Refusal(f"{target.id} is not an opponent that can be misled", rule)
    yield spending(fight, actor, "standard", "feint", rule)
    yield from told_safe(fight, actor, "the feint", (rule,))
    sense = [
        *skill_parts(fight, target, "sense motive", "wis", skill),
        Modifier(target.sheet.base_attack, "base", "base attack bonus", skill),
    ]
    mine = side_of(fight, actor, "bluff", skill_parts(fight, actor, "bluff", "cha", skill))
    theirs = side_of(fight, target, "sense motive", sense)
    if (yield from roll_opposed(fight, "feint", mine, theirs, skill)) > 0:
        yield misled(fight, actor, target, skill)


# --- Opposed Strength checks in maneuvers: the attacker, and the target that resists
#
# futurepath.bull-rush.modifiers, futurepath.trip.modifiers.


class Check(NamedTuple):
    """The rules of an opposed Strength check: the one requiring it, and the one on modifiers."""

    made: str
    modifiers: str


def check_of_attacker(
    fight: Fight, attacker: Combatant, target: Combatant, check: Check, charging: bool
) -> Side:
    """Return the Strength check of the attacker that pushes or trips."""
    parts = [
        Modifier(ability(attacker.sheet, "str"), "ability", "Strength", fight.rule(check.made)),
        *lowered(fight, attacker, "str"),
        *for_larger(fight, attacker, target, check.modifiers),
    ]
    if charging:
        parts.append(fight.modifier(check.modifiers, "charge", kind="circumstance", source="charging"))
    return side_of(fight, attacker, "strength", parts)


def check_of_target(fight: Fight, target: Combatant, attacker: Combatant, check: Check, nimble: bool) -> Side:
    """Return the opposing check: Strength, or Dexterity if that is allowed (`nimble`) and better.

    More than two legs, or being exceptionally stable, give a bonus.
    """
    ways = (("str", "Strength"), ("dex", "Dexterity")) if nimble else (("str", "Strength"),)
    short, name = max(ways, key=lambda way: ability_now(fight, target, way[0]))
    parts = [
        Modifier(ability(target.sheet, short), "ability", name, fight.rule(check.made)),
        *lowered(fight, target, short),
        *for_larger(fight, target, attacker, check.modifiers),
    ]
    many = target.sheet.legs > 2
    if many or has_trait(target, "stable"):
        source = f"{target.sheet.legs} legs" if many else "stable"
        parts.append(fight.modifier(check.modifiers, "stability", kind="stability", source=source))
    return side_of(fight, target, name.lower(), parts)


def oppose_strength(
    fight: Fight,
    name: str,
    attacker: Combatant,
    target: Combatant,
    check: Check,
    *cites: str,
    charging: bool = False,
    nimble: bool = True,
) -> Steps[int]:
    """Roll both checks; return the attacker's margin, 0 or less for a failure."""
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    mine = check_of_attacker(fight, attacker, target, check, charging)
    theirs = check_of_target(fight, target, attacker, check, nimble)
    counts = any(part.rule == fight.rule(check.modifiers) for part in (*mine.parts, *theirs.parts))
    topics = (check.made, check.modifiers) if counts else (check.made,)
    return (yield from roll_opposed(fight, name, mine, theirs, *cites, *fight.rules(*topics)))


# --- Bull rush: in a move or a charge, into an opponent's square, to push it straight back
#
# futurepath.bull-rush.*.

BULL_RUSH_CHECK: Final = Check("futurepath.bull-rush.opposed-strength", "futurepath.bull-rush.modifiers")
SUCCESS: Final = "futurepath.bull-rush.success"
#: The name, among what a turn has spent, for a bull rush.
BULL_RUSH_SPENT: Final = "bull rush"


def bull_rush(fight: Fight, act: acts.BullRush) -> Steps[None]:
    """Push an opponent back: an attack action during a move, or in place of a charge's attack.

    `path` leads up to the target, also through friends' squares; the step into the target's square follows.
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_stepped(fight, mover, "bull rush")
    if act.charge:
        kind, rule, feet = refuse_no_rush(fight, mover)
    else:
        kind, rule, feet = "move", fight.rule("futurepath.bull-rush.when"), speed(fight, mover)
        refuse_attack_in_move(fight, mover, "bull rush")
    refuse_unfit(fight, mover, target, "bull rush")
    if act.path or act.charge:
        cost, _ = refuse_path(fight, mover, act.path, feet, rule, stays=False)
        feet -= cost
    rush = rush_from(fight, mover, target, act.path[-1] if act.path else mover.at, feet)
    refuse_no_meeting(fight, rush, rule)
    if act.charge:
        refuse_no_line(fight, mover, target, act.path, rush.into)
        yield from begin_rush(fight, mover, target, kind, rule)
        yield bull_rush_spent(fight, mover, "futurepath.action.charge.bull-rush-option")
    else:
        yield spending(fight, mover, "move", "move", rule)
        yield spending(fight, mover, "standard", "bull rush", rule)
        yield bull_rush_spent(fight, mover, "futurepath.bull-rush.when")
    legal = last_stop(fight, mover, (mover.at, *act.path))
    if act.path:
        how = "charge" if act.charge else "normal"
        if not (yield from fight.dialect.movement.walk(fight, mover, act.path, how, rule)):
            return
    # By the new table the attack action provokes from the same enemies as entering: one opportunity.
    table = () if act.charge else rules_of_table(fight, "attack", "bull rush")
    enemies, reason = threatening(fight, mover), f"enters the square of {target.id}"
    if (yield from enter_space(fight, rush, enemies, reason, legal, *table)):
        yield from resolve_bull_rush(fight, rush, act.charge)
    else:
        yield from fight.dialect.movement.step_aside(fight, mover, legal)


def refuse_no_line(
    fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...], into: Square
) -> None:
    """Refuse a charge that is too short, goes on next to the target, or does not enter its square
    straight.
    """
    refuse_short_or_swerving(fight, mover, path)
    if any(would_be_adjacent(square, mover, target) for square in path[:-1]):
        stop = fight.rule("futurepath.action.charge.stop-in-reach")
        raise Refusal(f"the charge must stop at the first square next to {target.id}", stop)
    refuse_swerving(mover, (*path, into), fight.rule("futurepath.action.charge.straight-line"))


def bull_rush_spent(fight: Fight, mover: Combatant, topic: str) -> ActionSpent:
    """Return the fact that a turn was used for a bull rush, which rules out a 5-foot step."""
    return ActionSpent(who=mover.id, kind=BULL_RUSH_SPENT, what=BULL_RUSH_SPENT, cites=fight.rules(topic))


def rush_from(fight: Fight, mover: Combatant, target: Combatant, start: Square, feet: int) -> BullRush:
    """Return the bull rush from a square, with `feet` feet left. Refuse it if no step leads in."""
    rule = fight.rule("futurepath.bull-rush.move-in-provokes")
    if not would_be_adjacent(start, mover, target):
        raise Refusal(f"{mover.id} does not come next to {target.id}", rule)
    way = straight_on(start, mover, target)
    rush = BullRush(mover, target, start, way, feet - SQUARE_FT, "futurepath.bull-rush.aoos")
    if not any(way) or obstructed(fight.field, start, rush.into, mover.space) or feet < SQUARE_FT:
        raise Refusal(f"{mover.id} cannot enter the square of {target.id}", rule)
    # A big mover will occupy more squares than the target's.
    for other in occupants(fight, mover, rush.into):
        if other is not target and other.at != target.at:
            raise Refusal(f"{other.id} is next to {target.id}, in the way of {mover.id}", rule)
    return rush


def resolve_bull_rush(fight: Fight, rush: BullRush, charging: bool) -> Steps[None]:
    """Oppose Strength; push the loser back 5 feet and more, or return the mover to its previous square."""
    mover, target = rush.attacker, rush.target
    margin = yield from oppose_strength(
        fight,
        "bull rush",
        mover,
        target,
        BULL_RUSH_CHECK,
        *fight.rules("futurepath.bull-rush.purpose"),
        charging=charging,
        nimble=False,
    )
    feet, extra, per = (
        int(fight.figure(SUCCESS, name)) for name in ("feet", "extra_feet_per_margin", "margin")
    )
    back = int(fight.figure("futurepath.bull-rush.failure", "distance_ft"))
    figures = PushFigures(feet, extra, per, back)
    yield from push_back(fight, rush, Contest(margin > 0, margin), figures)


# --- Trip: an unarmed touch, an opposed check, and one of the two may fall prone (futurepath.trip.*)

TOUCH: Final = "futurepath.trip.touch-and-provoke"
WITH_WEAPON: Final = "futurepath.trip.with-weapon"
TRIP_CHECK: Final = Check("futurepath.trip.opposed-check", "futurepath.trip.modifiers")
#: The results of a trip: the target is prone, the tripper is prone, or neither.
TRIPPED, FELLED, NEITHER = "tripped", "felled", "neither"


def trip_attempt(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuse a target that is too big, out of reach or already prone."""
    refuse_unfit(fight, attacker, target, "trip")
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("futurepath.trip.prone-result"))
    return Attempt(tripping_blow(fight, attacker, target, weapon, kind), name=fight.declaration)


def tripping_blow(fight: Fight, attacker: Combatant, target: Combatant, weapon: str, kind: str) -> Blow:
    """Return the touch that begins a trip. Refuse weapons that cannot trip, or do not reach."""
    blow = melee_attempt(
        fight,
        attacker,
        target,
        tripping_weapon(fight, attacker, weapon, can_trip, WITH_WEAPON),
        kind,
        fight.rule(TOUCH),
    )
    refuse_hopeless(fight, blow)
    return blow


def knock_down(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Carry out a trip; return whether the target is prone."""
    if not (yield from still_possible(fight, attempt)):
        return False
    return (yield from touch_and_contend(fight, attempt)) == TRIPPED


def touch_and_contend(fight: Fight, attempt: Attempt) -> Steps[str]:
    """Provoke, touch, oppose Strength with Strength or Dexterity; the loser may be tripped in return.

    futurepath.trip.opposed-check, futurepath.trip.prone-result
    """
    blow = attempt.blow
    attacker, target = blow.attacker, blow.target
    if not (yield from resolve_trip_provocation(fight, attempt)):
        return NEITHER
    if "prone" in target.conditions and blow.intent.kind != "overrun":
        lies = Refusal(f"{target.id} is prone already", fight.rule("futurepath.trip.prone-result"))
        yield attack_is_lost(attacker, lies, "the attempt")
        return NEITHER
    by = TOUCH if blow.weapon.wield == "unarmed" else WITH_WEAPON
    if (yield from touch(fight, blow, *fight.rules("futurepath.trip.attempt", by))) is None:
        return NEITHER
    if (yield from oppose_strength(fight, "trip", attacker, target, TRIP_CHECK)) > 0:
        cites = fight.rules("futurepath.trip.opposed-check", "futurepath.trip.prone-result")
        yield from falls_prone(target, f"tripped by {attacker.id}", cites)
        return TRIPPED
    return FELLED if (yield from trip_in_return(fight, target, attacker, blow.weapon)) else NEITHER


def resolve_trip_provocation(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Resolve the attacks of opportunity that a trip provokes; return whether it goes on.

    trip_provokes: a bare hand provokes, as in any unarmed attack; a tripping weapon does not, or does too, or
    nothing does. By the new table of actions the trained fist does as well (futurepath.trip.with-weapon,
    futurepath.trip.touch-and-provoke).
    """
    blow, how = attempt.blow, fight.option("trip_provokes")
    armed = blow.weapon.wield != "unarmed"
    trained = is_armed(blow.attacker, blow.weapon) and not gives_openings_to_all(fight, blow)
    cites = fight.rules(WITH_WEAPON if armed else TOUCH)
    if how == "never" or (how == "unless-trip-weapon" and (armed or trained)):
        for enemy in those_provoked(fight, blow):
            what = f"the trip does not provoke from {enemy.id} (trip_provokes: {how})"
            yield RuleApplied(who=blow.attacker.id, what=what, cites=cites)
        return True
    reason, name = f"trips (trip_provokes: {how})", f"trip:{attempt.name}"
    by_table = rules_of_table(fight, blow.intent.kind, "trip an opponent", bare=not armed)
    opening = yield from provoke_by_maneuver(fight, attempt, reason, name, *cites, *by_table)
    return opening.goes_on


def trip_in_return(fight: Fight, combatant: Combatant, tripped: Combatant, weapon: Weapon) -> Steps[bool]:
    """Let a target that kept its feet try to trip the tripper; return whether that one is prone.

    The tripper may instead drop the weapon it tripped with (futurepath.trip.counter, .with-weapon).
    """
    rule = fight.rule("futurepath.trip.counter")
    still = "pinned" in combatant.conditions or cannot_act(fight, combatant)
    if still or "prone" in tripped.conditions:
        return False
    question = f"{tripped.id} failed to trip {combatant.id}: does {combatant.id} try to trip {tripped.id}?"
    if (yield Choice(combatant.id, "counter-trip", question, ("try", "decline"), rule)) != "try":
        return False
    if (yield from oppose_strength(fight, "counter-trip", combatant, tripped, TRIP_CHECK, rule)) <= 0:
        return False
    if (yield from drops_to_stay_up(fight, tripped, weapon, fight.rule(WITH_WEAPON))):
        return False
    cites = (rule, fight.rule("futurepath.trip.prone-result"))
    yield from falls_prone(tripped, f"tripped by {combatant.id}", cites)
    return True


TRIP = Substitute(trip_attempt, knock_down, declared=("futurepath.trip.attempt", SUBSTITUTES))


# --- Overrun: in a move or a charge, past or over an opponent, who avoids it or is tripped
#
# futurepath.overrun.*.

APPROACH: Final = "futurepath.overrun.approach"
#: The name, among what a turn has spent, for an overrun, and the kind of the trip in it.
OVERRUN_SPENT: Final = "overrun"


def overrun_opponent(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Run over an opponent: an attack action during a move, or part of a charge.

    The path leads up to the target, through its square and out again, within the mover's speed (or a
    charge's).
    """
    mover, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_stepped(fight, mover, "overrun")
    if act.charge:
        kind, rule, feet = refuse_no_rush(fight, mover)
    else:
        kind, rule, feet = "move", fight.rule("futurepath.overrun.when"), speed(fight, mover)
        refuse_attack_in_move(fight, mover, "overrun")
    refuse_unfit(fight, mover, target, "overrun")
    if target.side == mover.side or is_helpless(fight, target):
        raise Refusal(f"{target.id} does not bar the way", fight.rule("futurepath.overrun.choice"))
    tripping_weapon(fight, mover, act.weapon, can_trip, WITH_WEAPON)
    place = refuse_other_ways(fight, mover, target, act.path)
    refuse_path(fight, mover, act.path, feet, rule, through=target)
    if act.charge:
        refuse_short_or_swerving(fight, mover, act.path)
        yield from begin_rush(fight, mover, target, kind, rule)
    else:
        yield spending(fight, mover, "move", "move", rule)
        yield spending(fight, mover, "standard", "overrun", rule)
    once = fight.rules("futurepath.overrun.when", "futurepath.overrun.once-per-action")
    yield ActionSpent(who=mover.id, kind=OVERRUN_SPENT, what=OVERRUN_SPENT, cites=once)
    how = "charge" if act.charge else "normal"
    legal = last_stop(fight, mover, (mover.at, *act.path[:place]))
    walk = fight.dialect.movement.walk
    if not (yield from walk(fight, mover, act.path[:place], how, rule, onward=True)):
        return
    if target in occupants(fight, mover, act.path[place]) and not is_down(fight, target):
        if not act.charge and not (yield from resolve_overrun_provocation(fight, mover, target)):
            yield from fight.dialect.movement.step_aside(fight, mover, legal)
            return
        came_from = mover.at
        if not (
            yield from walk(
                fight,
                mover,
                act.path[place : place + 1],
                how,
                fight.rule(APPROACH),
                legal=legal,
                onward=True,
            )
        ):
            return
        if not (yield from get_past(fight, mover, target, act.weapon, came_from, legal)):
            return
        place += 1
    yield from walk(fight, mover, act.path[place:], how, rule, legal=legal)


def refuse_other_ways(fight: Fight, mover: Combatant, target: Combatant, path: tuple[Square, ...]) -> int:
    """Return how many squares precede the target's square on the path. Refuse other paths.

    The path must lead through the target only, and straight for the last 10 feet
    (futurepath.overrun.approach, futurepath.overrun.once-per-action).
    """
    rule = fight.rule(APPROACH)
    place = next((n for n, at in enumerate(path) if target in occupants(fight, mover, at)), None)
    if place is None:
        raise Refusal(f"the path does not lead through {target.id}", rule)
    for at in path:
        for other in occupants(fight, mover, at):
            passed = fight.dialect.movement.may_pass(fight, mover, other) or is_helpless(fight, other)
            if other is not target and other.side != mover.side and not passed:
                once = fight.rule("futurepath.overrun.once-per-action")
                raise Refusal(f"{other.id} would have to be overrun as well as {target.id}", once)
    least = int(fight.figure(APPROACH, "min_ft")) // SQUARE_FT
    way = (mover.at, *path[: place + 1])
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(way)]
    if len(steps) < least or len(set(steps[-least:])) > 1:
        feet = least * SQUARE_FT
        raise Refusal(f"an overrun takes {feet} ft. in a straight line into {target.id}'s square", rule)
    return place


def resolve_overrun_provocation(fight: Fight, mover: Combatant, target: Combatant) -> Steps[bool]:
    """Let all who threaten strike at a mover that overruns with an attack action, by the new table.

    Return whether it goes on (futurepath.action.combat-maneuver).
    """
    if not provokes_by_table(fight):
        return True
    here, name = mover.at, f"overrun:{fight.declaration}"
    cites = rules_of_table(fight, "attack", "overrun")
    enemies = threatening(fight, mover)
    yield from fight.dialect.opportunity.provoke(fight, mover, enemies, f"overruns {target.id}", name, *cites)
    if halted(fight, mover, here):
        yield from report_halt(fight, mover, OVERRUN_SPENT)
        return False
    return True


def get_past(
    fight: Fight, mover: Combatant, target: Combatant, weapon: str, came_from: Square, legal: Square
) -> Steps[bool]:
    """Resolve the reaction of a target whose square the mover has entered; return whether the way is free.

    It may avoid, or block and be tripped. A mover that fails goes back 5 feet, or lies in the target's square
    if it is tripped in turn.
    """
    if target not in occupants(fight, mover, mover.at):
        return True  # it has moved out of the way since
    question = f"{mover.id} overruns {target.id}: does {target.id} block or avoid?"
    rule = fight.rule("futurepath.overrun.choice")
    if (yield Choice(target.id, "overrun", question, ("block", "avoid"), rule)) == "avoid":
        yield RuleApplied(who=target.id, what=f"lets {mover.id} by", cites=(rule,))
        return True
    cites = fight.rules("futurepath.overrun.blocked")
    yield RuleApplied(who=target.id, what=f"blocks {mover.id}", cites=cites)
    try:
        attempt = Attempt(tripping_blow(fight, mover, target, weapon, OVERRUN_SPENT), name=fight.declaration)
    except Refusal as lost:
        yield attack_is_lost(mover, lost, "the trip")
        end = ""
    else:
        end = yield from touch_and_contend(fight, attempt)
    if end == TRIPPED:
        return True
    if is_down(fight, mover):
        yield from fight.dialect.movement.step_aside(fight, mover, legal)
    elif end == FELLED:
        yield RuleApplied(who=mover.id, what=f"lies in the square of {target.id}", cites=cites)
    else:
        back = int(fight.figure("futurepath.overrun.blocked", "distance_ft"))
        yield from step_back(fight, mover, came_from, back, "thrown back", *cites)
    return False
