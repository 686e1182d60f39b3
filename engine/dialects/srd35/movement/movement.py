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
from affray.engine.rules.position.places import anchors_of, holders_among, holders_of
from affray.engine.rules.position.squeezing import WRIGGLING, Form, kinds_at, settle_in, squares_at, taken_up
from affray.engine.rules.turns.actions import refuse_unless_allowed
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ItemChanged
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Barrier
from affray.projections.state import Combatant

# --- What each step costs, by which rules (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*)
#
# Hampered movement doubles the cost of a step; several doublings multiply. The hampering things of a step
# are counted here, each by the rule that says so.

DIFFICULT, LOW = "~", "="
BULKY = "bulky"
PARALYZED = "srd35.cond.paralyzed"


class Stride(Struct, frozen=True):
    """One step: what it costs in squares, whether its diagonal counts on, and the rules that had a part."""

    squares: int
    diagonal: bool
    topics: tuple[str, ...]
    barrier: int = 0


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what it costs to go along squares, the first being where the mover stands, and by which rules.

    A square is 5 feet (srd35.grid.square); the least movement costs what it covers.
    """
    # Who may go a way goes it: the second time it is remembered.
    return measured(fight, mover, tuple(whole), how, parity_of(mover))


@per_scene("mover.id", "whole", "how", "parity")
def measured(fight: Fight, mover: Combatant, whole: tuple[Square, ...], how: str, parity: int) -> Measure:
    """Return what it costs to go along squares, beginning with the dear diagonal or the cheap one."""
    found = list(strides(fight, mover, whole, how, parity))
    feet = sum(one.squares for one in found) * int(fight.figure("srd35.grid.square", "square_ft"))
    if how == MINIMUM:
        feet = int(fight.figure("srd35.special-move.minimum", "distance_ft"))
    topics = dict.fromkeys(topic for one in found for topic in one.topics)
    diagonals = sum(one.diagonal for one in found)
    return Measure(feet, diagonals, fight.rules(*topics))


def parity_of(mover: Combatant) -> int:
    """Return 1 if the next diagonal of a combatant's turn is the dear one of two, else 0."""
    return int(mover.spent.get("diagonals", 0) % 2)


def strides(
    fight: Fight, mover: Combatant, whole: Sequence[Square], how: str, parity: int
) -> Iterator[Stride]:
    """Yield each step of a way."""
    spared = bool(nature_among(mover, CLEAR_OF_GROUND))
    for here, there in pairwise(whole):
        one = stride(fight, mover, here, there, how, parity, spared)
        parity = (parity + one.diagonal) % 2
        yield one


def stride(
    fight: Fight, mover: Combatant, here: Square, there: Square, how: str, parity: int, spared: bool
) -> Stride:
    """Return one step's cost: what the ground makes of it, with those whom it leads past."""
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
    """Return one step's cost: the doublings multiply, barriers come on top of it.

    The ground may have `spared` the mover. Those who hold squares let it in by the rules `passed`, or are a
    `body` in its way, the topic of whose rule this is; it may slip diagonally `between` others.
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
    """Return the topic of the rule by which those in a square hamper whoever goes over them, "" for none."""
    if any(has_trait(other, BULKY) and is_helpless(fight, other) for other in others):
        return "srd35.pass.helpless-bulky"
    return PARALYZED if any("paralyzed" in other.conditions for other in others) else ""


def cost_of_step(
    fight: Fight, diagonal: bool, hampering: Sequence[str], parity: int
) -> tuple[int, list[str]]:
    """Return the squares that a step costs, and the topics of the rules that say so.

    1, or 2 for every second diagonal; doubled once by what hampers, 4 and 8 squares (diagonally 6 and 12) for
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
    """Return the topic of what hampers whoever stands there: difficult terrain, or an obstacle, if any.

    The worst of several kinds of ground counts, and only that (srd35.terrain.mixed-worst).
    """
    kinds = kinds_at(fight, there, form)
    if DIFFICULT in kinds:
        return ["terrain.difficult-cost"]
    return ["srd35.obstacle.hampering-cost"] if LOW in kinds else []


def rules_that_spare(fight: Fight, here: Square, there: Square, form: Form) -> list[str]:
    """Return the rules that spare fliers and the incorporeal what the ground would cost others."""
    kinds = kinds_at(fight, there, form)
    found = ["srd35.terrain.flying-incorporeal"] if DIFFICULT in kinds else []
    if kinds & {LOW, " "} or barriers_between(fight, here, there, form):
        found.append("srd35.obstacle.flying-incorporeal")
    return found


