"""Implement concealment: what conceals one combatant from another, the total, and what sees through it.

Concealment is determined for each pair and direction; its penalties add up to at most that of total
concealment (woa.concealment.*).
"""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.book import UnknownFigure
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.position.size import band
from affray.engine.dialects.woa.table_cells import Cell, cell
from affray.engine.fight.fight import Fight, Standing
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, space
from affray.engine.grid.lines_and_cover import can_be_put, obscured, relative_trace
from affray.engine.kernel.places import distance, in_band, squares_of
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.checks import fails_unrolled, skill_parts
from affray.engine.rules.classes.sheets import has_feat
from affray.engine.rules.maneuvers.opposed_checks import roll_opposed, side_of
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Blinded and deafened combatants: which tasks fail, and which are harder
#
# woa.condition.blinded, .deafened

#: Skills and tasks that need sight, and those that need hearing.
SEEING = ("spot", "read", "read lips", "appraise", "decipher script")
HEARING = ("listen",)
#: Skills that handle or search things, at which the blinded take a penalty.
HANDLING = ("search", "disable device", "open lock", "sleight of hand", "craft")
#: Senses that need no light.
DARK_SIGHT = ("darkvision", "blindsight", "blind sight", "tremorsense")
BLINDED_DEAFENED_DARKNESS = "total darkness"
#: The start of the name of a condition for having learned to do without a lost sense.
USED_TO = "used to being"


def fail_for_lost_sense(fight: Fight, combatant: Combatant, skill: str, dc: int) -> Steps[bool]:
    """Fail a task that needs sight for the blinded, hearing for the deafened; return whether it failed this
    way.
    """
    for condition, skills in (("blinded", SEEING), ("deafened", HEARING)):
        if condition in combatant.conditions and skill in skills:
            yield fails_unrolled(
                combatant, skill, dc, f"fails: {condition}", fight.rule(f"condition.{condition}")
            )
            return True
    return False


def sight_parts(fight: Fight, combatant: Combatant, skill: str) -> list[Modifier]:
    """Return the penalty for not seeing on a check that handles things: the same as on an attack."""
    if (
        "blinded" not in combatant.conditions
        or skill not in HANDLING
        or f"{USED_TO} blinded" in combatant.conditions
    ):
        return []
    found = cell(fight, "woa.concealment.table", "degree=total", "attack")
    if found is None:
        return []
    return [Modifier(found.value, "penalty", "blinded", fight.rule("woa.condition.blinded"))]


def blow_sight(fight: Fight, blow: Blow, detail: str) -> tuple[Modifier, ...]:
    """Cite the impaired sight that conceals the target (woa.condition.dazzled, .blinded)."""
    held = blow.attacker.conditions
    if "blinded" in held:
        blow.cites.append(fight.rule("woa.condition.blinded"))
        if held["blinded"].source == BLINDED_DEAFENED_DARKNESS:
            blow.cites.append(fight.rule("woa.condition.blinded.total-darkness"))
    elif "dazzled" in held:
        blow.cites.append(fight.rule("woa.condition.dazzled"))
    return ()


def put_in_darkness(fight: Fight, act: acts.Expose) -> Steps[None]:
    """Put a combatant into total darkness, or back into light, as the game master declares.

    Combatants that see in the dark, or without eyes, are not blinded by it
    (woa.condition.blinded.total-darkness).
    """
    target = fight.combatant(act.target)
    rule = fight.rule("woa.condition.blinded.total-darkness")
    held = target.conditions.get("blinded")
    if act.over:
        if held is None or held.source != BLINDED_DEAFENED_DARKNESS:
            raise Refusal(f"{target.id} is not blinded by darkness", rule)
        yield ConditionLost(who=target.id, condition="blinded", why="light", cites=(rule,))
        return
    if any(trait.startswith(DARK_SIGHT) for trait in target.sheet.traits):
        raise Refusal(f"{target.id} sees in the dark", rule)
    if held is not None:
        raise Refusal(f"{target.id} is blinded already", rule)
    yield ConditionGained(who=target.id, condition="blinded", source=BLINDED_DEAFENED_DARKNESS, cites=(rule,))


