"""What those who hold, and are held, can do: drag, squeeze, throw, get free (woa.grab.*)."""

from collections.abc import Callable, Sequence
from typing import Any

from affray.engine.dialects.woa.clutch import (
    GRABBED,
    GRABBING,
    hands_on,
    held_by,
    holding,
    larger,
    let_go,
)
from affray.engine.dialects.woa.clutch_modifiers import HANDS, divisor, free_hands
from affray.engine.dialects.woa.grapple_casting import onward
from affray.engine.dialects.woa.movement import refuse_after_step, refuse_lying, speed, walk
from affray.engine.dialects.woa.tables import table_modifier
from affray.engine.fight import Fight
from affray.engine.grid.distance import path_cost
from affray.engine.rules.abilities import ability
from affray.engine.rules.blow import Blow
from affray.engine.rules.budget import check_turn, refuse_unless_allowed, spending
from affray.engine.rules.checks import skill_parts
from affray.engine.rules.conditions import condition_parts, effect_parts, is_down, is_helpless, powerless
from affray.engine.rules.contest import Side
from affray.engine.rules.features import roll_parts
from affray.engine.rules.movement import SQUARE_FT, refuse_path
from affray.engine.rules.place import occupants
from affray.engine.rules.scores import lowered
from affray.engine.rules.weapons import natural_weapons, unarmed
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import (
    ConditionGained,
    ConditionLost,
    ContestResolved,
    EffectGained,
    Moved,
    Until,
)
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.facts.rolled import Rolled
from affray.projections.state import Combatant

Square = tuple[int, int]
#: The passing effect on a holder whom its victim has struck: a penalty to hold on.
GRIP = "grip"
#: What has its own rule in a check to get free, by the kind of modifier.
TELLING = ("hand", "both hands", GRIP)


def strength(fight: Fight, who: Combatant, topic: str) -> Side:
    """Return a Strength check, with what conditions, holds and feats do to it."""
    parts = [Modifier(ability(who.sheet, "str"), "ability", "Strength", fight.rule(topic))]
    parts += lowered(fight, who, "str")
    parts += [*condition_parts(fight, who, "check"), *effect_parts(who, "check", "")]
    return Side(who, parts + roll_parts(fight, who, "check", "strength"))


def opposed(
    fight: Fight, name: str, mine: Side, theirs: Side, *cites: str, rolled: Rolled | None = None
) -> Steps[int]:
    """Roll two opposed checks, the initiator's first; return by how much it beats the other's.

    0 or less is no success: it must beat, not equal. `rolled` is a roll that is compared with several.
    """
    stack = fight.dialect.points.stack
    one, other = stack(fight, mine.parts), stack(fight, theirs.parts)
    first = rolled if rolled is not None else (yield Roll(mine.who.id, name))
    second = yield Roll(theirs.who.id, name)
    total, against = first.total + one.total, second.total + other.total
    yield ContestResolved(
        who=mine.who.id,
        against=theirs.who.id,
        contest=name,
        total=total,
        opposed=against,
        won=total > against,
        parts=one.parts,
        opposed_parts=other.parts,
        cites=tuple(dict.fromkeys(cites)),
    )
    return int(total - against)


def strongest(fight: Fight, among: Sequence[Combatant]) -> Combatant:
    """Return the strongest of several combatants, the first of equals."""
    return max(among, key=lambda one: ability(one.sheet, "str"))


# Getting out of a grab


def escape_kind(act: acts.Grab) -> str:
    """Return the topic of the way in which somebody gets free: of one, or of several at once."""
    return "grab.escape-many" if len(act.targets) > 1 else "grab.escape-one"


