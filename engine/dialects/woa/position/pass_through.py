"""Going through the space of others, and what a way costs and forbids (woa.movement.pass-through.*)."""

from collections.abc import Sequence
from itertools import pairwise

from affray.engine.dialects.woa.movement import acrobatics_athletics, obstacles, terrain
from affray.engine.dialects.woa.movement.terrain import LEAVE, TUMBLE, TUMBLE_FAST
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import corner_blocked, path_cost
from affray.engine.grid.thin_walls import bars_step
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.movement import Measure
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.classes.natures import INCORPOREAL, is_a
from affray.engine.rules.conditions.condition_rules import powerless
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement.noticed import knows_of, noticed
from affray.engine.rules.movement.unseen import known_occupants
from affray.engine.rules.position.occupants import holders_of, occupants
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.facts.combat import CheckResolved, ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted
from affray.projections.state import Combatant

OBSTRUCTED = ("lightly obstructed", "severely obstructed")


def sizes_between(combatant: Combatant, other: Combatant) -> int:
    """Return by how many size categories two creatures differ."""
    return abs(size_step(combatant) - size_step(other))


def passes_freely(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Say whether neither is in the other's way for its size (woa.size.pass-through-three-sizes)."""
    return bool(
        sizes_between(combatant, other)
        >= fight.figure("woa.size.pass-through-three-sizes", "size_difference")
    )


def refuse_step(
    fight: Fight,
    combatant: Combatant,
    here: Square,
    there: Square,
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a step that walls, or those in the way of whom the mover knows, forbid."""
    refuse_blocked(fight, combatant, here, there, last)
    if others := occupants(fight, combatant, there):
        refuse_entry(fight, combatant, there, noticed(fight, combatant, others), last, through, how)


def refuse_entry(
    fight: Fight,
    combatant: Combatant,
    there: Square,
    others: Sequence[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square for those who hold it: opponents on the way, anybody at its end without room for both.

    Nobody gets past those whom it does not perceive, nor is let by; whoever rushes runs into friends too.
    """
    for other in others:
        where = f"at {there[0]},{there[1]}"
        if other is through or is_helpless(fight, other):
            continue
        if "fills its space" in other.sheet.traits:
            why = f"{other.id} fills its space {where}"
            raise Refusal(why, fight.rule("woa.movement.pass-through.filled-space"))
        if last:
            refuse_sharing(fight, combatant, others, other, there)
        elif not passes_freely(fight, combatant, other):
            friend, rushing = other.side == combatant.side, how in obstacles.RUSHING
            minded = rushing or how in (TUMBLE, TUMBLE_FAST, LEAVE)
            if (friend and not rushing) or (minded and knows_of(fight, combatant, other)):
                continue
            topic = "friend-at-double-speed" if friend else "opponent"
            why = f"{other.id} bars the way {where}: it takes Acrobatics or an overrun"
            raise Refusal(why, fight.rule(f"woa.movement.pass-through.{topic}"))


def refuse_blocked(fight: Fight, combatant: Combatant, here: Square, there: Square, last: bool) -> None:
    """Refuse a step into what blocks: walls stop flyers too, but not the incorporeal on their way.

    woa.terrain.obstacle.blocking, woa.terrain.obstacle.flying-incorporeal
    """
    field = fight.field
    way = f"the way from {here[0]},{here[1]} to {there[0]},{there[1]} is blocked"
    ghostly = is_a(combatant, INCORPOREAL)
    if not field.passable(there, combatant.space):
        kinds = {field.at(one) for one in terrain.squares_of_space(there, combatant.space)} & set("#T ")
        avoids = terrain.avoids_obstacles(combatant) and field.holds(there, combatant.space)
        if not avoids or (last and kinds != {" "}) or ("#" in kinds and not ghostly):
            topic = "flying-incorporeal" if avoids and not ghostly and "#" in kinds else "blocking"
            raise Refusal(way, fight.rule(f"terrain.obstacle.{topic}"))
    if not ghostly and bars_step(field, here, there, combatant.space):
        straight = here[0] == there[0] or here[1] == there[1]
        raise Refusal(way, fight.rule("terrain.obstacle.blocking" if straight else "woa.distance.grid"))
    if not ghostly and corner_blocked(field, here, there, combatant.space):
        raise Refusal(way, fight.rule("woa.distance.grid"))


def refuse_sharing(
    fight: Fight, combatant: Combatant, others: Sequence[Combatant], other: Combatant, at: Square
) -> None:
    """Refuse to end in the space of somebody of one's own size, or where there is no room left.

    In the space of a larger one creatures of all smaller sizes find room: each counts as so many of the next
    smaller size (woa.size.shared-space.capacity).
    """
    large = max(combatant, *others, key=size_step)
    if sizes_between(large, other) == sizes_between(large, combatant) == 0:
        raise Refusal(f"{other.id} stands at {at[0]},{at[1]}", fight.rule("woa.space.definition"))
    place = at if large is combatant else large.at
    there = {
        one.id: one for one in (combatant, *holders_of(fight, large, place, large.space, large.space), large)
    }
    sizes = [size_step(one) for one in there.values() if one is combatant or not is_helpless(fight, one)]
    per = fight.figure("woa.size.shared-space.capacity", "smaller_per_larger")
    most = fight.figure("woa.crowd.max-same-size", "occupants") * per ** (max(sizes) - min(sizes))
    if sum(per ** (size - min(sizes)) for size in sizes) > most:
        why = f"there is no room left beside {large.id} at {at[0]},{at[1]}"
        raise Refusal(why, fight.rule("woa.size.shared-space.capacity"))


def measure(fight: Fight, combatant: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return what a way costs: each kind of hampering ground doubles the distance, and doublings multiply.

    Through an opponent as across an obstacle: at half speed, unless it is done the harder way
    (woa.terrain.difficult.half-speed, .multiply, woa.terrain.obstacle.hampering, .full-speed).
    """
    fenced = {
        there for here, there in pairwise(whole) if terrain.barriers_in_way(fight, combatant, here, there)
    }

    def doublings(at: Square) -> int:
        kinds = 0 if terrain.is_spared(combatant) else len(terrain.difficulties(fight, at, combatant.space))
        hindered = at in fenced or terrain.is_obstacle(fight, combatant, at)
        if hindered and how not in (terrain.FAST, terrain.OVER):
            kinds += 1
        elif how == TUMBLE:
            kinds += any(
                asked_for_entry(fight, combatant, one, how) == TUMBLE
                for one in known_occupants(fight, combatant, at)
            )
        return kinds

    parity = combatant.spent.get("diagonals", 0) % 2
    cost = path_cost(
        fight.field, whole, side=combatant.space, doublings_of=doublings, parity=parity, scaled=True
    )
    diagonals = sum(1 for a, b in pairwise(whole) if a[0] != b[0] and a[1] != b[1])
    cites = (
        *terrain.rules_of_ground(fight, combatant, whole),
        *rules_of_passing(fight, combatant, whole[1:], how),
    )
    return Measure(cost.squares * SQUARE_FT, diagonals, tuple(dict.fromkeys(cites)))


def rules_of_passing(fight: Fight, combatant: Combatant, path: Sequence[Square], how: str) -> tuple[str, ...]:
    """Return the rules by which a way leads through others without more ado."""
    topics = []
    for at in path:
        for other in occupants(fight, combatant, at):
            if passes_freely(fight, combatant, other):
                topics += ["size.pass-through-three-sizes", "woa.movement.pass-through.size-difference"]
            elif (
                other.side == combatant.side
                and how not in obstacles.RUSHING
                and not is_helpless(fight, other)
            ):
                topics.append("woa.movement.pass-through.friend")
    return fight.rules(*topics)


def asked_for_entry(fight: Fight, combatant: Combatant, other: Combatant, how: str) -> str:
    """Return what getting into a space takes: "tumble", "rush", "leave", "over"; "" for nothing."""
    if passes_freely(fight, combatant, other):
        return ""
    if is_helpless(fight, other):
        return "over" if other.side != combatant.side else ""
    if how in obstacles.RUSHING:
        return "rush"
    if other.side == combatant.side:
        return ""
    return {TUMBLE: TUMBLE, TUMBLE_FAST: TUMBLE, LEAVE: LEAVE}.get(how, "")


def entered_occupants(fight: Fight, combatant: Combatant, here: Square, there: Square) -> list[Combatant]:
    """Return those whose space a step leads into."""
    found = occupants(fight, combatant, there)
    before = occupants(fight, combatant, here) if found else []
    return [one for one in found if one not in before]


def step_needs_check(fight: Fight, combatant: Combatant, here: Square, there: Square, how: str) -> bool:
    """Say whether a step takes a check, or somebody's leave, before it is taken."""
    if obstacles.climbs_over(fight, combatant, here, there, how):
        return True
    return any(
        asked_for_entry(fight, combatant, other, how)
        for other in entered_occupants(fight, combatant, here, there)
    )


def check_before_step(
    fight: Fight, combatant: Combatant, here: Square, there: Square, how: str
) -> Steps[bool]:
    """Do what a step asks for beforehand; return whether it can be taken."""
    if obstacles.climbs_over(fight, combatant, here, there, how) and not (
        yield from obstacles.cross_obstacle(fight, combatant, here, there, how)
    ):
        return False
    for other in entered_occupants(fight, combatant, here, there):
        kind = asked_for_entry(fight, combatant, other, how)
        if kind == LEAVE:
            passed = yield from by_leave(fight, combatant, other)
        elif kind == "over":
            passed = yield from over_helpless(fight, combatant, other)
        elif kind:
            passed = yield from get_past(fight, combatant, other, there, how, rushing=kind == "rush")
        else:
            passed = True
        if not passed:
            return False
    return True


def by_leave(fight: Fight, combatant: Combatant, other: Combatant) -> Steps[bool]:
    """Ask somebody in the way to let the mover by (woa.movement.pass-through.willing)."""
    rule = fight.rule("woa.movement.pass-through.willing")
    question = f"does {other.id} let {combatant.id} by?"
    let = (
        "bar"
        if powerless(fight, other)
        else (yield Choice(other.id, "let-by", question, ("bar", "let by"), rule))
    )
    told = "lets" if let == "let by" else "does not let"
    yield RuleApplied(who=other.id, what=f"{told} {combatant.id} by", cites=(rule,))
    return bool(let == "let by")


def over_helpless(fight: Fight, combatant: Combatant, other: Combatant) -> Steps[bool]:
    """Go over a helpless opponent, an obstructed surface (woa.movement.pass-through.helpless-opponent)."""
    rule = fight.rule("woa.movement.pass-through.helpless-opponent")
    question = f"how much does {other.id} obstruct the ground for {combatant.id}?"
    degree = yield Choice("", "obstruction", question, OBSTRUCTED, rule)
    yield RuleApplied(who=other.id, what=f"lies in the way: {degree}", cites=(rule,))
    return (yield from obstacles.keep_footing(fight, combatant, [degree], "normal", f"over {other.id}"))


def get_past(
    fight: Fight, combatant: Combatant, other: Combatant, there: Square, how: str, *, rushing: bool
) -> Steps[bool]:
    """Get past somebody by Acrobatics; in a rush, who fails falls in front of them.

    An opponent may hinder it with a combat maneuver check, the result of which is the DC if it is higher
    (woa.movement.pass-through.opponent, .friend-at-double-speed).
    """
    hostile = other.side != combatant.side
    topics = ["woa.movement.pass-through.opponent"] if hostile else []
    topics += ["woa.movement.pass-through.friend-at-double-speed"] if rushing else []
    found = obstacle_dc(fight, combatant, other, how, rushing)
    if found is None:
        rule = fight.rule("woa.terrain.obstacle.hampering")
        found = (yield from acrobatics_athletics.by_ruling(f"getting past {other.id}", rule)), ()
    elif hostile and sizes_between(combatant, other):
        found = found[0], (*found[1], fight.rule("woa.size.pass-through-acrobatics"))
    dc, rules = found
    if hostile and not powerless(fight, other):
        rule = fight.rule("woa.movement.pass-through.opponent")
        question = f"{combatant.id} is about to pass: does {other.id} hinder it?"
        if (yield Choice(other.id, "hinder", question, ("hinder", "let be"), rule)) == "hinder":
            result = yield from roll_to_hinder(fight, other, combatant, dc)
            dc, rules = (result, ()) if result > dc else (dc, rules)
    cites = fight.rules(*topics, "woa.movement.skills.basis", "woa.movement.skills.affected-options")
    hampered = terrain.is_rough(fight, combatant, there)
    margin = yield from acrobatics_athletics.acrobatics(
        fight, combatant, dc, *dict.fromkeys((*cites, *rules)), rough=hampered, why=f"past {other.id}"
    )
    if margin >= 0:
        return True
    yield RuleApplied(who=combatant.id, what=f"does not get past {other.id}", cites=cites[:1])
    if rushing and "prone" not in combatant.conditions:
        rule = fight.rule("woa.movement.pass-through.friend-at-double-speed")
        yield ConditionGained(
            who=combatant.id, condition="prone", source=f"running into {other.id}", cites=(rule,)
        )
    return False


def obstacle_dc(
    fight: Fight, combatant: Combatant, other: Combatant, how: str, rushing: bool
) -> tuple[int, tuple[str, ...]] | None:
    """Return the DC of a creature as an obstacle, easier by size, and the rule; None where none is printed.

    woa.movement.pass-through.friend-at-double-speed, woa.size.pass-through-acrobatics
    """
    pace = "double" if rushing else "full" if how == TUMBLE_FAST else "half"
    found = cell(fight, "woa.terrain.obstacle.hampering", f"pace={pace}", "dc")
    if found is None:
        return None
    topic = "woa.movement.pass-through.friend-at-double-speed"
    same, sized = (
        fight.figure(topic, f"size_difference={n}", "typical_dc")
        for n in (0, sizes_between(combatant, other))
    )
    return found.value - (same - sized), (found.rule,)


def roll_to_hinder(fight: Fight, other: Combatant, combatant: Combatant, dc: int) -> Steps[int]:
    """Roll the combat maneuver check of an opponent who hinders; return its result.

    woa.maneuver.check, woa.maneuver.size-modifier, woa.size.combat.maneuvers
    """
    blow = Blow(other, combatant, unarmed(fight, other), True, 0, Intent("maneuver"))
    parts: list[Modifier] = [*fight.dialect.attacks.attack_bonus(fight, blow)]
    cites = fight.rules("woa.movement.pass-through.opponent", "woa.maneuver.check")
    steps = size_step(other) - size_step(combatant)
    if steps:
        topic = "woa.maneuver.size-modifier"
        path = "per_category_attacker_larger" if steps > 0 else "per_category_attacker_smaller"
        value = fight.figure(topic, path) * abs(steps)
        parts.append(Modifier(value, "size", f"{counted(abs(steps), 'size')} apart", fight.rule(topic)))
        cites = (*cites, *fight.rules("woa.size.combat.maneuvers"))
    tally = fight.dialect.attacks.stack(fight, parts)

    def judge(key: str, natural: int) -> CheckResolved:
        total = natural + tally.total
        return CheckResolved(
            who=other.id,
            check="combat maneuver",
            key=key,
            natural=natural,
            total=total,
            dc=dc,
            success=total > dc,
            parts=tally.parts,
            why=f"to hinder {combatant.id}",
            cites=cites,
        )

    fact: CheckResolved = yield from judged(other.id, "hinder", judge)
    return fact.total
