"""Implement Armor Class, cover, and the limit on attackers around a defender."""

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.woa.conditions.conditions import SURPRISE
from affray.engine.dialects.woa.grapple.grapple_checks import why_no_active_defense
from affray.engine.dialects.woa.position import size
from affray.engine.dialects.woa.position.size import has_low_posture, lies, passes_above
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, Standing, is_down, is_helpless, rule_of
from affray.engine.fight.memory import Same, per_fight, per_scene
from affray.engine.grid.battlefield import Square, bars_step
from affray.engine.grid.distance import space
from affray.engine.grid.lines_and_cover import cover
from affray.engine.kernel.places import distance
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import ability, has_trait, size_step
from affray.engine.rules.defense import cap_dexterity
from affray.engine.rules.gear.hands import OFF
from affray.engine.rules.position.places import cover_between, covering_borders, sees
from affray.engine.steps import Refusal
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Armor Class: worn or natural armor, touch attacks, the losses of the unaware (woa.ac.*)

#: The parts of Armor Class that a shield gives.
SHIELD = ("shield", "shield enhancement")

#: Why a shield no longer protects, by its state, with the rule.
WITHOUT_SHIELD = {
    "doffed": "not strapped on (woa.items.shield-ready-loose)",
    "broken": "the {} is broken (woa.object.state.broken)",
    "dropped": "the {} is dropped (woa.items.drop)",
    "gone": "the {} is gone (woa.items.drop)",
}

#: The topics of the rules that give the kinds of parts of Armor Class.
GRANTING = {
    "armor": "woa.ac.armor-shield-bonus",
    "shield": "woa.ac.armor-shield-bonus",
    "natural": "woa.ac.natural-armor",
    "enhancement": "woa.ac.superior-armor",
    "shield enhancement": "woa.ac.superior-armor",
    "deflection": "woa.ac.deflection-bonus",
    "dodge": "woa.ac.dodge-bonus",
}


def armor_against(fight: Fight, blow: Blow) -> tuple[Modifier, ...]:
    """Return the parts of the target's AC against this attack, the denied ones marked, without size.

    The larger of worn and natural armor counts; a touch attack ignores both but not the shield; a target that
    does not expect the attack loses shield, dodge and Dexterity bonuses (woa.ac.*,
    woa.surprise.ac-against-unexpected).
    """
    target = blow.target
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    off = tuple((item, state) for item, state in target.items.items() if state in OFF) if target.items else ()
    unshielded = next((name for name in target.conditions if rule_of(fight, name).shieldless), "")
    exposure = Exposure(reason, topic, is_helpless(fight, target), off, unshielded)
    return armor_class_parts(fight, blow, exposure)


class Exposure(Struct, frozen=True, gc=False):
    """The changes to a target's defense beyond its sheet.

    Why its Dexterity bonus is denied, and the topic of the rule; whether it is helpless; the items that no
    longer protect it, each with its state; the condition that bars its shield.
    """

    reason: str
    topic: str
    helpless: bool
    off: tuple[tuple[str, str], ...]
    unshielded: str


