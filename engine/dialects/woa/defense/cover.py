"""Cover: how much of it somebody has from an attacker, and what it adds to Armor Class (woa.cover.*)."""

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.defense.ganging_up import at_door, jambs_count
from affray.engine.dialects.woa.position.high_ground import passes_above
from affray.engine.dialects.woa.position.prone import keeps_low, lies
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.extent import Standing
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.cover import cover
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.position.cover_between import cover_between, covering_borders
from affray.engine.rules.position.place import distance
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

TABLE = "woa.cover.table"
DEGREES = ("none", "one-quarter", "one-half", "three-quarters", "nine-tenths", "total")
#: Whom the game master says to be behind something: the source is the degree, or an arrow slit.
BEHIND, SLIT = "behind cover", "arrow slit"
#: The rules that print what a creature of the same size in the way gives.
PRINTED = ("woa.cover.creature.reach-weapon", "woa.cover.creature.ranged")
#: A thing that stands in the way like a wall, until it is broken.
BARRIER = "barrier"


class Covered(Struct, frozen=True, gc=False):
    """The cover that somebody has: its degree, from what, and the topics of the rules that made it so.

    `by` are the creatures that give it; `useless` those in the way that give none, each with the reason and
    the topic that says so.
    """

    degree: str = "none"
    source: str = ""
    topics: tuple[str, ...] = ("woa.cover.degree",)
    by: tuple[str, ...] = ()
    useless: tuple[tuple[str, str, str], ...] = ()


OPEN = Covered()


def better_cover(one: Covered, other: Covered) -> Covered:
    """Return the better of two covers, the first of equals."""
    return other if DEGREES.index(other.degree) > DEGREES.index(one.degree) else one


