"""Implement sharing a space and surrounding an opponent among creatures of different sizes (woa.size.*)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.defense.defense import MIXED, on_side, open_share, press_around
from affray.engine.dialects.woa.movement import movement, speed
from affray.engine.dialects.woa.movement.movement import LEAVE, TUMBLE, TUMBLE_FAST
from affray.engine.dialects.woa.opportunity import attacks_of_opportunity
from affray.engine.dialects.woa.opportunity.attacks_of_opportunity import who_may_strike
from affray.engine.dialects.woa.position.size import (
    deny_sudden_strike,
    is_overhead,
    lies,
    on_body,
    own_height,
    space_and_reach,
    swarming,
)
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Battlefield, Square, bars_step
from affray.engine.grid.distance import corner_blocked, obstructed, path_cost
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow, Intent
from affray.engine.record.chapters import Measure
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import INCORPOREAL, has_trait, is_a, size_step, sizes_larger
from affray.engine.rules.conditions.conditions import cannot_act
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.rules.movement import movement as shared_movement
from affray.engine.rules.movement.movement import displaced, known_occupants, knows_of, noticed
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import holders_of, occupants
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Choice, Refusal, Steps, judged
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import CheckResolved, ConditionGained, ConditionLost, Moved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Passing through occupied spaces: the cost of a path and the squares it may not enter
#
# woa.movement.pass-through.*

OBSTRUCTED = ("lightly obstructed", "severely obstructed")


def sizes_between(combatant: Combatant, other: Combatant) -> int:
    """Return the difference between two creatures in size categories."""
    return abs(size_step(combatant) - size_step(other))


def passes_freely(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether two creatures pass through each other's space because of their sizes.

    woa.size.pass-through-three-sizes
    """
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
    """Refuse a step that is blocked by walls or by creatures the mover knows of."""
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
    """Refuse a square because of its occupants: opponents on the way, or anyone where there is no room at the
    end.

    A mover cannot deliberately get past, or be let by, creatures it does not perceive; a mover that rushes
    runs into friends too.
    """
    for other in others:
        where = f"at {there[0]},{there[1]}"
        if other is through or is_helpless(fight, other):
            continue
        if not last and is_overhead(combatant, other):
            continue
        if "fills its space" in other.sheet.traits:
            why = f"{other.id} fills its space {where}"
            raise Refusal(why, fight.rule("woa.movement.pass-through.filled-space"))
        if last:
            refuse_sharing(fight, combatant, others, other, there)
        elif not passes_freely(fight, combatant, other):
            friend, rushing = other.side == combatant.side, how in movement.RUSHING
            minded = rushing or how in (TUMBLE, TUMBLE_FAST, LEAVE)
            if (friend and not rushing) or (minded and knows_of(fight, combatant, other)):
                continue
            topic = "friend-at-double-speed" if friend else "opponent"
            why = f"{other.id} blocks the way {where}: getting past takes Acrobatics or an overrun"
            raise Refusal(why, fight.rule(f"woa.movement.pass-through.{topic}"))


def refuse_blocked(fight: Fight, combatant: Combatant, here: Square, there: Square, last: bool) -> None:
    """Refuse a step into blocked squares: walls stop flyers too, but not the incorporeal on their way.

    woa.terrain.obstacle.blocking, woa.terrain.obstacle.flying-incorporeal
    """
    field = fight.field
    way = f"the way from {here[0]},{here[1]} to {there[0]},{there[1]} is blocked"
    ghostly = is_a(combatant, INCORPOREAL)
    if not field.passable(there, combatant.space):
        kinds = {field.at(one) for one in movement.squares_of_space(there, combatant.space)} & set("#T ")
        avoids = movement.avoids_obstacles(combatant) and field.holds(there, combatant.space)
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
    """Refuse to end in the space of a creature of the same size, or where no room is left.

    In the space of a larger creature there is room for creatures of all smaller sizes: each counts as several
    creatures of the next smaller size (woa.size.shared-space.capacity).
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
        why = f"there is no room left in the space of {large.id} at {at[0]},{at[1]}"
        raise Refusal(why, fight.rule("woa.size.shared-space.capacity"))


def measure(fight: Fight, combatant: Combatant, whole: Sequence[Square], how: str) -> Measure:
    """Return the cost of a path: each kind of hampering ground doubles the distance, and doublings multiply.

    Moving through an opponent costs the same as crossing an obstacle: half speed, unless the mover takes the
    harder check (woa.terrain.difficult.half-speed, .multiply, woa.terrain.obstacle.hampering, .full-speed).
    """
    fenced = {
        there for here, there in pairwise(whole) if movement.barriers_in_way(fight, combatant, here, there)
    }

    def doublings(at: Square) -> int:
        kinds = 0 if movement.is_spared(combatant) else len(movement.difficulties(fight, combatant, at))
        hindered = at in fenced or movement.is_obstacle(fight, combatant, at)
        if hindered and how not in (movement.FAST, movement.OVER):
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
        *movement.rules_of_ground(fight, combatant, whole),
        *rules_of_passing(fight, combatant, whole[1:], how),
    )
    return Measure(cost.squares * SQUARE_FT, diagonals, tuple(dict.fromkeys(cites)))


def rules_of_passing(fight: Fight, combatant: Combatant, path: Sequence[Square], how: str) -> tuple[str, ...]:
    """Return the rules that let a path lead through other creatures without a check."""
    topics = []
    for at in path:
        for other in occupants(fight, combatant, at):
            if passes_freely(fight, combatant, other):
                topics += ["size.pass-through-three-sizes", "woa.movement.pass-through.size-difference"]
            elif (
                other.side == combatant.side and how not in movement.RUSHING and not is_helpless(fight, other)
            ):
                topics.append("woa.movement.pass-through.friend")
    return fight.rules(*topics)


def asked_for_entry(fight: Fight, combatant: Combatant, other: Combatant, how: str) -> str:
    """Return what entering a creature's space requires: "tumble", "rush", "leave", "over"; "" for nothing."""
    if passes_freely(fight, combatant, other):
        return ""
    if is_helpless(fight, other):
        return "over" if other.side != combatant.side else ""
    if how in movement.RUSHING:
        return "rush"
    if other.side == combatant.side:
        return ""
    return {TUMBLE: TUMBLE, TUMBLE_FAST: TUMBLE, LEAVE: LEAVE}.get(how, "")