@per_fight(Same("blow.target.sheet"), "blow.intent.touch", "exposure")
def armor_class_parts(fight: Fight, blow: Blow, exposure: Exposure) -> tuple[Modifier, ...]:
    """Return the parts of the target's AC, given its exposure to the attack."""
    reason, topic, helpless = exposure.reason, exposure.topic, exposure.helpless
    off, unshielded = dict(exposure.off), exposure.unshielded
    sheet = blow.target.sheet
    rule = fight.rule("woa.ac.formula")
    parts = [Modifier(fight.figure("woa.ac.formula", "base"), "base", "base", rule)]
    worn = sum(part.value for part in sheet.armor if part.kind == "armor")
    natural = sum(part.value for part in sheet.armor if part.kind == "natural")
    for bonus in sheet.armor:
        denied = ""
        lost = bonus.value > 0  # penalties stay when bonuses are denied
        if lost and blow.intent.touch and bonus.kind in ("armor", "natural", "enhancement"):
            denied = f"touch attack: {bonus.kind} does not count ({fight.rule('woa.ac.touch-ac')})"
        elif bonus.kind == "natural" and worn >= natural > 0:
            denied = f"overruled by worn armor {worn:+d} ({fight.rule('woa.ac.natural-armor-no-stack')})"
        elif bonus.kind == "armor" and natural > worn > 0:
            denied = (
                f"overruled by natural armor {natural:+d} ({fight.rule('woa.ac.natural-armor-no-stack')})"
            )
        elif bonus.kind in SHIELD and (shield := bonus.source or "shield") in off:
            denied = WITHOUT_SHIELD[off[shield]].format(shield)
        elif lost and reason and bonus.kind in LOST:
            denied = f"{reason}: {bonus.kind} bonus denied ({fight.rule(LOST[bonus.kind])})"
        elif lost and unshielded and bonus.kind in SHIELD:
            denied = f"{unshielded}: no shield ({fight.rule('woa.water.swimming.no-shield')})"
        granted = GRANTING.get(bonus.kind, "woa.ac.other-modifiers")
        source = bonus.source or bonus.kind
        parts.append(Modifier(bonus.value, bonus.kind, source, fight.rule(granted), denied))
    dexterity = ability(sheet, "dex")
    if helpless:
        topic, source = "woa.condition.paralyzed", "Dexterity counts as 0"
        parts.append(fight.modifier(topic, "dex_modifier", kind="ability", source=source))
    elif dexterity > 0 and reason:
        denied = f"{reason}: Dexterity bonus denied ({fight.rule(topic)})"
        value = cap_dexterity(dexterity, sheet.max_dex)
        parts.append(Modifier(value, "ability", "Dexterity", fight.rule("woa.ac.dexterity-modifier"), denied))
    elif sheet.max_dex is not None and dexterity > sheet.max_dex:
        source = f"Dexterity (armor allows {sheet.max_dex} of {dexterity})"
        parts.append(Modifier(sheet.max_dex, "ability", source, fight.rule("woa.ac.armor-max-dexterity")))
    elif dexterity > 0:
        parts.append(Modifier(dexterity, "ability", "Dexterity", fight.rule("woa.ac.dexterity-modifier")))
    elif dexterity < 0:
        penalty = fight.rule("woa.ac.dexterity-penalty-always")
        parts.append(Modifier(dexterity, "ability", "Dexterity", penalty))
    return tuple(parts)


