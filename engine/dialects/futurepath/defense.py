"""Implement Defense: the score that an attack must reach, worn armor, cover."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks.unarmed import KNOCKOUT
from affray.engine.dialects.futurepath.conditions import DEGREES, PARTS_COVERED, declared_degree
from affray.engine.dialects.futurepath.contested import grade_of, in_force, situational
from affray.engine.fight.fight import Fight, Standing, is_helpless
from affray.engine.fight.memory import per_scene
from affray.engine.grid.battlefield import Battlefield, Square, battlefield
from affray.engine.grid.lines_and_cover import Cover, Creature, line_from_corner, line_of_effect
from affray.engine.kernel.places import footprint, next_to, squares_of
from affray.engine.modifiers import Tally
from affray.engine.record.blow import ARMOR_CLASS, Blow, Intent, SaveMade
from affray.engine.rules.classes.checks import Spared
from affray.engine.rules.classes.sheets import ability, sizes_larger, trait_detail
from affray.engine.rules.defense import deny_dexterity
from affray.engine.rules.position.places import (
    cover_at,
    cover_between,
    creatures_between,
    creatures_that_cover,
)
from affray.engine.steps import Choice, Steps
from affray.events.facts.combat import AttackResolved
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- The Defense score of Futurepath: the helpless, the pinned, the flat-footed, postures at close range

POSTURES = ("kneeling", "prone", "sitting")


def fixed_defense(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense of the helpless: only 5 + size, by the default reading.

    futurepath.attack.helpless.defense (helpless_defense).
    """
    base = fight.modifier("futurepath.attack.helpless.defense", "base", kind="base", source="helpless")
    left = [base]
    for part in parts:
        left.append(part if part.kind == "size" or part.denied else replace(part, denied=WHY_FLAT))
    return tuple(left)


