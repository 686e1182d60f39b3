"""Movement: moves, defensive disengagement, short steps, running, charging (woa.move.*, woa.short-step.*)."""

from collections.abc import Sequence

from affray.engine.dialects.woa.classes.turned_undead import turning_of
from affray.engine.dialects.woa.conditions.condition_table import SLOWING
from affray.engine.dialects.woa.conditions.impeded_mobility import lifeless
from affray.engine.dialects.woa.grapple.grab_modifiers import slowed
from affray.engine.dialects.woa.movement import speed as woa_speed
from affray.engine.dialects.woa.movement import terrain
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import ENGAGING, Guard, guards, provoke
from affray.engine.dialects.woa.opportunity.dodge_and_block_bonuses import take_stance
from affray.engine.dialects.woa.opportunity.engage_disengage import carried_along, harmless, stays_engaged
from affray.engine.dialects.woa.position import pass_through, trampling_hazard
from affray.engine.dialects.woa.turns.ready import triggered
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.rules.attacks.charge import line_squares
from affray.engine.rules.movement.footing import step_aside
from affray.engine.rules.movement.movement import refuse_path
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.turns.action_budget import check_turn, refuse_unless_allowed, spending
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, Moved, Until
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

#: What else is to be said where somebody enters an opponent's space.
ENTERING = {"aoo.provoke.entering-space": ("crowd.enter-opponent-space-aoo",)}


def speed(fight: Fight, who: Combatant) -> int:
    """Return the speed on the ground in feet, less what holding, being held and a load of people take."""
    feet = woa_speed.speed(fight, who)
    return slowed(fight, who, feet) if who.conditions else feet


def listed(who: Combatant) -> int:
    """Return the listed speed of the mode in which somebody moves: in the air or deep water its own."""
    own = woa_speed.own_speed(who)
    return who.sheet.speed if own is None else own


def walk(
    fight: Fight, who: Combatant, path: Sequence[Square], how: str, *cites: str, spared: Sequence[str] = ()
) -> Steps[bool]:
    """Go along a path already found legal, provoking step by step; return whether the end was reached.

    A mover who drops stays in the square that it was about to leave. Leaving those with an id in `spared`
    does not provoke (woa.aoo.avoid.improved-overrun).
    """
    start = here = legal = who.at
    done: list[Square] = []
    perilous = terrain.danger(fight, who, here)
    if perilous and not (yield from terrain.keep_footing(fight, who, perilous, how, "moving on")):
        return False
    awaited = any(
        one.readied is not None or turning_of(one) is not None for one in fight.state.combatants.values()
    )

    def so_far() -> Moved:
        whole = (start, *done)
        cost = pass_through.measure(fight, who, whole, how)
        counted = fight.rules("distance.grid") if cost.diagonals else ()
        return Moved(
            who=who.id,
            start=start,
            path=tuple(done),
            feet=cost.feet,
            diagonals=cost.diagonals,
            how=how,
            cites=tuple(dict.fromkeys((*cites, *counted, *cost.cites, *harmless(fight, who, whole, how)))),
        )

    for there in path:
        if pass_through.hindered(fight, who, here, there, how):
            if done:
                yield so_far()
                start, done = here, []
            if not (yield from pass_through.crossing(fight, who, here, there, how)):
                yield from step_aside(fight, who, legal)
                return False
        found = guards(fight, who, here, there, how)
        if spared:
            found = yield from spare(fight, who, found, spared)
        anew = [guard for guard in found if guard[2] == ENGAGING]
        found = [guard for guard in found if guard[2] != ENGAGING]
        if found:
            if done:
                yield so_far()
                start, done = here, []
            yield from open_guard(fight, who, found, how, passing=there != path[-1])
            if halted(fight, who, here, how):
                yield from step_aside(fight, who, legal)
                return False
        yield from stays_engaged(fight, who, here, there, how)
        before, here = here, there
        if not occupants(fight, who, here):
            legal = here
        done.append(there)
        danger = [name for name in terrain.danger(fight, who, there) if name not in perilous]
        trodden = trampling_hazard.underfoot(fight, who, before, there)
        if awaited or anew or danger or trodden or there == path[-1]:
            yield so_far()
            if who.sheet.feats:
                yield from take_stance(fight, who)
            start, done = here, []
            yield from trampling_hazard.tread(fight, who, trodden)
            if danger:
                perilous = [*perilous, *danger]
                yield from terrain.keep_footing(fight, who, danger, how, f"on {danger[0]}")
            yield from open_guard(fight, who, anew, how)
            if not is_down(fight, who):
                yield from fight.dialect.movement.arrived(fight, who)
            if halted(fight, who, here, how):
                yield from step_aside(fight, who, legal)
                return False
    return True


