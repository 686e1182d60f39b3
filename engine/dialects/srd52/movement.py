"""Movement: Speed, its ways and costs, flying and jumping, passing others, and Opportunity Attacks."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from affray.engine.dialects.srd52 import areas, environment, gear, hiding, position, test
from affray.engine.dialects.srd52.classes import fields_of, modifier_of, score_now
from affray.engine.dialects.srd52.conditions import (
    DISENGAGED,
    OLDER_TABLE,
    STILL,
    gain,
    incapacitating,
    is_charmed_by,
    levels_of,
)
from affray.engine.dialects.srd52.environment import FLYING
from affray.engine.dialects.srd52.features import any_of, ask, features_of, has
from affray.engine.dialects.srd52.position import displaced
from affray.engine.dialects.srd52.ready import MOVES, respond, waiting_for
from affray.engine.dialects.srd52.senses import sees
from affray.engine.fight.fight import Fight, Paced
from affray.engine.fight.memory import Same, per_company, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import obstructed, space
from affray.engine.kernel import movement
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import height_of, squares_of
from affray.engine.record.acts import details_of
from affray.engine.record.chapters import Measure
from affray.engine.steps import Choice, Refusal, Steps, reciting, unknown_word
from affray.events.facts import acts
from affray.events.facts.base import Name
from affray.events.facts.base import Square as ActSquare
from affray.events.facts.combat import ConditionGained, ConditionLost, ItemChanged, Moved
from affray.events.facts.flow import ActionSpent, RuleApplied
from affray.projections.state import Area, Combatant

# --- Speed


def why_still(fight: Fight, combatant: Combatant) -> tuple[str, str]:
    """Return why a combatant's Speed is 0, a condition or its load, and the rule; "" for nothing."""
    for name, topic in STILL:
        if name in combatant.conditions and not fight.figure(topic).get("speed", 0):
            return name, fight.rule(topic)
    if "stunned" in combatant.conditions and fight.option("stunned_speed") == "zero":
        return "stunned", fight.rule("conditions.stunned-incapacitated")
    if is_loaded(fight, combatant, "drag"):
        return "loaded with more than it can drag", fight.rule("movement.carrying-capacity")
    return "", ""


def full_speed(fight: Fight, combatant: Combatant) -> int:
    """Return a combatant's Speed in feet as it is now."""
    return as_changed(fight, combatant, combatant.sheet.speed)


