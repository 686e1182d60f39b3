"""Bull rush, overrun and trip, the checks that special attacks share, and great beasts on the attack."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, obstructed
from affray.engine.kernel.places import distance
from affray.engine.record.blow import WHIRLWIND, Blow, Harm, varied
from affray.engine.record.chapters import Attempt, Contest, Side, Substitute
from affray.engine.rules.attacks import natural_weapons as shared_natural_weapons
from affray.engine.rules.attacks.attack_roll import attack_judged, sum_blow_modifiers
from affray.engine.rules.attacks.charge import (
    begin_charge,
    refuse_hindered_line,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.attacks.natural_weapons import ordinary_natural_weapons, tear
from affray.engine.rules.classes.abilities import lowered
from affray.engine.rules.classes.checks import refuse_without, saving_throw
from affray.engine.rules.classes.sheets import (
    INCORPOREAL,
    ability,
    has_feat,
    has_trait,
    is_a,
    size_step,
    trait_detail,
)
from affray.engine.rules.conditions.conditions import cannot_act, falls_prone
from affray.engine.rules.gear.hands import (
    choose_weapon,
    is_armed,
    natural_weapons,
    strikes_per_full_attack,
)
from affray.engine.rules.gear.weapons_in_hand import find_weapon, leave_hand
from affray.engine.rules.grapple import raking_claws
from affray.engine.rules.magic.touch_spells import discharge_by_strike
from affray.engine.rules.maneuvers.bull_rush import (
    BullRush,
    PushFigures,
    enter_space,
    is_bull_rush_possible,
    push_back,
    refuse_no_meeting,
    step_back,
    would_be_adjacent,
)
from affray.engine.rules.maneuvers.opposed_checks import (
    can_trip,
    drops_to_stay_up,
    footing_of,
    make_contest_fact,
    opposed_results,
    side_of,
    size_part,
    straight_on,
    touch,
    tripping_weapon,
    use_up_both,
)
from affray.engine.rules.maneuvers.trample import (
    is_attempt_possible,
    melee_attempt,
    provoke_from_target,
    still_possible,
)
from affray.engine.rules.mounted.mounted_combat import lower_riders_guard, refuse_ride_on, trample_by_mount
from affray.engine.rules.mounted.riding import leader, mount_of
from affray.engine.rules.movement.movement import (
    displaced,
    fall_over,
    falls_at,
    halted,
    is_barred,
    last_stop,
    refuse_after_step,
    refuse_crooked,
    refuse_path,
    refuse_prone,
    report_halt,
    speed,
    stepped,
)
from affray.engine.rules.opportunity.threatened_squares import threatening, threatens
from affray.engine.rules.position.places import COMPASS, choose_way, occupants
from affray.engine.rules.turns.actions import refuse_unless_allowed, spending
from affray.engine.rules.turns.delay_and_ready import attack_is_lost, footing
from affray.engine.steps import MOST_TIES, Choice, EndlessTie, Refusal, Roll, Steps, observed
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import (
    AttackResolved,
    ConditionGained,
    ContestResolved,
    DamageResolved,
    ResourceSpent,
)
from affray.events.facts.flow import ActionSpent, Rolled, RuleApplied
from affray.events.facts.sheet import ExtraDamage, Modifier, Weapon
from affray.projections.state import Combatant

# --- Great beasts on the attack: pounce, powerful charge, awesome blow

AWESOME: Final = "srd35.feat.awesome-blow"


def pounce_after_charge(fight: Fight, act: acts.Charge, charging: Steps[None]) -> Steps[None]:
    """Charge; a creature with pounce goes on with all its other natural weapons, and rakes (srd35.pounce)."""
    actor = fight.combatant(act.actor)
    yield from charging
    if has_trait(actor, "pounce") and not act.special and "charging" in actor.conditions:
        yield from pounce(fight, actor, fight.combatant(act.target), find_weapon(fight, actor, act.weapon))


def pounce(fight: Fight, attacker: Combatant, target: Combatant, first: Weapon) -> Steps[None]:
    """Attack with the weapons not used in the charge: every natural weapon, then the claws that rake."""
    rule = fight.rule("srd35.pounce")
    limbs = [
        weapon
        for weapon in ordinary_natural_weapons(attacker)
        for _ in range(strikes_per_full_attack(weapon))
    ]
    if first in limbs:
        limbs.remove(first)
    for number, weapon in enumerate((*limbs, *raking_claws(attacker)), 2):
        if is_down(fight, attacker) or "dead" in target.conditions:
            return
        try:
            blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, "charge")
        except Refusal as lost:
            yield RuleApplied(who=attacker.id, what=f"no pounce: {lost.reason}", cites=(lost.rule,))
            return
        blow.attack_extra.append(
            fight.modifier("srd35.charge.attack", "attack", kind="circumstance", source="charging")
        )
        blow.cites.append(rule)
        if "rake" in weapon.traits:
            blow.cites.append(fight.rule("srd35.constrict-rake-rend"))
        fight.scope = f"{attacker.id}#{number}"
        yield from fight.dialect.attacks.deliver(fight, blow, f"{fight.declaration}#{number}")
    fight.scope = ""


def charge_dice(fight: Fight, blow: Blow, detail: str) -> Iterator[ExtraDamage]:
    """Yield the dice of a powerful charge, a trait such as "powerful charge 2d6" (srd35.pounce)."""
    if blow.intent.kind == "charge":
        blow.damage.cites += fight.rules("srd35.pounce")
        yield ExtraDamage(detail, blow.weapon.damage_type, "powerful charge")


def awesome_blow(fight: Fight, act: acts.AwesomeBlow) -> Steps[None]:
    """Strike a smaller opponent at -4, to knock it 10 feet away and prone (srd35.feat.awesome-blow).

    The damage is the DC of its Reflex save; an obstacle in the way takes damage, and so does the target.
    """
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = refuse_without(fight, actor, "awesome blow")
    if size_step(target) >= size_step(actor):
        raise Refusal(f"{target.id} is not smaller than {actor.id}", rule)
    if is_a(target, INCORPOREAL):
        raise Refusal(f"{target.id} has no body to strike", rule)
    blow = fight.dialect.attacks.prepare(
        fight, actor, target, find_weapon(fight, actor, act.weapon), "attack"
    )
    blow.attack_extra.append(fight.modifier(AWESOME, "attack", kind="penalty", source="awesome blow"))
    yield spending(fight, actor, "standard", "awesome blow", rule)
    before = target.hp
    if (
        not (yield from fight.dialect.attacks.deliver(fight, blow, fight.declaration))
        or "dead" in target.conditions
    ):
        return
    dc = before - target.hp
    if not (yield from saving_throw(fight, target, "ref", dc, "the awesome blow", rule)):
        yield from fling(fight, actor, target)


def fling(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[None]:
    """Send the target flying in the attacker's chosen direction, and prone; an obstacle stops it and damages
    both.
    """
    rule = fight.rule(AWESOME)
    question = f"which way does {attacker.id} send {target.id} flying?"
    way = yield from choose_way(attacker.id, question, ways_off(fight, attacker, target), rule)
    path: list[tuple[int, int]] = []
    here = target.at
    hit: list[Combatant] | None = None
    over: Square | None = None
    for _ in range(fight.figure(AWESOME, "push_ft") // SQUARE_FT):
        there = (here[0] + way[0], here[1] + way[1])
        in_the_way = occupants(fight, target, there)
        if in_the_way or is_barred(fight, target, here, there):
            hit = in_the_way
            break
        if falls_at(fight, target, here, there):
            over = there
            break
        path.append(there)
        here = there
    if path:
        feet = len(path) * SQUARE_FT
        yield displaced(target, path, f"knocked {feet} ft.", rule)
        yield from fight.dialect.grapple.parted(fight, target)
    if over is not None:
        yield from fall_over(fight, target, over, "awesome blow", rule)
    if hit is not None:
        rolled = yield Roll(attacker.id, "obstacle", fight.figure(AWESOME, "obstacle"))
        for one in (target, *hit):
            harm = Harm(one, rolled.total, "bludgeoning", "the obstacle", attacker, cites=(rule,))
            yield from fight.dialect.damage.suffer(fight, harm)
    if "dead" not in target.conditions:
        yield from falls_prone(target, f"awesome blow of {attacker.id}", (rule,))


def ways_off(fight: Fight, attacker: Combatant, target: Combatant) -> list[Square]:
    """Return the directions that bring a target no closer to the attacker, straight away from it first."""
    away, near = straight_on(attacker.at, attacker, target), distance(attacker, target)
    off = [
        (dx, dy)
        for dx, dy in COMPASS.values()
        if (dx, dy) != away
        and all(
            distance_ft(
                attacker.at, (target.at[0] + n * dx, target.at[1] + n * dy), attacker.space, target.space
            )
            >= near
            for n in range(1, fight.figure(AWESOME, "push_ft") // SQUARE_FT + 1)
        )
    ]
    return [away, *off] if any(away) else off


# --- Common steps of special attacks: the target's attack of opportunity, the opposed check


def refuse_too_big(fight: Fight, attacker: Combatant, target: Combatant, topic: str, limit: str) -> None:
    """Refuse the attacker itself by the rule on `topic`, and a target that is too large by that on the
    `limit`.
    """
    name = topic.split(".")[1].replace("-", " ")
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot {name} itself", fight.rule(topic))
    most = fight.figure(limit, "max_size_difference")
    if size_step(target) - size_step(attacker) > most:
        sizes = counted(most, "size category", "size categories")
        reason = f"{target.id} is more than {sizes} larger than {attacker.id}: too big to {name}"
        raise Refusal(reason, fight.rule(limit))


def beats_opposed(
    fight: Fight,
    name: str,
    mine: Side,
    theirs: Side,
    *cites: str,
    holding: bool = False,
    rolled: Rolled | None = None,
) -> Steps[Contest]:
    """Roll two opposed checks, the initiator's first; the initiator must beat the opponent.

    `rolled` is the initiator's roll if one roll is compared with several.

    A tie is a failure, unless option `opposed_ties` lets the higher modifier win and equal ones roll again,
    as always for grapple checks (`holding`): srd35.check.opposed. Raises EndlessTie.
    """
    stack = fight.dialect.attacks.stack
    one, other = stack(fight, mine.parts), stack(fight, theirs.parts)
    by_modifier = holding or fight.option("opposed_ties") == "higher-modifier"
    on_tie = fight.rule("srd35.grapple.hold-tie" if holding else "srd35.check.opposed")
    reading = "" if holding else f" (opposed_ties: {fight.option('opposed_ties')})"
    again: tuple[str, ...] = ()
    first = rolled or (yield Roll(mine.who.id, name))
    along = () if rolled else (first.key,)

    def judge(_key: str, *faces: int) -> ContestResolved | None:
        total, against = opposed_results(one, other, first, faces)
        tie = by_modifier and total == against
        ahead = one.total - other.total if tie else total - against
        if tie and not ahead:
            return None
        used = (on_tie,) if tie else again
        rules = (*cites, *used, *one.cites, *other.cites)
        return make_contest_fact(name, (mine, one, total), (theirs, other, against), ahead > 0, *rules)

    ties = 0
    while True:
        second = yield Roll(theirs.who.id, name, judge=judge, along=along)
        fact, total = judge(second.key, second.total), first.total + one.total
        if fact is not None:
            break
        ties += 1
        if ties == MOST_TIES:
            raise EndlessTie(mine.who.id, theirs.who.id)
        what = f"a tie at {total} with equal modifiers: both roll again{reading}"
        yield RuleApplied(who=mine.who.id, what=what, cites=(on_tie,))
        again = (on_tie,)
        first = yield Roll(mine.who.id, name)
        along = (first.key,)
    if total == fact.opposed:
        end = "the higher modifier wins" if by_modifier else f"{mine.who.id} has failed"
        what = f"a tie at {total}: {end}{reading}"
        yield RuleApplied(who=mine.who.id, what=what, cites=(on_tie,) if by_modifier else cites[:1])
    yield fact
    yield from use_up_both(mine, theirs)
    return Contest(fact.won, fact.total - fact.opposed)


def strength_of(
    fight: Fight,
    combatant: Combatant,
    topic: str,
    *,
    feat: str = "",
    charging: bool = False,
    whole: bool = True,
) -> Side:
    """Return the Strength check of the attacker that pushes, trips or overruns, by the rule on `topic`.

    Strength and size; with `whole` also the feat's bonus, a charge, conditions and temporary effects.
    """
    rule = fight.rule(topic)
    parts = [
        Modifier(ability(combatant.sheet, "str"), "ability", "Strength", rule),
        *size_part(fight, combatant, topic),
    ]
    parts += lowered(fight, combatant, "str")
    if whole:
        if feat and has_feat(combatant, feat):
            name = f"feat.{feat.replace(' ', '-')}"
            parts.append(fight.modifier(name, "check", kind="feat", source=feat.title()))
        if charging:
            parts.append(
                fight.modifier(
                    "srd35.charge.strength-check-bonus", "bonus", kind="circumstance", source="charging"
                )
            )
        return side_of(fight, combatant, "strength", parts)
    return Side(combatant, parts)


def attack_roll_of(fight: Fight, blow: Blow, topic: str) -> Side:
    """Return the opposed attack roll of a disarm or sunder, by the rule on `topic`.

    The whole attack bonus; a two-handed weapon gives +4, a light or unarmed one -4, and the larger of the two
    gets +4 for each size of difference.
    """
    dialect = fight.dialect
    attacker, weapon = blow.attacker, blow.weapon
    parts = [
        *dialect.attacks.attack_bonus(fight, blow),
        *blow.attack_extra,
        *dialect.attacks.attack_situation(fight, blow),
    ]
    if weapon.wield == "two-handed":
        parts.append(fight.modifier(topic, "two_handed", kind="handling", source="two-handed weapon"))
    elif weapon.wield == "light":
        parts.append(fight.modifier(topic, "light", kind="handling", source="light weapon"))
    elif weapon.wield == "unarmed":
        unarmed = "srd35.disarm.unarmed-light" if topic == "disarm.opposed-rolls" else topic
        figure = "attack" if unarmed != topic else "light"
        parts.append(fight.modifier(unarmed, figure, kind="handling", source="unarmed counts as light"))
    larger = size_step(attacker) - size_step(blow.target)
    if larger > 0:
        per = fight.figure(topic, "larger_per_size")
        parts.append(
            Modifier(per * larger, "size difference", f"larger than {blow.target.id}", fight.rule(topic))
        )
    return Side(attacker, parts)


# --- Bull rush: into the target's space, to push it straight back (srd35.bull-rush.*)

BULL_RUSH_CHECK = "srd35.bull-rush.opposed-strength"


def bull_rush(fight: Fight, act: acts.BullRush) -> Steps[None]:
    """Push an opponent back: a standard action from next to it, or the end of a charge along `path`."""
    actor, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("srd35.bull-rush.action")
    if act.charge:
        kind, charging, feet = refuse_to_charge(fight, actor)
    else:
        kind, charging, feet = "standard", rule, speed(fight, actor)
        refuse_after_step(fight, actor)
        refuse_prone(fight, actor)
    refuse_too_big(fight, actor, target, "srd35.bull-rush.action", "srd35.bull-rush.size-limit")
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("srd35.cond.dead"))
    start = actor.at
    if act.charge:
        cost, _ = refuse_path(fight, actor, act.path, feet, charging)
        refuse_short_or_rough(fight, actor, act.path)
        refuse_hindered_line(fight, actor, target, act.path)
        feet, start = feet - cost, act.path[-1]
        if any(would_be_adjacent(square, actor, target) for square in act.path[:-1]):
            reason = f"the charge must end at the first square next to {target.id}"
            raise Refusal(reason, fight.rule("srd35.charge.closest-space"))
    elif act.path:
        raise Refusal("only a bull rush in a charge has a path", rule)
    if not would_be_adjacent(start, actor, target):
        raise Refusal(f"{actor.id} must be next to {target.id}", rule)
    rush = rush_from(fight, actor, target, start, feet)
    refuse_no_meeting(fight, rush, rule)
    if act.charge:
        yield from begin_charge(fight, actor, target, charging, kind)
        arrived = yield from fight.dialect.movement.walk(fight, actor, act.path, "charge", rule)
        if not arrived or not (yield from is_bull_rush_possible(fight, rush, start)):
            return
    else:
        yield spending(fight, actor, kind, "bull rush", rule)
    enemies = yield from those_before_whom(fight, rush)
    if (yield from enter_space(fight, rush, enemies, f"enters the space of {target.id}", start)):
        yield from push(fight, rush, act.charge)


def rush_from(fight: Fight, attacker: Combatant, target: Combatant, start: Square, feet: int) -> BullRush:
    """Return the bull rush from a place next to the target, with the feet left. Refuses it if there is
    none.
    """
    rule = fight.rule("srd35.bull-rush.enter-space")
    way = straight_on(start, attacker, target)
    rush = BullRush(
        attacker, target, start, way, feet - SQUARE_FT, "srd35.bull-rush.moved-provokes", may_stray
    )
    if not any(way):
        reason = f"{attacker.id} is in the space of {target.id}: no direction leads straight back from there"
        raise Refusal(reason, fight.rule("srd35.bull-rush.push"))
    if obstructed(fight.field, start, rush.into, attacker.space) or feet < SQUARE_FT:
        raise Refusal(f"{attacker.id} cannot enter the space of {target.id}", rule)
    # A big combatant takes up more squares than the target's.
    beside = [one for one in occupants(fight, attacker, rush.into) if one.at != target.at]
    if beside and not fight.dialect.movement.may_stop(fight, attacker, rush.into):
        reason = f"{beside[0].id} is next to {target.id}, in the way of {attacker.id}"
        raise Refusal(reason, rule)
    return rush


def those_before_whom(fight: Fight, rush: BullRush) -> Steps[list[Combatant]]:
    """Return those that may attack a bull rush as it enters: not the target, with Improved Bull Rush."""
    attacker, target = rush.attacker, rush.target
    enemies = threatening(fight, attacker)
    if has_feat(attacker, "improved bull rush"):
        if target in enemies and not is_down(fight, target):
            free = fight.rules("srd35.bull-rush.improved-feat", "srd35.feat.improved-bull-rush")
            what = f"the bull rush does not provoke from {target.id}"
            yield RuleApplied(who=attacker.id, what=what, cites=free)
        enemies = [enemy for enemy in enemies if enemy is not target]
    return enemies


def may_stray(other: Combatant) -> Callable[[Fight, Blow, bool | None, str], Steps[None]]:
    """Return a function that redirects a fourth of the blows at one of the two to the other.

    Option `bull_rush_stray`: the roll counts against the AC of the actual target, or only hits on the
    intended one can go astray (srd35.bull-rush.stray-aoo).
    """

    def redirect(fight: Fight, blow: Blow, hit: bool | None, key: str) -> Steps[None]:
        reading = fight.option("bull_rush_stray")
        if hit is not (None if reading == "ac-of-the-struck" else True):
            return
        percent = fight.figure("srd35.bull-rush.stray-aoo", "stray_percent")

        def judge(_key: str, natural: int, face: int) -> AttackResolved:
            struck = varied(blow, target=other) if face <= percent else blow
            return attack_judged(fight, struck, sum_blow_modifiers(fight, struck), key, natural)

        judges = judge if hit is None and key else None
        rolled = yield Roll(blow.attacker.id, "astray", "1d100", judges, (key,) if judges else ())
        strays = rolled.total <= percent
        where = f"goes astray and strikes at {other.id}" if strays else "does not go astray"
        yield RuleApplied(
            who=blow.attacker.id,
            what=f"the blow {where}: {rolled.total} of {percent} (bull_rush_stray: {reading})",
            cites=fight.rules("srd35.bull-rush.stray-aoo"),
        )
        if strays:
            blow.target = other

    return redirect


def push(fight: Fight, rush: BullRush, charging: bool) -> Steps[None]:
    """Oppose Strength; push the loser back 5 feet and more, or go back to the former place."""
    attacker, target = rush.attacker, rush.target
    feat = fight.rules("srd35.feat.improved-bull-rush") if has_feat(attacker, "improved bull rush") else ()
    bonus = fight.rules("srd35.charge.strength-check-bonus") if charging else ()
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from beats_opposed(
        fight,
        "bull rush",
        strength_of(fight, attacker, BULL_RUSH_CHECK, feat="improved bull rush", charging=charging),
        footing_of(fight, target, BULL_RUSH_CHECK, nimble=False),
        fight.rule(BULL_RUSH_CHECK),
        *feat,
        *bonus,
    )
    extra, per = (fight.figure("srd35.bull-rush.push-extra", name) for name in ("extra_ft", "per_margin"))
    figures = PushFigures(int(fight.figure("srd35.bull-rush.push", "distance_ft")), extra, per)
    yield from push_back(fight, rush, contest, figures)


# --- Overrun: past or over an opponent during a move (srd35.overrun.*)

OVERRUN_CHECK = "srd35.overrun.opposed-check"


def overrun(fight: Fight, act: acts.Overrun) -> Steps[None]:
    """Plow through an opponent's square: a standard action during the move, or part of a charge.

    The path leads up to the target, through its space and out again, within one's speed (or a charge's).
    """
    declarer, target = fight.combatant(act.actor), fight.combatant(act.target)
    # A rider's mount does the running, and a mounted opponent is met in its mount's space.
    actor, target = mount_of(fight, declarer) or declarer, mount_of(fight, target) or target
    rule = fight.rule("srd35.overrun.action")
    if actor.spent.get("overrun", 0) >= fight.figure("srd35.overrun.once-per-round", "per_round"):
        raise Refusal(
            f"{actor.id} has tried to overrun this round", fight.rule("srd35.overrun.once-per-round")
        )
    if act.charge:
        kind, moving, feet = refuse_to_charge(fight, actor)
        if leader(fight, actor) is not actor:
            refuse_unless_allowed(fight, leader(fight, actor), "standard")
    else:
        kind, moving, feet = "move", fight.rule("srd35.move-action.move"), speed(fight, actor)
        refuse_standard_in_move(fight, actor)
    if leader(fight, actor) is not actor:
        refuse_ride_on(fight, leader(fight, actor), actor, len(act.path), act.charge)
    refuse_too_big(fight, actor, target, "srd35.overrun.action", "srd35.overrun.size-limit")
    if target.side == actor.side or is_helpless(fight, target) or "dead" in target.conditions:
        raise Refusal(f"{target.id} does not bar the way", rule)
    refuse_path(fight, actor, act.path, feet, moving, through=target)
    place = next((n for n, at in enumerate(act.path) if target in occupants(fight, actor, at)), None)
    if place is None:
        raise Refusal(f"the path does not lead through {target.id}", fight.rule("srd35.pass.overrun"))
    if act.charge:
        refuse_charging_over(fight, actor, target, act.path)
        yield from begin_charge(fight, actor, target, moving, kind)
        if leader(fight, actor) is not actor:
            yield from lower_riders_guard(fight, leader(fight, actor), target)
    else:
        yield ActionSpent(who=actor.id, kind=kind, what="move", cites=(moving,))
    how = "charge" if act.charge else "normal"
    legal = last_stop(fight, actor, (actor.at, *act.path[:place]))
    walk = fight.dialect.movement.walk
    if place and not (yield from walk(fight, actor, act.path[:place], how, moving, onward=True)):
        return
    if is_down(fight, target) or target not in occupants(fight, actor, act.path[place]):
        yield from walk(fight, actor, act.path[place:], how, moving, legal=legal)
        return
    if (yield from go_over(fight, actor, target, act.path[place], act.charge, legal)):
        on, rule = act.path[place + 1 :], fight.rule("srd35.overrun.success-continue")
        yield from walk(fight, actor, on, how, moving, rule, legal=legal)


def refuse_standard_in_move(fight: Fight, combatant: Combatant) -> None:
    """Refuse a combatant without both a move and a standard action left, or that cannot walk.

    A mount makes the move, and its rider attempts the overrun.
    """
    refuse_unless_allowed(fight, leader(fight, combatant), "standard")
    refuse_unless_allowed(fight, combatant, "move")
    allowed = fight.dialect.turns.allowance(fight, combatant)
    used = combatant.spent.get("standard", 0) + combatant.spent.get("move", 0)
    both = leader(fight, combatant) is combatant and fight.readied != combatant.id
    if both and used + 2 > allowed.total:
        raise Refusal(
            f"{combatant.id} needs a move and a standard action", fight.rule("srd35.overrun.action")
        )
    refuse_after_step(fight, combatant)
    refuse_prone(fight, combatant)


def refuse_charging_over(
    fight: Fight, attacker: Combatant, target: Combatant, path: tuple[Square, ...]
) -> None:
    """Refuse a crooked or hindered charge; option `overrun_on_charge` may forbid it entirely."""
    rule = fight.rule("srd35.charge.line-test")
    if fight.option("overrun_on_charge") == "forbidden":
        raise Refusal(f"{target.id} is in the line of the charge (overrun_on_charge: forbidden)", rule)
    refuse_crooked(attacker, path, rule)
    refuse_short_or_rough(fight, attacker, path)
    refuse_hindered_line(fight, attacker, target, path)


def go_over(
    fight: Fight, attacker: Combatant, target: Combatant, into: Square, charging: bool, legal: Square
) -> Steps[bool]:
    """Enter the defender's space and resolve its response; return whether the path is free.

    A mover that is stopped there goes back to `legal`, the last place of its path where it may stay.

    The defender may attack first, then avoid or block; a blocker that loses falls prone, one that wins may
    knock down the attacker, which goes back 5 feet in any case.
    """
    came_from = attacker.at
    rule = fight.rule("srd35.overrun.action")
    yield ActionSpent(
        who=attacker.id, kind="overrun", what="overrun", cites=fight.rules("srd35.overrun.once-per-round")
    )
    if threatens(fight, target, attacker):
        opportunity = f"overrun:{fight.declaration}"
        reason = f"enters the space of {target.id}"
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, [target], reason, opportunity, fight.rule("srd35.overrun.aoo")
        )
        if halted(fight, attacker, came_from):
            yield from report_halt(fight, attacker, "overrun")
            yield from fight.dialect.movement.step_aside(fight, attacker, legal)
            return False
    yield stepped(attacker, into, "overrun", *fight.rules("srd35.pass.overrun", "srd35.overrun.action"))
    yield from fight.dialect.movement.after_movement(fight, attacker)
    if halted(fight, attacker, into):
        yield from report_halt(fight, attacker, "overrun")
        yield from fight.dialect.movement.step_aside(fight, attacker, legal)
        return False
    if target not in occupants(fight, attacker, into):
        return True  # it has left the path by now
    if (yield from avoids(fight, attacker, target)):
        free = fight.rules(
            "srd35.overrun.avoid",
            "srd35.overrun.avoid-charge" if charging else "srd35.overrun.avoid-no-action",
        )
        yield RuleApplied(who=target.id, what=f"lets {attacker.id} by", cites=free)
        return True
    if not charging or leader(fight, attacker) is not attacker:
        yield ActionSpent(who=leader(fight, attacker).id, kind="standard", what="overrun", cites=(rule,))
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from oppose(fight, attacker, target, charging)
    if contest.won:
        cites = fight.rules("srd35.overrun.win")
        yield from falls_prone(target, f"overrun by {attacker.id}", cites)
        yield from trample_by_mount(fight, attacker, target)
        return True
    felled = "knocked down in its overrun" if (yield from knock_back(fight, target, attacker)) else ""
    topic = "srd35.overrun.fail-prone" if felled else "srd35.overrun.fail-standing"
    back, cites = int(fight.figure(topic, "distance_ft")), fight.rules(topic)
    yield from step_back(fight, attacker, came_from, back, "thrown back", *cites, felled=felled)
    return False


def avoids(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Ask whether the defender steps aside, which Improved Overrun or a rider's Trample does not allow."""
    rider = leader(fight, attacker)
    if rider is not attacker and has_feat(rider, "trample"):
        cites = fight.rules("srd35.overrun.trample", "srd35.feat.trample")
        yield RuleApplied(who=target.id, what=f"may not avoid {attacker.id}", cites=cites)
        return False
    if rider is not attacker and has_feat(rider, "improved overrun"):
        cites = fight.rules("srd35.overrun.improved", "srd35.feat.improved-overrun")
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    if has_feat(attacker, "improved overrun"):
        cites = fight.rules("srd35.overrun.improved", "srd35.feat.improved-overrun")
        yield RuleApplied(who=target.id, what="may not avoid the overrun", cites=cites)
        return False
    question = f"{attacker.id} overruns {target.id}: does {target.id} block or avoid?"
    answer = yield Choice(
        target.id, "overrun", question, ("block", "avoid"), fight.rule("srd35.overrun.avoid")
    )
    return bool(answer == "avoid")