# --- Concealment by water: from above, from below, and at a distance under water (woa.water.concealment.*)

DEGREES = ("total", "three-quarters", "one-half", "one-quarter")


def concealment_by_water(fight: Fight, viewer: Combatant, other: Combatant) -> tuple[str, str, str]:
    """Return (degree, why, topic) of the concealment that water gives `other` from `viewer`, "" for none.

    The surface conceals those under it from those above and the reverse; under water, distance conceals
    (woa.water.concealment.surface, .distance).
    """
    under = environment.is_under_water(viewer), environment.is_under_water(other)
    wet = viewer if under[0] else other
    clarity = environment.clarity_of(wet)
    if under[0] != under[1]:
        return hidden_by_surface(fight, wet, clarity)
    if not under[0]:
        return "", "", ""
    feet = distance(viewer, other)
    topic = "woa.water.concealment.distance"
    for degree in DEGREES:
        found = cell(fight, topic, f"water={clarity}", degree)
        if found is not None and feet >= found.value:
            return degree, f"{feet} ft. of {clarity} water", topic
    return "", "", ""


def hidden_by_surface(fight: Fight, wet: Combatant, clarity: str) -> tuple[str, str, str]:
    """Return the concealment between two combatants on different sides of the surface.

    The rules print both ends of the scale; hazy water lies between them.
    """
    topic = "woa.water.concealment.surface"
    best, worst = fight.figure(topic, "calm_mostly_clear"), fight.figure(topic, "very_murky_or_stormy")
    if clarity == "murky" or environment.state_of(wet) == "stormy":
        degree = worst
    elif clarity == "clear" and environment.state_of(wet) == "calm":
        degree = best
    else:
        degree = DEGREES[(DEGREES.index(best) + DEGREES.index(worst) + 1) // 2]
    return degree, "the surface of the water", topic


TABLE, STACKING = "woa.concealment.table", "woa.concealment.stacking"
TOTAL = "total"
#: Stats of the effects for being hidden from a combatant, and for ignoring one.
HIDDEN, IGNORES = "hidden", "ignores"
#: Conditions of being in a dark place, with the light there, the darkest last.
CONCEALMENT_DARKNESS = {
    "in moderate darkness": "moderate darkness",
    "in near-total darkness": "near-total darkness",
    "in total darkness": "total darkness",
    "in supernatural darkness": "supernatural darkness",
}
#: Conditions that blur a combatant's outline: by row in the table.
SHROUDS = {"blurred": "blur", "camouflaged": "camouflage paint"}
VEILED = "veiled"
BLIND_FIGHT, BLINDSIGHT_FEAT = "blind-fight", "blindsight, 5-ft. radius"
#: Senses that need no eyes, each with the condition that prevents it ("": none does).
OTHER_SENSES = {"blindsight": "", "tremorsense": "flying", "echolocation": "deafened"}
#: Traits or magical conditions that see through each kind of concealment.
SEE_INVISIBLE, SEE_TRUE, SEE_FOG = "see invisibility", "true seeing", "sees through smoke"
_FEET = re.compile(r"\d+")


class Veil(Struct, frozen=True, gc=False):
    """One source of concealment: its degree, its reason, and the topics of its rules."""

    degree: str
    why: str
    topics: tuple[str, ...]


class Look(Struct, frozen=True, gc=False):
    """The concealment of a combatant from a viewer, and the topics of what saw through the rest."""

    veils: tuple[Veil, ...] = ()
    through: tuple[str, ...] = ()


CLEAR = Look()


@per_scene("viewer.id", "other.id", "melee")
def look(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return the concealment of `other` from a viewer."""
    plain = not (viewer.conditions or other.conditions or viewer.effects or other.effects)
    return CLEAR if plain and not fight.field.concealing else concealment_between(fight, viewer, other, melee)


def concealment_between(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return the concealment of one combatant from another, from all four kinds of source.

    A viewer that perceives without eyes is not affected by what impairs sight
    (woa.concealment.defeat.senses).
    """
    through: list[str] = []
    veils = [
        *impaired(fight, viewer),
        *shrouded(fight, viewer, other, through),
        *unlit(fight, viewer, other, through),
        *thick_air(fight, viewer, other, melee, through),
        *under_water(fight, viewer, other),
    ]
    if veils:
        sensed = needs_no_sight(fight, viewer, other)
        if sensed:
            veils, through = [], [sensed]
    if any(effect.stat == IGNORES and effect.against == other.id for effect in viewer.effects):
        veils.append(Veil(TOTAL, f"{viewer.id} ignores {other.id}", ("woa.flanking.ignore-opponent",)))
    return Look(tuple(veils), tuple(through))


def under_water(fight: Fight, viewer: Combatant, other: Combatant) -> Iterator[Veil]:
    """Yield the concealment by water and its surface (woa.water.concealment.*)."""
    if viewer.conditions or other.conditions:
        degree, why, topic = concealment_by_water(fight, viewer, other)
        if degree:
            yield Veil(degree, why, (topic,))


def impaired(fight: Fight, viewer: Combatant) -> Iterator[Veil]:
    """Yield the concealment caused by the viewer's impaired sight.

    woa.concealment.source.impaired-vision
    """
    topic = "woa.concealment.source.impaired-vision"
    for name in ("blinded", "dazzled"):
        if name in viewer.conditions:
            yield Veil(fight.figure(topic, name), f"{viewer.id} is {name}", (topic,))
            return


def shrouded(fight: Fight, viewer: Combatant, other: Combatant, through: list[str]) -> Iterator[Veil]:
    """Yield the concealment by a shrouded outline, unless the viewer's magic pierces it.

    woa.concealment.source.shrouded-form, woa.concealment.defeat.magic
    """
    topic = "woa.concealment.source.shrouded-form"
    true = sees_by(viewer, SEE_TRUE)
    if "invisible" in other.conditions:
        if true or sees_by(viewer, SEE_INVISIBLE):
            through.append("woa.concealment.defeat.magic")
        else:
            yield Veil(TOTAL, f"{other.id} is invisible", (topic, "woa.concealment.total.invisibility"))
    if any(effect.stat == HIDDEN and effect.against == viewer.id for effect in other.effects):
        yield Veil(TOTAL, f"{other.id} is hidden", ("woa.concealment.total.invisibility",))
    for name, example in SHROUDS.items():
        if name in other.conditions:
            if true and name == "blurred":
                through.append("woa.concealment.defeat.magic")
                continue
            degree = degree_of(fight, example)
            if degree:
                yield Veil(degree, f"{other.id} is {name}", (topic,))


def sees_by(combatant: Combatant, means: str) -> bool:
    """Return whether a combatant has a way of seeing, by nature or by magic."""
    return means in combatant.sheet.traits or means in combatant.conditions


def degree_of(fight: Fight, example: str) -> str:
    """Return the degree that the table gives for an example, "" if the table is not in force."""
    found = concealment_cell(fight, f"example={example}", "degree")
    return str(found.value) if found is not None else ""


def concealment_cell(fight: Fight, row: str, column: str) -> Cell | None:
    """Return a cell of the table of concealment, None if it has no such row."""
    try:
        return cell(fight, TABLE, row, column)
    except UnknownFigure:
        return None


def unlit(fight: Fight, viewer: Combatant, other: Combatant, through: list[str]) -> Iterator[Veil]:
    """Yield the concealment by poor light, given the light where `other` is and the light the viewer needs.

    woa.concealment.source.illumination, woa.concealment.vision-types, .supernatural-darkness
    """
    condition = next((name for name in reversed(CONCEALMENT_DARKNESS) if name in other.conditions), "")
    if not condition:
        return
    light, topic, types = (
        CONCEALMENT_DARKNESS[condition],
        "woa.concealment.source.illumination",
        "woa.concealment.vision-types",
    )
    why = f"{other.id} is in {light}"
    if light == "supernatural darkness":
        yield Veil(TOTAL, why, (topic, "woa.concealment.source.supernatural-darkness"))
        return
    rows = fight.figure(types, "rows")
    row = next(one for one in rows if one["light"] == light)
    for column in kinds_of_sight(viewer, other):
        if column in row:
            if row[column] == "none":
                through.append(types)
                return
            yield Veil(row[column], why, (topic, types, "woa.concealment.degree-viewpoint"))
            return
    degree = degree_of(fight, light)
    if degree:
        yield Veil(degree, why, (topic,))


def kinds_of_sight(viewer: Combatant, other: Combatant) -> list[str]:
    """Return the columns of the table that apply to a viewer's sight, the keenest first.

    Within its range darkvision needs no more light than low-light vision.
    """
    found = ["normal_vision"]
    far = is_within_sense(viewer, other, "darkvision")
    if far or "low-light vision" in viewer.sheet.traits:
        found.insert(0, "low_light_vision")
    return ["darkvision", *found] if far else found


def is_within_sense(viewer: Combatant, other: Combatant, sense: str) -> bool:
    """Return whether a sense of the sheet reaches `other`; a sense without a range reaches everywhere."""
    if not viewer.sheet.traits:
        return False
    for detail in details_of(sense, viewer.sheet.traits):
        feet = _FEET.search(detail)
        if feet is None or distance(viewer, other) <= int(feet.group()):
            return True
    return False


def thick_air(
    fight: Fight, viewer: Combatant, other: Combatant, melee: bool, through: list[str]
) -> Iterator[Veil]:
    """Yield the concealment by fog, smoke or foliage, by its density and extent.

    On the map the feet of it between the two count; elsewhere the game master sets it (`veiled`) by the
    table's example or degree (woa.concealment.source.environment, woa.concealment.sources).
    """
    topic = "woa.concealment.source.environment"
    clear = sees_by(viewer, SEE_FOG)
    if obscured(fight.field, (viewer.at, viewer.space), (other.at, other.space), melee=melee):
        feet = SQUARE_FT * max(1, foggy_squares(fight, viewer, other))
        degree = degree_of_fog(fight, feet)
        if clear and degree:
            through.append("woa.concealment.defeat.magic")
        elif degree:
            why = f"{feet} ft. of fog or foliage"
            yield Veil(degree, why, (topic, "woa.concealment.definition"))
    if degree := degree_of_veil(fight, other):
        if clear:
            through.append("woa.concealment.defeat.magic")
        else:
            why = f"{other.conditions[VEILED].source} about {other.id}"
            yield Veil(degree, why, (topic, "woa.concealment.sources"))


def degree_of_veil(fight: Fight, combatant: Combatant) -> str:
    """Return the degree of the veil the game master has put around a combatant, "" if unknown.

    The veil names an example of the table, or the degree itself (woa.concealment.sources).
    """
    veil = combatant.conditions.get(VEILED)
    if veil is None:
        return ""
    degree = degree_of(fight, veil.source) or veil.source
    return degree if concealment_cell(fight, f"degree={degree}", "attack") is not None else ""


def foggy_squares(fight: Fight, viewer: Combatant, other: Combatant) -> int:
    """Return how many fog squares the line between two centres crosses, excluding the viewer's own."""
    (ax, ay), (bx, by) = viewer.at, other.at
    a, b = viewer.space, other.space
    crossed = relative_trace(2 * ax + a, 2 * ay + a, 2 * bx + b, 2 * by + b, 2).squares
    own = set(squares_of(viewer))
    return sum(1 for square in crossed if square in fight.field.concealing and square not in own)


def degree_of_fog(fight: Fight, feet: int) -> str:
    """Return the degree of concealment by `feet` feet of fog; beyond the deepest row, that row's degree."""
    found = ""
    for depth in range(SQUARE_FT, feet + SQUARE_FT, SQUARE_FT):
        row = concealment_cell(fight, f"depth={depth} ft.", "degree")
        if row is None:
            break
        found = str(row.value)
    return found


def needs_no_sight(fight: Fight, viewer: Combatant, other: Combatant) -> str:
    """Return the topic of the rule by which sight is not needed, "" if it is needed.

    woa.concealment.defeat.senses, woa.concealment.defeat.feats
    """
    for sense, lost in OTHER_SENSES.items():
        bearer = other if sense == "tremorsense" else viewer
        if is_within_sense(viewer, other, sense) and lost not in bearer.conditions:
            return "woa.concealment.defeat.senses"
    topic = "woa.concealment.defeat.feats"
    if (
        has_feat(viewer, BLINDSIGHT_FEAT)
        and distance(viewer, other) < fight.figure(topic, "radius_ft") + SQUARE_FT
    ):
        return topic
    return ""


def total_concealment(fight: Fight, column: str) -> int:
    """Return the penalty for total concealment in a column of the table, 0 if it is not in force."""
    found = cell(fight, TABLE, f"degree={TOTAL}", column)
    return int(found.value) if found is not None else 0


def unseen(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Return whether `other` has total concealment from `viewer`, by one source or several together.

    woa.concealment.total.invisibility, woa.concealment.stacking
    """
    veils = look(fight, viewer, other, True).veils
    if not veils:
        return False
    if any(veil.degree == TOTAL for veil in veils):
        return True
    limit = total_concealment(fight, "attack")
    return bool(limit) and sum(value for _, value, _ in veils_with_penalties(fight, veils, "attack")) <= limit


def perceives(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Return whether a viewer perceives where `other` is: neither totally concealed nor hidden from it.

    woa.concealment.total.invisibility, woa.cover.stealth
    """
    return not unseen(fight, viewer, other)


def veils_with_penalties(
    fight: Fight, veils: tuple[Veil, ...], column: str
) -> Iterator[tuple[Veil, int, Cell]]:
    """Yield each veil with its penalty in a column, capped at the penalty for total concealment."""
    limit, total = total_concealment(fight, column), 0
    for veil in veils:
        found = cell(fight, TABLE, f"degree={veil.degree}", column)
        if found is not None:
            value = max(int(found.value), limit - total)
            total += value
            yield veil, value, found


def concealment_penalties(
    fight: Fight, viewer: Combatant, other: Combatant, melee: bool, column: str, topic: str, cites: list[str]
) -> list[Modifier]:
    """Return the penalties for not seeing `other` well; add the rules that applied to `cites`."""
    found = look(fight, viewer, other, melee)
    if found.through:
        cites += [rule for rule in fight.rules(*found.through) if rule not in cites]
    return penalties_of_veils(fight, found.veils, column, topic, cites)


def penalties_of_veils(
    fight: Fight, veils: tuple[Veil, ...], column: str, topic: str, cites: list[str]
) -> list[Modifier]:
    """Return the penalties of sources of concealment; add the rules that applied to `cites`."""
    parts = []
    for veil, value, from_table in veils_with_penalties(fight, veils, column):
        if value:
            source = f"{veil.degree} concealment: {veil.why}"
            if from_table.assumed:
                source += " (assumed)"
            parts.append(Modifier(value, "penalty", source, from_table.rule))
            cites += [rule for rule in fight.rules(topic, *veil.topics) if rule not in cites]
    if len(veils) > 1 and parts:
        cites.append(fight.rule(STACKING))
    return parts


def concealment_of_origin(fight: Fight, viewer: Combatant, origin: Standing | None) -> tuple[Veil, ...]:
    """Return the concealment of the place from which an effect spreads: impaired eyes, fog, darkness.

    Without such a place only the eyes count. A viewer that perceives without eyes needs to see nothing
    (woa.concealment.reflex-penalty, .defeat.senses).
    """
    there = viewer if origin is None else replace(viewer, at=origin[0], space=origin[1])
    dark = darkness_at(fight, viewer, origin) if origin is not None else ()
    veils = [*impaired(fight, viewer), *fog_between(fight, viewer, there), *dark]
    return () if veils and needs_no_sight(fight, viewer, there) else tuple(veils)


def darkness_at(fight: Fight, viewer: Combatant, origin: Standing) -> tuple[Veil, ...]:
    """Return the concealment by darkness of a place: it is dark if all combatants at it are in the dark.

    woa.concealment.source.illumination
    """
    (x, y), side, _ = origin
    at, side = ((x, y), side) if side else ((x - 1, y - 1), 2)  # a corner touches four squares
    there = [one for one in fight.state.combatants.values() if not distance_ft(one.at, at, one.space, side)]
    found = [tuple(unlit(fight, viewer, one, [])) for one in there]
    return found[0] if found and all(found) else ()


def fog_between(fight: Fight, viewer: Combatant, there: Combatant) -> Iterator[Veil]:
    """Yield the concealment by fog and foliage of the map (woa.concealment.source.environment)."""
    ends = (viewer.at, viewer.space), (there.at, there.space)
    if sees_by(viewer, SEE_FOG) or not obscured(fight.field, *ends, melee=False):
        return
    feet = SQUARE_FT * max(1, foggy_squares(fight, viewer, there))
    if degree := degree_of_fog(fight, feet):
        topics = ("woa.concealment.source.environment", "woa.concealment.definition")
        yield Veil(degree, f"{feet} ft. of fog or foliage", topics)


def concealment_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the attack penalties for a target's concealment (woa.concealment.attack-penalty).

    Blind-Fight reduces them in melee (woa.concealment.defeat.feats).
    """
    attacker, target = blow.attacker, blow.target
    topic = "woa.concealment.attack-penalty"
    parts = concealment_penalties(fight, attacker, target, blow.melee, "attack", topic, blow.cites)
    if parts and blow.melee and has_feat(attacker, BLIND_FIGHT):
        share = cell(fight, TABLE, f"feat={BLIND_FIGHT}", "attack_divisor")
        if share is not None:
            lost = -sum(part.value for part in parts)
            rule = fight.rule("woa.concealment.defeat.feats")
            parts.append(Modifier(lost - lost // int(share.value), "feat", "Blind-Fight (assumed)", rule))
    return parts


def concealment_on_defense(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalties to a target's AC for the attacker's concealment (woa.concealment.ac-penalty).

    A target with Blind-Fight takes none in melee.
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and has_feat(target, BLIND_FIGHT) and look(fight, target, attacker, True).veils:
        blow.cites.append(fight.rule("woa.concealment.defeat.feats"))
        return []
    topic = "woa.concealment.ac-penalty"
    return concealment_penalties(fight, target, attacker, blow.melee, "ac", topic, blow.cites)


def sight_of_ground(fight: Fight, combatant: Combatant) -> tuple[str, int]:
    """Return how badly a combatant sees the ground under it: degree and penalty; ("", 0) if well.

    Its eyes, the light and the fog around it count (woa.visibility.movement.acrobatics-penalty).
    """
    if not combatant.conditions and not fight.field.concealing:
        return "", 0
    through: list[str] = []
    veils = [*impaired(fight, combatant), *unlit(fight, combatant, combatant, through)]
    if fight.field.concealing.intersection(squares_of(combatant)) or VEILED in combatant.conditions:
        degree = degree_of_fog(fight, SQUARE_FT)
        if VEILED in combatant.conditions:
            degree = degree_of_veil(fight, combatant)
        if degree:
            veils.append(Veil(degree, "fog or foliage", ()))
    total, degrees = 0, []
    for veil, value, _ in veils_with_penalties(fight, tuple(veils), "attack"):
        total += value
        degrees.append(veil.degree)
    if not total:
        return "", 0
    return TOTAL if total == total_concealment(fight, "attack") else degrees[0], total


# --- Attacking an unseen target: locating it, or attacking a guessed square (woa.concealment.total.*)

LOCATE, BLIND = "woa.concealment.total.locate", "woa.concealment.total.blind-attack"
KNOWN, RANDOM = "known", "at random"
#: Checks the game master may call for to locate an unseen target: the sense, and the skill opposing it.
CALLED_FOR = {"listen": ("wis", "move silently"), "spot": ("wis", "stealth")}


def place_target(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let the attacker locate an unseen target; return whether the attack goes to where the target is.

    The game master decides whether the place is known, which check is called for, or that it cannot be known;
    then the attacker chooses a square or strikes at random (woa.concealment.total.locate, .blind-attack).
    """
    attacker, target = blow.attacker, blow.target
    if not unseen(fight, attacker, target):
        return True
    rule = fight.rule(LOCATE)
    question = f"{attacker.id} attacks {target.id} unseen: does it know where?"
    answer = yield Choice("", "locate", question, (KNOWN, *CALLED_FOR, "no telling"), rule)
    if answer in CALLED_FOR:
        found = yield from notices(fight, attacker, target, answer)
    else:
        found = answer == KNOWN
    if found:
        blow.cites.append(rule)
        return True
    return (yield from guess_square(fight, blow))


def notices(fight: Fight, combatant: Combatant, target: Combatant, sense: str) -> Steps[bool]:
    """Oppose a sense to the silence or stealth of an unseen target; return whether it is pinpointed."""
    ability, against = CALLED_FOR[sense]
    rule = fight.rule(LOCATE)
    mine = side_of(fight, combatant, sense, skill_parts(fight, combatant, sense, ability, rule))
    theirs = side_of(fight, target, against, skill_parts(fight, target, against, "dex", rule))
    answer = against.replace(" ", "-")
    return (yield from roll_opposed(fight, sense, mine, theirs, rule, answer=answer)) > 0


def guess_square(fight: Fight, blow: Blow) -> Steps[bool]:
    """Attack a chosen or random square; return whether the target is there.

    The attacker learns whether the guess was right only after the attack
    (woa.concealment.total.blind-attack).
    """
    attacker = blow.attacker
    rule = fight.rule(BLIND)
    places = {f"{x},{y}": (x, y) for x, y in squares_for_blind_blow(fight, blow)}
    question = f"where does {attacker.id} strike?"
    answer = yield Choice(attacker.id, "guess", question, (RANDOM, *places), rule)
    if answer == RANDOM:
        rolled = yield Roll(attacker.id, "guess", f"1d{len(places)}")
        answer = list(places)[rolled.total - 1]
    if places[answer] in squares_of(blow.target):
        blow.cites.append(rule)
        return True
    blow.outcome.landed = places[answer]
    yield from roll_at_empty_square(fight, attacker, places[answer])
    return False


def squares_for_blind_blow(fight: Fight, blow: Blow) -> list[Square]:
    """Return the squares that a blind attack may go to: those in reach, or for a shot those around the
    target.
    """
    (x, y), side = blow.target.at, blow.target.space
    near = space((x - 1, y - 1), side + 2)
    if blow.melee:
        return squares_in_reach(fight, blow.attacker, blow.weapon)
    at, size = blow.attacker.at, blow.attacker.space
    return [square for square in near if can_be_put(fight.field, at, size, square, 1)]


def squares_in_reach(fight: Fight, combatant: Combatant, weapon: Weapon) -> list[Square]:
    """Return the squares that a weapon reaches in melee, except the combatant's own."""
    least, most = band(fight, combatant, weapon)
    far = most // 5
    (x, y), side = combatant.at, combatant.space
    own = squares_of(combatant)
    return [
        square
        for square in space((x - far, y - far), side + 2 * far)
        if square not in own
        and can_be_put(fight.field, combatant.at, side, square, 1)
        and in_band(combatant.at, combatant.space, square, 1, least, most)
    ]


def roll_at_empty_square(fight: Fight, combatant: Combatant, at: Square) -> Steps[None]:
    """Roll an attack at an empty square, and report only afterwards that it was empty."""
    yield Roll(combatant.id, "attack", "1d20")
    what = f"strikes at nobody in {at[0]},{at[1]}"
    yield RuleApplied(who=combatant.id, what=what, cites=fight.rules(BLIND))