def as_changed(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return a Speed or special speed as it is now: 0 under some conditions, less when exhausted.

    Armor that is too heavy lowers it, and whoever carries too much creeps. What halves the Speed halves the
    special ones (srd52.movement.speed-changes).
    """
    if why_still(fight, combatant)[0]:
        return 0
    feet += sum(one.modifier.value for one in combatant.effects if one.stat == "speed")
    older = fight.option("exhaustion") == OLDER_TABLE
    if older:
        feet = feet_when_exhausted(fight, levels_of(combatant), feet)
    elif level := levels_of(combatant):
        feet += level * fight.figure("conditions.exhaustion-speed", "per_level_ft")
    feet += heavy_armor(fight, combatant)
    for function, held in ask(fight, combatant, "on_speed"):
        feet = function(fight, held, feet)
    for area in areas.areas_at(fight, combatant.at, combatant.space):
        if "half speed" in area.traits and f"spares {combatant.id}" not in area.traits:
            feet = int(feet * fight.figure("magic.spell-spirit-guardians", "speed_factor"))
    if is_loaded(fight, combatant, "carry"):
        feet = min(feet, fight.figure("movement.drag-speed", "max_speed_ft"))
    return max(0, int(feet))


def feet_when_exhausted(fight: Fight, level: int, feet: int) -> int:
    """Return a Speed by the older table of Exhaustion: half of it, later none."""
    least = fight.figure("conditions.exhaustion-cumulative", "older_table")
    return 0 if level >= least["no_speed"] else feet // 2 if level >= least["half_speed"] else feet


def heavy_armor(fight: Fight, combatant: Combatant) -> int:
    """Return what armor that needs more Strength takes off the Speed (srd52.gear.armor-strength)."""
    for one in combatant.sheet.worn:
        for least in details_of("strength", one.traits):
            if combatant.items.get(one.name) != "doffed" and (score_now(combatant, "str") or 0) < int(least):
                return int(fight.figure("gear.armor-strength", "speed_ft"))
    return 0


def is_loaded(fight: Fight, combatant: Combatant, how: str) -> bool:
    """Return whether a combatant's load is more than it can "carry" or "drag" by its Strength and size."""
    load = combatant.sheet.carried + gear.weight_of_barding(fight, combatant)
    if not load:
        return False
    rows, size = fight.figure("movement.carrying-capacity"), combatant.sheet.size
    row = next(one for name, one in rows.items() if size in name.split("/"))
    return load > (score_now(combatant, "str") or 0) * float(row[how])


def rules_on_speed(fight: Fight, combatant: Combatant, how: str) -> tuple[str, ...]:
    """Return the rules of the features that change a combatant's Speed, or give it a special one."""
    found = [held for function, held in ask(fight, combatant, "on_speed") if function(fight, held, 30) != 30]
    found += [held for function, held in ask(fight, combatant, "special_speed") if function(fight, held, how)]
    return fight.rules(*(held.feature.topic for held in found))


def speed_by(fight: Fight, combatant: Combatant, how: str) -> int:
    """Return the speed for a way of moving."""
    return as_changed(fight, combatant, special_speed(fight, combatant, how) or combatant.sheet.speed)


def hovers(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant hovers, by its sheet or by a feature."""
    return fields_of(fight, combatant).hover or has(fight, combatant, "hover")


def special_speed(fight: Fight, combatant: Combatant, how: str) -> int:
    """Return the special speed for a way of moving in feet; 0 for none."""
    sheet = combatant.sheet
    if how == "burrow":
        return fields_of(fight, combatant).burrow
    own = {"climb": sheet.climb, "swim": sheet.swim, "fly": sheet.fly}.get(how, 0)
    for function, held in ask(fight, combatant, "special_speed"):
        own = max(own, function(fight, held, how))
    return own


DASH: Final = "dash"
"""The counter of a turn for the feet that Dash has added."""


def feet_left(fight: Fight, combatant: Combatant, how: str = "normal") -> int:
    """Return the feet that a combatant can still move in this turn, Dash included.

    With several speeds, the distance moved so far comes off each (srd52.movement.switch-speeds). A readied
    movement goes up to the Speed, whatever the turn has used.
    """
    speed = speed_by(fight, combatant, how)
    if fight.readied == combatant.id and fight.option("ready_move") == "full-speed":
        return speed
    if not speed:
        return 0
    return max(0, speed + combatant.spent.get(DASH, 0) - combatant.spent.get("feet", 0))


def feet_now(fight: Fight, combatant: Combatant) -> int:
    """Return the feet that a combatant can still move the way it is: in the air by flying."""
    return feet_left(fight, combatant, "fly" if FLYING in combatant.conditions else "normal")


# --- The cost of a path

SQUEEZE: Final = "squeeze"
"""The way of moving through an opening for a creature one size smaller."""

WAYS: Final = ("normal", "crawl", "climb", "swim", "fly", "burrow", SQUEEZE)
EXTRA: Final = {"crawl": "movement.crawl", "climb": "movement.climb", "swim": "movement.swim"}
"""Ways of moving that cost extra feet without a special speed."""
JUMP: Final = "jump"
LEAP: Final = "leap"
"""The way of a jump by a spell, which has a fixed price in movement."""
SHIFT: Final = "shift"
"""The way of moves that features give, which take no movement of the turn and provoke nothing."""
FAR_JUMP: Final = "doubled jump"
"""The counter of a turn in which jumps go twice as far."""


LISTED: Final = "movement.difficult-terrain-list"
"""The rule with the list of Difficult Terrain."""


def measure(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of a path: 5 feet a square, also diagonally, more in Difficult Terrain or crawling.

    A square with another creature that is neither Tiny nor an ally is Difficult Terrain; several reasons for
    it do not add up (srd52.movement.difficult-terrain-once). Whoever walks into deep water swims.
    """
    cites = [*fight.rules("movement.grid-enter", "movement.grid-square", *topics_on_speed(fight, mover, how))]
    if how in (SHIFT, LEAP):
        return Measure(0, 0, tuple(cites))
    if how in SPECIAL:
        cites.append(fight.rule(SPECIAL[how]))
    squares = diagonals = 0
    dragging, adds = movement_extra(fight, mover), fight.option("extra_costs") == "additive"
    for here, there in pairwise(whole):
        cost, rules = step_into(fight, mover, there, how)
        cites += rules
        if here[0] != there[0] and here[1] != there[1]:
            diagonals += 1
            every_second = (mover.spent.get("diagonals", 0) + diagonals) % 2 == 0
            cost += fight.option("diagonals") == "5-10-5" and every_second
        squares += cost + dragging if adds else max(cost, 1 + dragging)
    if gear.grappled_by(fight, mover):
        cites.append(fight.rule("grapple.move-cost" if dragging else "grapple.grappler-unimpaired"))
    cites += (fight.rule(one) for one in topics_of_features(fight, mover, whole, how))
    cites += fight.rules(*(["opportunity.incapacitated"] if leaves_helpless(fight, mover, whole) else []))
    return Measure(squares * SQUARE_FT, diagonals, tuple(dict.fromkeys(cites)))


@per_scene(Same("mover"), "there", "how")
def step_into(fight: Fight, mover: Combatant, there: Square, how: str) -> tuple[int, tuple[str, ...]]:
    """Return how many squares of movement a step costs, and the rules; without diagonals and dragging."""
    cites = list[str]()
    way = "swim" if how in ("normal", "crawl") and is_water(fight, mover, there) else how
    topic = EXTRA.get(way, "")
    extra = bool(topic) and not special_speed(fight, mover, way)
    squeezes = way == SQUEEZE and not passes_gaps(fight, mover)
    difficult = squeezes or (way not in ("fly", JUMP) and is_difficult(fight, mover, there))
    cost = fight.figure("movement.difficult-terrain", "cost_per_ft") if difficult else 1
    if extra:
        cost = max(cost, fight.figure(topic, "cost_per_ft"))
        if difficult and fight.option("extra_costs") == "additive":
            cost = fight.figure(topic, "difficult")
        cites.append(fight.rule(topic))
    elif topic:
        cites.append(fight.rule(f"{topic}-speed"))
    if difficult:
        cites.append(fight.rule("movement.difficult-terrain"))
        if any(position.is_ground(fight, at, LISTED, "ground") for at in space(there, mover.space)):
            cites.append(fight.rule(LISTED))
    if squeezes:
        cites.append(fight.rule("position.narrow-opening"))
    if way != "fly" and (others := position.others_at(fight, mover, there)):
        cites.append(fight.rule("position.pass-through"))
        if difficult and any(one.side != mover.side and one.sheet.size != "tiny" for one in others):
            cites.append(fight.rule("position.creature-difficult"))
            if fight.field.doublings(there, mover.space):
                cites.append(fight.rule("movement.difficult-terrain-once"))
    return cost, tuple(cites)


def leaves_helpless(fight: Fight, mover: Combatant, whole: Sequence[Square]) -> bool:
    """Return whether a path leaves the reach of an enemy that is Incapacitated and cannot react."""
    return any(
        position.within(mover, one, one.reach, whole[0])
        and not position.within(mover, one, one.reach, whole[-1])
        for one in fight.enemies(mover)
        if incapacitating(one) and "dead" not in one.conditions
    )


def topics_of_features(fight: Fight, mover: Combatant, whole: Sequence[Square], how: str) -> Iterator[str]:
    """Yield the topics of what a mover has that lets it go this way: past foes, through others, on webs."""
    for held in features_of(fight, mover):
        feature = held.feature
        if feature.provokes is not None and not feature.provokes(fight, held, how):
            yield feature.topic
        if how in feature.sure:
            yield feature.topic
        if how == SQUEEZE and GAPS & feature.enters:
            yield feature.topic
        for there in whole[1:] if feature.unhindered or feature.enters else ():
            if feature.unhindered & position.ground_at(fight, there):
                yield feature.topic
            if feature.enters and position.others_at(fight, mover, there):
                yield "monster.trait-swarm-space" if "stays" in feature.enters else feature.topic


def topics_on_speed(fight: Fight, mover: Combatant, how: str) -> Iterator[str]:
    """Yield the topics of the rules on what slows a mover, and on how it splits and mixes its movement."""
    if levels_of(mover):
        yield "conditions.exhaustion-speed"
    if heavy_armor(fight, mover):
        yield "gear.armor-strength"
    if is_loaded(fight, mover, "carry"):
        yield from ("movement.carrying-capacity", "movement.drag-speed")
    if incapacitating(mover):
        yield "conditions.incapacitated-movement"
    special = special_speed(fight, mover, how)
    if special and full_speed(fight, mover) != mover.sheet.speed:
        yield "movement.speed-changes"
    if mover.spent.get("feet", 0):
        yield "movement.break-up"
        yield from ["movement.modes-share"] if how != "normal" else []
        yield from ["movement.switch-speeds"] if special else []
        made = mover.spent.get(gear.STRIKES, 0)
        if 0 < made < gear.most_attacks(fight, mover):
            yield "turns.attack-move-between"


@per_scene("mover.id", "at")
def is_water(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a mover's space at a square is deep water."""
    return all(position.is_ground(fight, one, "movement.swim") for one in space(at, mover.space))


@per_scene("mover.id", "at")
def is_difficult(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a mover's space at a square is Difficult Terrain for it.

    That of another creature is one (srd52.position.creature-difficult).
    """
    if fight.field.doublings(at, mover.space) or "difficult" in areas.traits_at(fight, at, mover.space):
        return True
    if is_against_wind(fight, mover, at):
        return True
    topics, easy = (LISTED, "environment.slippery-ice"), any_of(fight, mover, "unhindered")
    for one in space(at, mover.space):
        here = position.ground_at(fight, one) - easy
        if here and any(here.intersection(fight.figure(topic, "ground")) for topic in topics):
            return True
        if one in fight.field.walls and "rock" not in easy:
            return True
    if fight.option("corpse_space") == "difficult-terrain" and lies_there(fight, at):
        return True
    held = gear.grappled_by(fight, mover)
    return any(
        one.side != mover.side and one.sheet.size != "tiny" and one.id not in held
        for one in position.others_at(fight, mover, at)
    )


def is_against_wind(fight: Fight, mover: Combatant, at: Square) -> bool:
    """Return whether a square lies in the wind of a spell and closer to its caster than the mover."""
    blowing = [one for one in areas.areas_at(fight, at, mover.space) if "wind" in one.traits]
    casters = [fight.combatant(one.who) for one in blowing]
    return any(position.distance(mover, one, at) < position.distance(mover, one) for one in casters)


def lies_there(fight: Fight, at: Square) -> bool:
    """Return whether a dead creature lies in a square."""
    return any("dead" in one.conditions and one.at == at for one in fight.state.combatants.values())


@per_company("mover.id")
def movement_extra(fight: Fight, mover: Combatant) -> int:
    """Return the extra feet for each foot of a grappler that drags creatures along.

    None for a Tiny creature, or one two or more sizes smaller; usually once for several.
    """
    extra = 0
    for id in gear.grappled_by(fight, mover):
        other = fight.state.combatants[id]
        if any(function(fight, held, other) for function, held in ask(fight, mover, "drags_freely")):
            continue
        apart = position.size_of(mover) - position.size_of(other)
        if other.sheet.size != "tiny" and apart < fight.figure("grapple.move-cost", "sizes_smaller"):
            more = int(fight.figure("grapple.move-cost", "extra"))
            extra = extra + more if fight.option("drag_two") == "per-creature" else more
    return extra


# --- Steps


def refuse_step(
    fight: Fight,
    mover: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that the map forbids, into a creature that bars the way, or to end in any creature."""
    x, y = there
    enters = any_of(fight, mover, "enters")
    if is_barred(fight, mover, here, there, how):
        rule = fight.rule("movement.burrow-speed" if how == "burrow" else "movement.grid-corners")
        raise Refusal(f"the path from {here[0]},{here[1]} to {x},{y} is blocked", rule)
    for one in position.others_at(fight, mover, there):
        if one.id in gear.grappled_by(fight, mover) or "stays" in enters:
            continue
        if "stays" in any_of(fight, one, "enters"):
            continue
        if "creatures" not in enters and not position.passable(fight, mover, one):
            raise Refusal(f"{one.id} is in the way at {x},{y}", fight.rule("position.pass-enemy"))
        if last:
            rule = fight.rule("position.no-willing-end")
            raise Refusal(f"{mover.id} cannot end its move in the space of {one.id}", rule)
    if (rope := mover.conditions.get(environment.ANCHORED)) is not None:
        start, feet = map(int, rope.source.split(",")), fight.figure("gear.climbers-kit", "limit_ft")
        far = SQUARE_FT * max(abs(one - other) for one, other in zip(there, start, strict=True))
        if far > feet:
            raise Refusal(f"{mover.id} is anchored {feet} ft. away", fight.rule("gear.climbers-kit"))
    if "trapped" in mover.conditions:
        raise Refusal(f"{mover.id} is held by a hunting trap", fight.rule("gear.hunting-trap"))
    for source in fears_of(fight, mover):
        if position.distance(mover, source, there) < position.distance(mover, source, here):
            rule = fight.rule("conditions.frightened-approach")
            raise Refusal(f"{mover.id} is frightened and cannot move closer to {source.id}", rule)


def is_barred(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether the map bars a step: not for those that pass objects, dig through rock, or squeeze.

    A space one square narrower, or any square of the space for those that pass gaps, is enough to squeeze.
    """
    field, enters = fight.field, any_of(fight, mover, "enters")
    if "objects" in enters or (how == "burrow" and "rock" in enters):
        return not all(field.holds(one) for one in space(there, mover.space))
    if how != SQUEEZE:
        return obstructed(field, here, there, mover.space)
    side = 1 if GAPS & enters else max(1, mover.space - 1)
    parts = space((0, 0), mover.space - side + 1)
    return all(
        obstructed(field, (here[0] + dx, here[1] + dy), (there[0] + dx, there[1] + dy), side)
        for dx, dy in parts
    )


GAPS: Final = frozenset({"gaps", "tiny gaps"})
"""The openings that some creatures pass without extra movement; "tiny gaps" fit a Tiny creature."""


def passes_gaps(fight: Fight, mover: Combatant) -> bool:
    """Return whether a mover passes narrow openings without extra movement."""
    return not GAPS.isdisjoint(any_of(fight, mover, "enters"))


def fears_of(fight: Fight, mover: Combatant) -> list[Combatant]:
    """Return the combatants that a mover is frightened of."""
    fear = mover.conditions.get("frightened")
    cause = fight.state.combatants.get(fear.source) if fear is not None else None
    return [cause] if cause is not None else []


# --- Moving


def refuse_still(fight: Fight, mover: Combatant) -> None:
    """Refuse movement at Speed 0 by a condition."""
    name, why = why_still(fight, mover)
    if name:
        raise Refusal(f"{mover.id} is {name}: its Speed is 0", why)


def refuse_too_far(fight: Fight, mover: Combatant, feet: int, how: str) -> None:
    """Refuse a movement that takes more feet than are left."""
    most = feet_left(fight, mover, how)
    fight.paced = Paced(feet, most, how)
    if feet > most:
        reason = f"{mover.id} has {most} ft. left, and the path takes {feet} ft."
        raise Refusal(reason, fight.rule("movement.grid-enter-afford"))


def refuse_too_narrow(fight: Fight, mover: Combatant, act: acts.Move, whole: Sequence[Square]) -> None:
    """Refuse an opening that is not made for a creature one size smaller, or is wide enough.

    Without a width in feet (`wide`) it is that of the map.
    """
    rule, widths = fight.rule("position.narrow-opening"), fight.figure("position.size-space")
    feet, enters = act.wide, any_of(fight, mover, "enters")
    fitting = [position.SIZES.index(name) for name, row in widths.items() if row["ft"] <= feet]
    smaller = position.size_of(mover) - max(fitting, default=-1)
    if not feet:
        narrow = any(is_barred(fight, mover, here, there, "normal") for here, there in pairwise(whole))
        feet, smaller = mover.space * SQUARE_FT, int(narrow)
    elif "gaps" in enters or ("tiny gaps" in enters and fitting):
        return
    if smaller != 1:
        why = "is wide enough" if smaller < 1 else "is too narrow"
        raise Refusal(f"an opening of {feet} ft. {why} for {mover.id}", rule)


SPECIAL: Final = {"fly": "movement.fly-speed", "burrow": "movement.burrow-speed"}
"""Ways of moving that need a special speed."""
RISKY: Final = {"climb": "movement.climb-check", "swim": "movement.swim-check"}
"""Ways of moving for which the game master may ask for a check."""


def move(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move along a path, at most as far as is left of the movement of the turn.

    The prone can only crawl; creatures that the mover grapples come along. In the air it rises before the
    path and descends after it, and neither costs more where the path is as long. On slippery walls and in
    rough water (`surface`) a check comes first.
    """
    mover, rule = fight.combatant(act.actor), fight.rule("movement.allowance")
    check_turn(fight, mover)
    if act.how not in WAYS:
        raise unknown_word("way of moving", act.how, WAYS, rule)
    refuse_still(fight, mover)
    if act.how in SPECIAL and not special_speed(fight, mover, act.how):
        raise Refusal(f"{mover.id} has no {act.how.title()} Speed", fight.rule(SPECIAL[act.how]))
    if mover.mount:
        raise Refusal(f"{mover.id} is mounted: {mover.mount} moves", fight.rule("mounted.controlled-actions"))
    if "prone" in mover.conditions and act.how != "crawl":
        raise Refusal(
            f"{mover.id} is prone: it can crawl or stand up", fight.rule("conditions.prone-movement")
        )
    if FLYING in mover.conditions and act.how != "fly":
        raise Refusal(f"{mover.id} is in the air: it flies", fight.rule("movement.fly-speed"))
    height = height_of(mover)
    if height + act.up < 0 or act.up % SQUARE_FT:
        raise Refusal(
            f"{mover.id} cannot go {act.up} ft. up from {height} ft.", fight.rule("movement.fly-speed")
        )
    whole = (mover.at,) if act.up and not act.path else movement.whole_path(fight, mover, act, rule)
    if act.how == SQUEEZE:
        refuse_too_narrow(fight, mover, act, whole)
    cost = measure(fight, mover, whole, act.how)
    refuse_too_far(fight, mover, max(cost.feet, abs(act.up)), act.how)
    held = gear.grappled_by(fight, mover)
    sure = act.how in any_of(fight, mover, "sure")
    if act.surface and not sure and not (yield from keeps_going(fight, mover, act)):
        return
    if act.up > 0:
        gone_on = yield from change_height(fight, mover, height + act.up, act.up - cost.feet)
        if not gone_on:
            return
    if act.path:
        rules = rules_on_speed(fight, mover, act.how)
        yield from reciting(movement.walk(fight, mover, act.path, act.how, rule), Moved, *rules)
        yield from drag(fight, mover, whole, held)
    if act.up < 0 and mover.at == whole[-1]:
        yield from change_height(fight, mover, height + act.up, -act.up - cost.feet)
    yield from hiding.end_of_move(fight, mover)


def keeps_going(fight: Fight, mover: Combatant, act: acts.Move) -> Steps[bool]:
    """Make the check that a slippery climb or rough water takes; return whether it succeeds."""
    topic = RISKY[act.how]
    rule, number = fight.rule(topic), act.dc or fight.figure(topic, "dc")
    return (yield from test.check(fight, mover, "athletics", number, why=act.surface, cites=(rule,)))


def change_height(fight: Fight, mover: Combatant, to: int, feet: int) -> Steps[bool]:
    """Rise or descend in the air, at the cost of those `feet` that the path does not cover.

    Enemies whose reach it leaves may attack before. Return whether the mover got there. At 0 it has landed.
    """
    rule, here = fight.rule("movement.fly-speed"), mover.at
    enemies = [
        one
        for one in enemies_to_leave(fight, mover, "fly")
        if position.within(mover, one, reach_of(fight, one))
        and not position.within(mover, one, reach_of(fight, one), height=to)
    ]
    if enemies:
        goes_on = yield from fight.dialect.kernel.react(fight, mover, enemies)
        if goes_on is False or mover.at != here or not fight.dialect.kernel.can_act(fight, mover):
            return False
    if feet > 0:
        yield Moved(who=mover.id, start=here, path=(), feet=feet, diagonals=0, how="fly", cites=(rule,))
    if to:
        yield ConditionGained(
            who=mover.id, condition=FLYING, source="flight", level=to, aloft=True, cites=(rule,)
        )
    elif FLYING in mover.conditions:
        yield ConditionLost(who=mover.id, condition=FLYING, why="lands", cites=(rule,))
    return True


def arriving(fight: Fight, mover: Combatant, there: Square, how: str) -> Steps[bool] | None:
    """Return what happens as a mover comes to a square: ice, areas, readied acts; None for nothing."""
    icy = how not in (JUMP, LEAP) and mover.spent.get(environment.SLIPPED, 0) == 0
    icy = icy and environment.is_on_ice(fight, mover, there)
    shown = hiding.is_shown_at_once(fight, mover, there)
    entered = entering(fight, mover, there)
    if icy or shown or entered is not None or waiting_for(fight, MOVES, mover, there):
        return arrive(fight, mover, icy, there, entered)
    return None


def arrive(
    fight: Fight, mover: Combatant, icy: bool, there: Square, entered: Steps[bool] | None
) -> Steps[bool]:
    """Let happen what does at a square; return whether the mover can go on."""
    stopped_there = entered is not None and not (yield from entered)
    if icy:
        yield from environment.slip(fight, mover)
    if hiding.is_shown_at_once(fight, mover, there):
        yield from hiding.end_of_move(fight, mover)
    yield from respond(fight, MOVES, mover)
    stopped = stopped_there or ("prone" in mover.conditions and icy)
    return not stopped and mover.at == there and can_go_on(fight, mover)


def can_go_on(fight: Fight, mover: Combatant) -> bool:
    """Return whether a mover can still act and move."""
    return fight.dialect.kernel.can_act(fight, mover) and full_speed(fight, mover) > 0


def drag(fight: Fight, mover: Combatant, whole: Sequence[Square], held: Iterable[str]) -> Steps[None]:
    """Move the creatures that a mover grapples into the squares behind it, each to a free one in reach."""
    if mover.at == whole[0] or mover.at not in whole:
        return
    behind = whole[whole.index(mover.at) - 1]
    for id in held:
        other = fight.combatant(id)
        places = [behind, *position.nearest_free(fight, other, behind)]
        place = next((one for one in places if is_free(fight, other, one)), other.at)
        cites = fight.rules("conditions.grappled-movable", "opportunity.forced-movement")
        yield Moved(
            who=id,
            start=other.at,
            path=(place,),
            feet=0,
            diagonals=0,
            how=f"dragged by {mover.id}",
            cites=cites,
        )


def is_free(fight: Fight, combatant: Combatant, at: Square) -> bool:
    """Return whether a combatant has room at a square."""
    return fight.field.passable(at, combatant.space) and not position.others_at(fight, combatant, at)


# --- Jumping


def jump(fight: Fight, act: acts.Jump) -> Steps[None]:
    """Jump far or high: as far as the Strength allows, half of that without a run-up; each foot costs one.

    `path` is the run-up of `takeoff` squares and the jump; `feet` the height of a High Jump, or that of an
    obstacle in the way of a Long Jump.
    """
    mover = fight.combatant(act.actor)
    topic = "movement.high-jump" if act.kind == "high" else "movement.long-jump"
    rule = fight.rule(topic)
    check_turn(fight, mover)
    refuse_still(fight, mover)
    if "prone" in mover.conditions:
        raise Refusal(f"{mover.id} is prone", fight.rule("conditions.prone-movement"))
    squares = act.path[: act.takeoff], act.path[act.takeoff :]
    name = ability_for_jumps(fight, mover)
    score, modifier = score_now(mover, name) or 0, modifier_of(fight, mover, name)
    full = score if act.kind == "long" else max(0, fight.formula(topic, "running_ft") + modifier)
    full *= 2 if FAR_JUMP in mover.spent else 1
    run_up = SQUARE_FT * len(squares[0]) >= fight.figure(topic, "run_up_ft")
    most = full if run_up else full // 2
    asked = (one for one in ask(fight, mover, "jump") if not mover.spent.get(one[1].name))
    function, spell = next(asked, (None, None))
    far, price = function(fight, spell) if function else (0, 0)
    most = max(most, far)
    feet = act.feet if act.kind == "high" else SQUARE_FT * len(squares[1])
    if act.kind == "high" and squares[1]:
        raise Refusal("a High Jump leads up, not across squares", rule)
    if not 0 < feet <= most:
        raise Refusal(f"{mover.id} jumps up to {most} ft., not {feet} ft.", rule)
    obstacle = act.feet if act.kind == "long" else 0
    hurdle = "movement.long-jump-obstacle"
    if obstacle > feet // fight.formula(hurdle, "divisor"):
        raise Refusal(
            f"an obstacle of {obstacle} ft. is too high for a jump of {feet} ft.", fight.rule(hurdle)
        )
    whole = (
        movement.whole_path(fight, mover, acts.Move(path=act.path, how=JUMP), rule)
        if act.path
        else (mover.at,)
    )
    run = whole[: act.takeoff + 1]
    cost = measure(fight, mover, run, "normal").feet
    by_spell = price < feet <= far
    refuse_too_far(fight, mover, cost + (price if by_spell else feet), "normal")
    if squares[0] and not (yield from movement.walk(fight, mover, squares[0], "normal", rule)):
        return
    cites = (rule, *fight.rules("movement.jump-cost"))
    if spell is not None and by_spell:
        by = fight.rules(spell.feature.topic)
        yield ActionSpent(who=mover.id, kind=spell.name, what=JUMP, cites=by)
        yield ActionSpent(who=mover.id, kind="feet", what=JUMP, amount=price, cites=by)
    if act.kind == "high":
        paid = 0 if by_spell else feet
        yield Moved(who=mover.id, start=mover.at, path=(), feet=paid, diagonals=0, how=JUMP, cites=cites)
        if height := fields_of(fight, mover).height:
            topic = "movement.high-jump-reach"
            reached = feet + int(height * fight.figure(topic, "heights"))
            yield RuleApplied(who=mover.id, what=f"reaches {reached} ft. up", cites=fight.rules(topic))
        return
    if obstacle:
        number, why = fight.figure(hurdle, "dc"), "the obstacle"
        cleared = yield from test.check(fight, mover, "athletics", number, why=why, cites=fight.rules(hurdle))
        if not cleared:
            what = f"hits the obstacle of {obstacle} ft."
            yield RuleApplied(who=mover.id, what=what, cites=fight.rules(hurdle))
            return
    steps = movement.walk(fight, mover, squares[1], LEAP if by_spell else JUMP, rule)
    if not (yield from reciting(steps, Moved, *cites)):
        return
    yield from landing(fight, mover)
    yield from hiding.end_of_move(fight, mover)


def ability_for_jumps(fight: Fight, mover: Combatant) -> str:
    """Return the ability of jumps: Strength, or a higher one that a feature allows."""
    usable: list[str] = ["str"]
    usable += (function(fight, held) for function, held in ask(fight, mover, "jump_ability"))
    return max(usable, key=lambda name: score_now(mover, name) or 0)


def landing(fight: Fight, mover: Combatant) -> Steps[None]:
    """Make a check to keep one's feet after a Long Jump into Difficult Terrain, or be prone."""
    topic = "movement.long-jump-landing"
    rule = fight.rule(topic)
    if is_difficult(fight, mover, mover.at):
        number = fight.figure(topic, "dc")
        if not (yield from test.check(fight, mover, "acrobatics", number, why="landing", cites=(rule,))):
            yield from reciting(gain(fight, mover, "prone", "a rough landing"), ConditionGained, rule)


# --- Teleporting


class Teleport(acts.Act, frozen=True, gc=False, tag="srd52.teleport"):
    """Teleport a combatant, as game master.

    target: the combatant.
    to: where it goes.
    """

    declared_by = "game master"

    target: Name = ""
    to: ActSquare = (0, 0)


def teleport_by_word(fight: Fight, act: Teleport) -> Steps[None]:
    """Teleport a combatant to a place on the map."""
    if not fight.field.holds(act.to):
        raise Refusal(f"{act.to[0]},{act.to[1]} is not on the map", fight.rule("movement.teleport"))
    yield from teleport(fight, fight.combatant(act.target), act.to)


def teleport(fight: Fight, traveller: Combatant, to: Square, *cites: str) -> Steps[None]:
    """Put a traveller elsewhere: no square between is entered, and no enemy may attack.

    If its place is taken or solid, it chooses among the nearest free ones.
    """
    places = position.nearest_free(fight, traveller, to)
    rules = fight.rules("movement.teleport", "opportunity.teleport")
    if not places:
        yield RuleApplied(who=traveller.id, what="finds no free place", cites=rules)
        return
    place = places[0]
    if place != to:
        rule = fight.rule("movement.teleport-blocked")
        rules = (*rules, rule, *fight.rules("position.occupied", "position.space-meaning"))
        options = tuple(f"{x},{y}" for x, y in places)
        if len(options) > 1:
            question = f"{to[0]},{to[1]} is not free: where does {traveller.id} appear?"
            answer = yield Choice(traveller.id, "place", question, options, rule)
            place = places[options.index(answer)]
    yield displaced(traveller, (place,), "teleport", (*rules, *cites))


# --- Standing up, dropping


def stand(fight: Fight, act: acts.Stand) -> Steps[None]:
    """Stand up, which takes half of the Speed; not at Speed 0."""
    actor, rule = fight.combatant(act.actor), fight.rule("conditions.prone-stand")
    check_turn(fight, actor)
    if "prone" not in actor.conditions:
        raise Refusal(f"{actor.id} is not prone", rule)
    speed, cost = full_speed(fight, actor), cost_to_stand(fight, actor)
    if not speed:
        raise Refusal(f"the Speed of {actor.id} is 0: it cannot stand up", rule)
    if cost > feet_left(fight, actor):
        raise Refusal(
            f"{actor.id} has {feet_left(fight, actor)} ft. left, and standing up takes {cost} ft.", rule
        )
    cites = (rule, *fight.rules("opportunity.within-reach"))
    yield Moved(who=actor.id, start=actor.at, path=(), feet=cost, diagonals=0, how="stand up", cites=cites)
    yield ConditionLost(who=actor.id, condition="prone", why="stands up", cites=(rule,))


def cost_to_stand(fight: Fight, combatant: Combatant) -> int:
    """Return the feet that standing up takes: half of the Speed as it is now."""
    printed = fight.option("stand_cost_base") == "base-speed"
    speed = combatant.sheet.speed if printed else full_speed(fight, combatant)
    return int(speed // fight.figure("conditions.prone-stand", "divisor"))


def drop(fight: Fight, act: acts.Drop) -> Steps[None]:
    """Drop to the ground at no cost, or drop a held item (srd52.turns.attack-equip-meaning)."""
    actor = fight.combatant(act.actor)
    check_turn(fight, actor)
    if act.item == "prone":
        rule = fight.rule("movement.drop-prone")
        if "prone" in actor.conditions:
            raise Refusal(f"{actor.id} is prone already", rule)
        if not full_speed(fight, actor) and fight.option("drop_prone_speed_zero") == "forbidden":
            raise Refusal(f"the Speed of {actor.id} is 0: it cannot drop to the ground", rule)
        yield ConditionGained(who=actor.id, condition="prone", source="drops to the ground", cites=(rule,))
        return
    rule = fight.rule("turns.attack-equip-meaning")
    if act.item not in actor.held:
        raise Refusal(f"{actor.id} does not hold {act.item or 'that'}", rule)
    if fight.option("drop_item") == "object-interaction":
        yield from gear.spend_interaction(fight, actor, f"drop the {act.item}")
    yield ItemChanged(who=actor.id, item=act.item, state="dropped", at=actor.at, cites=(rule,))


# --- In the air, and in the spaces of others


def drops_from_air(fight: Fight, combatant: Combatant) -> str:
    """Return why a flying combatant falls: Incapacitated, Prone or at Fly Speed 0; "" if it stays aloft.

    A creature that hovers does.
    """
    if FLYING not in combatant.conditions:
        return ""
    if hovers(fight, combatant) and "dead" not in combatant.conditions:
        return ""
    if name := incapacitating(combatant):
        return name
    if "prone" in combatant.conditions:
        return "" if fight.option("prone_flyer") == "end-of-turn" else "prone"
    aloft = special_speed(fight, combatant, "fly") and speed_by(fight, combatant, "fly")
    return "" if aloft else "at Fly Speed 0"


def fall_from_air(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a flying combatant fall if it cannot stay aloft."""
    aloft = hovers(fight, combatant) and FLYING in combatant.conditions
    if aloft and (incapacitating(combatant) or "prone" in combatant.conditions):
        yield RuleApplied(who=combatant.id, what="hovers", cites=fight.rules("movement.hover"))
    if drops_from_air(fight, combatant):
        height, wet = height_of(combatant), is_water(fight, combatant, combatant.at)
        _, still = why_still(fight, combatant)
        cites = (*fight.rules("movement.fly-fall"), *([still] if still else []))
        yield from environment.fall(fight, combatant, height, wet, *cites)


def end_in_air(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Let a flyer fall as its turn ends: prone by one reading, or in strong wind."""
    if FLYING not in combatant.conditions:
        return
    wind = any(position.is_ground(fight, at, "environment.strong-wind") for at in squares_of(combatant))
    if wind or "prone" in combatant.conditions:
        rule = fight.rule("environment.strong-wind" if wind else "movement.fly-fall")
        wet = is_water(fight, combatant, combatant.at)
        yield from environment.fall(fight, combatant, height_of(combatant), wet, rule)


def lands_on_others(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Make a combatant prone that ends its turn in another's space, unless it is Tiny or larger."""
    for one in position.others_at(fight, combatant, combatant.at):
        if "stays" in any_of(fight, combatant, "enters") | any_of(fight, one, "enters"):
            continue
        small = combatant.sheet.size == "tiny" or position.size_of(combatant) > position.size_of(one)
        if not small and "prone" not in combatant.conditions:
            cites = fight.rules("position.end-turn-shared", "position.size-tests")
            yield ConditionGained(
                who=combatant.id, condition="prone", source=f"the space of {one.id}", cites=cites
            )


# --- Areas on the way


def entering(fight: Fight, mover: Combatant, there: Square) -> Steps[bool] | None:
    """Return what areas do as a mover comes to a square, or brings its own to others; None for nothing.

    They are judged from the mover's place when the part of its way that is told next begins.
    """
    if not fight.state.areas:
        return None
    before = areas.areas_at(fight, mover.at, mover.space)
    own = [one for one in fight.state.areas.values() if one.around and one.around in (mover.id, mover.rider)]
    there_now = areas.areas_at(fight, there, mover.space)
    if not own and not there_now and not before:
        return None
    moments = [
        *((area, "leave") for area in before if area not in there_now),
        *((area, "enter") for area in there_now if area not in before),
        *((area, "within") for area in there_now if area in before),
    ]
    reached = {one.id: {other.id for other in areas.who_is_in(fight, one)} for one in own}
    return in_entered_areas(fight, mover, moments, reached)


def in_entered_areas(
    fight: Fight,
    mover: Combatant,
    moments: Sequence[tuple[Area, str]],
    reached: Mapping[str, Collection[str]],
) -> Steps[bool]:
    """Let areas act on a mover that enters or leaves them, and its own on those that they reach only now.

    A rider is moved along. Returns whether the mover can go on: its Speed is not 0.
    """
    rider = fight.state.combatants.get(mover.rider)
    for area, moment in moments:
        yield from areas.act_on(fight, area, mover, moment)
        if rider is not None and rider.at == mover.at:
            yield from areas.act_on(fight, area, rider, moment)
    for id, others in reached.items():
        area = fight.state.areas[id]
        for other in areas.who_is_in(fight, area):
            if other.id not in others:
                yield from areas.act_on(fight, area, other, "enter")
    return full_speed(fight, mover) > 0 and "prone" not in mover.conditions


# --- Leaving the reach of enemies


def leaving(fight: Fight, mover: Combatant, here: Square, there: Square, how: str) -> list[Combatant]:
    """Return the enemies whose reach a mover leaves, that see it, unless it has taken Disengage.

    A creature that it drags along stays next to it.
    """
    return [
        one
        for one in enemies_to_leave(fight, mover, how)
        if position.within(mover, one, reach_of(fight, one), here)
        and not position.within(mover, one, reach_of(fight, one), there)
    ]


@per_scene(Same("mover"), "how")
def enemies_to_leave(fight: Fight, mover: Combatant, how: str) -> list[Combatant]:
    """Return the enemies that would attack a mover that leaves their reach: they see it."""
    if DISENGAGED in mover.conditions or how == SHIFT:
        return []
    if not all(function(fight, held, how) for function, held in ask(fight, mover, "provokes")):
        return []
    held = gear.grappled_by(fight, mover)
    return [
        one
        for one in fight.enemies(mover)
        if one.id not in held and sees(fight, one, mover)
        if not is_charmed_by(one, mover)
    ]


@per_company("combatant.id")
def reach_of(fight: Fight, combatant: Combatant) -> int:
    """Return how far a combatant's longest melee attack reaches in feet."""
    more = fight.figure("gear.reach", "reach_ft")
    arms = fight.dialect.kernel.arms(fight, combatant)
    usual = combatant.reach + (more if any("reach" in one.traits for one in arms) else 0)
    return max([usual, *(one.far for one in arms)])