def oppose(fight: Fight, attacker: Combatant, target: Combatant, charging: bool) -> Steps[Contest]:
    """Oppose Strength with the defender's Strength or Dexterity."""
    rider = leader(fight, attacker)
    feat = fight.rules("srd35.feat.improved-overrun") if has_feat(rider, "improved overrun") else ()
    rush = fight.rules("srd35.charge.strength-check-bonus") if charging else ()
    mounted = fight.rules("srd35.overrun.mounted") if rider is not attacker else ()
    mine = strength_of(fight, attacker, OVERRUN_CHECK, feat="improved overrun", charging=charging)
    if rider is not attacker and has_feat(rider, "improved overrun"):
        topic, source = "srd35.feat.improved-overrun", "Improved Overrun"
        mine.parts.append(fight.modifier(topic, "check", kind="feat", source=source))
    return (
        yield from beats_opposed(
            fight,
            "overrun",
            mine,
            footing_of(fight, target, OVERRUN_CHECK),
            fight.rule(OVERRUN_CHECK),
            *feat,
            *rush,
            *mounted,
        )
    )


def knock_back(fight: Fight, attacker: Combatant, target: Combatant) -> Steps[bool]:
    """Let the defender try to knock the attacker down, by Strength and size only; return whether it did."""
    rule = fight.rule("srd35.overrun.lose-counter")
    if cannot_act(fight, attacker):
        return False
    question = f"{attacker.id} held its ground: does it try to knock {target.id} prone?"
    if (yield Choice(attacker.id, "counter-overrun", question, ("try", "decline"), rule)) != "try":
        return False
    contest = yield from beats_opposed(
        fight,
        "counter-overrun",
        strength_of(fight, attacker, OVERRUN_CHECK, whole=False),
        footing_of(fight, target, OVERRUN_CHECK, whole=False),
        rule,
    )
    return contest.won