@per_scene("attacker.id", "target.id", "melee")
def cover_from(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> Covered:
    """Return the cover that a target has from an attacker."""
    found = assess_cover(fight, attacker, target, melee)
    behind = target.conditions.get(BEHIND)
    if behind is None:
        return found
    degree = "nine-tenths" if behind.source == SLIT else behind.source
    return better_cover(found, Covered(degree, f"behind {behind.source}", ("woa.cover.degree",)))


def assess_cover(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> Covered:
    """Return the cover that the map and the creatures on it give.

    Half of the body behind a low wall is a quarter, a corner one half, a creature of one's own size one
    half, a smaller one a quarter (woa.cover.degree, woa.cover.creature.*).
    """
    found = cover_between(fight, attacker, target, melee)
    if found.kind == "none":
        return OPEN
    if found.kind == "total":
        return Covered("total", "total cover", ("woa.cover.total",))
    if found.kind == "cover":
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if found.low:
            far = fight.figure("woa.cover.low-obstacle", "range_ft")
            return low_wall(attacker, target, f"a low wall at {place}, within {far} ft.", melee)
        if not melee or distance(attacker, target) > target.reach or jambs_count(fight, target, attacker):
            door = melee and at_door(fight, target, attacker)
            topics = ("woa.cover.degree", "woa.ganging-up.attacker-limits") if door else ("woa.cover.degree",)
            return Covered("one-half", f"a corner at {place}", topics)
        return Covered(topics=("woa.ganging-up.attacker-limits",))
    return from_creatures(fight, attacker, target, found.creatures, melee)


def low_wall(attacker: Combatant, target: Combatant, source: str, melee: bool) -> Covered:
    """Return the cover of a low wall, by posture and by the size of the attacker in melee.

    Whoever lies behind it has no less of it than whoever kneels.

    woa.cover.overlap-posture, woa.cover.degree-relative-size, woa.cover.low-obstacle
    """
    if keeps_low(target) or lies(target):
        return Covered("three-quarters", source, ("woa.cover.overlap-posture", "woa.cover.low-obstacle"))
    steps = size_step(attacker) - size_step(target)
    if melee and steps < 0:
        return Covered("one-half", source, ("woa.cover.degree-relative-size",))
    if melee and steps > 1:
        return Covered("none", source, ("woa.cover.degree-relative-size",))
    return Covered("one-quarter", source, ("woa.cover.degree", "woa.cover.low-obstacle"))


def from_creatures(
    fight: Fight, attacker: Combatant | None, target: Combatant, names: tuple[str, ...], melee: bool
) -> Covered:
    """Return the best cover that creatures in between give (woa.cover.creature.*, woa.posture.*)."""
    best = OPEN
    useless: list[tuple[str, str, str]] = []
    for name in names:
        other = fight.state.combatants[name]
        if BARRIER in other.sheet.traits:
            best = better_cover(best, Covered("total", f"behind {name}", ("woa.cover.total",), (name,)))
            continue
        if lies(other) and size_step(other) <= size_step(target):
            useless.append((name, "lies on the ground", "woa.posture.prone.cover-provided"))
            continue
        low = keeps_low(other)
        posture = ("woa.posture.crouching.cover-provided",) if low else ()
        steps = size_step(other) - low - size_step(target)
        if steps < -1:
            useless.append((name, "is too small", "woa.cover.creature.smaller"))
            continue
        if steps == -1:
            if attacker and not melee and distance(attacker, other) < distance(other, target):
                useless.append((name, "is shot over", "woa.cover.creature.fire-over-smaller"))
                continue
            topics = ("woa.cover.creature.smaller", *posture)
            best = better_cover(best, Covered("one-quarter", f"{name} in the way", topics, (name,)))
            continue
        topic = "woa.cover.creature.reach-weapon" if melee else "woa.cover.creature.ranged"
        best = better_cover(best, Covered("one-half", f"{name} in the way", (topic,), (name,)))
    if not useless:
        return best
    return Covered(best.degree, best.source, best.topics, best.by, tuple(useless))


def cover_by_degree(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the AC bonus of the target's cover, and what gives none with the reason.

    Nobody whom another one is pushed into has cover from that other (woa.cover.table, woa.cover.definition).
    """
    found = cover_from(fight, blow.attacker, blow.target, blow.melee)
    parts = []
    for name, why, topic in found.useless:
        source = f"{name} in the way"
        denied = f"{name} {why} ({fight.rule(topic)})"
        blow.cites.append(fight.rule(topic))
        shown = fight.modifier("woa.cover.creature.ranged", "ac", kind="cover", source=source)
        parts.append(Modifier(shown.value, shown.kind, shown.source, shown.rule, denied))
    if found.degree == "none":
        if found is not OPEN and not found.useless:
            blow.cites += [rule for rule in fight.rules(*found.topics) if rule not in blow.cites]
        return parts
    if found.degree == "total":
        return parts
    source = f"{found.degree} cover: {found.source}"
    blow.cites += [
        rule for rule in fight.rules("woa.cover.definition", *found.topics) if rule not in blow.cites
    ]
    topic = next((one for one in found.topics if one in PRINTED), "")
    if topic:
        return [*parts, fight.modifier(topic, "ac", kind="cover", source=source)]
    printed = cell(fight, TABLE, f"degree={found.degree}", "ac")
    if printed is not None:
        parts.append(Modifier(printed.value, "cover", source, printed.rule))
    return parts


def half_covered(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Say whether one-half cover or better is between two in melee (woa.cover.no-attack-of-opportunity)."""
    return DEGREES.index(cover_from(fight, attacker, target, True).degree) >= DEGREES.index("one-half")


def cover_degree(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> tuple[str, str, str]:
    """Return (degree, source, topic) of the cover that a target has from an attacker."""
    found = cover_from(fight, attacker, target, melee)
    return found.degree, found.source, found.topics[0]


def refuse_covered(fight: Fight, blow: Blow) -> None:
    """Refuse an attack on who is wholly covered, and through a slit with what does not fit.

    woa.cover.total, woa.cover.weapon-restriction
    """
    target, weapon = blow.target, blow.weapon
    found = cover_from(fight, blow.attacker, target, blow.melee)
    if found.degree == "total":
        raise Refusal(f"{target.id} has total cover: {found.source}", fight.rule("woa.cover.total"))
    behind = target.conditions.get(BEHIND)
    fits = "piercing" in weapon.damage_type and weapon.wield not in ("light", "unarmed")
    if behind is not None and behind.source == SLIT and not fits:
        raise Refusal(
            f"the {weapon.name} does not get through the slit", fight.rule("woa.cover.weapon-restriction")
        )


def better_of_cover_and_posture(fight: Fight, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts, of cover and posture the lesser bonus denied: they overlap.

    woa.cover.overlap-posture
    """
    best = {
        kind: max((part.value for part in parts if part.kind == kind and not part.denied), default=0)
        for kind in ("cover", "posture")
    }
    if min(best.values()) <= 0:
        return parts
    less, more = ("cover", "posture") if best["cover"] < best["posture"] else ("posture", "cover")
    why = f"overlaps with {more} ({fight.rule('woa.cover.overlap-posture')})"
    return [replace(part, denied=why) if part.kind == less else part for part in parts]


def cover_from_spread(
    fight: Fight, target: Combatant, origin: Standing, source: Combatant | None
) -> tuple[list[Modifier], list[str]]:
    """Return what cover adds to a Reflex save against what spreads from `origin`, with the rules.

    Creatures in between are one half, but not against what comes from above them
    (woa.cover.reflex-save, woa.cover.creature.area-effect, .area-effect-from-above).
    """
    creatures = [
        (one.id, one.at, one.space)
        for one in fight.state.combatants.values()
        if one is not target and one is not source and not is_down(fight, one) and not lies(one)
    ]
    low = fight.figure("woa.cover.low-obstacle", "range_ft")
    there = (target.at, target.space)
    found = cover(
        fight.field,
        origin[:2],
        there,
        melee=False,
        low_range_ft=low,
        creatures=creatures,
        borders=covering_borders(fight),
    )
    cites = list(fight.rules("woa.cover.reflex-save", "woa.save.cover-bonus-reflex"))
    behind = target.conditions.get(BEHIND)
    degree = ""
    if behind is not None:
        degree = "nine-tenths" if behind.source == SLIT else behind.source
    elif found.kind == "cover":
        degree = "one-half"
        if found.low:
            degree = "three-quarters" if keeps_low(target) or lies(target) else "one-quarter"
    elif found.kind == "soft":
        over = source is not None and passes_above(
            fight, source, [fight.state.combatants[n] for n in found.creatures]
        )
        cites.append(fight.rule("woa.cover.creature.area-effect"))
        degree = "one-half"
        if over:
            rule = fight.rule("woa.cover.creature.area-effect-from-above")
            shown = cell(fight, TABLE, f"degree={degree}", "reflex")
            value = shown.value if shown is not None else 0
            name = ", ".join(found.creatures)
            why = f"it comes from above {name} ({rule})"
            return [Modifier(value, "cover", f"{name} in the way", cites[-1], why)], [rule]
    if not degree:
        return [], []
    value = cell(fight, TABLE, f"degree={degree}", "reflex")
    if value is None:
        return [], []
    between = ", ".join(found.creatures) or "in the way"
    return [Modifier(value.value, "cover", f"{degree} cover: {between}", value.rule)], cites