def surprised_by_weapon(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a hidden weapon surprises the target (woa.surprise.ac-against-unexpected)."""
    return (
        ("taken by surprise", "woa.surprise.ac-against-unexpected")
        if is_hidden_weapon_attack(blow)
        else ("", "")
    )


def attacker_on_body(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that one combatant is on the other's body, with the rule's topic (woa.size.*)."""
    topic = size.on_body(blow)
    return ("on its body", topic) if topic else ("", "")


def unaware_before_first_turn(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the target is unaware until its first turn, except with improved uncanny dodge.

    woa.surprise.ac-against-unexpected
    """
    keeps = has_trait(blow.target, "improved uncanny dodge")
    return ("", "") if keeps else ("unaware", "woa.surprise.ac-against-unexpected")


def denied_by_condition(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return the condition that denies the target its active defense, with the rule's topic.

    woa.ac.dexterity-bonus-denied
    """
    for name in blow.target.conditions:
        rule = rule_of(fight, name)
        if name == "grappling":
            return why_no_active_defense(fight, blow)
        if not rule.dexterity:
            return name, rule.dexterity_topic or rule.topic
    return "", ""


def misled_by_feint(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that the attacker has feinted against the target of this attack (woa.feint.success)."""
    return ("misled by a feint", "woa.feint.success") if misled(blow) else ("", "")


def is_hidden_weapon_attack(blow: Blow) -> bool:
    """Return whether this is the first attack with a weapon that was hidden.

    woa.items.draw-hidden-weapon
    """
    return any(
        effect.stat == SURPRISE and effect.modifier.source == blow.weapon.name
        for effect in blow.attacker.effects
    )


def lost_items(combatant: Combatant) -> frozenset[str]:
    """Return the items of a combatant that no longer protect it: broken, off, dropped or taken away."""
    return frozenset(item for item, state in combatant.items.items() if state in OFF)


def misled(blow: Blow) -> bool:
    """Return whether the attacker has feinted against the target of this attack (woa.feint.success)."""
    attacker = blow.attacker
    return (
        blow.melee
        and bool(attacker.effects)
        and any(
            one.stat == "denies-dexterity" and one.against in ("", blow.target.id) for one in attacker.effects
        )
    )


#: Parts of Armor Class from worn things, with the topic of the rule that denies them to the unaware.
LOST = {
    "shield": "woa.ac.shield-denied",
    "shield enhancement": "woa.ac.shield-denied",
    "dodge": "woa.ac.dodge-bonus-denied",
}

#: The rules cited when they deny a part of Armor Class.
DENYING = (
    *dict.fromkeys(LOST.values()),
    "woa.ac.touch-ac",
    "woa.ac.natural-armor-no-stack",
    "woa.water.swimming.no-shield",
)


# --- Protected sides of a defender, and how many attackers can reach it (woa.ganging-up.*)

LIMITS = "woa.ganging-up.attacker-limits"
GANGING_UP_OPEN, WALL, CORNER = "open", "back to a wall", "in a corner"
DOOR, CROWDED_DOOR = "in a doorway, two attackers in front", "in a doorway, three attackers"
CORRIDOR = "corridor no wider than the defender's space"
MIXED = "woa.ganging-up.mixed-sizes"
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


class Press(Struct, frozen=True, gc=False):
    """The limit of attackers around a defender, those present, and the topics of the rules."""

    limit: int
    attackers: tuple[str, ...]
    topics: tuple[str, ...]


@per_scene("combatant.id")
def blocked_sides(fight: Fight, combatant: Combatant) -> list[Square]:
    """Return the sides of a defender that walls or friends block (woa.ganging-up.surroundings)."""
    held = {
        square
        for one in fight.allies(combatant)
        if not is_down(fight, one)
        for square in space(one.at, one.space)
    }
    found = []
    for dx, dy in SIDES:
        edge = [
            ((x, y), (x + dx, y + dy))
            for x, y in space(combatant.at, combatant.space)
            if (x + dx, y + dy) not in squares_of_defender(combatant)
        ]
        if all(walled(fight, *step) or step[1] in held for step in edge):
            found.append((dx, dy))
    return found


def walled(fight: Fight, here: Square, there: Square) -> bool:
    """Return whether a wall bars the step to a square or it is impassable; the map's edge is open."""
    barred = not fight.field.passable(there) or bars_step(fight.field, here, there)
    return fight.field.holds(there) and barred


def squares_of_defender(combatant: Combatant) -> tuple[Square, ...]:
    """Return the squares of a defender."""
    return space(combatant.at, combatant.space)


def situation_of(fight: Fight, combatant: Combatant, by: Combatant) -> str:
    """Return the row of the table of limits that applies to a defender, from an attacker's side."""
    sides = blocked_sides(fight, combatant)
    if not sides:
        return GANGING_UP_OPEN
    if len(sides) == 1:
        return WALL
    facing = [(-dx, -dy) in sides for dx, dy in sides]
    if len(sides) == 2 and not any(facing):
        return CORNER
    axis, front = front_between_walls(fight, combatant, by)
    corners = [(side, front) if axis else (front, side) for side in (-1, combatant.space)]
    last, (x, y) = combatant.space - 1, combatant.at
    # Squares at the sides of the front row are reached along it.
    before = [
        (min(max(dx, 0), last), front) if axis else (front, min(max(dy, 0), last)) for dx, dy in corners
    ]
    roomy = any(
        not walled(fight, (x + i, y + j), (x + dx, y + dy))
        for (i, j), (dx, dy) in zip(before, corners, strict=True)
    )
    return DOOR if roomy else CORRIDOR


def enemies_around(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies next to a defender, or in its space, that can attack it, in order of entry."""
    return [
        one
        for one in fight.enemies(combatant)
        if distance(one, combatant) <= 5
        and sees(fight, one, combatant)
        and not (one.conditions and is_down(fight, one))
    ]


@per_scene("combatant.id", "by.id")
def press_around(fight: Fight, combatant: Combatant, by: Combatant) -> Press:
    """Return the press around a defender on an attacker's side.

    Behind a door, or in a corridor, the attackers on one side count separately.
    """
    there = on_side(fight, combatant, by, enemies_around(fight, combatant))
    kind = situation_of(fight, combatant, by)
    topics = ["woa.ganging-up.surroundings"] if kind not in (GANGING_UP_OPEN, CORRIDOR) else []
    if kind == DOOR and len(there) > fight.figure(LIMITS, f"surroundings={DOOR}", "max_attackers"):
        kind = CROWDED_DOOR
    if kind == CORRIDOR:
        topics.append("woa.ganging-up.corridor")
        column = "max_attackers_per_direction"
    else:
        column = "max_attackers"
    limit = fight.figure(LIMITS, f"surroundings={kind}", column)
    names = tuple(one.id for one in there)
    steps = {size_step(one) - size_step(combatant) for one in there}
    if steps - {0}:
        return Press(room_by_size(fight, limit, max(steps)), names, (*topics, MIXED))
    return Press(limit, names, (*topics, LIMITS))


def on_side(fight: Fight, combatant: Combatant, by: Combatant, there: list[Combatant]) -> list[Combatant]:
    """Return the attackers on the same side of a door or a corridor as `by`, otherwise all of them."""
    if situation_of(fight, combatant, by) not in (DOOR, CORRIDOR):
        return there
    front = front_between_walls(fight, combatant, by)
    return [one for one in there if front_between_walls(fight, combatant, one) == front]


def open_share(fight: Fight, combatant: Combatant, by: Combatant) -> Fraction:
    """Return the share of the room around a defender that is open to attackers on `by`'s side."""
    kind = situation_of(fight, combatant, by)
    column = "max_attackers_per_direction" if kind == CORRIDOR else "max_attackers"
    most = fight.figure(LIMITS, f"surroundings={kind}", column)
    return Fraction(most, fight.figure(LIMITS, f"surroundings={GANGING_UP_OPEN}", "max_attackers"))


def room_by_size(fight: Fight, limit: int, steps: int) -> int:
    """Return how many attackers of another size fit where `limit` of the defender's size would.

    It is in proportion to the table of surrounding attackers (woa.ganging-up.mixed-sizes).
    """
    rows = fight.figure("woa.size.surround.table")
    if not isinstance(rows, list) or not any(row.get("larger") == str(steps) for row in rows):
        return limit
    found = cell(fight, "woa.size.surround.table", f"larger={steps}", "attackers")
    same = fight.figure(LIMITS, f"surroundings={GANGING_UP_OPEN}", "max_attackers")
    return limit if found is None else max(1, limit * int(found.value) // same)


def front_between_walls(fight: Fight, combatant: Combatant, by: Combatant) -> tuple[int, int]:
    """Return the side of a defender between two walls on which an attacker is.

    The result is the axis of attack, 0 from left and right, 1 from above and below, and the front row on it,
    in squares from the defender's first: -1 or its space. An attacker in the defender's space counts with the
    latter.
    """
    sides = blocked_sides(fight, combatant)
    axis = int((1, 0) in sides and (-1, 0) in sides)
    return axis, -1 if by.at[axis] < combatant.at[axis] else combatant.space


def at_door(fight: Fight, combatant: Combatant, by: Combatant) -> bool:
    """Return whether a defender is in a doorway facing an attacker."""
    return situation_of(fight, combatant, by) == DOOR


def is_covered_by_jambs(fight: Fight, combatant: Combatant, by: Combatant) -> bool:
    """Return whether corners cover a defender from an attacker next to it.

    In a doorway the jambs do so only once a third attacker crowds in front of it
    (woa.ganging-up.attacker-limits).
    """
    if not at_door(fight, combatant, by):
        return True
    most = fight.figure(LIMITS, f"surroundings={DOOR}", "max_attackers")
    return bool(len(press_around(fight, combatant, by).attackers) > most)


# --- Cover: its degree from an attacker, and its bonus to Armor Class (woa.cover.*)

TABLE = "woa.cover.table"
DEGREES = ("none", "one-quarter", "one-half", "three-quarters", "nine-tenths", "total")
#: The condition of being behind cover by a ruling of the game master: its source is the degree, or an arrow
#: slit.
BEHIND, SLIT = "behind cover", "arrow slit"
#: The rules that print the cover from a creature of the same size in the way.
PRINTED = ("woa.cover.creature.reach-weapon", "woa.cover.creature.ranged")
#: A thing that blocks the way like a wall, until it is broken.
BARRIER = "barrier"


class Covered(Struct, frozen=True, gc=False):
    """The cover of a target: its degree, its source, and the topics of its rules.

    `by` are the creatures that give it; `useless` are creatures in the way that give none, each with the
    reason and the topic of the rule.
    """

    degree: str = "none"
    source: str = ""
    topics: tuple[str, ...] = ("woa.cover.degree",)
    by: tuple[str, ...] = ()
    useless: tuple[tuple[str, str, str], ...] = ()


COVER_OPEN = Covered()


def better_cover(one: Covered, other: Covered) -> Covered:
    """Return the better of two covers, the first if they are equal."""
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
    """Return the cover from the map and the creatures on it.

    A low wall that hides half the body is one-quarter cover, a corner one-half, a creature of the same size
    one-half, a smaller one a quarter (woa.cover.degree, woa.cover.creature.*).
    """
    found = cover_between(fight, attacker, target, melee)
    if found.kind == "none":
        return COVER_OPEN
    if found.kind == "total":
        return Covered("total", "total cover", ("woa.cover.total",))
    if found.kind == "cover":
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if found.low:
            far = fight.figure("woa.cover.low-obstacle", "range_ft")
            return low_wall(attacker, target, f"a low wall at {place}, within {far} ft.", melee)
        if (
            not melee
            or distance(attacker, target) > target.reach
            or is_covered_by_jambs(fight, target, attacker)
        ):
            door = melee and at_door(fight, target, attacker)
            topics = ("woa.cover.degree", "woa.ganging-up.attacker-limits") if door else ("woa.cover.degree",)
            return Covered("one-half", f"a corner at {place}", topics)
        return Covered(topics=("woa.ganging-up.attacker-limits",))
    return from_creatures(fight, attacker, target, found.creatures, melee)


def low_wall(attacker: Combatant, target: Combatant, source: str, melee: bool) -> Covered:
    """Return the cover of a low wall, by posture and by the size of the attacker in melee.

    A target that lies behind it has as much as one that kneels.

    woa.cover.overlap-posture, woa.cover.degree-relative-size, woa.cover.low-obstacle
    """
    if has_low_posture(target) or lies(target):
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
    """Return the best cover from creatures in between (woa.cover.creature.*, woa.posture.*)."""
    best = COVER_OPEN
    useless: list[tuple[str, str, str]] = []
    for name in names:
        other = fight.state.combatants[name]
        if BARRIER in other.sheet.traits:
            best = better_cover(best, Covered("total", f"behind {name}", ("woa.cover.total",), (name,)))
            continue
        if lies(other) and size_step(other) <= size_step(target):
            useless.append((name, "lies on the ground", "woa.posture.prone.cover-provided"))
            continue
        low = has_low_posture(other)
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
    """Return the AC bonus of the target's cover, and the creatures that give none with the reason.

    A combatant pushed into another has no cover from that one (woa.cover.table, woa.cover.definition).
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
        if found is not COVER_OPEN and not found.useless:
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


def is_half_covered(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Return whether one-half cover or better is between two combatants in melee.

    woa.cover.no-attack-of-opportunity
    """
    return DEGREES.index(cover_from(fight, attacker, target, True).degree) >= DEGREES.index("one-half")


def cover_degree(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> tuple[str, str, str]:
    """Return (degree, source, topic) of the cover that a target has from an attacker."""
    found = cover_from(fight, attacker, target, melee)
    return found.degree, found.source, found.topics[0]


def refuse_covered(fight: Fight, blow: Blow) -> None:
    """Refuse an attack on a target with total cover, and a weapon that does not fit through a slit.

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
    """Return the parts, denying the lesser of cover and posture bonuses: they overlap.

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
    """Return the bonus of cover to a Reflex save against an effect that spreads from `origin`, with the
    rules.

    Creatures in between are one-half cover, except against effects from above them (woa.cover.reflex-save,
    woa.cover.creature.area-effect, .area-effect-from-above).
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
            degree = "three-quarters" if has_low_posture(target) or lies(target) else "one-quarter"
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
