"""Resolve attacks of opportunity: who may make one, what provokes, and the attack itself (woa.aoo.*)."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec.structs import replace

from affray.engine.dialects.woa.classes.turned_undead import may_not_act_against
from affray.engine.dialects.woa.defense.defense import is_half_covered
from affray.engine.dialects.woa.grapple.grab_modifiers import arm_free
from affray.engine.dialects.woa.grapple.grapple_checks import are_tied
from affray.engine.dialects.woa.maneuvers import maneuvers_as_attacks
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.opportunity.reaction_budget import (
    EVADING,
    in_place_of_ac,
    paid_by,
    reactions_left,
    reactions_used,
    restricted_by_defense,
    rules_of_none_left,
)
from affray.engine.dialects.woa.position.size import idle, is_on_body_of, unthreatening
from affray.engine.dialects.woa.senses.concealment import unseen
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import Square
from affray.engine.kernel.places import in_band
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import strike_and_settle
from affray.engine.rules.classes.checks import make_skill_check, skill_parts
from affray.engine.rules.classes.sheets import has_trait, size_step
from affray.engine.rules.gear.hands import (
    choose_weapon,
    fights_unarmed,
    held_weapons,
    melee_band,
    strikes_in_melee,
)
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.turns.delay_and_ready import about_to_be_interrupted, stop_if_impossible
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.combat import Provoked
from affray.events.facts.flow import ReactionSpent, RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Engaging and disengaging: movement past enemies that provokes nothing (woa.aoo.*)

#: Ways of movement that are not part of an action other than moving.
OF_ITSELF = frozenset(
    {"normal", "defensive", "step", "double", "fast", "tumble", "tumble-fast", "leave", "vault"}
    | {"crawl", "crowd", "squeeze", "wriggle", "climb", "brachiate", "burrow", "swim", "fly", "hiding"}
)


def rules_of_no_opening(
    fight: Fight, mover: Combatant, squares: Sequence[Square], how: str
) -> tuple[str, ...]:
    """Return the rules by which moving over these squares did not provoke from enemies that threatened them.

    Entering a threatened area is free, and so is moving within it; a short step never provokes
    (woa.aoo.provoke.engaging-is-free, .moving-within-threat, woa.aoo.avoid.short-step,
    woa.short-step.no-aoo).
    """
    found: list[str] = []
    for enemy in fight.enemies(mover):
        if is_down(fight, enemy):
            continue
        for here, there in pairwise(squares):
            before, after = threatens(fight, enemy, mover, here), threatens(fight, enemy, mover, there)
            if how == "step":
                found += ["woa.short-step.no-aoo", "woa.aoo.avoid.short-step"] if before and not after else []
            elif before and after:
                found.append("woa.aoo.provoke.moving-within-threat")
            elif after and how != "defensive":
                found.append("woa.aoo.provoke.engaging-is-free")
    return fight.rules(*dict.fromkeys(found)) if found else ()


def report_still_engaged(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str
) -> Steps[None]:
    """Report the enemies whose area a mover leaves without disengaging from them.

    They stay within its own threatened area, or it has all-around vision (woa.aoo.engaged-state,
    woa.aoo.avoid.all-around-vision). For defensive movers and short steps, leaving never provokes.
    """
    if how in ("step", "defensive"):
        return
    for enemy in fight.enemies(mover):
        if is_down(fight, enemy) or not threatens(fight, enemy, mover, here):
            continue
        if threatens(fight, enemy, mover, there):
            continue
        if is_within_threatened_area(fight, mover, enemy, there):
            what, topic = f"stays engaged with {enemy.id}", "woa.aoo.engaged-state"
        elif has_trait(mover, "all-around vision"):
            what, topic = f"sees all around, {enemy.id} too", "woa.aoo.avoid.all-around-vision"
        else:
            continue
        yield RuleApplied(who=mover.id, what=what, cites=(fight.rule(topic),))


def is_within_threatened_area(fight: Fight, mover: Combatant, enemy: Combatant, at: Square) -> bool:
    """Return whether an enemy is within the area that the mover threatens from a square."""
    return any(
        in_band(at, mover.space, enemy.at, enemy.space, least, most)
        for least, most in fight.dialect.position.reach_bands(fight, mover)
    )


def is_unarmed_within_reach(enemy: Combatant, mover: Combatant, at: Square) -> bool:
    """Return whether an enemy would threaten the mover at a square if it were not unarmed.

    woa.aoo.unarmed-does-not-threaten
    """
    return is_unarmed(enemy) and in_band(enemy.at, enemy.space, at, mover.space, 0, enemy.reach)


def is_unarmed(combatant: Combatant) -> bool:
    """Return whether a combatant holds nothing, has no natural weapons and does not fight unarmed."""
    return not held_weapons(combatant) and not fights_unarmed(combatant)


def carried_along(how: str) -> bool:
    """Return whether movement is part of an action other than a move.

    woa.aoo.provoke.movement-in-actions
    """
    return how not in OF_ITSELF


def evades_by_acrobatics(combatant: Combatant) -> bool:
    """Return whether a mover is trained enough to evade attacks by Acrobatics (woa.aoo.avoid.acrobatics)."""
    return "acrobatics" in combatant.sheet.skills


Guard = tuple[Combatant, str, str]
"""An enemy that may strike, the reason, and the topic of the rule."""

ENGAGING = "aoo.avoid.defensive-disengage"
"""The topic by which enemies newly engaged strike a defensive mover after it has arrived."""

PARTS = (
    "woa.attack.aoo-is-reaction",
    "woa.aoo.definition",
    "woa.aoo.resolve.interrupt",
    "woa.reaction.types",
)
"""The topics that define an attack of opportunity."""

ENTRY = "aoo.provoke.entering-space"
"""Prefix of the name of an opportunity given by entering an enemy's space."""