# --- The touch of a trip or a grab, and its effects (srd35.ac.touch, srd35.cast.hold-charge)


def touch_attack(fight: Fight, blow: Blow, *cites: str) -> Steps[bool]:
    """Make a melee touch attack without damage; return whether it hits (srd35.ac.touch).

    With the bare hand it discharges a held spell; a target killed by that is not hit
    (srd35.cast.hold-charge).
    """
    touching = yield from touch(fight, blow, *cites)
    if touching is None:
        return False
    yield from discharge_by_strike(fight, touching, True)
    return "dead" not in touching.target.conditions


# --- Trip: a touch, an opposed check, and the target or the tripper falls prone


def plan_trip(
    fight: Fight, attacker: Combatant, target: Combatant, weapon: str, item: str, kind: str
) -> Attempt:
    """Return the attempt to trip. Refuses a target that is too big, out of reach or down already."""
    refuse_too_big(fight, attacker, target, "srd35.trip.attack", "srd35.trip.size-limit")
    shared_natural_weapons.refuse_hold(fight, attacker, target, "trip")
    if "prone" in target.conditions:
        raise Refusal(f"{target.id} is prone already", fight.rule("srd35.trip.prone"))
    with_ = tripping_weapon(fight, attacker, weapon, trips, "srd35.trip.weapon")
    if thrown_trip(with_):
        blow = fight.dialect.attacks.prepare(fight, attacker, target, with_, kind, thrown=True)
    else:
        blow = melee_attempt(fight, attacker, target, with_, kind, fight.rule("srd35.trip.touch"))
    return Attempt(blow, name=fight.declaration)