def halted(fight: Fight, who: Combatant, here: Square, how: str) -> bool:
    """Say whether a mover can go no further: down, no longer where it was, or prone unless it crawls."""
    return is_down(fight, who) or who.at != here or ("prone" in who.conditions and how != "crawl")


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


def open_guard(
    fight: Fight, who: Combatant, found: Sequence[Guard], how: str = "normal", *, passing: bool = False
) -> Steps[None]:
    """Let those strike before whom a mover lowers its guard, each with the reason and the rule.

    On the way through somebody's space (`passing`) both getting in and getting away can do so
    (woa.movement.pass-through.aoo).
    """
    for enemy, reason, topic in found:
        topics = [topic, *ENTERING.get(topic, ())]
        topics += ["aoo.engaged-state"] if topic == "aoo.provoke.disengaging" else []
        topics += ["aoo.provoke.movement-in-actions"] if carried_along(how) else []
        topics += ["move.threatened-areas", "movement.provokes-reference"]
        if topic == "aoo.provoke.entering-space" and passing:
            topics.append("movement.pass-through.aoo")
        opportunity = f"{topic}:{fight.declaration}"
        yield from provoke(fight, who, [enemy], reason, opportunity, *fight.rules(*topics))


def let_readied_act(fight: Fight, who: Combatant) -> Steps[None]:
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


#: Ways of a plain move by what they are called, with `fast` for the harder way.
PLAIN = {
    "normal": "normal",
    "tumble": pass_through.TUMBLE,
    "leave": pass_through.LEAVE,
    "vault": terrain.OVER,
}
HASTY = {"normal": terrain.FAST, "tumble": pass_through.TUMBLE_FAST}


