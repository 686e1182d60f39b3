"""Bull rush: into the target's space, to push it straight back (srd35.bull-rush.*)."""

from collections.abc import Callable

from affray.engine.dialects.srd35.maneuvers.opposed_checks import beats_opposed, refuse_too_big, strength_of
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed
from affray.engine.record.blow import Blow, varied
from affray.engine.rules.attacks.attack_roll import attack_judged, sums_of_blow
from affray.engine.rules.attacks.charge import (
    begin_charge,
    refuse_hindered_line,
    refuse_short_or_rough,
    refuse_to_charge,
)
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.maneuvers.bull_rush import (
    drive_back,
    go_back,
    is_hindered,
    still_before,
    straight_on,
    would_be_adjacent,
)
from affray.engine.rules.maneuvers.opposed_checks import footing_of
from affray.engine.rules.movement.displaced import stepped
from affray.engine.rules.movement.movement import (
    refuse_after_step,
    refuse_path,
    refuse_prone,
    speed,
)
from affray.engine.rules.opportunity.threatened_squares import threatening
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import spending
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import RuleApplied
from affray.projections.state import Combatant

CHECK = "srd35.bull-rush.opposed-strength"


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
        raise Refusal(f"{actor.id} must stand next to {target.id}", rule)
    way = straight_on(start, actor, target)
    if not any(way):
        reason = f"{actor.id} stands where {target.id} does: no way leads straight back from there"
        raise Refusal(reason, fight.rule("srd35.bull-rush.push"))
    into = (start[0] + way[0], start[1] + way[1])
    if obstructed(fight.field, start, into, actor.space) or feet < SQUARE_FT:
        raise Refusal(
            f"{actor.id} cannot enter the space of {target.id}", fight.rule("srd35.bull-rush.enter-space")
        )
    # Who is big comes to stand on more squares than the target's.
    beside = [one for one in occupants(fight, actor, into) if one.at != target.at]
    if beside and not fight.dialect.movement.may_stop(fight, actor, into):
        reason = f"{beside[0].id} stands beside {target.id}, in the way of {actor.id}"
        raise Refusal(reason, fight.rule("srd35.bull-rush.enter-space"))
    if act.charge:
        yield from begin_charge(fight, actor, target, charging, kind)
        arrived = yield from fight.dialect.movement.walk(fight, actor, act.path, "charge", rule)
        if not arrived or not (yield from still_before(fight, actor, target, start, into)):
            return
    else:
        yield spending(fight, actor, kind, "bull rush", rule)
    if (yield from enter_space(fight, actor, target, into)):
        yield from push(fight, actor, target, way, start, feet - SQUARE_FT, act.charge)


def enter_space(fight: Fight, attacker: Combatant, target: Combatant, into: Square) -> Steps[bool]:
    """Move into the defender's space, before the eyes of all who threaten; return whether it came so far.

    With Improved Bull Rush the defender gets no attack; those of others may go astray.
    """
    start = attacker.at
    enemies = threatening(fight, attacker)
    cites = fight.rules("srd35.bull-rush.enter-space")
    if has_feat(attacker, "improved bull rush"):
        if target in enemies and not is_down(fight, target):
            free = fight.rules("srd35.bull-rush.improved-feat", "srd35.feat.improved-bull-rush")
            yield RuleApplied(
                who=attacker.id, what=f"the bull rush does not provoke from {target.id}", cites=free
            )
        enemies = [enemy for enemy in enemies if enemy is not target]
    yield from fight.dialect.opportunity.provoke(
        fight,
        attacker,
        enemies,
        f"enters the space of {target.id}",
        f"bull rush:{fight.declaration}",
        *cites,
        redirect=lambda enemy: None if enemy is target else may_stray(target),
    )
    if not (yield from still_before(fight, attacker, target, start, into)):
        return False
    yield stepped(attacker, into, "bull rush", *cites)
    yield from fight.dialect.movement.after_movement(fight, attacker)
    if not (yield from still_before(fight, attacker, target, into, into)):
        yield from fight.dialect.movement.step_aside(fight, attacker, start)
        return False
    return True


def may_stray(other: Combatant) -> Callable[[Fight, Blow, bool | None, str], Steps[None]]:
    """Return what turns a fourth of the blows at one of the two aside to the other.

    Option `bull_rush_stray`: the roll counts against the AC of the target that is struck, or only what hits
    the one it was meant for can go astray (srd35.bull-rush.stray-aoo).
    """

    def redirect(fight: Fight, blow: Blow, hit: bool | None, key: str) -> Steps[None]:
        reading = fight.option("bull_rush_stray")
        if hit is not (None if reading == "ac-of-the-struck" else True):
            return
        percent = fight.figure("srd35.bull-rush.stray-aoo", "stray_percent")

        def judge(_key: str, natural: int, face: int) -> AttackResolved:
            struck = varied(blow, target=other) if face <= percent else blow
            return attack_judged(fight, struck, sums_of_blow(fight, struck), key, natural)

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


def push(
    fight: Fight,
    attacker: Combatant,
    target: Combatant,
    way: Square,
    start: Square,
    left: int,
    charging: bool,
) -> Steps[None]:
    """Oppose Strength; push the loser back 5 feet and more, or go back where one came from.

    Going along, 5 feet more for each 5 points of margin, within the `left` feet of movement.
    """
    feat = fight.rules("srd35.feat.improved-bull-rush") if has_feat(attacker, "improved bull rush") else ()
    rush = fight.rules("srd35.charge.strength-check-bonus") if charging else ()
    yield from fight.dialect.maneuvers.before_contest(fight, attacker, target)
    contest = yield from beats_opposed(
        fight,
        "bull rush",
        strength_of(fight, attacker, CHECK, feat="improved bull rush", charging=charging),
        footing_of(fight, target, CHECK, nimble=False),
        fight.rule(CHECK),
        *feat,
        *rush,
    )
    if not contest.won:
        yield from go_back(fight, attacker, start, SQUARE_FT)
        return
    cites = fight.rules("srd35.bull-rush.push")
    if is_hindered(fight, attacker, target, way):
        yield RuleApplied(who=target.id, what="there is no room to be pushed into", cites=cites)
        yield from go_back(fight, attacker, start, SQUARE_FT)
        return
    feet = int(fight.figure("srd35.bull-rush.push", "distance_ft"))
    extra, per = (fight.figure("srd35.bull-rush.push-extra", name) for name in ("extra_ft", "per_margin"))
    most = min(contest.margin // per * extra, left // SQUARE_FT * SQUARE_FT)
    if most:
        question = f"how many feet does {attacker.id} push {target.id}, going along beyond {feet}?"
        options = tuple(str(feet + more) for more in range(most, -1, -extra))
        chosen = yield Choice(
            attacker.id, "push", question, options, fight.rule("srd35.bull-rush.push-extra")
        )
        feet = int(chosen)
    yield from drive_back(fight, attacker, target, way, feet, expose_to_opportunity)
    # Others who stood where the target did are still there (srd35.special-move.illegal-space).
    yield from fight.dialect.movement.step_aside(fight, attacker, start)


def expose_to_opportunity(fight: Fight, mover: Combatant, other: Combatant, opportunity: str) -> Steps[None]:
    """Let all who threaten the mover strike at it, but for the one it wrestles with."""
    enemies = [enemy for enemy in threatening(fight, mover) if enemy is not other]
    if not enemies:
        return
    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        enemies,
        "is moved by the bull rush",
        opportunity,
        *fight.rules("srd35.bull-rush.moved-provokes"),
        redirect=lambda enemy: may_stray(other),
    )