def thrown_trip(weapon: Weapon) -> bool:
    """Return whether a weapon trips at range, where the target cannot trip in return: bolas."""
    return "ranged trip" in weapon.traits


def trips(weapon: Weapon) -> bool:
    """Return whether a weapon trips, close by or at range."""
    return can_trip(weapon) or thrown_trip(weapon)


def carry_out_trip(fight: Fight, attempt: Attempt) -> Steps[bool]:
    """Touch, then oppose Strength with Strength or Dexterity; the loser may be tripped in return.

    A win knocks the target prone; with Improved Trip a blow follows at once.
    """
    blow = attempt.blow
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if not (yield from still_possible(fight, attempt)):
        return False
    armed = weapon.wield != "unarmed"
    if not armed and not has_feat(attacker, "improved trip") and not is_armed(attacker, weapon):
        opening = yield from provoke_from_target(
            fight,
            attempt,
            "trips unarmed",
            f"trip:{attempt.name}",
            fight.rule("srd35.trip.touch"),
            *fight.dialect.turns.table_rules(fight, "varies", "Trip an opponent"),
        )
        if not opening.goes_on:
            return False
    if thrown_trip(weapon):
        before = footing(fight, attacker, target)
        shot, rule = f"shot:{attempt.name}", fight.rule("srd35.attack-action.ranged")
        yield from fight.dialect.opportunity.provoke(
            fight, attacker, threatening(fight, attacker), "throws while threatened", shot, rule
        )
        if not (yield from is_attempt_possible(fight, before, attempt)):
            return False
    if "prone" in target.conditions:
        lies = Refusal(f"{target.id} is prone already", fight.rule("srd35.trip.prone"))
        yield attack_is_lost(attacker, lies, "the attempt")
        return False
    practised = has_feat(attacker, "improved trip")
    bare = ("srd35.trip.touch", "srd35.trip.no-aoo") if practised else ("srd35.trip.touch",)
    by = ("srd35.trip.weapon", "srd35.trip.no-aoo") if armed else bare
    if fight.state.things_lie and thrown_trip(weapon) and weapon.ammunition is not None:
        cites = fight.rules("weapon.ammunition")
        yield ResourceSpent(who=attacker.id, resource=weapon.name, amount=1, cites=cites)
    touched = yield from touch_attack(fight, blow, *fight.rules(*by))
    if thrown_trip(weapon):
        yield from leave_hand(fight, blow, touched)
    if not touched:
        return False
    feat = fight.rules("srd35.feat.improved-trip") if has_feat(attacker, "improved trip") else ()
    contest = yield from beats_opposed(
        fight,
        "trip",
        strength_of(fight, attacker, "srd35.trip.opposed-check", feat="improved trip"),
        fight.dialect.maneuvers.tripped_footing(fight, target, "srd35.trip.opposed-check", True),
        fight.rule("srd35.trip.opposed-check"),
        *feat,
    )
    if contest.won:
        cites = fight.rules("srd35.trip.opposed-check", "srd35.trip.prone")
        yield ConditionGained(
            who=target.id, condition="prone", source=f"tripped by {attacker.id}", cites=cites
        )
        yield from follow_up(fight, attempt)
        return True
    if thrown_trip(weapon):
        cites = fight.rules("srd35.weapons.table-exotic-ranged")
        yield RuleApplied(who=target.id, what=f"cannot trip in return over the {weapon.name}", cites=cites)
    else:
        yield from trip_back(fight, target, attacker, weapon)
    return False