FELLED = "tripped"
"""Prefix of the name of an opportunity that a feat gives against a felled target; it is not a usual one."""

MOVING = frozenset(
    {
        "aoo.provoke.disengaging",
        ENTRY,
        "aoo.provoke.closing-on-reach-weapon",  # woa.aoo.provoke.closing-on-reach-weapon
        ENGAGING,
        "ignore",
    }
)
"""Names of the opportunities given by careless movement."""


#: Rules that prevent an attack of opportunity and are printed in two places.
TWIN = {
    "aoo.avoid.cover": ("woa.cover.no-attack-of-opportunity",),
    "aoo.avoid.total-concealment": ("woa.concealment.total.no-reactions",),  # woa.aoo.avoid.total-concealment
}


def opportunities(fight: Fight, combatant: Combatant) -> tuple[int, str]:
    """Return the number of attacks of opportunity in the round, including those made, and the rule's topic.

    They share the round's combat reactions with dodges, blocks and aid (woa.reaction.definition).
    """
    if restricted_by_defense(combatant):
        return 0, "total-defense.reactions"
    remaining, topic = reactions_left(fight, combatant)
    return combatant.reactions.get("opportunity", 0) + remaining, topic


def provoke(
    fight: Fight, mover: Combatant, by: Iterable[Combatant], reason: str, opportunity: str, *cites: str
) -> Steps[None]:
    """Let each of `by` attack `mover` for the same opportunity, in turn order.

    An enemy that may not attack is recorded with the reason. The mover may be down afterwards: the caller
    must check.
    """
    common = () if opportunity.startswith(FELLED) else fight.rules("woa.aoo.provoke.common-causes")
    cites = (*cites, *common, *fight.rules("woa.aoo.threatened-area"))
    order = {id: place for place, id in enumerate(fight.state.order)}
    enemies = sorted(by, key=lambda one: order.get(one.id, len(order)))
    before = about_to_be_interrupted(fight, mover)
    for enemy in enemies:
        if is_down(fight, mover):
            return
        if is_down(fight, enemy) or opportunity in enemy.opportunities:
            continue
        blows: list[Blow] = []
        denied, topic = why_no_opportunity(fight, enemy, mover, opportunity)
        if not denied:
            blows, denied, barred = prepare_blows(fight, enemy, mover, opportunity)
            topic = barred or topic
        yield Provoked(
            who=mover.id,
            by=enemy.id,
            reason=reason,
            denied=denied,
            cites=(*cites, *fight.rules(*rules_of_none_left(enemy, topic), *TWIN.get(topic, ())))
            if denied
            else cites,
        )
        if not denied:
            yield from offer(fight, enemy, mover, reason, opportunity, blows)
    stop_if_impossible(fight, before)


