"""Cover as srd35 finds it: what friends, low obstacles and the choice of squares take away from it."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.environment import improved_cover
from affray.engine.dialects.srd35.senses import hide
from affray.engine.fight.extent import Standing, rectangle_between
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_map, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.cover import Cover, Creature, cover, rank
from affray.engine.grid.reach import space
from affray.engine.record.blow import Blow
from affray.engine.rules.position.cover_between import (
    cover_at,
    cover_from_origin,
    covering_borders,
    creatures_are_passed,
    creatures_between,
)
from affray.engine.rules.position.occupants import occupants
from affray.engine.rules.position.place import footprint, next_to, squares_apart_in_height
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def cover_of(fight: Fight, blow: Blow) -> Cover:
    """Return the cover of a blow's target, and cite what took cover away."""
    found, cites = assess_cover(fight, blow)
    blow.cites += cites
    return found


@per_scene("blow.attacker.id", "blow.target.id", "blow.melee")
def assess_cover(fight: Fight, blow: Blow) -> tuple[Cover, list[str]]:
    """Return the cover of a blow's target, and the rules that took cover away from it.

    A friend whose square one passes through gives none (srd35.pass.friend-no-cover).
    """
    attacker, target, melee = blow.attacker, blow.target, blow.melee
    here, there = footprint(attacker), footprint(target)
    if creatures_are_passed(*here, *there, melee) and not squares_apart_in_height(attacker, target):
        return assess_place(fight, here, there, melee, (), False)
    beside = tuple([one for one in occupants(fight, target, target.at) if one.side == target.side])
    creatures = creatures_between(fight, attacker, target, melee, beside)
    passed = bool(beside) and not (melee and next_to(attacker, target))
    return assess_place(fight, here, there, melee, creatures, passed)


@per_map("attacker", "target", "melee", "creatures", "passed")
def assess_place(
    fight: Fight,
    attacker: Standing,
    target: Standing,
    melee: bool,
    creatures: tuple[Creature, ...],
    passed: bool,
) -> tuple[Cover, list[str]]:
    """Return the cover from one place to another past these creatures, and the rules that took some away.

    `passed` says that a friend in the target's own squares is none of the creatures, and where both stand
    may matter for that.

    Low obstacles are disregarded from nearby; in melee big creatures choose among their squares, and so does
    whoever strikes at them (srd35.pass.friend-no-cover, srd35.cover.low-obstacle-ignored, .big-attacker,
    .big-defender).
    """
    cites: list[str] = []
    found = cover_at(fight, attacker, target, melee, False, creatures)
    if found.kind == "total":
        return found, cites
    if passed and found.kind == "none":
        cites.append(fight.rule("srd35.pass.friend-no-cover"))
    between = rectangle_between(attacker, target)
    if rank(found) < 2 and low_obstacle_between(fight, between):
        heeded = cover_at(fight, attacker, target, melee, True, creatures)
        if heeded.kind == "cover":
            cites.append(fight.rule("srd35.cover.low-obstacle-ignored"))
    (a, a_space, _), (b, b_space, _) = attacker, target
    big = a_space > 1 or b_space > 1
    if melee and big and rank(found) < 2 and anything_covers_between(fight, between):
        cites += fight.rules(*rules_of_chosen_square(fight, a, a_space, b, b_space))
    return found, cites


def low_obstacle_between(fight: Fight, between: tuple[int, int, int, int]) -> bool:
    """Say whether a low obstacle stands between those columns and rows, where a line may touch it."""
    if fight.state.barriers and any(one.low for one in covering_borders(fight)):
        return True
    return bool(fight.field.low) and fight.field.any_within("low", *between)


def anything_covers_between(fight: Fight, between: tuple[int, int, int, int]) -> bool:
    """Say whether anything that covers stands between those columns and rows."""
    if fight.state.barriers and covering_borders(fight):
        return True
    return fight.field.any_within("covering", *between)