def move_up_to_speed(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move up to one's speed as a move action; at half speed to disengage defensively (woa.move.action).

    "tumble" leads through opponents by Acrobatics, "leave" by their leave, "vault" over obstacles by
    Athletics; `fast` takes obstacles and opponents at the full speed, which is harder.
    """
    who = fight.combatant(act.actor)
    refuse_unless_allowed(fight, who, "move")
    refuse_after_step(fight, who)
    refuse_lying(fight, who)
    rule = fight.rule("move.action")
    feet = speed(fight, who) * fight.figure("speed.distance-multipliers", "move_action")
    if act.how == "defensive":
        topic = "aoo.avoid.defensive-disengage"
        slowed = any(name in SLOWING for name in who.conditions) or woa_speed.slowed(fight, who)
        if slowed or any(terrain.hampers(fight, who, square) for square in act.path):
            raise Refusal(
                f"{who.id} cannot disengage defensively here",
                fight.rule("aoo.avoid.defensive-disengage-limits"),
            )
        feet = feet * int(fight.figure(topic, "speed_multiplier") * 100) // 100
        rule, how = fight.rule(topic), act.how
    elif act.how in PLAIN and not (act.fast and act.how not in HASTY):
        how = HASTY[act.how] if act.fast else PLAIN[act.how]
    else:
        raise Refusal(f"nobody moves {act.how!r} here", rule)
    if act.fast and any(terrain.rough(fight, who, square) for square in act.path):
        topic = "terrain.difficult.no-run-charge"
        raise Refusal("no skill makes difficult terrain any faster", fight.rule(topic))
    over, more = lifeless(fight, who, act.path)
    refuse_path(fight, who, act.path, feet - over * SQUARE_FT, rule, how=how)
    cites = fight.rules("move.general", "speed.distance-multipliers")
    again = ("move.double-move",) if who.spent.get("move") else ()
    yield spending(fight, who, "move", "move", rule, *cites, *fight.rules(*again))
    if told := woa_speed.told(fight, who):
        yield told
    yield from walk(fight, who, act.path, how, rule, *more)


def short_step(fight: Fight, act: acts.Step) -> Steps[None]:
    """Take a short step of one's natural reach, in a round without other movement (woa.short-step.*).

    Not into difficult ground and not by the slow. Whether getting up counts as movement is the option
    `standing_up_and_step`.
    """
    who = fight.combatant(act.actor)
    if fight.readied != who.id:
        check_turn(fight, who)
    rule = fight.rule("short-step.conditions")
    if who.spent.get("step", 0) >= fight.figure("short-step.conditions", "max_per_round"):
        raise Refusal(f"{who.id} has taken a short step this round", rule)
    refuse_lying(fight, who)
    if who.spent.get("feet") and not who.spent.get("step"):
        moved = fight.rule("move.no-short-step") if who.spent.get("move") else rule
        raise Refusal(f"{who.id} has moved {who.spent['feet']} ft. this round", moved)
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
    terrain.refuse_rough(fight, who, path, "step", "short-step.blocked-by-hampered")
    refuse_path(fight, who, path, feet, fight.rule("short-step.distance"), how="step")
    topics = ["short-step.conditions", "short-step.distance", *allowing(who)]
    topics += ["size.short-step"] if who.sheet.size != "medium" else []
    topics += ["short-step.timing"] if who.spent.get("standard") or who.spent.get("move") else []
    if who.spent.get("full-round"):
        topics += ["short-step.timing", "move.short-step-with-full-actions", "move.and-attack-options"]
    yield ActionSpent(who=who.id, kind="step", what="short step", cites=fight.rules(*topics))
    yield from walk(fight, who, path, "step", rule)


def allowing(who: Combatant) -> tuple[str, ...]:
    """Return the topics of what lets a short step go with the other actions of the round."""
    if who.spent.get("full-round"):
        return ("action-type.full-round-allowances",)
    return ("action-type.short-step-allowance",)


def straight(start: Square, end: Square) -> tuple[Square, ...]:
    """Return the squares of a straight way, without the first; none when there is no straight one."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    count = max(abs(dx), abs(dy))
    if not count or any(abs(part) not in (0, count) for part in (dx, dy)):
        return ()
    return tuple((start[0] + dx // count * n, start[1] + dy // count * n) for n in range(1, count + 1))


def running(fight: Fight, who: Combatant) -> ConditionGained:
    """Return what running costs until the round's end (woa.run.penalties)."""
    until = Until("round-end", "", fight.state.round)
    rule = fight.rule("run.penalties")
    return ConditionGained(who=who.id, condition="running", source="run", until=until, cites=(rule,))


def refuse_slowed(fight: Fight, who: Combatant) -> None:
    """Refuse to charge to whoever is slowed in any way (woa.charge.impeded)."""
    refuse_weary(fight, who)
    if speed(fight, who) < listed(who):
        raise Refusal(f"{who.id} is slowed", fight.rule("charge.impeded"))


def refuse_weary(fight: Fight, who: Combatant) -> None:
    """Refuse to charge to the fatigued, and to whom a condition slows (woa.condition.fatigued)."""
    slow = next((name for name in who.conditions if name in SLOWING or name == "fatigued"), "")
    if slow:
        topic = "condition.fatigued" if slow == "fatigued" else "charge.impeded"
        raise Refusal(f"{who.id} is {slow}", fight.rule(topic))


def only_one(fight: Fight, who: Combatant, target: Combatant, weapon: Weapon) -> tuple[str, ...]:
    """Return the rule that leaves a charge one attack, if its maker could otherwise strike more often."""
    whole = acts.FullAttack(actor=who.id, strikes=(acts.Strike(target.id, weapon.name),))
    often = len(fight.dialect.attacks.attack_series(fight, who, whole)) > 1
    return fight.rules("charge.single-attack") if often else ()


def leading_number(fight: Fight, path: str) -> int:
    """Return the multiplier that a figure such as "2 x speed" begins with."""
    return int(str(fight.figure("charge.distance", path)).split()[0])


def refuse_hindered(fight: Fight, who: Combatant, target: Combatant, path: Sequence[Square]) -> None:
    """Refuse a charge that is not straight and clear (woa.charge.path, woa.charge.impeded)."""
    rule = fight.rule("charge.path")
    line = line_squares(who.at, path[-1], who.space)
    for square in (*path, *sorted(line)):
        where = f"the ground at {square[0]},{square[1]} hinders a charge"
        if terrain.rough(fight, who, square):
            raise Refusal(where, fight.rule("charge.impeded"))
        if not fight.field.passable(square):
            raise Refusal(where, rule)
    if len(path) > max(abs(path[-1][0] - who.at[0]), abs(path[-1][1] - who.at[1])):
        raise Refusal("a charge goes straight at its target", rule)
    for other in fight.state.combatants.values():
        if other is who or other is target or "dead" in other.conditions or is_helpless(fight, other):
            continue
        held = {(other.at[0] + x, other.at[1] + y) for x in range(other.space) for y in range(other.space)}
        # Those on the path itself may be got past by Acrobatics.
        passed = any(other in occupants(fight, who, square) for square in path)
        if held & line and not passed:
            raise Refusal(f"{other.id} stands in the way of the charge", rule)