def entered_occupants(fight: Fight, combatant: Combatant, here: Square, there: Square) -> list[Combatant]:
    """Return the creatures whose space a step enters."""
    found = occupants(fight, combatant, there)
    before = occupants(fight, combatant, here) if found else []
    return [one for one in found if one not in before]


def step_needs_check(fight: Fight, combatant: Combatant, here: Square, there: Square, how: str) -> bool:
    """Return whether a step needs a check or another creature's permission before it is taken."""
    if movement.climbs_over(fight, combatant, here, there, how):
        return True
    return any(
        asked_for_entry(fight, combatant, other, how)
        for other in entered_occupants(fight, combatant, here, there)
    )


def check_before_step(
    fight: Fight, combatant: Combatant, here: Square, there: Square, how: str
) -> Steps[bool]:
    """Resolve the checks and permissions that a step needs; return whether it can be taken."""
    if movement.climbs_over(fight, combatant, here, there, how) and not (
        yield from movement.cross_obstacle(fight, combatant, here, there, how)
    ):
        return False
    for other in entered_occupants(fight, combatant, here, there):
        kind = asked_for_entry(fight, combatant, other, how)
        if kind == LEAVE:
            passed = yield from ask_to_pass(fight, combatant, other)
        elif kind == "over":
            passed = yield from cross_helpless(fight, combatant, other)
        elif kind:
            passed = yield from get_past(fight, combatant, other, there, how, rushing=kind == "rush")
        else:
            passed = True
        if not passed:
            return False
    return True


def ask_to_pass(fight: Fight, combatant: Combatant, other: Combatant) -> Steps[bool]:
    """Ask a creature in the way to let the mover by (woa.movement.pass-through.willing)."""
    rule = fight.rule("woa.movement.pass-through.willing")
    question = f"does {other.id} let {combatant.id} by?"
    let = (
        "bar"
        if cannot_act(fight, other)
        else (yield Choice(other.id, "let-by", question, ("bar", "let by"), rule))
    )
    told = "lets" if let == "let by" else "does not let"
    yield RuleApplied(who=other.id, what=f"{told} {combatant.id} by", cites=(rule,))
    return bool(let == "let by")


def cross_helpless(fight: Fight, combatant: Combatant, other: Combatant) -> Steps[bool]:
    """Cross a helpless opponent, who counts as an obstructed surface.

    woa.movement.pass-through.helpless-opponent
    """
    rule = fight.rule("woa.movement.pass-through.helpless-opponent")
    question = f"how much does {other.id} obstruct the ground for {combatant.id}?"
    degree = yield Choice("", "obstruction", question, OBSTRUCTED, rule)
    yield RuleApplied(who=other.id, what=f"lies in the way: {degree}", cites=(rule,))
    return (yield from movement.keep_footing(fight, combatant, [degree], "normal", f"over {other.id}"))