@per_map("a", "a_space", "b", "b_space")
def rules_of_chosen_square(fight: Fight, a: Square, a_space: int, b: Square, b_space: int) -> tuple[str, ...]:
    """Return the topics by whose choice of a square there is no cover where another would have had it."""
    mine, theirs = space(a, a_space), space(b, b_space)
    covered = {(own, other): is_covered_from_square(fight, own, other) for own in mine for other in theirs}
    topics = []
    if any(all(covered[own, other] for other in theirs) for own in mine):
        topics.append("srd35.cover.big-attacker")
    if any(all(covered[own, other] for own in mine) for other in theirs):
        topics.append("srd35.cover.big-defender")
    return tuple(topics)


def is_covered_from_square(fight: Fight, mine: Square, theirs: Square) -> bool:
    """Say whether one square has cover from another by what stands between them, creatures aside."""
    low = fight.figure("srd35.cover.low-obstacle", "range_ft")
    borders = covering_borders(fight)
    found = cover(fight.field, (mine, 1), (theirs, 1), melee=True, low_range_ft=low, borders=borders)
    return found.kind in ("cover", "total")


def around_corners(
    fight: Fight, target: Combatant, cover: tuple[Modifier, ...]
) -> Steps[tuple[Modifier, ...]]:
    """Return what cover still gives against a spread, which may go around it: the game master says.

    srd35.cover.reflex-spread.
    """
    rule = fight.rule("srd35.cover.reflex-spread")
    question = f"does the spread go around the cover of {target.id}?"
    if (yield Choice("", "spread", question, ("around", "stopped"), rule)) != "around":
        return cover
    yield RuleApplied(who=target.id, what="the spread goes around the cover", cites=(rule,))
    return tuple(replace(part, denied=f"the spread goes around it ({rule})") for part in cover)


def cover_test(blow: Blow) -> str:
    """Return the topic of the cover test that applies to an attack."""
    if not blow.melee:
        return "srd35.cover.ranged-test"
    close = next_to(blow.attacker, blow.target)
    return "srd35.cover.melee-adjacent-test" if close else "srd35.cover.melee-reach-test"


def soft_cover_counts(fight: Fight, blow: Blow) -> bool:
    """Say whether creatures in the way give cover against this attack."""
    reading = fight.option("soft_cover")
    if reading == "none" or (reading == "melee-only" and not blow.melee):
        return False
    return blow.intent.kind != "opportunity" or fight.option("soft_cover_blocks_aoo") == "on"


def soft_cover(fight: Fight, found: Cover) -> Modifier:
    """Return the bonus of soft cover."""
    source = f"soft cover from {', '.join(found.creatures)}"
    return fight.modifier("srd35.cover.soft", "ac", kind="cover", source=source)


def cover_on_the_map(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of what stands between attacker and target, with the test that found it.

    srd35.cover.*, srd35.ac-mod.cover (soft_cover, soft_cover_blocks_aoo).
    """
    found = cover_of(fight, blow)
    if found.kind == "cover":
        blow.cites.append(fight.rule(cover_test(blow)))
        if found.low:
            blow.cites.append(fight.rule("srd35.cover.low-obstacle"))
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if hide.IMPROVED_COVER in blow.target.conditions:
            return [improved_cover.improved_cover_bonus(fight, "ac", f"cover at {place}")]
        way = "melee" if blow.melee else "ranged"
        return [fight.modifier("srd35.ac-mod.cover", way, kind="cover", source=f"cover at {place}")]
    if found.kind == "soft" and soft_cover_counts(fight, blow):
        return [soft_cover(fight, found)]
    return []


def reflex_behind_soft_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what soft cover gives to a Reflex save: nothing (srd35.cover.soft-limits)."""
    if (
        cover_from_origin(fight, combatant, target, origin).kind == "soft"
        and fight.option("soft_cover") != "none"
    ):
        return (fight.modifier("srd35.cover.soft-limits", "reflex", kind="cover", source="soft cover"),)
    return ()


def reflex_behind_improved_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return what improved cover gives to a Reflex save."""
    if cover_from_origin(fight, combatant, target, origin).kind == "cover":
        return (improved_cover.improved_cover_bonus(fight, "reflex", "cover"),)
    return ()