def rules_of_held_squares(
    fight: Fight, mover: Combatant, others: Sequence[Combatant], how: str
) -> Iterator[str]:
    """Yield the rules that let a mover into squares that others hold; a charge ignores the helpless."""
    for other in others:
        free, topic = may_pass_by_rule(fight, mover, other)
        if free and how == "charge" and is_helpless(fight, other):
            yield "srd35.charge.line-test"
        elif free:
            yield topic
        if very_small(fight, mover.sheet) and very_small(fight, other.sheet):
            yield "srd35.size.tiny-share-square"


def passes_between(fight: Fight, mover: Combatant, here: Square, there: Square, form: Form) -> bool:
    """Say whether a diagonal step leads past the corner of a square that somebody holds."""
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
    """Return the rule that a way longer than `feet` breaks in particular: no barrier is crossed in part."""
    spent = 0
    for one in strides(fight, mover, whole, how, parity_of(mover)):
        spent += one.squares * int(fight.figure("srd35.grid.square", "square_ft"))
        if spent > feet:
            return fight.rule("srd35.obstacle.insufficient-movement") if one.barrier else ""
    return ""


# --- What forbids a step, and what it brings about (srd35.terrain.*, srd35.obstacle.*, srd35.special-move.*)


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
    """Say whether an obstacle asks for a check before a step can be taken."""
    if not fight.state.barriers or nature_among(mover, CLEAR_OF_GROUND):
        return False
    crossed = barriers_between(fight, here, there, Form(mover.space, mover.stretch))
    return any(barrier.check for barrier in crossed)


def check_before_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[bool]:
    """Make the skill check that an obstacle asks for; a failure ends the movement before it."""
    return overcome(fight, mover, barriers_between(fight, here, there, Form(mover.space, mover.stretch)))


