"""Movement: moves, defensive disengagement, short steps, running, charging (woa.move.*, woa.short-step.*)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.dialects.woa import instead
from affray.engine.dialects.woa.attack import deliver, prepare
from affray.engine.dialects.woa.conditions import SLOWING
from affray.engine.dialects.woa.opportunity import ENGAGING, Guard, guards, provoke
from affray.engine.dialects.woa.readied import triggered
from affray.engine.fight import Fight
from affray.engine.grid.distance import path_cost
from affray.engine.rules.budget import check_turn, refuse_unless_allowed, spending
from affray.engine.rules.charge import line_squares
from affray.engine.rules.conditions import is_down, is_helpless
from affray.engine.rules.movement import SQUARE_FT, refuse_path
from affray.engine.rules.place import in_band, occupants, sees
from affray.engine.rules.weapons import find_weapon, melee_band, strikes_in_melee, unarmed
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Moved, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

Square = tuple[int, int]
#: What else is to be said where somebody enters an opponent's space.
ENTERING = {"aoo.provoke.entering-space": ("crowd.enter-opponent-space-aoo",)}
HALF_SPEED = {"exhausted": "condition.exhausted", "entangled": "condition.entangled"}


def speed(fight: Fight, who: Combatant) -> int:
    """Return the speed in feet that conditions leave; halves multiply (woa.terrain.difficult.multiply)."""
    feet = listed(who)
    for name, topic in HALF_SPEED.items():
        if name in who.conditions:
            above, below = str(fight.figure(topic, "speed")).split("/")
            feet = feet * int(above) // int(below)
    return feet


def listed(who: Combatant) -> int:
    """Return the listed speed of the mode in which somebody moves: in the air or deep water its own."""
    if "flying" in who.conditions and who.sheet.fly:
        return who.sheet.fly
    if "in water" in who.conditions and who.sheet.swim:
        return who.sheet.swim
    return who.sheet.speed


def walk(
    fight: Fight, who: Combatant, path: Sequence[Square], how: str, *cites: str, spared: Sequence[str] = ()
) -> Steps[bool]:
    """Go along a path already found legal, provoking step by step; return whether the end was reached.

    A mover who drops stays in the square that it was about to leave. Leaving those with an id in `spared`
    does not provoke (woa.aoo.avoid.improved-overrun).
    """
    field = fight.field
    start = here = legal = who.at
    done: list[Square] = []
    awaited = any(one.readied is not None for one in fight.state.combatants.values())

    def so_far() -> Moved:
        whole = (start, *done)
        parity = who.spent.get("diagonals", 0) % 2
        cost = path_cost(field, whole, side=who.space, parity=parity)
        diagonals = sum(1 for a, b in pairwise(whole) if a[0] != b[0] and a[1] != b[1])
        return Moved(
            who=who.id,
            start=start,
            path=tuple(done),
            feet=cost.squares * SQUARE_FT,
            diagonals=diagonals,
            how=how,
            cites=cites,
        )

    for there in path:
        found = guards(fight, who, here, there, how)
        if spared:
            found = yield from spare(fight, who, found, spared)
        anew = [guard for guard in found if guard[2] == ENGAGING]
        found = [guard for guard in found if guard[2] != ENGAGING]
        if found:
            if done:
                yield so_far()
                start, done = here, []
            yield from open_guard(fight, who, found)
            if halted(fight, who, here, how):
                yield from step_aside(fight, who, legal)
                return False
        here = there
        if not occupants(fight, who, here):
            legal = here
        done.append(there)
        if awaited or anew or there == path[-1]:
            yield so_far()
            start, done = here, []
            yield from open_guard(fight, who, anew)
            if not is_down(fight, who):
                yield from fight.dialect.points.arrived(fight, who)
            if halted(fight, who, here, how):
                yield from step_aside(fight, who, legal)
                return False
    return True


def spare(fight: Fight, who: Combatant, found: Sequence[Guard], spared: Sequence[str]) -> Steps[list[Guard]]:
    """Return the openings but for those that leaving the run down would give, which are told."""
    left = []
    for guard in found:
        if guard[0].id in spared and guard[2] == "aoo.provoke.disengaging":
            what = f"gives {guard[0].id}, whom it has overrun, no opening"
            yield RuleApplied(who=who.id, what=what, cites=fight.rules("aoo.avoid.improved-overrun"))
        else:
            left.append(guard)
    return left


def halted(fight: Fight, who: Combatant, here: Square, how: str) -> bool:
    """Say whether a mover can go no further: down, no longer where it was, or prone unless it crawls."""
    return is_down(fight, who) or who.at != here or ("prone" in who.conditions and how != "crawl")


def open_guard(fight: Fight, who: Combatant, found: Sequence[Guard]) -> Steps[None]:
    """Let those strike before whom a mover lowers its guard, each with the reason and the rule."""
    for enemy, reason, topic in found:
        yield from provoke(
            fight,
            who,
            [enemy],
            reason,
            f"{topic}:{fight.declaration}",
            *fight.rules(topic, *ENTERING.get(topic, ())),
        )


def step_aside(fight: Fight, who: Combatant, legal: Square) -> Steps[None]:
    """Put a mover who was stopped in somebody's space back where it last could stand."""
    if who.at != legal and occupants(fight, who, who.at):
        yield Moved(
            who=who.id,
            start=who.at,
            path=(legal,),
            feet=0,
            diagonals=0,
            how="back to the last legal place",
            cites=(fight.rule("space.definition"),),
        )