def get_past(
    fight: Fight, combatant: Combatant, other: Combatant, there: Square, how: str, *, rushing: bool
) -> Steps[bool]:
    """Get past a creature by Acrobatics; a mover that fails in a rush falls in front of it.

    An opponent may hinder the attempt with a combat maneuver check; its result is the DC if it is higher
    (woa.movement.pass-through.opponent, .friend-at-double-speed).
    """
    hostile = other.side != combatant.side
    topics = ["woa.movement.pass-through.opponent"] if hostile else []
    topics += ["woa.movement.pass-through.friend-at-double-speed"] if rushing else []
    found = obstacle_dc(fight, combatant, other, how, rushing)
    if found is None:
        rule = fight.rule("woa.terrain.obstacle.hampering")
        found = (yield from speed.ask_for_dc(f"getting past {other.id}", rule)), ()
    elif hostile and sizes_between(combatant, other):
        found = found[0], (*found[1], fight.rule("woa.size.pass-through-acrobatics"))
    dc, rules = found
    if hostile and not cannot_act(fight, other):
        rule = fight.rule("woa.movement.pass-through.opponent")
        question = f"{combatant.id} is about to pass: does {other.id} hinder it?"
        if (yield Choice(other.id, "hinder", question, ("hinder", "let be"), rule)) == "hinder":
            result = yield from roll_to_hinder(fight, other, combatant, dc)
            dc, rules = (result, ()) if result > dc else (dc, rules)
    cites = fight.rules(*topics, "woa.movement.skills.basis", "woa.movement.skills.affected-options")
    hampered = movement.is_rough(fight, combatant, there)
    margin = yield from speed.acrobatics(
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
    """Return the DC of a creature as an obstacle, lowered by size difference, with its rules; None if none is
    printed.

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
    """Roll the combat maneuver check of an opponent that hinders the mover; return the result.

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


#: Creatures in the same hold or grapple do not crowd each other.
KNOTTED = ("grabbing", "grabbed", "grappling")


@per_scene("combatant.id")
def others_in_space(fight: Fight, combatant: Combatant) -> tuple[Combatant, ...]:
    """Return the other creatures in a combatant's space.

    Creatures that hold or grapple each other are left out: they share the space on purpose, and the rules for
    the hold give the penalties (woa.grab.combat-penalties-scope, woa.grapple.modifier.within).
    """
    knotted = is_in_hold(combatant)
    there = occupants(fight, combatant, combatant.at)
    return tuple(one for one in there if not (knotted and is_in_hold(one)))


def is_in_hold(combatant: Combatant) -> bool:
    """Return whether a combatant holds, is held or grapples."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in KNOTTED)


def sharing(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the creatures of other sizes in a combatant's space that count as combatants there."""
    return [
        one
        for one in others_in_space(fight, combatant)
        if sizes_larger(one, combatant) and not is_helpless(fight, one)
    ]


def share_parts(fight: Fight, combatant: Combatant, path: str) -> Iterator[Modifier]:
    """Yield the penalties for sharing a space with creatures of other sizes, one modifier for each creature.

    woa.size.shared-space.one-step, .two-steps, .cumulative, .mount-rider
    """
    for other in (*sharing(fight, combatant), *partner_of_other_size(fight, combatant)):
        one_step = abs(sizes_larger(other, combatant)) == 1
        source = f"crowded by {other.id}"
        if one_step:
            topic = "woa.size.shared-space.one-step"
            part = fight.modifier(topic, "size_difference=1", path, kind="penalty", source=source)
        else:
            part = fight.modifier("woa.size.shared-space.two-steps", path, kind="penalty", source=source)
        if other.id == combatant.mount or other.mount == combatant.id:
            rule = fight.rule("woa.size.shared-space.mount-rider")
            yield Modifier(part.value, part.kind, part.source, rule, f"mount and rider ({rule})")
        elif not part.value:
            rule = fight.rule("woa.crowd.different-sizes")
            why = f"{other.id} differs too much in size ({rule})"
            yield Modifier(part.value, part.kind, part.source, part.rule, why)
        else:
            yield part


def partner_of_other_size(fight: Fight, combatant: Combatant) -> Iterator[Combatant]:
    """Yield the mount of a rider, or the rider of a mount, if it has a different size."""
    other = fight.state.combatants.get(combatant.mount or combatant.rider)
    if other is not None and sizes_larger(other, combatant):
        yield other


def rules_of_adding_up(fight: Fight, parts: Sequence[Modifier]) -> tuple[str, ...]:
    """Return the rule that adds up the penalties of several creatures in a space, if more than
    one applies.
    """
    each = fight.rule("woa.size.shared-space.one-step")
    several = sum(part.rule == each and not part.denied for part in parts) > 1
    return fight.rules("woa.size.shared-space.cumulative") if several else ()


def cramped_attack(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the effects on a melee attack of crowding around an opponent of another size; overruns are
    exempt.
    """
    if blow.melee and blow.intent.maneuver != "overrun":
        yield from crowding_penalty(fight, blow.attacker, "attack")
        blow.cites.extend((*swarming(fight, blow), *surrounded(fight, blow)))
        yield from deny_sudden_strike(fight, blow)


def cramped_defense(fight: Fight, blow: Blow, detail: str) -> Iterator[Modifier]:
    """Yield the penalty to Armor Class in melee for crowding around an opponent of another size."""
    if blow.melee:
        yield from crowding_penalty(fight, blow.target, "ac")


def crowding_penalty(fight: Fight, combatant: Combatant, path: str) -> Iterator[Modifier]:
    """Yield the penalty for crowding around an opponent of another size (woa.size.surround.crowd-in)."""
    for victim in fight.enemies(combatant):
        if combatant in crowders(fight, victim, combatant):
            rule = fight.rule("woa.size.surround.crowd-in")
            part = fight.modifier(
                "woa.crowd.same-size-penalty", path, kind="penalty", source=f"crowding in on {victim.id}"
            )
            yield Modifier(part.value, part.kind, part.source, rule)


@per_scene("victim.id", "by.id")
def crowders(fight: Fight, victim: Combatant, by: Combatant) -> list[Combatant]:
    """Return the attackers that take the crowding penalties around a victim, if any of them differs from it
    in size.

    Each attacker takes up its share of the room, which walls and friends reduce. Each attacker beyond the
    limit is crowded, and so is one more attacker for each of them (woa.size.surround.table, .mixed-sizes,
    .very-different, woa.ganging-up.mixed-sizes). If all have the victim's size, `ganging_penalty` applies
    instead.
    """
    around = [
        one for one in fight.enemies(victim) if not is_down(fight, one) and threatens(fight, one, victim)
    ]
    room, extra = Fraction(0), 0
    if any(sizes_larger(one, victim) for one in around):
        most = open_share(fight, victim, by)
        around = on_side(fight, victim, by, around)
        for one in around:
            share = share_of_room(fight, one, victim)
            room += share
            extra += room > max(most, share) and bool(share)
    counted = [one for one in around if share_of_room(fight, one, victim)] if extra else []
    each = fight.figure("woa.ganging-up.crowding-in", "penalized_per_extra_attacker")
    return counted[::-1][: extra * each]


def share_of_room(fight: Fight, one: Combatant, victim: Combatant) -> Fraction:
    """Return the share of the room around a victim that an attacker takes up; 0 if their sizes differ too
    much.
    """
    steps = sizes_larger(one, victim)
    if abs(steps) >= fight.figure("woa.size.surround.very-different", "size_difference"):
        return Fraction(0)
    found = cell(fight, "woa.size.surround.table", f"larger={steps}", "attackers")
    return Fraction(1, found.value) if found is not None else Fraction(0)


def surrounded(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules about room around a victim of another size that apply to a crowded attacker."""
    for victim in (blow.target, blow.attacker):
        other = blow.attacker if victim is blow.target else blow.target
        if other in crowders(fight, victim, other):
            around = {
                sizes_larger(one, victim) for one in fight.enemies(victim) if threatens(fight, one, victim)
            }
            topics = [
                "woa.size.surround.table",
                "woa.size.combat.positioning",
                "woa.ganging-up.mixed-sizes",
                "woa.ganging-up.crowding-in",
                *(["woa.size.surround.mixed-sizes"] if len(around) > 1 else []),
            ]
            return fight.rules(*topics)
    return ()


# --- Crowding: several creatures in one space, too many attackers, attacks into the attacker's own space
#
# woa.crowd.*, woa.ganging-up.crowding-in, woa.space.own-space-*, woa.squeezing.penalties

SAME, MORE, OTHER_SIZES = "woa.crowd.same-size-penalty", "woa.crowd.cumulative", "woa.crowd.different-sizes"
OWN_SPACE = "woa.space.own-space-attack-penalty"
#: Conditions of being in a narrow or low place, with the topic of their penalties.
TIGHT = {
    "squeezed": "woa.squeezing.penalties",
    "stooping": "woa.squeeze.low-ceiling",
    "wriggling": "squeezing.escape-artist",
    "worming": "woa.squeeze.very-low-ceiling",
}
#: Traits of creatures that are drilled in a formation.
PHALANX, LANCES = "phalanx", "charging line"


def sharing_penalty(fight: Fight, combatant: Combatant, column: str) -> list[Modifier]:
    """Return the penalties that sharing a space puts on a combatant's attacks, AC or Reflex saves.

    -2 for one creature of its size, -4 for two; less for larger and smaller ones. Helpless creatures are
    obstacles (woa.crowd.same-size-penalty, .cumulative, .helpless-as-obstacle, .different-sizes).
    """
    parts: list[Modifier] = []
    equals: list[str] = []
    for other in others_in_space(fight, combatant):
        apart = abs(size_step(other) - size_step(combatant))
        if is_helpless(fight, other):
            rule = fight.rule("woa.crowd.helpless-as-obstacle")
            part = fight.modifier(SAME, column, kind="penalty", source=f"crowded by {other.id}")
            parts.append(replace(part, denied=f"{other.id} is an obstacle, not a combatant ({rule})"))
        elif not apart:
            equals.append(other.id)
    parts += share_parts(fight, combatant, column)
    if not equals:
        return parts
    source = f"crowded by {', '.join(equals)}"
    if len(equals) == 1:
        return [*parts, fight.modifier(SAME, column, kind="penalty", source=source)]
    rows = fight.figure(MORE, "same_size_other_occupants")
    others = min(len(equals), max(int(row["others"]) for row in rows))
    path = ("same_size_other_occupants", f"others={others}", column)
    return [*parts, fight.modifier(MORE, *path, kind="penalty", source=source)]


def rules_of_crowding(fight: Fight, parts: list[Modifier]) -> list[str]:
    """Return the rules by which sharing a space has no penalty, or several penalties add up."""
    topics = ("woa.crowd.helpless-as-obstacle", OTHER_SIZES)
    found = [rule for rule in fight.rules(*topics) if any(rule in part.denied for part in parts)]
    return [*found, *rules_of_adding_up(fight, parts)]


def ganging_penalty(
    fight: Fight, combatant: Combatant, other: Combatant, column: str
) -> tuple[list[Modifier], list[str]]:
    """Return the penalty, with its rules, of an attacker that crowds in because too many surround the target.

    Each attacker beyond the limit takes the penalties and extends them to the attacker nearest to it; the
    last to arrive are those beyond the limit. Penalties for a shared space replace these
    (woa.ganging-up.crowding-in).
    """
    if len(fight.enemies(other)) < 2:
        return [], []
    found = press_around(fight, other, combatant)
    if MIXED in found.topics or crowders(fight, other, combatant):
        return [], []  # different sizes have their own rule (see `crowders`)
    topic = "woa.ganging-up.crowding-in"
    hampered = list(found.attackers[found.limit :])
    for name in tuple(hampered):
        late = fight.state.combatants[name]
        for _ in range(fight.figure(topic, "penalized_per_extra_attacker") - 1):
            free = [one for one in found.attackers if one not in hampered]
            if free:
                hampered.append(min(free, key=lambda one: distance(late, fight.state.combatants[one])))
    if combatant.id not in hampered:
        return [], []
    cites = list(fight.rules(topic, *found.topics))
    part = fight.modifier(SAME, column, kind="penalty", source=f"crowding in on {other.id}")
    return [part], cites


def refuse_no_room(fight: Fight, blow: Blow) -> None:
    """Refuse a melee attack by an attacker that has no room even if it crowds in.

    woa.ganging-up.crowding-in
    """
    attacker, target = blow.attacker, blow.target
    if not blow.melee or len(fight.enemies(target)) < 2:
        return
    if distance(attacker, target) > SQUARE_FT:
        return
    found = press_around(fight, target, attacker)
    topic = "woa.ganging-up.crowding-in"
    most = found.limit * fight.figure(topic, "max_multiplier")
    if attacker.id in found.attackers[most:]:
        reason = f"there is no more room around {target.id} for {attacker.id} to crowd in"
        raise Refusal(reason, fight.rule(topic))


def close_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalties to an attack roll for being in close quarters.

    These come from crowding and squeezing, except for light weapons that strike into the attacker's own
    space. Other weapons take -4 there unless crowding or squeezing costs more
    (woa.crowd.light-weapon-exemption, woa.squeezing.penalties, woa.space.own-space-attack-penalty; option
    `own_space_attack`). An attacker that overruns others does not crowd them.
    """
    if blow.intent.maneuver == "overrun":
        return []
    attacker, target = blow.attacker, blow.target
    light = blow.weapon.wield in ("light", "unarmed")
    within = blow.melee and distance(attacker, target) == 0
    crowd = sharing_penalty(fight, attacker, "attack")
    if blow.melee:
        gang, cites = ganging_penalty(fight, attacker, target, "attack")
        if not any(not part.denied for part in crowd):
            crowd = [*crowd, *gang]
        blow.cites += cites
    crowd = [deny_crowding_part(fight, blow, part, attacker, within and light) for part in crowd]
    blow.cites += rules_of_crowding(fight, crowd)
    tight = [
        squeezed_attack(fight, blow, name, within and light) for name in TIGHT if name in attacker.conditions
    ]
    parts = [*crowd, *(part for part in tight if part is not None)]
    if (
        on_body(blow)
        or not within
        or blow.weapon.wield not in ("light", "unarmed", "one-handed", "two-handed")
    ):
        return parts
    return worst_of_close_attack(fight, parts, into_own_space(fight, light))


def into_own_space(fight: Fight, light: bool) -> Modifier:
    """Return the penalty for attacking into the attacker's own space, as the option `own_space_attack` reads
    it.
    """
    path = "light_weapon_penalty" if light else "attack_penalty"
    reading = fight.option("own_space_attack")
    part = fight.modifier(OWN_SPACE, path, kind="penalty", source="into one's own space")
    if reading != "worst-one" and not light:
        value = fight.figure(SAME, "attack")
        return Modifier(value, "penalty", f"into one's own space (own_space_attack: {reading})", part.rule)
    return part


def worst_of_close_attack(fight: Fight, parts: list[Modifier], into: Modifier) -> list[Modifier]:
    """Return the parts with the attack into the attacker's own space; only the worse of it and the rest
    counts.
    """
    if not into.value:
        return parts
    rest = sum(part.value for part in parts if not part.denied)
    why = f"no more than the worse of the two ({into.rule})"
    if rest <= into.value:
        return [*parts, replace(into, denied=why)]
    return [*(part if part.denied else replace(part, denied=why) for part in parts), into]


def deny_crowding_part(
    fight: Fight, blow: Blow, part: Modifier, combatant: Combatant, light: bool
) -> Modifier:
    """Return a crowding modifier, denied if it does not apply to this attack."""
    if part.denied:
        return part
    topic = ""
    if not blow.melee:
        topic, why = "woa.crowd.melee-only", "no melee attack"
    elif light:
        topic, why = "woa.crowd.light-weapon-exemption", "a light weapon in one's own space"
    elif blow.intent.kind == "charge" and are_drilled(fight, combatant, LANCES):
        topic, why = "woa.crowd.formations", "a trained line of riders"
    if not topic:
        return part
    blow.cites.append(fight.rule(topic))
    return replace(part, denied=f"{why} ({fight.rule(topic)})")


def are_drilled(fight: Fight, combatant: Combatant, formation: str) -> bool:
    """Return whether a combatant and its friends in its space are all drilled in a formation."""
    friends = [one for one in others_in_space(fight, combatant) if one.side == combatant.side]
    return has_trait(combatant, formation) and all(has_trait(one, formation) for one in friends)


def squeezed_attack(fight: Fight, blow: Blow, name: str, light: bool) -> Modifier | None:
    """Return the attack penalty of a narrow or low place, None if it has none."""
    topic = TIGHT[name]
    if name in ("wriggling", "worming"):
        return None
    value = fight.figure(topic, "attack") * blow.attacker.conditions[name].level
    part = Modifier(value, "penalty", name, fight.rule(topic))
    if light and name == "squeezed":
        spared = fight.figure(topic, "light_weapon_in_own_space_attack")
        why = f"a light weapon in one's own space ({part.rule})"
        return replace(part, value=spared) if spared else replace(part, denied=why)
    return part


def close_defense(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalties that crowding puts on the target's AC in melee.

    woa.crowd.*, woa.crowd.formations
    """
    target, attacker = blow.target, blow.attacker
    parts = sharing_penalty(fight, target, "ac")
    if blow.melee and not any(not part.denied for part in parts):
        gang, cites = ganging_penalty(fight, target, attacker, "ac")
        parts, blow.cites = [*parts, *gang], [*blow.cites, *cites]
    found = []
    for part in parts:
        if not part.denied and not blow.melee:
            blow.cites.append(fight.rule("woa.crowd.melee-only"))
            part = replace(part, denied=f"no melee attack ({fight.rule('woa.crowd.melee-only')})")
        elif not part.denied and not has_trait(attacker, PHALANX) and are_drilled(fight, target, PHALANX):
            blow.cites.append(fight.rule("woa.crowd.formations"))
            part = replace(part, denied=f"a phalanx ({fight.rule('woa.crowd.formations')})")
        found.append(part)
    blow.cites += rules_of_crowding(fight, found)
    return found


def refuse_wriggler(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse to attack while a combatant wriggles through a passage by Escape Artist.

    woa.squeezing.escape-artist
    """
    raise Refusal(f"{actor.id} wriggles through and cannot attack", fight.rule("woa.squeezing.escape-artist"))


# --- Room in an occupied space (woa.crowd.max-same-size, woa.squeezing.no-sharing)


def refuse_full(fight: Fight, combatant: Combatant, there: Sequence[Combatant]) -> tuple[str, ...]:
    """Refuse a space that has no room for another creature; otherwise return the rules that allow it."""
    topic = "woa.crowd.max-same-size"
    equals = [one for one in there if size_step(one) == size_step(combatant) and not is_helpless(fight, one)]
    if len(equals) >= fight.figure(topic, "occupants"):
        names = ", ".join(one.id for one in equals)
        raise Refusal(f"{names} leave no room for {combatant.id}", fight.rule(topic))
    limit = fight.figure("woa.squeezing.no-sharing", "min_smaller_size_categories")
    for one in there:
        if any(name in one.conditions for name in TIGHT) and size_step(one) - size_step(combatant) < limit:
            raise Refusal(
                f"{one.id} is squeezing and cannot share its space", fight.rule("woa.squeezing.no-sharing")
            )
    other = any(size_step(one) != size_step(combatant) for one in there)
    return fight.rules(topic, *((OTHER_SIZES,) if other else ()))


def steps_along(start: Square, path: Sequence[Square], rule: str) -> list[tuple[Square, Square]]:
    """Return the steps of a path as pairs of squares.

    Refuse, by `rule`, a path that is empty or has a gap.
    """
    if not path:
        raise Refusal("the path is empty", rule)
    steps = list(pairwise((start, *path)))
    for here, there in steps:
        if max(abs(here[0] - there[0]), abs(here[1] - there[1])) != 1:
            raise Refusal(f"no step leads from {here[0]},{here[1]} to {there[0]},{there[1]}", rule)
    return steps


def refuse_way(fight: Fight, combatant: Combatant, path: Sequence[Square], feet: int, rule: str) -> None:
    """Refuse a path that the map or an opponent blocks before its end, or that is too long."""
    for here, there in steps_along(combatant.at, path, rule):
        if obstructed(fight.field, here, there, combatant.space):
            place = f"{there[0]},{there[1]}"
            raise Refusal(f"the way to {place} is blocked", fight.rule("woa.terrain.obstacle.blocking"))
        if there != path[-1]:
            shared_movement.refuse_crowded(fight, combatant, there, False)
    cost = path_cost(
        fight.field,
        (combatant.at, *path),
        side=combatant.space,
        parity=combatant.spent.get("diagonals", 0) % 2,
        scaled=True,
    )
    if cost.squares * SQUARE_FT > feet:
        raise Refusal(f"the path costs {cost.squares * SQUARE_FT} ft., {combatant.id} has {feet} ft.", rule)


# --- Moving into an occupied space (woa.crowd.max-same-size, woa.squeezing.no-sharing)


def crowd_in(fight: Fight, act: acts.Move) -> Steps[None]:
    """Move into an occupied space, as a move action (`how` "crowd").

    Three creatures of one size fit into it; a squeezing creature shares its space only with creatures three
    sizes smaller. Entering an opponent's space provokes from it (woa.crowd.max-same-size,
    woa.squeezing.no-sharing, woa.crowd.enter-opponent-space-aoo).
    """
    actor = fight.combatant(act.actor)
    movement.refuse_after_step(fight, actor)
    movement.refuse_lying(fight, actor)
    rule = fight.rule("woa.move.action")
    refuse_way(fight, actor, act.path, movement.speed_with_burdens(fight, actor), rule)
    there = occupants(fight, actor, act.path[-1])
    cites = refuse_full(fight, actor, there)
    yield spending(fight, actor, "move", "move", rule)
    yield from fight.dialect.movement.walk(fight, actor, act.path, "crowd", rule, *cites)


# --- Squeezing through a narrow or low passage (woa.squeezing.*, woa.squeeze.*)

SPACE, ARTIST, LOW, LOWEST = (
    "woa.squeezing.space",
    "squeezing.escape-artist",
    "woa.squeeze.low-ceiling",
    "woa.squeeze.very-low-ceiling",
)
BOTH = "woa.squeeze.narrow-and-low"


class Fit(Struct, frozen=True):
    """How a creature fits through a passage: its condition, how often the penalties count, and the rules."""

    condition: str
    level: int
    cites: tuple[str, ...]


def squeeze_through(fight: Fight, act: acts.Move) -> Steps[None]:
    """Squeeze at half speed as a move action; below half the creature's width, Escape Artist is needed.

    The declaration gives the width and height of the passage, otherwise the map does. The combat penalties
    last until the creature leaves (woa.squeezing.*, woa.squeeze.*).
    """
    actor = fight.combatant(act.actor)
    movement.refuse_after_step(fight, actor)
    rule = fight.rule(SPACE)
    full = space_and_reach(fight, actor.sheet)[0]
    side = refuse_too_tight(fight, actor, act.path, full)
    fit = fitting(fight, actor, act, full, side)
    if fit.condition != "worming":
        movement.refuse_lying(fight, actor)
    feet = movement.speed_with_burdens(fight, actor)
    share = fight.figure(SPACE, "speed_multiplier")
    feet = SQUARE_FT if fit.condition == "worming" else int(feet * share)
    if len(act.path) * SQUARE_FT > feet:
        raise Refusal(f"the path costs {len(act.path) * SQUARE_FT} ft., {actor.id} has {feet} ft.", rule)
    yield spending(fight, actor, "move", "squeeze", *fit.cites)
    if fit.condition == "wriggling":
        artist = fight.rule(ARTIST)
        parts = skill_parts(fight, actor, "escape artist", "dex", artist)
        why = "to get through"
        if not (yield from check(fight, actor, "escape artist", parts, act.dc, artist, why=why)):
            return
    for name in TIGHT:
        if name in actor.conditions and name != fit.condition:
            yield ConditionLost(who=actor.id, condition=name, why="the passage is different", cites=fit.cites)
    yield ConditionGained(
        who=actor.id, condition=fit.condition, source="a tight place", level=fit.level, cites=fit.cites
    )
    yield from go_squeezed(fight, actor, act.path, full, side, *fit.cites)


def fitting(fight: Fight, actor: Combatant, act: acts.Move, full: int, side: int) -> Fit:
    """Return how a creature fits through a passage.

    Refuse one that is too narrow or low for its way of moving.
    """
    own, tall = full * SQUARE_FT, own_height(actor)
    wide = min(act.wide or side * SQUARE_FT, side * SQUARE_FT)
    narrow = wide < own
    low = 0 < act.high < tall
    if not narrow and not low:
        raise Refusal(f"{actor.id} has room enough there and need not squeeze", fight.rule(SPACE))
    cites: list[str] = []
    condition = ""
    if narrow:
        condition = "squeezed"
        cites += fight.rules(SPACE, "woa.squeezing.penalties")
        if wide < own * share_of(fight):
            condition = "wriggling"
            cites = [fight.rule(ARTIST)]
            if act.how != "wriggle":
                reason = f"{actor.id} is more than twice as wide: Escape Artist ('wriggle') is needed"
                raise Refusal(reason, cites[0])
    if low:
        if act.high * fight.figure(LOW, "height_divisor") >= tall:
            condition, cites = condition or "stooping", [*cites, fight.rule(LOW)]
        elif act.high * fight.figure(LOWEST, "height_divisor") >= tall:
            if not lies(actor):
                reason = f"{actor.id} is more than twice as high as the passage and gets through only prone"
                raise Refusal(reason, fight.rule(LOWEST))
            condition = condition if condition == "wriggling" else "worming"
            cites.append(fight.rule(LOWEST))
        else:
            reason = f"{actor.id} is more than four times as high as the passage and does not fit"
            raise Refusal(reason, fight.rule(LOWEST))
    if narrow and low:
        return Fit(condition, fight.figure(BOTH, "multiplier"), (*cites, fight.rule(BOTH)))
    return Fit(condition, 1, tuple(cites))


def share_of(fight: Fight) -> float:
    """Return the smallest share of its space that a creature squeezes into without Escape Artist."""
    above, below = str(fight.figure(SPACE, "min_width")).split()[0].split("/")
    return int(above) / int(below)


def refuse_too_tight(fight: Fight, combatant: Combatant, path: Sequence[Square], full: int) -> int:
    """Refuse a path too narrow even for squeezing; return how many squares of it are free side by side.

    Only creatures three sizes smaller may be in it.
    """
    rule = fight.rule(SPACE)
    narrowest = full
    for here, there in steps_along(combatant.at, path, rule):
        side = next((one for one in range(full, 0, -1) if fits(fight.field, here, there, one)), 0)
        if not side:
            raise Refusal(
                f"the way to {there[0]},{there[1]} is blocked", fight.rule("woa.terrain.obstacle.blocking")
            )
        narrowest = min(narrowest, side)
    for there in path:
        others = holders_of(fight, combatant, there, narrowest, narrowest)
        if others:
            refuse_full(fight, combatant, others)
            small = fight.figure("woa.squeezing.no-sharing", "min_smaller_size_categories")
            near = [one for one in others if size_step(combatant) - size_step(one) < small]
            if near:
                why = f"{near[0].id} is in the way and {combatant.id} cannot share its space while squeezing"
                raise Refusal(why, fight.rule("woa.squeezing.no-sharing"))
    refuse_no_end(fight, combatant, path, full - narrowest)
    return narrowest


def fits(field: Battlefield, here: Square, there: Square, side: int) -> bool:
    """Return whether a space `side` squares wide fits at `there` and no thin wall bars the step
    from `here`.
    """
    return field.passable(there, side) and not bars_step(field, here, there, side)


def refuse_no_end(fight: Fight, combatant: Combatant, path: Sequence[Square], along: int) -> None:
    """Refuse an end where a squeezed combatant, which is longer than it is wide, does not fit lengthwise."""
    if not along:
        return
    (x, y), before = path[-1], (combatant.at, *path)[-2]
    upright = x == before[0]
    last = (x, y)
    for step in range(along + 1):
        square = (x, y + step) if upright else (x + step, y)
        if not fits(fight.field, last, square, 1) or holders_of(fight, combatant, square, 1, 1):
            place = f"{square[0]},{square[1]}"
            raise Refusal(
                f"{combatant.id} is too long to end there: {place} is not free",
                fight.rule("woa.squeezing.space"),
            )
        last = square


def go_squeezed(
    fight: Fight, combatant: Combatant, path: Sequence[Square], full: int, side: int, *cites: str
) -> Steps[None]:
    """Move along a path already checked, provoking step by step; at its end the combatant occupies what fits
    there.
    """
    here = start = combatant.at
    done: list[Square] = []
    for there in path:
        found = who_may_strike(fight, combatant, here, there, "squeeze")
        if found:
            if done:
                yield squeezed_along(combatant, start, done, side, full, cites)
                start, done = here, []
            yield from attacks_of_opportunity.provoke_by_movement(fight, combatant, found)
            if is_down(fight, combatant) or combatant.at != here:
                return
        here = there
        done.append(there)
    yield squeezed_along(combatant, start, done, side, full, cites)
    yield from fight.dialect.movement.after_movement(fight, combatant)


def squeezed_along(
    combatant: Combatant, start: Square, path: Sequence[Square], side: int, full: int, cites: tuple[str, ...]
) -> Moved:
    """Return the `Moved` fact for squeezing along squares, with the space that the combatant then
    occupies.
    """
    whole = (start, *path)
    last, before = whole[-1], whole[-2]
    along = (full - side) if full > side else 0
    upright = last[0] == before[0]
    diagonals = sum(1 for a, b in pairwise(whole) if a[0] != b[0] and a[1] != b[1])
    return Moved(
        who=combatant.id,
        start=start,
        path=tuple(path),
        feet=len(path) * SQUARE_FT,
        diagonals=diagonals,
        how="squeeze",
        space=side if full > 1 else 0,
        stretch=(0, along) if upright else (along, 0),
        cites=cites,
    )


def leave_tight_place(fight: Fight, combatant: Combatant) -> Steps[None]:
    """End the penalties of a tight place once a combatant has left it, and restore its whole space."""
    tight = [name for name in TIGHT if name in combatant.conditions]
    if not tight:
        return
    full = space_and_reach(fight, combatant.sheet)[0]
    if full != combatant.space:
        if not fight.field.passable(combatant.at, full) or holders_of(
            fight, combatant, combatant.at, full, full
        ):
            return
        yield displaced(combatant, (), "room again", *fight.rules("woa.space.definition"), space=full)
    for name in tight:
        cites = fight.rules(TIGHT[name])
        yield ConditionLost(who=combatant.id, condition=name, why="has room again", cites=cites)
