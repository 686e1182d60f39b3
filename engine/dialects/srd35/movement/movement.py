"""Moving: on foot and otherwise, what each step costs, and what the ground forbids."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from affray.engine.dialects.srd35 import environment, position
from affray.engine.dialects.srd35.gear import HEAVY_LOAD, OVERLOADED, is_hidden
from affray.engine.dialects.srd35.mounted import is_barded
from affray.engine.dialects.srd35.movement import flight, skills
from affray.engine.dialects.srd35.movement.speed import load_row, pounds_carried
from affray.engine.dialects.srd35.position import (
    COMBAT,
    enters_object,
    may_pass_by_rule,
    may_stop,
    stop_wriggling,
    very_small,
)
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_map, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, Square
from affray.engine.grid.distance import distance_ft
from affray.engine.grid.lines_and_cover import line_of_effect
from affray.engine.kernel.places import anchors_of
from affray.engine.record.acts import Under
from affray.engine.record.chapters import Measure
from affray.engine.rules import environment as shared_environment
from affray.engine.rules.classes.sheets import CLEAR_OF_GROUND, has_feat, has_trait, nature_among
from affray.engine.rules.conditions.conditions import find_blinding_condition
from affray.engine.rules.gear.handling import refuse_undrawable
from affray.engine.rules.movement import skills as balancing
from affray.engine.rules.movement import walking
from affray.engine.rules.movement.movement import barriers_crossed, displaced, report_speed_after
from affray.engine.rules.movement.skills import overcome, refuse_aloft, refuse_winded
from affray.engine.rules.movement.walking import MINIMUM
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position import squeezing
from affray.engine.rules.position.places import holders_among, holders_of
from affray.engine.rules.position.squeezing import WRIGGLING, Form, kinds_at, settle_in, squares_at, taken_up
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Barrier
from affray.projections.state import Combatant

# --- The cost of each step, and the rules for it (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*)
# Hampered movement doubles the cost of a step; several doublings multiply. The hindrances of a step are
# counted here, each with its rule.

DIFFICULT, LOW = "~", "="
BULKY = "bulky"
PARALYZED = "srd35.cond.paralyzed"


class Stride(Struct, frozen=True):
    """One step: its cost in squares, whether its diagonal counts, and the rules that contributed."""

    squares: int
    diagonal: bool
    topics: tuple[str, ...]
    barrier: int = 0


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of going along squares, the first being the mover's own, and the rules.

    A square is 5 feet (srd35.grid.square); the minimum movement costs what it covers.
    """
    # A path is measured when it is checked and again when it is walked: the second time from the cache.
    return measured(fight, mover, tuple(whole), how, parity_of(mover))


@per_scene("mover.id", "whole", "how", "parity")
def measured(fight: Fight, mover: Combatant, whole: tuple[Square, ...], how: str, parity: int) -> Measure:
    """Return the cost of going along squares, beginning with a double or a single diagonal."""
    found = list(strides(fight, mover, whole, how, parity))
    feet = sum(one.squares for one in found) * int(fight.figure("srd35.grid.square", "square_ft"))
    if how == MINIMUM:
        feet = int(fight.figure("srd35.special-move.minimum", "distance_ft"))
    topics = dict.fromkeys(topic for one in found for topic in one.topics)
    diagonals = sum(one.diagonal for one in found)
    return Measure(feet, diagonals, fight.rules(*topics))


def parity_of(mover: Combatant) -> int:
    """Return 1 if the next diagonal of a combatant's turn counts double, otherwise 0."""
    return int(mover.spent.get("diagonals", 0) % 2)


def strides(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, parity: int
) -> Iterator[Stride]:
    """Yield each step of a path."""
    spared = bool(nature_among(mover, CLEAR_OF_GROUND))
    for here, there in pairwise(whole):
        one = stride(fight, mover, here, there, how, parity, spared)
        parity = (parity + one.diagonal) % 2
        yield one