def prepare_blows(
    fight: Fight, enemy: Combatant, mover: Combatant, opportunity: str
) -> tuple[list[Blow], str, str]:
    """Return the attacks that an enemy can make out of turn, prepared like declared ones.

    If it has weapons but cannot use any, also return the reason for the first and the rule's id; otherwise ""
    and "".
    """
    blows: list[Blow] = []
    denied = rule = ""
    for weapon in weapons_for(fight, enemy, mover, opportunity):
        try:
            blows.append(fight.dialect.attacks.prepare(fight, enemy, mover, weapon, "opportunity"))
        except Refusal as refused:
            denied, rule = denied or refused.reason, rule or refused.rule
    return (blows, "", "") if blows else ([], denied, rule)


def offer(
    fight: Fight, enemy: Combatant, mover: Combatant, reason: str, opportunity: str, blows: Sequence[Blow]
) -> Steps[None]:
    """Offer one attack of opportunity and resolve it at once (woa.aoo.resolve.*)."""
    outer, doing = fight.scope, fight.doing
    fight.scope, fight.doing = f"{outer}.aoo:{enemy.id}" if outer else f"aoo:{enemy.id}", None
    try:
        answer = yield Choice(
            enemy.id,
            "take",
            f"{mover.id} {reason}: does {enemy.id} take the attack of opportunity?",
            (
                "take",
                *(specials := maneuvers_as_attacks.maneuvers_for_opportunity(fight, enemy, mover)),
                "decline",
            ),
            fight.rule("woa.attack.aoo-is-reaction"),
        )
        if answer not in ("take", *specials) or not blows:
            return
        ready = [one.weapon for one in blows]
        weapon = ready[0]
        if answer == "take":
            question = f"with which weapon does {enemy.id} strike at {mover.id}?"
            weapon = yield from choose_weapon(enemy.id, question, ready, fight.rule("woa.aoo.resolve.attack"))
        yield ReactionSpent(
            who=enemy.id,
            kind="opportunity",
            against=mover.id,
            opportunity=opportunity,
            cites=fight.rules(*PARTS, *paid_by(fight, enemy)),
        )
        if answer in specials:
            blow = maneuvers_as_attacks.maneuver_for_attack(
                fight, enemy, mover, answer, "", "", "opportunity"
            )
            blow.intent = replace(blow.intent, provokes=not opportunity.startswith("failed:"))
            yield from maneuvers_as_attacks.carry_out(fight, blow)
            return
        blow = next(one for one in blows if one.weapon is weapon)
        if opportunity.split(":")[0] in MOVING:
            yield from evade(fight, blow)
        blow.cites.append(fight.rule("woa.aoo.resolve.attack"))
        blow.defense_extra += in_place_of_ac(fight, blow)
        yield from strike_and_settle(fight, blow)
    finally:
        fight.scope, fight.doing = outer, doing


def evade(fight: Fight, blow: Blow) -> Steps[None]:
    """Let a trained mover replace its Armor Class with an Acrobatics check.

    It may not if it already made such a check to get up (see `in_place_of_ac`; woa.aoo.avoid.acrobatics).
    """
    mover = blow.target
    if not evades_by_acrobatics(mover) or any(one.stat == EVADING for one in mover.effects):
        return
    topic = "woa.aoo.avoid.acrobatics"
    rule = fight.rule(topic)
    question = f"{blow.attacker.id} strikes: does {mover.id} rely on Acrobatics or on its Armor Class?"
    if (yield Choice(mover.id, "evade", question, ("armor class", "acrobatics"), rule)) != "acrobatics":
        return
    parts = skill_parts(fight, mover, "acrobatics", "dex", rule)
    total = yield from make_skill_check(fight, mover, "acrobatics", parts, rule, why="for its Armor Class")
    blow.defense_check = Tally(total, (Modifier(total, "check", "Acrobatics", rule),))