def pinned_dexterity(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense of a pinned target: its Dexterity is 0, counted once.

    futurepath.modifier.defender-pinned-dexterity-zero
    """
    rule = fight.rule("futurepath.modifier.defender-pinned-dexterity-zero")
    return deny_dexterity(parts, f"pinned: Dexterity counts as 0 ({rule})")


WHY_FLAT = "helpless: Defense is a fixed number and size"


def is_fixed(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> bool:
    """Return whether the target has the fixed Defense of the helpless, always against a knockout blow.

    futurepath.attack.knockout-blow.defense
    """
    if not is_helpless(fight, blow.target):
        return False
    return blow.intent.kind == KNOCKOUT or fight.option("helpless_defense") == "five-plus-size"


def has_table_row(fight: Fight, blow: Blow, parts: Sequence[Modifier]) -> bool:
    """Return whether the target has the row of the helpless in the table."""
    if blow.intent.kind == KNOCKOUT:
        return False
    return is_helpless(fight, blow.target) and fight.option("helpless_defense") == "table"


def no_posture_beside(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense; lying or kneeling does not help against a shot from an adjacent square.

    futurepath.modifier.defender-sitting-kneeling-prone-adjacent
    """
    if not next_to(blow.attacker, blow.target):
        return parts
    rule = fight.rule("futurepath.modifier.defender-sitting-kneeling-prone-adjacent")
    why = f"the attacker is adjacent ({rule})"
    if any(part.value > 0 and part.source in POSTURES for part in parts):
        blow.cites.append(rule)
    return [
        replace(part, denied=why) if part.value > 0 and part.source in POSTURES else part for part in parts
    ]


def flat_footed_row(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of the flat-footed, with their row of the table, which has no figure.

    Without Dexterity it equals the flat-footed Defense that a sheet may note
    (futurepath.modifier.defender-flat-footed, futurepath.condition.flat-footed.stored-value).
    """
    if fight.dialect.defense.dexterity_denied(fight, blow)[0] != "flat-footed":
        return parts
    blow.cites.append(fight.rule("futurepath.condition.flat-footed.stored-value"))
    path = "melee" if blow.melee else "ranged"
    return [
        *parts,
        situational(fight, "futurepath.modifier.defender-flat-footed", path, source="flat-footed"),
    ]


def add_running_bonus(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of a runner, who is harder to shoot.

    futurepath.action.run.ranged-defense, futurepath.modifier.defender-running
    """
    row, run = "futurepath.modifier.defender-running", "futurepath.action.run.ranged-defense"
    value = fight.figure(row, "ranged")
    blow.cites.append(fight.rule(row))
    return [*parts, Modifier(value, grade_of(fight, value), "running", fight.rule(run))]


def no_condition_beside(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense; conditions do not modify the fixed one of the helpless.

    futurepath.attack.helpless.defense
    """
    conditions = blow.target.conditions
    return [replace(part, denied=WHY_FLAT) if part.source in conditions else part for part in parts]


def helpless_row(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of Defense of the helpless, with their row of the table.

    futurepath.modifier.defender-helpless.
    """
    path = "melee" if blow.melee else "ranged"
    return [*parts, situational(fight, "futurepath.modifier.defender-helpless", path, source="helpless")]


def helpless_dexterity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the Dexterity of the helpless: a bonus is lost, a penalty stays.

    futurepath.modifier.defender-helpless-loses-dex
    """
    dexterity = ability(blow.target.sheet, "dex")
    lost = "helpless: Dexterity bonus denied" if dexterity > 0 else ""
    return [
        Modifier(
            dexterity,
            "ability",
            "Dexterity",
            fight.rule("futurepath.modifier.defender-helpless-loses-dex"),
            lost,
        )
    ]


# --- The source of each part of Defense, and the rules by which some do not count

#: The rule of each kind of part of Defense.
KINDS: Final = {
    "ability": "futurepath.defense.dexterity-modifier",
    "class": "futurepath.defense.class-bonus",
    "equipment": "futurepath.defense.equipment-bonus",
    "armor": "futurepath.defense.equipment-bonus",
    "shield": "futurepath.defense.equipment-bonus",
    "feat": "futurepath.defense.feat-bonus",
    "natural": "futurepath.defense.natural-armor",
    "natural armor": "futurepath.defense.natural-armor",
    "dodge": "futurepath.defense.dodge-bonuses",
    "enhancement": "futurepath.defense.magic-bonuses",
    "deflection": "futurepath.defense.magic-bonuses",
}
WORN: Final = ("equipment", "armor", "shield")


def by_kind(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of Defense, each under the rule of its kind; cite those that do not count.

    Dexterity, dodging and magic, class, feats, natural armor, size; worn equipment counts in part for
    combatants not trained in it, and not against a touch (futurepath.defense.dexterity-modifier,
    futurepath.defense.class-bonus, futurepath.defense.equipment-bonus, futurepath.defense.feat-bonus,
    futurepath.defense.natural-armor, futurepath.defense.dodge-bonuses, futurepath.defense.magic-bonuses).
    """
    formula = fight.rule("futurepath.defense.formula")
    blow.cites += fight.rules(*deciding(fight, blow, parts))
    untrained = {worn.name for worn in blow.target.sheet.worn if not worn.proficient}
    least: dict[str, int] = {}
    for part in parts:
        if part.kind in WORN and part.source in untrained:
            least[part.source] = min(part.value, least.get(part.source, part.value))
    found = []
    for part in parts:
        kind = "feat" if is_by_feat(blow, part) and part.kind != "dodge" else part.kind
        if part.rule == formula and kind in KINDS:
            part = replace(part, rule=fight.rule(KINDS[kind]))
        if part.value > least.get(part.source, part.value) and part.kind in WORN and not part.denied:
            rule = fight.rule(KINDS[part.kind])
            part = replace(part, denied=f"not proficient with the {part.source} ({rule})")
        found.append(part)
    return tuple(found)


def is_by_feat(blow: Blow, part: Modifier) -> bool:
    """Return whether a part of Defense comes from a feat: by its kind, or named after one on the sheet."""
    return part.kind == "feat" or part.source.casefold() in blow.target.sheet.feats


def deciding(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> Iterator[str]:
    """Yield the topics of further rules on the composition of a Defense and on what it lacks.

    futurepath.defense.size-modifier, futurepath.defense.dexterity-denied,
    futurepath.defense.equipment-denied, futurepath.defense.feat-bonus, futurepath.defense.dodge-bonuses
    """
    if any(part.kind == "size" for part in parts):
        yield "futurepath.defense.size-modifier"
    if any(is_by_feat(blow, part) for part in parts):
        yield "futurepath.defense.feat-bonus"
    if blow.intent.touch and any(part.kind in WORN and part.denied for part in parts):
        yield "futurepath.defense.equipment-denied"
    if not fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        return
    agile = [part for part in parts if part.kind in ("dodge", "ability") and part.value > 0]
    if agile and not is_helpless(fight, blow.target):
        yield "futurepath.defense.dexterity-denied"


# --- Things on the map as cover: doors, crates and the like, until they break
# A closed door or a wall that is a thing fills its squares: targets behind it have total cover if no line
# leads past it, and it cannot be entered. An open or broken one gives no cover. Any other thing gives half
# cover to targets no larger than itself, as a creature does, unless its trait "covers (DEGREE)" sets another
# degree.

#: Rows of the table of things that fill their squares from side to side.
SOLID: Final = ("simple wooden door", "strong wooden door", "steel door", "cinderblock wall")
#: The trait with the degree of cover that a thing gives.
COVERS: Final = "covers"
#: The trait of things that a combatant holds, carries or wears.
CARRIED: Final = "carried by"
#: The states of a door that is not closed.
OPEN, AJAR = "open", "ajar"
#: The cover from a creature in the way, and from a thing as large as the target.
HALF: Final = "one-half"
#: The degree of a thing that gives no cover.
NONE: Final = "none"


def degree_of_thing(fight: Fight, thing: Combatant) -> str:
    """Return the degree of cover that a thing gives to targets behind it; "" for none.

    A door that is slightly ajar gives nine-tenths cover (futurepath.table.cover, futurepath.cover.total).
    """
    if "dead" in thing.conditions or OPEN in thing.conditions or trait_detail(thing, CARRIED):
        return ""
    if AJAR in thing.conditions:
        return "nine-tenths"
    made = thing.sheet.thing
    assert made is not None
    told = trait_detail(thing, COVERS)
    if told:
        return "" if told == NONE else told
    return "total" if made.table in SOLID else HALF


@per_scene()
def standing_things(fight: Fight) -> dict[str, str]:
    """Return the things on the map that give cover, with the degree."""
    things = (one for one in fight.state.combatants.values() if one.sheet.thing is not None)
    return {one.id: degree for one in things if (degree := degree_of_thing(fight, one))}


def is_closed(fight: Fight, thing: Combatant) -> bool:
    """Return whether a thing fills its squares and lets nothing through."""
    return standing_things(fight).get(thing.id) == "total"


def field_with_things(fight: Fight, *apart: str) -> Battlefield:
    """Return the map with a wall wherever a thing fills its squares, except the things in `apart`."""
    filled: set[Square] = set()
    for name, degree in standing_things(fight).items():
        if degree == "total" and name not in apart:
            filled.update(squares_of(fight.combatant(name)))
    rows = fight.field.rows
    if not filled:
        return fight.field
    return battlefield(
        tuple(
            "".join("#" if (x, y) in filled else kind for x, kind in enumerate(row))
            for y, row in enumerate(rows)
        )
    )


def thing_between(fight: Fight, attacker: Combatant, target: Combatant) -> str:
    """Return the thing that blocks every line between two combatants; "" if none does."""
    here, there = footprint(attacker), footprint(target)
    if not is_walled_off(fight, here, there, attacker, target):
        return ""
    filling = (name for name, degree in standing_things(fight).items() if degree == "total")
    others = [name for name in filling if name not in (attacker.id, target.id)]
    for name in others:
        if not is_walled_off(fight, here, there, attacker, target, name):
            return name
    return others[0]


def is_walled_off(fight: Fight, origin: Standing, place: Standing, *apart: Combatant | str | None) -> bool:
    """Return whether things, except those in `apart`, block every line from an origin to a place.

    Lines blocked by the map itself do not count (futurepath.cover.total).
    """
    if not standing_things(fight):
        return False
    field = field_with_things(fight, *(one if isinstance(one, str) else one.id for one in apart if one))
    return is_reached(fight.field, origin, place) and not is_reached(field, origin, place)


def is_reached(field: Battlefield, origin: Standing, place: Standing) -> bool:
    """Return whether a line leads to a place; an origin without a side is a grid corner."""
    (here, side, _), (there, wide, _) = origin, place
    if side:
        return line_of_effect(field, here, side, there, wide)
    return line_from_corner(field, here, there, wide)


def things_at(fight: Fight, square: Square) -> tuple[Combatant, ...]:
    """Return the things that fill a square, whose near side is reached if a line leads to it."""
    things = map(fight.combatant, standing_things(fight))
    return tuple(one for one in things if square in squares_of(one))


def things_in_way(fight: Fight, target: Combatant, *apart: Combatant | None) -> tuple[Creature, ...]:
    """Return the things that may give a target cover, except those in `apart`.

    Things smaller than the target cover it only if their trait says so.
    """
    found = []
    for name in standing_things(fight):
        thing = fight.combatant(name)
        small = sizes_larger(target, thing) > 0 and standing_things(fight)[name] == HALF
        told = trait_detail(thing, COVERS)
        if thing is not target and thing not in apart and (told or not small):
            found.append((thing.id, thing.at, thing.space))
    return tuple(found)


def cover_past_things(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> Cover:
    """Return the cover of a target from an attacker by the map, by creatures and by things."""
    if not standing_things(fight):
        return cover_between(fight, attacker, target, melee)
    creatures = creatures_between(fight, attacker, target, melee, ())
    things = things_in_way(fight, target, attacker)
    return cover_at(fight, footprint(attacker), footprint(target), melee, False, (*creatures, *things))


def degree_in_way(fight: Fight, found: Cover) -> tuple[str, str]:
    """Return the best degree of cover from those in the way, and which gives it; half if a line leads past.

    ("", "") if nothing is in the way (futurepath.table.cover).
    """
    given = standing_things(fight)
    best, by = "", ""
    for name in found.creatures:
        degree = given.get(name, HALF)
        degree = HALF if degree == "total" else degree
        if not best or is_lesser_degree(best, degree):
            best, by = degree, name
    return best, by


def is_lesser_degree(one: str, other: str) -> bool:
    """Return whether a degree of cover is less than another."""
    return DEGREES.index(one) < DEGREES.index(other)


# --- Cover in Futurepath: its degrees, and the result of a shot that the cover stops

FLAT = "futurepath.modifier.defender-behind-cover"


def behind_total_cover(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return that a target behind total cover, declared or of a thing, cannot be attacked: it has no figure.

    futurepath.cover.total
    """
    attacker, target = blow.attacker, blow.target
    if "total cover" in target.conditions:
        return f"{target.id} has total cover", "futurepath.cover.total"
    if thing := thing_between(fight, attacker, target):
        return f"{target.id} has total cover from {attacker.id}: {thing}", "futurepath.cover.total"
    return "", ""


def rules_of_cover(fight: Fight, blow: Blow, degree: str, flat: bool) -> list[str]:
    """Return the rules of a cover bonus, by how much is covered.

    futurepath.cover.bonus, futurepath.cover.defense-bonus, futurepath.cover.degree.bottom-half,
    futurepath.cover.degree.one-side, futurepath.cover.reciprocity, futurepath.assumed.low-wall
    """
    topics = ["futurepath.cover.bonus"]
    if not flat:
        topics.append("futurepath.cover.defense-bonus")
        for part, (known, rule) in PARTS_COVERED.items():
            if degree == known and part in blow.target.conditions:
                topics.append(rule)
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    if found.kind == "cover" and not degree:
        topics += ["futurepath.assumed.low-wall"] if found.low else []
        back = cover_past_things(fight, blow.target, blow.attacker, blow.melee)
        topics += ["futurepath.cover.reciprocity"] if blow.melee and back.kind == "cover" else []
    return topics


def cover_by_degree(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of cover to Defense: by its degree if declared, otherwise a flat bonus.

    A creature in the way is half cover, a thing as much as it covers (futurepath.cover.*,
    futurepath.modifier.defender-behind-cover).
    """
    degree = declared_degree(blow.target, "cover") if blow.target.conditions else ""
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    if not degree and found.kind in ("none", "total"):
        return []
    if degree == "total":
        degree = ""
    in_way, giver = degree_in_way(fight, found)
    if (
        not degree
        and in_way
        and in_way != HALF
        and not (found.kind == "cover" and is_lesser_degree(in_way, HALF))
    ):
        return [cover_of_thing(fight, blow, in_way, giver)]
    # The table itself gives the cover of a creature.
    known = "known" if degree or found.kind == "soft" else "unknown"
    flat = in_force(fight, "futurepath.table.cover", {"degree of cover": known}, "Defense") == FLAT
    blow.cites += fight.rules(*rules_of_cover(fight, blow, degree, flat))
    source = f"{degree} cover" if degree else "cover"
    if found.kind == "soft" and (flat or not degree):
        source = f"cover from {', '.join(found.creatures)}"
    elif found.squares and (flat or not degree):
        source = f"cover at {', '.join(f'{x},{y}' for x, y in found.squares[:3])}"
    if flat:
        return [situational(fight, FLAT, "melee" if blow.melee else "ranged", source=source)]
    path = (f"degree={degree or 'one-half'}", "defense")
    return [situational(fight, "futurepath.table.cover", *path, source=source)]


def cover_of_thing(fight: Fight, blow: Blow, degree: str, thing: str) -> Modifier:
    """Return the bonus of a thing in the way that covers a share of the target other than half."""
    flat = in_force(fight, "futurepath.table.cover", {"degree of cover": "known"}, "Defense") == FLAT
    blow.cites += fight.rules(*rules_of_cover(fight, blow, degree, flat))
    source = f"{degree} cover from {thing}"
    if flat:
        return situational(fight, FLAT, "melee" if blow.melee else "ranged", source=source)
    return situational(fight, "futurepath.table.cover", f"degree={degree}", "defense", source=source)


def strike_cover(fight: Fight, blow: Blow) -> Steps[None]:
    """After a miss, determine whether the cover was struck, and deal the damage.

    It was struck if the roll would have hit without cover. A thing that gives the cover takes the damage, a
    creature if the roll exceeds its Defense; if only its Dexterity or dodging saves it, the first target is
    hit after all, unless the creature prefers to stand still (futurepath.cover.strike.*).
    """
    if blow.outcome.natural == fight.figure("futurepath.attack.natural-1", "face"):
        return
    if not any(map(is_cover, blow.outcome.defense_parts)):
        return
    if blow.outcome.total < open_defense(fight, blow).total:
        return
    found = cover_past_things(fight, blow.attacker, blow.target, blow.melee)
    rule = fight.rule("futurepath.cover.strike.determination")
    if not found.creatures:
        yield RuleApplied(who=blow.target.id, what="the attack strikes the cover", cites=(rule,))
        return
    shield = fight.combatant(degree_in_way(fight, found)[1])
    # A shot at a held item strikes a creature in the way like any other shot.
    against = ARMOR_CLASS if blow.intent.item else blow.intent.against
    intent = Intent("cover", against, blow.intent.nonlethal)
    struck = Blow(blow.attacker, shield, blow.weapon, blow.melee, blow.distance, intent)
    struck.outcome = blow.outcome
    if shield.sheet.thing is not None:
        yield RuleApplied(who=shield.id, what=f"the attack strikes the cover: {shield.id}", cites=(rule,))
        yield from fight.dialect.damage.deal(fight, struck, False)
        return
    yield from strike_shield(fight, blow, struck, shield, rule)


def is_cover(part: Modifier) -> bool:
    """Return whether a part of Defense comes from cover."""
    return part.rule in ("futurepath.table.cover", "futurepath.modifier.defender-behind-cover")


def open_defense(fight: Fight, blow: Blow) -> Tally:
    """Return the Defense of an attack's target without cover."""
    dialect = fight.dialect
    cited, blow.cites = blow.cites, []
    parts = [
        *dialect.defense.defense_bonus(fight, blow),
        *blow.defense_extra,
        *dialect.defense.defense_situation(fight, blow),
    ]
    # The roll has already cited the rules that these cite.
    blow.cites = cited
    return dialect.attacks.stack(fight, [part for part in parts if not is_cover(part)])


def strike_shield(fight: Fight, blow: Blow, struck: Blow, shield: Combatant, rule: str) -> Steps[None]:
    """Compare the roll with the Defense of the creature in the way and deal the damage to the one hit."""
    dialect = fight.dialect
    tally = open_defense(fight, struck)
    evading = [part for part in tally.parts if part.source == "Dexterity" or part.kind == "dodge"]
    agile = sum(part.value for part in evading if part.value > 0 and not part.denied)
    hit = strikes_cover(fight, struck.outcome.total, tally.total)
    grazed = not hit and strikes_cover(fight, struck.outcome.total, tally.total - agile)
    topic = (
        "futurepath.cover.strike.creature-dodges" if grazed else "futurepath.cover.strike.creature-as-cover"
    )
    yield AttackResolved(
        attacker=blow.attacker.id,
        target=shield.id,
        weapon=blow.weapon.name,
        mode="melee" if blow.melee else "ranged",
        against="Defense of the cover",
        key="",
        natural=blow.outcome.natural,
        total=struck.outcome.total,
        needed=tally.total,
        result="hit" if hit else "miss",
        why=f"{struck.outcome.total} against the Defense {tally.total} of the creature in the way",
        attack=blow.outcome.attack_parts,
        defense=tally.parts,
        cites=(rule, fight.rule(topic)),
    )
    if grazed:
        waive = fight.rule("futurepath.cover.strike.creature-may-waive-dodge")
        question = f"the attack on {blow.target.id} strikes {shield.id}: does it dodge aside?"
        stays = (yield Choice(shield.id, "dodge-aside", question, ("dodge", "stand"), waive)) == "stand"
        yield from dialect.damage.deal(fight, struck if stays else blow, False)
    elif hit:
        yield from dialect.damage.deal(fight, struck, False)


def strikes_cover(fight: Fight, total: int, needed: int) -> bool:
    """Return whether a roll strikes the creature that gives cover: it must exceed, by the default reading."""
    return total > needed or (total == needed and fight.option("cover_struck") == "equal-or-beat")


# --- Cover against area effects: it can prevent them, helps Reflex saves, reduces damage


class Save(NamedTuple):
    """A Reflex save: whether it succeeded, and the damage that it is made against."""

    made: bool
    amount: int


TABLE: Final = "futurepath.table.cover"
BONUS: Final = "futurepath.cover.reflex-bonus"
#: The degree of undeclared cover: around a corner, or behind a creature.
PLAIN: Final = "one-half"
MOST: Final = "nine-tenths"


def cover_from(fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None) -> Cover:
    """Return the cover from the origin of an effect: for a burst a grid corner, which has no side."""
    away = {target.id, attacker.id if attacker is not None else ""}
    between = tuple(one for one in fight.memory.scene[creatures_that_cover] if one[0] not in away)
    between += things_in_way(fight, target, attacker)
    return cover_at(fight, origin, footprint(target), False, False, between)


def is_sheltered(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> bool:
    """Return whether total cover, including that of a closed door, prevents an effect.

    futurepath.cover.total
    """
    return (
        declared_degree(target, "cover") == "total"
        or cover_from(fight, origin, target, attacker).kind == "total"
        or is_walled_off(fight, origin, footprint(target), target, attacker)
    )


def degree_against(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> str:
    """Return the degree of cover from the origin of an effect: as declared, or from a thing.

    "" for none, and for plain cover, whose degree is not declared (futurepath.table.cover).
    """
    degree = declared_degree(target, "cover")
    if degree and degree != "total":
        return degree
    found = cover_from(fight, origin, target, attacker)
    in_way = degree_in_way(fight, found)[0] if found.kind in ("soft", "cover") else ""
    plain = not in_way or in_way == PLAIN or (found.kind == "cover" and is_lesser_degree(in_way, PLAIN))
    return "" if plain else in_way


def spared_behind(
    fight: Fight, origin: Standing, one: Combatant, attacker: Combatant | None, spared: Spared, save: Save
) -> Spared:
    """Return the damage behind nine-tenths cover from a thing, such as a door that is ajar.

    futurepath.cover.nine-tenths-improved-evasion
    """
    if declared_degree(one, "cover") == MOST or degree_against(fight, origin, one, attacker) != MOST:
        return spared
    return behind_nine_tenths(fight, save)


def cover_parts(
    fight: Fight, origin: Standing, target: Combatant, attacker: Combatant | None = None
) -> tuple[Modifier, ...]:
    """Return the bonus to a Reflex save for cover from the origin of an effect, by its degree.

    Cover on the map counts only if it lies between, as half cover, also a creature's; a thing's by what it
    covers; a declared degree as declared (futurepath.cover.reflex-bonus, futurepath.table.cover).
    """
    degree = degree_against(fight, origin, target, attacker)
    if not degree and cover_from(fight, origin, target, attacker).kind not in ("soft", "cover"):
        return ()
    value = fight.figure(TABLE, f"degree={degree or PLAIN}", "reflex")
    return (Modifier(value, "cover", f"{degree} cover" if degree else "cover", fight.rule(BONUS)),)


def rules_of_reflex_cover(fight: Fight, parts: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the table by which cover helps a save, if it does (futurepath.table.cover)."""
    return fight.rules(TABLE) if parts else ()


def against_spell(
    fight: Fight, caster: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of cover to a Reflex save against a spell, from where it takes effect."""
    return cover_parts(fight, origin, target, caster)


def hardly_touched(
    fight: Fight,
    combatant: Combatant,
    save: SaveMade,
    spared: Spared,
) -> Spared:
    """Return the damage behind declared nine-tenths cover: half after a failed save, otherwise none.

    futurepath.cover.nine-tenths-improved-evasion
    """
    if save.kind != "ref" or declared_degree(combatant, "cover") != MOST:
        return spared
    return behind_nine_tenths(fight, Save(save.succeeded, save.amount))


def behind_nine_tenths(fight: Fight, save: Save) -> Spared:
    """Return the damage behind nine-tenths cover: half after a failed save, otherwise none.

    futurepath.cover.nine-tenths-improved-evasion
    """
    rules = fight.rules("futurepath.cover.nine-tenths-improved-evasion")
    if save.made:
        return 0, "nothing behind nine-tenths cover", rules
    return save.amount // 2, "half behind nine-tenths cover", rules