def escape(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Try to get out of the grasp of one, as a move action, or of several, as a full-round action.

    One check against each holder's own, which it must beat (woa.grab.escape-one, .escape-many).
    """
    who = fight.combatant(act.actor)
    topic = escape_kind(act)
    rule = fight.rule(topic)
    holders = [fight.combatant(id) for id in act.targets or (act.target,)]
    for one in holders:
        if one not in held_by(fight, who):
            raise Refusal(f"{one.id} does not hold {who.id}", rule)
    kind = str(fight.figure(topic, "action"))
    refuse_unless_allowed(fight, who, kind)
    if kind == "full-round":
        yield ActionSpent(who=who.id, kind=kind, what="get free", cites=(rule,))
    else:
        yield spending(fight, who, kind, "get free", rule)
    rolled: Rolled | None = None
    for number, one in enumerate(holders):
        if one not in held_by(fight, who):
            continue
        mine = escaping(fight, who, act.skill, topic, helped=not number)
        theirs = gripping(fight, one, who, topic)
        if rolled is None:
            rolled = yield Roll(who.id, "escape")
        cites = [rule, *(part.rule for part in (*mine.parts, *theirs.parts) if part.kind in TELLING)]
        if act.skill:
            cites.append(fight.rule("maneuver.grab.escape-with-escape-artist"))
        beaten = yield from opposed(fight, "escape", mine, theirs, *cites, rolled=rolled)
        if beaten > 0:
            yield from let_go(fight, one, who, "gets free", rule)


def escaping(fight: Fight, who: Combatant, skill: bool, topic: str, helped: bool) -> Side:
    """Return the check of who tries to get free: Strength or Escape Artist, helped by a free hand.

    The hand helps against one holder only (woa.grab.escape-free-hand,
    woa.maneuver.grab.escape-with-escape-artist).
    """
    if skill:
        rule = fight.rule("maneuver.grab.escape-with-escape-artist")
        parts = skill_parts(fight, who, "escape artist", "dex", rule)
        parts += roll_parts(fight, who, "check", "escape artist")
        return Side(who, parts)
    mine = strength(fight, who, topic)
    if helped and free_hands(fight, who):
        mine.parts.append(
            fight.modifier("grab.escape-free-hand", "bonus", kind="hand", source="a hand to pry with")
        )
    return mine


def gripping(fight: Fight, who: Combatant, victim: Combatant, topic: str) -> Side:
    """Return the check with which a holder keeps its hold: both hands help, blows taken do not.

    woa.grab.escape-both-hands, woa.grab.escape-strike
    """
    side = strength(fight, who, topic)
    if hands_on(who, victim.id) >= HANDS:
        side.parts += table_modifier(
            fight, "grab.escape-both-hands", "check=hold", "bonus", kind="both hands", source="both hands"
        )
    side.parts += effect_parts(who, GRIP, victim.id)
    return side


def struck(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """After a hit at whoever holds the attacker, weaken its grip for this round and the next.

    woa.grab.escape-strike
    """
    who, holder = blow.attacker, blow.target
    if GRABBED not in who.conditions or holder not in held_by(fight, who):
        return
    hurt = before[0] + before[2] - holder.hp - holder.temporary
    if hurt <= 0:
        return
    rule = fight.rule("grab.escape-strike")
    yield EffectGained(
        who=holder.id,
        id=f"{fight.declaration}:{GRIP}:{who.id}:{len(holder.effects)}",
        stat=GRIP,
        modifier=Modifier(-hurt, "grip", f"struck by {who.id}", rule),
        until=Until("round-end", "", fight.state.round + 1),
        against=who.id,
        cites=(rule,),
    )


def release(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Let go of somebody: a free action (woa.grab.release)."""
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    rule = fight.rule("grab.release")
    check_turn(fight, who)
    if target not in holding(fight, who):
        raise Refusal(f"{who.id} does not hold {target.id}", rule)
    kind = str(fight.figure("grab.release", "action"))
    yield ActionSpent(who=who.id, kind=kind, what="let go", cites=(rule,))
    yield from let_go(fight, who, target, "lets go", rule)


def loosen_the_fallen(fight: Fight) -> Steps[None]:
    """At a round's end, end the holds of those who are out of the fight (woa.grab.success)."""
    for who in list(fight.state.combatants.values()):
        if GRABBING in who.conditions and is_down(fight, who):
            for target in holding(fight, who):
                yield from let_go(fight, who, target, f"{who.id} is down", fight.rule("grab.success"))


# Squeezing and throwing


def squeeze(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Crush everybody smaller whom one holds, as a standard action (woa.grab.squeeze, .squeeze-optional)."""
    who = fight.combatant(act.actor)
    topic = "grab.squeeze"
    rule = fight.rule(topic)
    kind = str(fight.figure(topic, "action"))
    refuse_unless_allowed(fight, who, kind)
    held = [one for one in holding(fight, who) if larger(who, one) >= 1]
    if not held:
        raise Refusal(f"{who.id} holds nobody smaller than itself", rule)
    yield spending(fight, who, kind, "squeeze", rule)
    weapon = unarmed(fight, who)
    if who.sheet.kind != "humanoid" and natural_weapons(who):
        weapon = natural_weapons(who)[0]
    for one in held:
        mine, theirs = strength(fight, who, topic), strength(fight, one, topic)
        beaten = yield from opposed(fight, "squeeze", mine, theirs, rule)
        if beaten < fight.figure(topic, "beat_by"):
            continue
        nonlethal = weapon.wield == "unarmed" or "nonlethal" in weapon.traits
        yield from fight.dialect.points.damage(
            fight, Blow(who, one, weapon, True, 0, "squeeze", nonlethal=nonlethal), False
        )
        optional = fight.rule("grab.squeeze-optional")
        question = f"{who.id} squeezes {one.id}: does anything else come of it?"
        answer = yield Choice("", "squeeze", question, ("nothing more", "suffocation"), optional)
        if answer == "suffocation" and "suffocating" not in one.conditions:
            yield ConditionGained(who=one.id, condition="suffocating", source=who.id, cites=(optional,))


def throw_kind(fight: Fight) -> str:
    """Return the action that a throw takes (option `throw_grabbed`)."""
    return "full-round" if fight.option("throw_grabbed") == "full-round-action" else "standard"


def throw(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Throw somebody whom one holds: by 10 it flies, by less it is held on, else the grip is lost.

    Size counts, and both hands; the helpless cannot resist (woa.grab.throw, .throw-helpless; option
    `throw_grabbed`).
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    topic = "grab.throw"
    rule = fight.rule(topic)
    kind = throw_kind(fight)
    refuse_unless_allowed(fight, who, kind)
    if target not in holding(fight, who):
        raise Refusal(f"{who.id} does not hold {target.id}", rule)
    if not fight.field.passable(act.at, target.space) or occupants(fight, target, act.at):
        raise Refusal(f"{target.id} cannot land at {act.at[0]},{act.at[1]}", rule)
    reading = f"throw (throw_grabbed: {fight.option('throw_grabbed')})"
    yield ActionSpent(who=who.id, kind=kind, what=reading, cites=(rule,))
    if is_helpless(fight, target):
        what = f"{target.id} is helpless and flies without a check"
        yield RuleApplied(who=who.id, what=what, cites=fight.rules("grab.throw-helpless"))
        yield from fly(fight, who, target, act.at)
        return
    mine = throwing(fight, who, target, topic)
    beaten = yield from opposed(fight, "throw", mine, throwing(fight, target, who, topic), rule)
    if beaten >= fight.figure(topic, "thrown_margin"):
        yield from fly(fight, who, target, act.at)
    elif beaten > 0:
        yield RuleApplied(who=who.id, what=f"holds {target.id} still, unthrown", cites=(rule,))
    else:
        yield from let_go(fight, who, target, "loses its grip", rule)


def throwing(fight: Fight, who: Combatant, other: Combatant, topic: str) -> Side:
    """Return a Strength check for a throw: the larger one counts its size, the holder both hands."""
    side = strength(fight, who, topic)
    steps = larger(who, other)
    if steps > 0:
        size = "maneuver.size-modifier"
        per = fight.figure(size, "per_category_attacker_larger")
        side.parts.append(Modifier(per * steps, "size", f"{steps} larger than {other.id}", fight.rule(size)))
    if hands_on(who, other.id) >= HANDS:
        side.parts += table_modifier(
            fight, "grab.escape-both-hands", "check=throw", "bonus", kind="both hands", source="both hands"
        )
    return side


def fly(fight: Fight, who: Combatant, target: Combatant, at: Square) -> Steps[None]:
    """Let somebody go through the air to a square."""
    rule = fight.rule("grab.throw")
    yield from let_go(fight, who, target, "thrown", rule)
    yield Moved(who=target.id, start=target.at, path=(at,), feet=0, diagonals=0, how="thrown", cites=(rule,))


# Moving while holding or held


def hauling(resolver: Callable[[Fight, Any], Steps[None]]) -> Callable[[Fight, Any], Steps[None]]:
    """Return a movement in which who is held must get past those who stop it, and drags them along.

    woa.grab.restricted-movement, .actively-stop, .drag-attackers, .encumbrance
    """

    def go(fight: Fight, act: Any) -> Steps[None]:
        steps = resolver(fight, act)
        who = fight.state.combatants.get(act.actor)
        if who is None or GRABBED not in who.conditions:
            yield from steps
            return
        yield next(steps)
        holders = held_by(fight, who)
        slower = divisor(fight, who)
        if slower > 1:
            reading = f"grabbed_speed: {fight.option('grabbed_speed')}"
            told = f"held by {len(holders)}: speed divided by {slower} ({reading})"
            yield RuleApplied(who=who.id, what=told, cites=fight.rules("grab.restricted-movement"))
        if not (yield from gets_past(fight, who, holders)):
            steps.close()
            return
        start = who.at
        step = next(steps, None)
        if step is not None:
            yield from onward(steps, step)
        yield from bring_along(fight, who, start, holders, "grab.drag-attackers")

    return go


def gets_past(fight: Fight, who: Combatant, holders: Sequence[Combatant]) -> Steps[bool]:
    """Let holders give up their move action to stop a victim; it must beat the strongest of them.

    woa.grab.actively-stop
    """
    topic = "grab.actively-stop"
    rule = fight.rule(topic)
    stopping = []
    for one in holders:
        allowed = fight.dialect.points.allowance(fight, one)
        used = one.spent.get("standard", 0) + one.spent.get("move", 0)
        if powerless(fight, one) or one.spent.get("full-round") or used >= allowed.total:
            continue
        question = f"{who.id} moves off: does {one.id} give up its move action to stop it?"
        if (yield Choice(one.id, "stop", question, ("stop", "let"), rule)) == "stop":
            kind = str(fight.figure(topic, "grabber_cost")).split()[0]
            yield ActionSpent(who=one.id, kind=kind, what=f"stop {who.id}", cites=(rule,))
            stopping.append(one)
    if not stopping:
        return True
    mine, theirs = strength(fight, who, topic), strength(fight, strongest(fight, stopping), topic)
    beaten = yield from opposed(fight, "pull", mine, theirs, rule)
    return beaten > 0


def bring_along(
    fight: Fight, who: Combatant, start: Square, others: Sequence[Combatant], topic: str
) -> Steps[None]:
    """Move those who hold, or are held, as far as the mover has gone."""
    way = (who.at[0] - start[0], who.at[1] - start[1])
    for one in others:
        if way == (0, 0):
            return
        there = (one.at[0] + way[0], one.at[1] + way[1])
        if not fight.field.passable(there, one.space):
            there = who.at
        yield Moved(
            who=one.id,
            start=one.at,
            path=(there,),
            feet=0,
            diagonals=0,
            how="dragged",
            cites=fight.rules(topic),
        )


def drag(fight: Fight, act: acts.Grab) -> Steps[None]:
    """Move and drag along whom one holds; against resistance one gets a quarter, half or all of the way.

    woa.grab.drag-opponent, woa.grab.drag-multiple
    """
    who = fight.combatant(act.actor)
    topic = "grab.drag-opponent"
    rule = fight.rule(topic)
    refuse_unless_allowed(fight, who, "move")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    held = holding(fight, who)
    if not held:
        raise Refusal(f"{who.id} holds nobody", rule)
    feet = speed(fight, who)
    refuse_path(fight, who, act.path, feet, rule)
    yield spending(fight, who, "move", "drag", rule)
    yield from weigh(fight, who, held)
    feet = min(feet, speed(fight, who))
    resisting = []
    for one in held:
        if powerless(fight, one):
            continue
        question = f"{who.id} drags {one.id} along: does {one.id} resist?"
        if (yield Choice(one.id, "resist", question, ("resist", "go along"), rule)) == "resist":
            resisting.append(one)
    if resisting:
        cites = fight.rules(topic, *(("grab.drag-multiple",) if len(resisting) > 1 else ()))
        mine, theirs = strength(fight, who, topic), strength(fight, strongest(fight, resisting), topic)
        beaten = yield from opposed(fight, "drag", mine, theirs, *cites)
        feet = dragged(fight, beaten, feet)
        yield RuleApplied(who=who.id, what=f"can drag {feet} ft. of the way", cites=(rule,))
    path = affordable(fight, who, act.path, feet)
    for square in path:
        start = who.at
        there = yield from walk(fight, who, (square,), "drag", rule)
        yield from bring_along(fight, who, start, held, topic)
        if not there:
            break
    yield from unburden(fight, who)


def dragged(fight: Fight, beaten: int, feet: int) -> int:
    """Return how far of its speed somebody drags who has beaten resistance by so much."""
    share = 0
    for row in fight.figure("grab.drag-opponent"):
        if beaten >= row["beat_by"]:
            share = int(row["speed"] * 100)
    return feet * share // 100


def affordable(fight: Fight, who: Combatant, path: Sequence[Square], feet: int) -> tuple[Square, ...]:
    """Return as much of a path as costs no more than so many feet."""
    parity = who.spent.get("diagonals", 0) % 2
    for count in range(len(path), 0, -1):
        cost = path_cost(fight.field, (who.at, *path[:count]), side=who.space, parity=parity)
        if cost.squares * SQUARE_FT <= feet:
            return tuple(path[:count])
    return ()


def weigh(fight: Fight, who: Combatant, others: Sequence[Combatant]) -> Steps[None]:
    """Ask whether smaller ones hang off the mover, whose weight then slows it (woa.grab.encumbrance)."""
    rule = fight.rule("grab.encumbrance")
    for one in others:
        if larger(who, one) < 1 or "weighed down" in who.conditions:
            continue
        question = f"does the weight of {one.id}, off the ground, slow {who.id} down?"
        if (yield Choice("", "weight", question, ("no", "yes"), rule)) == "yes":
            yield ConditionGained(who=who.id, condition="weighed down", source=one.id, cites=(rule,))


def unburden(fight: Fight, who: Combatant) -> Steps[None]:
    """End what the weight of others has cost, once the way is over."""
    if "weighed down" in who.conditions:
        rule = fight.rule("grab.encumbrance")
        yield ConditionLost(who=who.id, condition="weighed down", why="the way is over", cites=(rule,))