def weapons_for(fight: Fight, enemy: Combatant, mover: Combatant, opportunity: str) -> list[Weapon]:
    """Return the weapons with which an enemy may strike a mover for an opportunity.

    A mover that enters the space of a reach weapon's wielder is struck with that weapon, which otherwise does
    not reach so near (woa.aoo.provoke.entering-space, woa.reach.weapon).
    """
    if opportunity.startswith(ENTRY) and not threatens(fight, enemy, mover):
        held = [one for one in held_weapons(enemy) if one.reach]
        if free := [one for one in held if arm_free(fight, enemy, one)]:
            return free
    return list(fight.dialect.opportunity.weapons_at(fight, enemy, mover))


def why_no_opportunity(fight: Fight, enemy: Combatant, mover: Combatant, opportunity: str) -> tuple[str, str]:
    """Return why `enemy` may not attack, with the topic of the rule; "" if it may."""
    if is_unarmed(enemy):
        return "is unarmed and threatens nothing", "woa.aoo.unarmed-does-not-threaten"
    if topic := idle(fight, enemy):
        return "makes no attacks now", topic
    weapons = weapons_for(fight, enemy, mover, opportunity)
    entered = opportunity.startswith(ENTRY) and any(weapon.reach for weapon in weapons)
    if not entered and not threatens(fight, enemy, mover):
        # Another combatant's reaction, resolved first, may have taken the mover out of reach.
        topic = unthreatening(fight, enemy, mover) or "woa.aoo.resolve.interrupt"
        return f"does not threaten {mover.id}", topic
    limit, topic = opportunities(fight, enemy)
    if enemy.reactions.get("opportunity", 0) >= limit:
        return ("has no combat reaction left" if reactions_used(enemy) else "may not react now"), topic
    if is_half_covered(fight, enemy, mover):
        return f"{mover.id} has half cover or better", "aoo.avoid.cover"  # woa.aoo.avoid.cover
    if unseen(fight, enemy, mover):
        return f"{mover.id} has total concealment", "aoo.avoid.total-concealment"
    if enemy.conditions and may_not_act_against(fight, enemy, mover):
        return f"does nothing against {mover.id}", "woa.turn-undead.turned-effects"
    return "", topic