def arrived(fight: Fight, who: Combatant) -> Steps[None]:
    """After movement, let whoever readied for it act."""
    yield from triggered(fight, who, "moves")


def refuse_lying(fight: Fight, who: Combatant) -> None:
    """Refuse to walk while prone."""
    if "prone" in who.conditions:
        raise Refusal(f"{who.id} is prone and must get up first", fight.rule("posture.stand-cost"))


def refuse_after_step(fight: Fight, who: Combatant) -> None:
    """Refuse any other movement in a round with a short step (woa.short-step.conditions)."""
    if who.spent.get("step"):
        raise Refusal(f"{who.id} has taken a short step this round", fight.rule("short-step.conditions"))


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move up to one's speed as a move action; at half speed to disengage defensively (woa.move.action)."""
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "move")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    feet, rule = speed(fight, who), fight.rule("move.action")
    if act.how == "defensive":
        topic = "aoo.avoid.defensive-disengage"
        slowed = any(name in SLOWING for name in who.conditions)
        rough = any(fight.field.doublings(square, who.space) for square in act.path)
        if slowed or rough:
            raise Refusal(
                f"{who.id} cannot disengage defensively here",
                fight.rule("aoo.avoid.defensive-disengage-limits"),
            )
        feet = feet * int(fight.figure(topic, "speed_multiplier") * 100) // 100
        rule = fight.rule(topic)
    elif act.how != "normal":
        raise Refusal(f"nobody moves {act.how!r} here", rule)
    refuse_path(fight, who, act.path, feet, rule)
    yield spending(fight, who, "move", "move", rule)
    yield from walk(fight, who, act.path, act.how, rule, fight.rule("distance.grid"))


def step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a short step of one's natural reach, in a round without other movement (woa.short-step.*).

    Not into difficult ground and not by the slow. Whether getting up counts as movement is the option
    `standing_up_and_step`.
    """
    who = fight.combatant(act.actor)
    check_turn(fight, who)
    rule = fight.rule("short-step.conditions")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    if who.spent.get("feet"):
        raise Refusal(f"{who.id} has moved {who.spent['feet']} ft. this round", rule)
    if who.spent.get("stood") and fight.option("standing_up_and_step") == "forbids-step":
        raise Refusal(f"{who.id} has got up this round", fight.rule("posture.stand-as-movement"))
    if who.spent.get("rush"):
        raise Refusal(
            f"{who.id} cannot step in a round of running", fight.rule("action-type.full-round-no-step")
        )
    feet = max(who.reach, SQUARE_FT)
    if speed(fight, who) < feet:
        raise Refusal(f"{who.id} is too slow for a short step", fight.rule("short-step.slow-creatures"))
    path = straight(who.at, act.to)
    if not path:
        raise Refusal("a short step goes straight", fight.rule("short-step.distance"))
    if any(fight.field.doublings(square, who.space) for square in path):
        raise Refusal(
            "a short step cannot go into difficult terrain", fight.rule("short-step.blocked-by-hampered")
        )
    refuse_path(fight, who, path, feet, fight.rule("short-step.distance"))
    yield ActionSpent(
        who=who.id,
        kind="step",
        what="short step",
        cites=fight.rules("short-step.conditions", "short-step.distance"),
    )
    yield from walk(fight, who, path, "step", rule, fight.rule("short-step.no-aoo"))


def straight(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares of a straight way, without the first; none when there is no straight one."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    count = max(abs(dx), abs(dy))
    if not count or any(abs(part) not in (0, count) for part in (dx, dy)):
        return ()
    return tuple((start[0] + dx // count * n, start[1] + dy // count * n) for n in range(1, count + 1))


def refuse_crooked(who: Combatant, path: Sequence[Square], rule: str) -> None:
    """Refuse a path that is not straight."""
    if len({(b[0] - a[0], b[1] - a[1]) for a, b in pairwise((who.at, *path))}) > 1:
        raise Refusal("the path is not straight", rule)


def run(fight: Fight, act: acts.Run) -> Steps[None]:
    """Run up to four times the speed in a straight line: -2 AC, no reactions, no step (woa.run.*)."""
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "full-round")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    rule = fight.rule("run.action")
    if any(name in who.conditions for name in ("fatigued", "exhausted", "entangled")):
        raise Refusal(f"{who.id} is in no state to run", fight.rule("condition.fatigued"))
    refuse_path(fight, who, act.path, speed(fight, who) * fight.figure("run.action", "multiplier"), rule)
    refuse_crooked(who, act.path, rule)
    if any(fight.field.doublings(square, who.space) for square in act.path):
        raise Refusal("one cannot run across difficult terrain", fight.rule("run.restrictions"))
    yield ActionSpent(who=who.id, kind="full-round", what="run", cites=(rule,))
    yield ActionSpent(
        who=who.id, kind="rush", what="run", cites=(fight.rule("action-type.full-round-no-step"),)
    )
    yield running(fight, who)
    yield from walk(fight, who, act.path, "run", rule)


def running(fight: Fight, who: Combatant) -> ConditionGained:
    """Return what running costs until the round's end (woa.run.penalties)."""
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("run.penalties")
    return ConditionGained(who=who.id, condition="running", source="run", until=until, cites=(rule,))