def trip_back(fight: Fight, attacker: Combatant, target: Combatant, weapon: Weapon) -> Steps[None]:
    """Let a target that kept its feet try to trip the tripper, which may drop the weapon instead of falling.

    A tripper that is prone already cannot be tripped. Which modifiers count is contested: option
    `trip_counter_modifiers` (srd35.trip.counter).
    """
    rule = fight.rule("srd35.trip.counter")
    if cannot_act(fight, attacker) or "prone" in target.conditions:
        return
    question = (
        f"{target.id} failed to trip {attacker.id}: does {attacker.id} try to trip {target.id} in return?"
    )
    if (yield Choice(attacker.id, "counter-trip", question, ("try", "decline"), rule)) != "try":
        return
    whole = fight.option("trip_counter_modifiers") == "full"
    as_in = fight.rule("srd35.trip.opposed-check" if whole else "srd35.overrun.lose-counter")
    contest = yield from beats_opposed(
        fight,
        "counter-trip",
        strength_of(fight, attacker, "srd35.trip.opposed-check", whole=whole),
        fight.dialect.maneuvers.tripped_footing(fight, target, "srd35.trip.opposed-check", whole),
        rule,
        as_in,
    )
    if not contest.won:
        return
    if (yield from drops_to_stay_up(fight, target, weapon, fight.rule("srd35.trip.weapon-drop"))):
        return
    cites = (rule, fight.rule("srd35.trip.prone"))
    yield ConditionGained(who=target.id, condition="prone", source=f"tripped by {attacker.id}", cites=cites)