def threatening(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the enemies that threaten the mover in its square, in order of entry."""
    return [
        enemy
        for enemy in fight.enemies(mover)
        if threatens(fight, enemy, mover)
        or (not is_down(fight, enemy) and unthreatening(fight, enemy, mover))
    ]


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies that may strike the mover for this step (see `who_may_strike`)."""
    return [enemy for enemy, _, _ in who_may_strike(fight, mover, here, there, how)]


def who_may_strike(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Guard]:
    """Return the enemies that may strike the mover for one step, with the reason and the rule's topic.

    The causes are disengaging (leaving a threatened area unless the opponent stays in the mover's own),
    entering a space, and closing on a reach weapon. A defensive mover is spared by enemies it leaves and
    struck by those it newly engages; a short step provokes only by entering a space (woa.aoo.provoke.*,
    woa.aoo.avoid.*).
    """
    found: list[Guard] = []
    for enemy in fight.enemies(mover):
        if is_down(fight, enemy) or are_tied(mover, enemy) or is_on_body_of(enemy, mover):
            continue
        if speed.feet_above(enemy, mover) > enemy.reach:
            continue
        if enters(enemy, mover, here, there) and strikes_at_entry(enemy, mover):
            found.append((enemy, "enters its space", "aoo.provoke.entering-space"))
        if how == "step":
            continue
        before, after = threatens(fight, enemy, mover, here), threatens(fight, enemy, mover, there)
        if before and not after and overlaps(enemy, mover, there):
            after = True  # in the enemy's space the mover is still engaged
        if is_unarmed(enemy):
            before = is_unarmed_within_reach(enemy, mover, here)
            after = is_unarmed_within_reach(enemy, mover, there)
        elif not before and not after and unthreatening(fight, enemy, mover, here):
            after = bool(unthreatening(fight, enemy, mover, there))
            before = not after
        if before and not after:
            if passes_under_reach(enemy, mover, here, there):
                found.append((enemy, "closes on a reach weapon", "aoo.provoke.closing-on-reach-weapon"))
            elif how != "defensive" and disengages(fight, mover, enemy, there):
                found.append((enemy, "disengages", "aoo.provoke.disengaging"))  # woa.aoo.provoke.disengaging
        elif how == "defensive" and after and not threatens(fight, enemy, mover, mover.at):
            found.append((enemy, "newly engages while disengaging", ENGAGING))
    return found


def disengages(fight: Fight, mover: Combatant, enemy: Combatant, at: Square) -> bool:
    """Return whether a mover that leaves an opponent's area provokes.

    It does not while the opponent stays within the mover's threatened area, nor with all-around vision
    (woa.aoo.engaged-state, woa.aoo.avoid.all-around-vision).
    """
    return not has_trait(mover, "all-around vision") and not is_within_threatened_area(
        fight, mover, enemy, at
    )


def enters(enemy: Combatant, mover: Combatant, here: Square, there: Square) -> bool:
    """Return whether a step leads from outside into an enemy's space."""
    return overlaps(enemy, mover, there) and not overlaps(enemy, mover, here)


def overlaps(enemy: Combatant, mover: Combatant, at: Square) -> bool:
    """Return whether the mover at a square would share squares with an enemy."""
    return all(
        enemy.at[axis] < at[axis] + mover.space and at[axis] < enemy.at[axis] + enemy.space for axis in (0, 1)
    )


def strikes_at_entry(enemy: Combatant, mover: Combatant) -> bool:
    """Return whether an enemy strikes a mover that enters its space (woa.aoo.provoke.entering-space)."""
    steps = size_step(enemy) - size_step(mover)
    weapons = [weapon for weapon in held_weapons(enemy) if strikes_in_melee(weapon)]
    if steps >= 1:
        return bool(weapons)
    if steps == 0:
        return any(weapon.wield in ("one-handed", "two-handed") for weapon in weapons)
    return steps == -1 and any(weapon.reach for weapon in weapons)


def passes_under_reach(enemy: Combatant, mover: Combatant, here: Square, there: Square) -> bool:
    """Return whether the mover passes under the reach weapon of an enemy of its size or larger."""
    if size_step(enemy) < size_step(mover):
        return False
    for weapon in held_weapons(enemy):
        if weapon.reach:
            least, most = melee_band(enemy, weapon)
            inside = in_band(enemy.at, enemy.space, there, mover.space, 0, max(0, least - 5))
            if inside and in_band(enemy.at, enemy.space, here, mover.space, least, most):
                return True
    return False


def provoke_by_ignoring(fight: Fight, combatant: Combatant, targets: Sequence[Combatant]) -> Steps[None]:
    """Let enemies strike whose threat an attacker ignores by attacking only others.

    It provokes only after moving within their area this round; a short step never counts
    (woa.aoo.provoke.ignoring-threat).
    """
    spent = fight.state.combatants[combatant.mount].spent if combatant.mount else combatant.spent
    if not spent.get("feet") or spent.get("step") or fight.readied:
        return
    there = threatening(fight, combatant)
    ignored = [one for one in there if one not in targets and threatens(fight, one, combatant)]
    if ignored:
        opportunity = f"ignore:{combatant.id}:{fight.state.round}"
        rule = fight.rule("woa.aoo.provoke.ignoring-threat")
        yield from provoke(fight, combatant, ignored, f"turns to attack {targets[0].id}", opportunity, rule)


#: Further rules for entering an opponent's space.
ENTERING = {"aoo.provoke.entering-space": ("woa.crowd.enter-opponent-space-aoo",)}


def provoke_by_movement(
    fight: Fight, combatant: Combatant, found: Sequence[Guard], how: str = "normal", *, passing: bool = False
) -> Steps[None]:
    """Let each enemy strike that a mover provokes, with the reason and the rule.

    On the way through a combatant's space (`passing`), both entering and leaving can provoke
    (woa.movement.pass-through.aoo).
    """
    for enemy, reason, topic in found:
        topics = [topic, *ENTERING.get(topic, ())]
        topics += ["woa.aoo.engaged-state"] if topic == "aoo.provoke.disengaging" else []
        topics += ["woa.aoo.provoke.movement-in-actions"] if carried_along(how) else []
        topics += ["woa.move.threatened-areas", "woa.movement.provokes-reference"]
        if topic == "aoo.provoke.entering-space" and passing:
            topics.append("woa.movement.pass-through.aoo")
        opportunity = f"{topic}:{fight.declaration}"
        yield from fight.dialect.opportunity.provoke(
            fight, combatant, [enemy], reason, opportunity, *fight.rules(*topics)
        )