def stride(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, parity: int, spared: bool
) -> Stride:
    """Return one step's cost: by the ground, and by the combatants that it passes."""
    form = taken_up(fight, mover, here, there, how)
    others = holders_among(fight, mover, squares_at(there, form))
    return stride_on_ground(
        fight,
        here,
        there,
        form,
        parity,
        spared=spared,
        passed=tuple(rules_of_held_squares(fight, mover, others, how)) if others else (),
        body=body_in_way(fight, others) if others else "",
        between=here[0] != there[0]
        and here[1] != there[1]
        and passes_between(fight, mover, here, there, form),
    )


@per_map("here", "there", "form", "parity", "spared", "passed", "body", "between")
def stride_on_ground(
    fight: Fight,
    here: Square,
    there: Square,
    form: Form,
    parity: int,
    *,
    spared: bool,
    passed: tuple[str, ...],
    body: str,
    between: bool,
) -> Stride:
    """Return one step's cost: the doublings multiply, barriers are added.

    The ground may have `spared` the mover. Occupants of the squares let it in by the rules `passed`, or one
    is a `body` in its way (the topic of that rule); it may slip diagonally `between` others.
    """
    diagonal = here[0] != there[0] and here[1] != there[1]
    topics = list(passed)
    hampering = []
    if spared:
        topics += rules_that_spare(fight, here, there, form)
    else:
        hampering += ground_topics(fight, there, form)
        if hampering and len({kind in DIFFICULT + LOW for kind in kinds_at(fight, there, form)}) > 1:
            topics.append("srd35.terrain.mixed-worst")
    if body and not (hampering and body == PARALYZED):
        hampering.append(body)
    if form.squeezed:
        hampering.append("srd35.squeeze.movement-cost")
        topics += ["srd35.squeeze.past-opponent"] if form.past else []
    if between:
        topics.append("srd35.distance.diagonal-past-creature")
    if diagonal and corners(fight, here, there, form)[1]:
        topics.append("srd35.distance.diagonal-past-pit")
    cost, rules = cost_of_step(fight, diagonal, hampering, parity)
    extra = 0 if spared else len(barriers_between(fight, here, there, form)[:1])
    if extra:
        extra = int(fight.figure("srd35.obstacle.hampering-cost", "cost_squares"))
        rules = [*rules, "srd35.obstacle.hampering-cost", "srd35.obstacle.cost-is-additional"]
    return Stride(cost + extra, diagonal and not hampering, (*rules, *topics), extra)


def body_in_way(fight: Fight, others: Sequence[Combatant]) -> str:
    """Return the topic of the rule by which occupants of a square hamper a mover, "" for none."""
    if any(has_trait(other, BULKY) and is_helpless(fight, other) for other in others):
        return "srd35.pass.helpless-bulky"
    return PARALYZED if any("paralyzed" in other.conditions for other in others) else ""


def cost_of_step(
    fight: Fight, diagonal: bool, hampering: Sequence[str], parity: int
) -> tuple[int, list[str]]:
    """Return the squares that a step costs, and the topics of the rules.

    1, or 2 for every second diagonal; doubled once by a hindrance, 4 and 8 squares (diagonally 6 and 12) for
    two and three doublings, and so on (srd35.special-move.double-cost-multiple).
    """
    count = len(hampering)
    if not count:
        return (int(fight.figure("srd35.distance.diagonals", "cost_cycle")[parity]) if diagonal else 1), []
    table = "srd35.special-move.double-cost-multiple"
    rows = {row["doublings"]: row for row in fight.figure(table)}
    if count > 1:
        row = rows[min(count, max(rows))]
        cost = row["diagonal" if diagonal else "square"] << max(0, count - max(rows))
        return cost, [*hampering, table, "srd35.special-move.double-cost-exception"]
    topic = hampering[0]
    if not diagonal:
        return int(fight.figure(topic, "cost_squares")), [topic, "srd35.special-move.double-cost"]
    if topic == "terrain.difficult-cost":  # srd35.terrain.difficult-cost
        steep = "srd35.terrain.difficult-diagonal"
        return int(fight.figure(steep, "cost_squares")), [topic, steep, "srd35.special-move.double-cost"]
    return int(rows[1]["diagonal"]), [topic, "srd35.special-move.double-cost", table]