def follow_up(fight: Fight, attempt: Attempt) -> Steps[None]:
    """Attack the tripped target, as if the trip had cost no attack; not in a Whirlwind Attack.

    srd35.feat.improved-trip, srd35.feat.whirlwind-attack.
    """
    attacker, target = attempt.blow.attacker, attempt.blow.target
    if attempt.blow.intent.kind == WHIRLWIND:
        return
    ready = fight.dialect.opportunity.weapons_at(fight, attacker, target)
    if not has_feat(attacker, "improved trip") or not ready:
        return
    rule = fight.rule("srd35.feat.improved-trip")
    question = f"with which weapon does {attacker.id} strike at {target.id}?"
    weapon = yield from choose_weapon(attacker.id, question, ready, rule)
    blow = fight.dialect.attacks.prepare(fight, attacker, target, weapon, attempt.blow.intent.kind)
    blow.attack_extra.extend(attempt.blow.attack_extra)
    blow.cites.append(rule)
    yield from fight.dialect.attacks.deliver(fight, blow, f"{attempt.name}#follow-up")


TRIP = Substitute(plan_trip, carry_out_trip, declared=("srd35.trip.attack", "srd35.aoo.substitutes"))


# --- Rending a target that a full attack has hit often enough (srd35.constrict-rake-rend)