def charge(fight: Fight, act: acts.Charge) -> Steps[None]:
    """Charge: straight at the target, twice the own space at least, twice the speed at most, one attack.

    +2 on the attack, -2 AC for the round (woa.charge.*). Movement that leaves a threatened area provokes.
    """
    who, target = fight.combatant(act.actor), fight.combatant(act.target)
    refuse_unless_allowed(fight, who, "full-round")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    weapon = unarmed(fight, who) if act.special == "push" else find_weapon(fight, who, act.weapon)
    if act.special:
        instead.refuse_before(fight, who, target, act.special, act.weapon, act.item)
    if not strikes_in_melee(weapon):
        raise Refusal(f"one cannot charge with the {weapon.name}", fight.rule("charge.attack"))
    if not sees(fight, who, target):
        raise Refusal(f"{who.id} does not see {target.id}", fight.rule("charge.line-of-sight"))
    refuse_slowed(fight, who)
    rule = fight.rule("charge.distance")
    least = leading_number(fight, "min") * who.space
    most = leading_number(fight, "max") * speed(fight, who)
    refuse_path(fight, who, act.path, most, rule)
    if len(act.path) < least:
        raise Refusal(f"a charge covers at least {least * SQUARE_FT} ft.", rule)
    refuse_hindered(fight, who, target, act.path)
    near, far = melee_band(who, weapon)
    if not in_band(act.path[-1], who.space, target.at, target.space, near, far):
        raise Refusal(f"the charge does not end within reach of {target.id}", fight.rule("charge.path"))
    cites = fight.rules("charge.definition", "charge.distance", "charge.path")
    yield ActionSpent(who=who.id, kind="full-round", what="charge", cites=cites)
    yield ActionSpent(who=who.id, kind="rush", what="charge", cites=(fight.rule("charge.no-short-step"),))
    until = Until("round-end", "", fight.state.round)
    yield ConditionGained(
        who=who.id, condition="charging", source=target.id, until=until, cites=(fight.rule("charge.attack"),)
    )
    there = yield from walk(fight, who, act.path, "charge", rule, fight.rule("charge.move-before-attack"))
    if not there or is_down(fight, who) or "dead" in target.conditions:
        return
    if act.special:
        blow = instead.replaced(fight, who, target, act.special, act.weapon, act.item, "charge")
    else:
        blow = prepare(fight, who, target, weapon, "charge")
    blow.extra.append(fight.modifier("charge.attack", "attack_bonus", kind="circumstance", source="charging"))
    blow.cites += only_one(fight, who, target, weapon)
    yield from deliver(fight, blow)


def refuse_slowed(fight: Fight, who: Combatant) -> None:
    """Refuse to charge to whoever is slowed in any way (woa.charge.impeded)."""
    slow = [name for name in who.conditions if name in SLOWING or name == "fatigued"]
    if slow:
        raise Refusal(f"{who.id} is {slow[0]}", fight.rule("charge.impeded"))
    if speed(fight, who) < listed(who):
        raise Refusal(f"{who.id} is slowed", fight.rule("charge.impeded"))


def only_one(fight: Fight, who: Combatant, target: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Return the rule that leaves a charge one attack, if its maker could otherwise strike more often."""
    whole = acts.FullAttack(actor=who.id, strikes=(acts.Strike(target.id, weapon.name),))
    often = len(fight.dialect.points.full_attacks(fight, who, whole)) > 1
    return fight.rules("charge.single-attack") if often else ()


def leading_number(fight: Fight, path: str) -> int:
    """Return the multiplier that a figure such as "2 x speed" begins with."""
    return int(str(fight.figure("charge.distance", path)).split()[0])


def refuse_hindered(fight: Fight, who: Combatant, target: Combatant, path: Sequence[Square]) -> None:
    """Refuse a charge that is not straight and clear (woa.charge.path, woa.charge.impeded)."""
    rule = fight.rule("charge.path")
    line = line_squares(who.at, path[-1], who.space)
    for square in (*path, *sorted(line)):
        if fight.field.doublings(square) or not fight.field.passable(square):
            raise Refusal(
                f"the ground at {square[0]},{square[1]} hinders a charge", fight.rule("charge.impeded")
            )
    if len(path) > max(abs(path[-1][0] - who.at[0]), abs(path[-1][1] - who.at[1])):
        raise Refusal("a charge goes straight at its target", rule)
    for other in fight.state.combatants.values():
        if other is who or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        held = {(other.at[0] + x, other.at[1] + y) for x in range(other.space) for y in range(other.space)}
        if held & line:
            raise Refusal(f"{other.id} stands in the way of the charge", rule)