def ground_topics(fight: Fight, there: Square, form: Form) -> list[str]:
    """Return the topic of what hampers a mover there: difficult terrain, or an obstacle, if any.

    Of several kinds of ground only the worst counts (srd35.terrain.mixed-worst).
    """
    kinds = kinds_at(fight, there, form)
    if DIFFICULT in kinds:
        return ["terrain.difficult-cost"]
    return ["srd35.obstacle.hampering-cost"] if LOW in kinds else []


def rules_that_spare(fight: Fight, here: Square, there: Square, form: Form) -> list[str]:
    """Return the rules that exempt fliers and the incorporeal from the ground's cost."""
    kinds = kinds_at(fight, there, form)
    found = ["srd35.terrain.flying-incorporeal"] if DIFFICULT in kinds else []
    if kinds & {LOW, " "} or barriers_between(fight, here, there, form):
        found.append("srd35.obstacle.flying-incorporeal")
    return found


def rules_of_held_squares(
    fight: Fight, mover: Combatant, others: Sequence[Combatant], how: str
) -> Iterator[str]:
    """Yield the rules that let a mover into occupied squares; a charge ignores the helpless."""
    for other in others:
        free, topic = may_pass_by_rule(fight, mover, other)
        if free and how == "charge" and is_helpless(fight, other):
            yield "srd35.charge.line-test"
        elif free:
            yield topic
        if very_small(fight, mover.sheet) and very_small(fight, other.sheet):
            yield "srd35.size.tiny-share-square"


def passes_between(fight: Fight, mover: Combatant, here: Square, there: Square, form: Form) -> bool:
    """Return whether a diagonal step passes the corner of an occupied square."""
    return bool(holders_among(fight, mover, corners(fight, here, there, form)[0]))


@per_map("here", "there", "form")
def corners(fight: Fight, here: Square, there: Square, form: Form) -> tuple[frozenset[Square], bool]:
    """Return the squares that a diagonal step passes between, and whether there is a pit or pillar."""
    side = form.side
    beside = {
        square
        for dx in range(side)
        for dy in range(side)
        for square in ((there[0] + dx, here[1] + dy), (here[0] + dx, there[1] + dy))
    }
    beside -= {*squares_at(there, form), *squares_at(here, form)}
    return frozenset(beside), any(fight.field.at(square) in " T" for square in beside)


def barriers_between(fight: Fight, here: Square, there: Square, form: Form) -> list[Barrier]:
    """Return the obstacles between squares that a step of such a creature crosses."""
    if not fight.state.barriers:
        return []
    return barriers_crossed(fight, squares_at(here, form), here, there)


def too_far(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, feet: int) -> str:
    """Return the specific rule that a path longer than `feet` breaks: no barrier is crossed in part."""
    spent = 0
    for one in strides(fight, mover, whole, how, parity_of(mover)):
        spent += one.squares * int(fight.figure("srd35.grid.square", "square_ft"))
        if spent > feet:
            return fight.rule("srd35.obstacle.insufficient-movement") if one.barrier else ""
    return ""


# --- Prohibitions and consequences of a step (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*)