def count_hits(combatant: Combatant, steps: Steps[None]) -> Steps[Counter[tuple[str, str]]]:
    """Run the steps of an attack; return how often each weapon of the attacker has damaged each target."""
    hits: Counter[tuple[str, str]] = Counter()

    def count(step: object) -> None:
        if isinstance(step, DamageResolved) and step.attacker == combatant.id:
            hits[step.target, step.weapon] += 1

    yield from observed(steps, count)
    return hits


def rending(fight: Fight, combatant: Combatant, steps: Steps[None]) -> Steps[None]:
    """Run the steps of a full attack, and rend a target that it has hit often enough."""
    hits = yield from count_hits(combatant, steps)
    yield from rend(fight, combatant, hits)


def rend(fight: Fight, combatant: Combatant, hits: Counter[tuple[str, str]]) -> Steps[None]:
    """Rend a target that two or more blows of a rending weapon have hit, once (srd35.constrict-rake-rend)."""
    dice = trait_detail(combatant, "rend")
    tearing = {weapon.name for weapon in natural_weapons(combatant) if "rends" in weapon.traits}
    for (id, name), number in hits.items():
        target = fight.state.combatants[id]
        if dice and name in tearing and number > 1 and "dead" not in target.conditions:
            yield from tear(fight, combatant, target, dice)
            return