def step_is_told(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a step leads into an object, or so small a creature into a held square."""
    if WRIGGLING in mover.conditions or enters_object(fight, mover, here, there):
        return True
    return very_small(fight, mover.sheet) and bool(holders_of(fight, mover, there, 1, 1))


def after_step(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> Steps[None]:
    """Let squeezing begin or end; let enemies strike at a very small creature that enters a held square.

    By a 5-foot step it provokes from those alone into whose square it must go to reach them, and not at all
    where `step_into_opponent` has it so (srd35.pass.very-small-provokes, srd35.size.tiny-entering-provokes).
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
    """Put a mover who was stopped where it may not stay back where it last could, or nearer if it can.

    Of places equally near a die decides (srd35.special-move.illegal-space, srd35.distance.closest-tie).
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
    """Return the nearest places, closer than `limit` feet, where a mover may stand, row by row."""
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


# --- Going on foot: a move, a run and how long one can keep it up (srd35.speed.run, srd35.run.endurance)


def refuse_to_move(fight: Fight, act: acts.Move) -> None:
    """Refuse a move to those under too much or out of breath, against the wind, and after a full round."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, act.how == "double")
        environment.refuse_against(fight, mover, act.path)
    if mover.spent.get("full-round"):
        try:
            refuse_unless_allowed(fight, mover, "move")
        except Refusal as spent:
            reason = f"{spent.reason}: a 5-foot step is all there is"
            raise Refusal(reason, fight.rule("srd35.speed.full-round-five-foot-step")) from None


def tell_move(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move on foot; tell whence the speed comes, and what a second move action is.

    Whoever has come off narrow or slippery ground stands firmly again.
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
    """Refuse to run to those under too much, out of breath, or blind."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)
        refuse_blind(fight, mover)


def tell_run(fight: Fight, act: acts.Run, running: Steps[None]) -> Steps[None]:
    """Run; tell whence the speed comes, and by which rule it is multiplied."""
    topic = run_multiple_and_rule(fight, fight.combatant(act.actor))[1]
    return report_speed_after(fight, act.actor, running, fight.rule(topic))


def refuse_overloaded(fight: Fight, mover: Combatant) -> None:
    """Refuse to those who bear more than they can carry any way but a stagger of 5 ft. (srd35.load.lift)."""
    if OVERLOADED in mover.conditions:
        raise Refusal(f"{mover.id} bears more than it can carry", fight.rule("srd35.load.lift"))


def refuse_off_the_ground(fight: Fight, act: acts.Move) -> None:
    """Refuse to walk in the air, on a wall, or where the water is too deep to stand.

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


def refuse_blind(fight: Fight, mover: Combatant) -> None:
    """Refuse to run where one cannot see the ground (srd35.run.action)."""
    if find_blinding_condition(fight, mover):
        raise Refusal(f"{mover.id} cannot run where it sees nothing", fight.rule("srd35.run.action"))


def run_multiple(fight: Fight, mover: Combatant) -> int:
    """Return how many times its speed a combatant runs."""
    return run_multiple_and_rule(fight, mover)[0]


def run_multiple_and_rule(fight: Fight, mover: Combatant) -> tuple[int, str]:
    """Return how many times its speed a combatant runs, and the topic of the rule that says so.

    Four, in heavy armor or barding three, under a load what its row says; the Run feat adds to each
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
    """Refuse to withdraw to those out of breath or under too much."""
    mover = fight.combatant(act.actor)
    if mover.conditions:
        refuse_overloaded(fight, mover)
        refuse_winded(fight, mover, True)


def tell_withdrawal(fight: Fight, act: acts.Withdraw, moving: Steps[None]) -> Steps[None]:
    """Withdraw; tell whence the speed comes."""
    return report_speed_after(fight, act.actor, moving)


def charge_unless_winded(fight: Fight, act: acts.Charge, charging: Steps[None]) -> Steps[None]:
    """Charge, but not out of breath or under too much (srd35.run.endurance)."""
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


# --- The ways of a move action: the plain one, the least movement, and what else srd35 knows by name


def refuse_words(fight: Fight, act: acts.Move) -> None:
    """Refuse what is said of a move to which it does not matter, and to draw what cannot be drawn on it."""
    if act.surface and act.how not in OVER_GROUND:
        told = ", ".join(OVER_GROUND)
        reason = f"what one moves over matters to {told}, not to {act.how!r}"
        raise Refusal(reason, fight.rule("srd35.move-action.move"))
    if act.draw and act.how in MOVE_MODES_WAYS:
        raise Refusal("a weapon is drawn with a plain move only", fight.rule("srd35.move-action.draw"))


def tell_overlooked(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, with a word on those whom the way leads past for nothing."""
    notes = tuple(position.note_passed_enemies(fight, fight.state.combatants[act.actor], act.path))
    yield from moving
    yield from notes


def draw_on_the_way(fight: Fight, act: acts.Move, moving: Steps[None]) -> Steps[None]:
    """Move, and draw a weapon on the way (srd35.move-action.draw)."""
    return draw_after_first_step(moving, drawn_on_the_way(fight, fight.combatant(act.actor), act.draw))


def draw_after_first_step(steps: Steps[None], drawn: ItemChanged) -> Steps[None]:
    """Let a move take its course with the weapon drawn after its first step, before which it is refused."""
    sent = yield next(steps)
    yield drawn
    while True:
        try:
            sent = yield steps.send(sent)
        except StopIteration:
            return


def drawn_on_the_way(fight: Fight, mover: Combatant, item: str) -> ItemChanged:
    """Return that a weapon is drawn with a move: it takes some skill at arms (srd35.move-action.draw)."""
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
"""The ways of moving that srd35 knows by name besides the plain one."""
#: A move in one of these ways.
SPECIAL = f"how in {tuple(MOVE_MODES_WAYS)!r}"
#: A move along a way whose width is said.
NARROW = f"wide and how == {squeezing.SQUEEZE!r}"
#: What `how` may say of a move, and `surface` of what it goes over.
HOW = ("normal", squeezing.SQUEEZE, *MOVE_MODES_WAYS, *WALK_AND_RUN_WAYS)
OVER_GROUND = ("balance", "swim", "tumble")
#: The ways of moving under which the height, the DC of a wall and haste count.
READ_BY: Under = {
    "dc": {"how": ("climb",)},
    "up": {"how": ("climb", "fly")},
    "fast": {"how": ("balance", "climb", "swim", "tumble")},
    "wide": {"how": (squeezing.SQUEEZE, "wriggle")},
}
GROUNDS = (*skills.BALANCE_SURFACES, *skills.WATERS, *skills.TUMBLE_SURFACES)