def refuse_rough(fight: Fight, mover: Combatant, path: Sequence[Square], what: str, rule: str) -> None:
    """Refuse to run, charge or take a 5-foot step (`what`) across ground that hampers the mover."""
    form = Form(mover.space, mover.stretch)
    if form.squeezed and what == "charge":
        raise Refusal(f"{mover.id} squeezes and cannot charge", rule)
    for square in path:
        names = [] if nature_among(mover, CLEAR_OF_GROUND) else ground_topics(fight, square, form)
        if names:
            rough = names[0] == "terrain.difficult-cost" and what == "run"
            raise Refusal(
                f"the ground at {square[0]},{square[1]} forbids to {what}",
                fight.rule("srd35.terrain.difficult-no-run-charge") if rough else rule,
            )
    if what == "charge" and not nature_among(mover, CLEAR_OF_GROUND):
        for here, there in pairwise((mover.at, *path)):
            if barriers_between(fight, here, there, form):
                raise Refusal(f"an obstacle before {there[0]},{there[1]} hinders the charge", rule)


def step_needs_check(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether an obstacle requires a check before a step can be taken."""
    if not fight.state.barriers or nature_among(mover, CLEAR_OF_GROUND):
        return False
    crossed = barriers_between(fight, here, there, Form(mover.space, mover.stretch))
    return any(barrier.check for barrier in crossed)


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle requires; a failure ends the movement before it."""
    return overcome(fight, mover, barriers_between(fight, here, there, Form(mover.space, mover.stretch)))


def step_is_told(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a step leads into an object, or a very small creature into an occupied square."""
    if WRIGGLING in mover.conditions or enters_object(fight, mover, here, there):
        return True
    return very_small(fight, mover.sheet) and bool(holders_of(fight, mover, there, 1, 1))


def after_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Begin or end squeezing; let enemies attack a very small creature that enters an occupied square.

    A 5-foot step only provokes from those whose square it must enter to reach them, or not if
    `step_into_opponent` says so (srd35.pass.very-small-provokes, srd35.size.tiny-entering-provokes).
    """
    yield from stop_wriggling(fight, mover)
    if enters_object(fight, mover, here, there):
        what = f"passes into the object at {there[0]},{there[1]}"
        yield RuleApplied(who=mover.id, what=what, cites=fight.rules(COMBAT))
    yield from settle_in(fight, mover, taken_up(fight, mover, here, there, how))
    held = holders_of(fight, mover, there, 1, 1)
    if not held or not very_small(fight, mover.sheet) or has_trait(mover, "swarm"):
        return
    enemies = [enemy for enemy in fight.enemies(mover) if threatens(fight, enemy, mover)]
    intruded_on = [] if mover.reach else [enemy for enemy in enemies if enemy in held]
    if how == "step":
        enemies = [] if fight.option("step_into_opponent") == "never" else intruded_on

    def intruded(enemy: Combatant) -> tuple[str, ...]:
        return fight.rules("srd35.size.tiny-entering-provokes") if enemy in intruded_on else ()

    yield from fight.dialect.opportunity.provoke(
        fight,
        mover,
        enemies,
        "enters an occupied square",
        f"enters:{fight.declaration}:{there[0]},{there[1]}",
        fight.rule("srd35.pass.very-small-provokes"),
        more=intruded,
    )


def step_aside(fight: Fight, mover: Combatant, legal: Square) -> Steps[None]:
    """Put a mover that was stopped in an illegal place back in its last legal one, or a nearer one if there
    is.

    Ties are decided by a die (srd35.special-move.illegal-space, srd35.distance.closest-tie).
    """
    if mover.at == legal or may_stop(fight, mover, mover.at):
        return
    near = nearer(fight, mover, distance_ft(mover.at, legal))
    cites = [fight.rule("srd35.special-move.illegal-space")]
    to = legal
    if len(near) > 1:
        rolled = yield Roll(mover.id, "closest", f"1d{len(near)}")
        to = near[rolled.total - 1]
        cites.append(fight.rule("srd35.distance.closest-tie"))
    elif near:
        to = near[0]
    yield displaced(
        mover, (to,), "to the closest legal place" if near else "back to the last legal place", *cites
    )


def nearer(fight: Fight, mover: Combatant, limit: int) -> list[Square]:
    """Return the nearest places, closer than `limit` feet, where a mover may stay, row by row."""
    field: Battlefield = fight.field
    x, y = mover.at
    most = limit // SQUARE_FT
    found: dict[int, list[Square]] = {}
    for dy in range(-most, most + 1):
        for dx in range(-most, most + 1):
            at = (x + dx, y + dy)
            feet = distance_ft(mover.at, at)
            if (
                0 < feet < limit
                and all(field.passable(one, mover.space) for one in anchors_of(mover, at))
                and may_stop(fight, mover, at)
                and line_of_effect(field, mover.at, mover.space, at, mover.space)
            ):
                found.setdefault(feet, []).append(at)
    return found[min(found)] if found else []


# --- Going on foot: a move, a run and its endurance (srd35.speed.run, srd35.run.endurance)


def refuse_to_move(fight: Fight, act: acts.Move) -> None:
    """Refuse a move to the overloaded or the breathless, against the wind, and after a full round."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, act.how == "double")
        environment.refuse_against(fight, mover, act.path)
    if mover.spent.get("full-round"):
        try:
            refuse_unless_allowed(fight, mover, "move")
        except Refusal as spent:
            reason = f"{spent.reason}: only a 5-foot step is left"
            raise Refusal(reason, fight.rule("srd35.speed.full-round-five-foot-step")) from None


def tell_move(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot; report the source of the speed, and a second move action.

    A combatant that has left narrow or slippery ground is no longer balancing.
    """
    mover = fight.state.combatants[act.actor]
    cites = []
    if mover.spent.get("move"):
        cites.append("srd35.speed.double-move")
    elif mover.spent.get("standard"):
        cites.append("srd35.speed.move-plus-action")
    yield from report_speed_after(fight, act.actor, moving, *fight.rules(*cites))
    if mover.conditions:
        yield from balancing.end_balancing_on_ground(fight, mover)


def refuse_to_run(fight: Fight, act: acts.Run) -> None:
    """Refuse to run to the overloaded, the breathless, or the blind."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)
        refuse_blind(fight, mover)


def tell_run(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run; report the source of the speed, and the rule that multiplies it."""
    topic = run_multiple_and_rule(fight, fight.combatant(act.actor))[1]
    return report_speed_after(fight, act.actor, running, fight.rule(topic))


def refuse_overloaded(fight: Fight, mover: Combatant) -> None:
    """Refuse the overloaded all movement but a stagger of 5 ft. (srd35.load.lift)."""
    if OVERLOADED in mover.conditions:
        raise Refusal(f"{mover.id} bears more than it can carry", fight.rule("srd35.load.lift"))


def refuse_unlisted_mode(fight: Fight, act: acts.Step | acts.Withdraw) -> None:
    """Refuse a 5-foot step or a withdrawal in a mode of movement without a speed of its own.

    srd35.five-foot-step, srd35.withdraw.
    """
    mover = fight.combatant(act.actor)
    state = mover.conditions.get(shared_environment.IN_WATER)
    swims = state is not None and state.source != shared_environment.FOOTING and not mover.sheet.swim
    if swims or (skills.height_climbed(mover) and not mover.sheet.climb):
        way = "swimming" if swims else "climbing"
        step = isinstance(act, acts.Step)
        what, topic = ("take a 5-foot step", "five-foot-step") if step else ("withdraw", "withdraw")
        raise Refusal(f"{mover.id} has no speed for {way} and cannot {what}", fight.rule(topic))


def refuse_off_the_ground(fight: Fight, act: acts.Move) -> None:
    """Refuse to go on foot in the air, on a wall, or in water too deep to stand.

    srd35.move.fly-table, srd35.skill.climb, srd35.hazard.water-combat.
    """
    mover = fight.combatant(act.actor)
    refuse_aloft(fight, mover, fight.rule(flight.TABLE))
    if skills.height_climbed(mover):
        raise Refusal(
            f"{mover.id} is {skills.height_climbed(mover)} ft. up a wall", fight.rule(skills.CLIMB_TOPIC)
        )
    state = mover.conditions.get(shared_environment.IN_WATER)
    if state is not None and state.source != shared_environment.FOOTING:
        raise Refusal(
            f"{mover.id} has no ground under its feet and must swim", fight.rule(shared_environment.COMBAT)
        )


#: Ways of a move over the ground, in a gap or lying.
AFOOT = ("tumble", "squeeze", "wriggle", "crawl", "balance", "minimum")


def refuse_to_cross(fight: Fight, mover: Combatant, act: acts.Act) -> None:
    """Refuse to run, charge, tumble or pass over an opponent from up on a wall, or in water without swimming.

    Those with a swim speed rush in the water too; wading hinders a charge (srd35.skill.climb,
    srd35.hazard.water-combat, srd35.charge.clear-path).
    """
    rushes = isinstance(act, acts.Charge) or (isinstance(act, acts.Overrun | acts.BullRush) and act.charge)
    if isinstance(act, acts.Move) and act.how not in AFOOT:
        return
    if isinstance(act, acts.BullRush) and not rushes:
        return
    if skills.height_climbed(mover):
        raise Refusal(
            f"{mover.id} is {skills.height_climbed(mover)} ft. up a wall", fight.rule(skills.CLIMB_TOPIC)
        )
    state = mover.conditions.get(shared_environment.IN_WATER)
    if state is None or mover.sheet.swim:
        return
    if state.source != shared_environment.FOOTING:
        reason = f"{mover.id} has no ground under its feet and must swim"
        raise Refusal(reason, fight.rule(shared_environment.COMBAT))
    if rushes and shared_environment.hindered_by_water(mover):
        raise Refusal(f"water hinders {mover.id}'s charge", fight.rule("charge.clear-path"))


def refuse_blind(fight: Fight, mover: Combatant) -> None:
    """Refuse to run without seeing the ground (srd35.run.action)."""
    if find_blinding_condition(fight, mover):
        raise Refusal(f"{mover.id} cannot run where it sees nothing", fight.rule("srd35.run.action"))


def run_multiple(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant runs."""
    return run_multiple_and_rule(fight, mover)[0]


def run_multiple_and_rule(fight: Fight, mover: Combatant) -> tuple[int, str]:
    """Return how many times its speed a combatant runs, and the topic of its rule.

    Four, in heavy armor or barding three, under a load by its row; the Run feat adds to each
    (srd35.speed.run, srd35.speed.run-heavy-armor, srd35.armor.barding, srd35.load.effects-table,
    srd35.feat.run).
    """
    heavy = mover.sheet.armor_weight == "heavy"
    if has_feat(mover, "run"):
        slow = heavy or HEAVY_LOAD in mover.conditions
        return int(fight.figure("srd35.feat.run", "heavy" if slow else "multiple")), "srd35.feat.run"
    if heavy and is_barded(fight, mover):
        return int(fight.figure("srd35.armor.barding", "heavy_run")), "srd35.armor.barding"
    if heavy:
        return int(
            fight.figure("srd35.speed.run-heavy-armor", "heavy_armor_or_load")
        ), "srd35.speed.run-heavy-armor"
    row = load_row(fight, mover) if pounds_carried(mover) else None
    if row is not None:
        return int(row["run"]), "srd35.load.effects-table"
    return int(fight.figure("srd35.speed.run", "multiplier")), "srd35.speed.run"


def refuse_to_withdraw(fight: Fight, act: acts.Withdraw) -> None:
    """Refuse to withdraw to the breathless or the overloaded."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)


def tell_withdrawal(fight: Fight, act: acts.Withdraw, moving: Steps[None]) -> Steps[None]:
    """Withdraw; report the source of the speed."""
    return report_speed_after(fight, act.actor, moving)


def charge_unless_winded(fight: Fight, act: acts.Charge, charging: Steps[None]) -> Steps[None]:
    """Charge, unless breathless or overloaded (srd35.run.endurance)."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)
    yield from report_speed_after(fight, act.actor, charging)


WALK_AND_RUN_WAYS: Mapping[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    "double": walking.double_move,
    "crawl": walking.crawl,
    "tumble": skills.tumble,
    "balance": skills.balance,
    "climb": skills.climb,
    "swim": skills.swim,
    "fly": flight.fly,
}


# --- The modes of a move action: the plain one, the minimum movement, and others of srd35 by name


def refuse_words(fight: Fight, act: acts.Move) -> None:
    """Refuse a move's options that do not apply to its mode, and weapons that cannot be drawn on it."""
    if act.surface and act.how not in OVER_GROUND:
        told = ", ".join(OVER_GROUND)
        reason = f"the surface applies to {told}, not to {act.how!r}"
        raise Refusal(reason, fight.rule("srd35.move-action.move"))
    if act.draw and act.how in MOVE_MODES_WAYS:
        raise Refusal("a weapon is drawn with a plain move only", fight.rule("srd35.move-action.draw"))


def tell_overlooked(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, and report the enemies that the path passes without provoking."""
    notes = tuple(position.note_passed_enemies(fight, fight.state.combatants[act.actor], act.path))
    yield from moving
    yield from notes


def draw_on_the_way(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, and draw a weapon on the way (srd35.move-action.draw)."""
    return draw_after_first_step(moving, drawn_on_the_way(fight, fight.combatant(act.actor), act.draw))


def draw_after_first_step(steps: Steps[None], drawn: ItemChanged) -> Steps[None]:
    """Run the steps of a move with the weapon drawn after its first step; refusals come before that."""
    sent = yield next(steps)
    yield drawn
    while True:
        try:
            sent = yield steps.send(sent)
        except StopIteration:
            return


def drawn_on_the_way(fight: Fight, mover: Combatant, item: str) -> ItemChanged:
    """Return the fact that a weapon is drawn with a move: it takes base attack +1
    (srd35.move-action.draw).
    """
    topic = "srd35.move-action.draw"
    rule = fight.rule(topic)
    if mover.sheet.base_attack < fight.figure(topic, "base_attack_bonus"):
        raise Refusal(f"{mover.id} is not skilled enough to draw a weapon on the move", rule)
    refuse_undrawable(mover, item, rule)
    if is_hidden(mover, item):
        raise Refusal(f"the {item} is hidden and not drawn on the move", fight.rule("srd35.skill.sleight"))
    return ItemChanged(who=mover.id, item=item, state="held", cites=(rule,))


MOVE_MODES_WAYS: dict[str, Callable[[Fight, acts.Move], Steps[None]]] = {
    walking.MINIMUM: walking.move_minimum,
    "wriggle": position.wriggle,
}
"""The modes of movement that srd35 knows by name, except the plain one."""
#: A move in one of these modes.
SPECIAL = f"how in {tuple(MOVE_MODES_WAYS)!r}"
#: A move over the ground.
ON_FOOT = "how not in ('climb', 'swim', 'fly')"
#: A move along a path with a given width.
NARROW = f"wide and how == {squeezing.SQUEEZE!r}"
#: The possible values of `how` in a move, and the modes for which `surface` counts.
HOW = ("normal", squeezing.SQUEEZE, *MOVE_MODES_WAYS, *WALK_AND_RUN_WAYS)
OVER_GROUND = ("balance", "swim", "tumble")
#: The modes of movement for which the height, the DC of a wall and haste count.
READ_BY: Under = {
    "dc": {"how": ("climb",)},
    "up": {"how": ("climb", "fly")},
    "fast": {"how": ("balance", "climb", "swim", "tumble")},
    "wide": {"how": (squeezing.SQUEEZE, "wriggle")},
}
GROUNDS = (*skills.BALANCE_SURFACES, *skills.WATERS, *skills.TUMBLE_SURFACES)
