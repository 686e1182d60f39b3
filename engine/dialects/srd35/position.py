"""Position: the squares of combatants, space and reach, size, shared and narrow places."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, is_helpless
from affray.engine.fight.memory import per_company
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.distance import distance_ft, space
from affray.engine.kernel.places import next_to, squares_of
from affray.engine.record.blow import Blow, Harm
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.abilities import ability_now
from affray.engine.rules.classes.checks import check, skill_parts
from affray.engine.rules.classes.sheets import INCORPOREAL, has_trait, is_a, size_step
from affray.engine.rules.conditions.conditions import can_react
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.position.places import occupants
from affray.engine.rules.position.squeezing import WRIGGLING, form_to_wriggle, get_through, spent_on_wriggling
from affray.engine.steps import Refusal, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, ConditionLost
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Sheet, Spell, Weapon
from affray.projections.state import Combatant

# --- Escape Artist: into a space less than half as wide as one's own (srd35.squeeze.escape-artist*)

TABLE = "srd35.skill.escape-artist-table"


def wriggle(fight: Fight, act: acts.Move) -> Steps[None]:
    """Spend a full round on getting into a tight space; after a minute of it an Escape Artist check decides.

    The path is one step. Until then the combatant takes -4 to AC, has no Dexterity bonus and makes no
    attacks.
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule("srd35.squeeze.escape-artist")
    there, form = form_to_wriggle(fight, actor, act, rule)
    yield spent_on_wriggling(actor, rule)
    before = actor.conditions.get(WRIGGLING)
    spent = 1 + (before.level if before is not None and before.source == square_in_words(there) else 0)
    yield ConditionGained(
        who=actor.id,
        condition=WRIGGLING,
        source=square_in_words(there),
        level=spent,
        cites=fight.rules("srd35.squeeze.escape-artist", "srd35.squeeze.escape-artist-ac"),
    )
    if spent < rounds_to_wriggle(fight):
        return
    parts = skill_parts(fight, actor, "escape artist", "dex", fight.rule(TABLE))
    dc = fight.figure(TABLE, "tight_space")
    cites = fight.rules(TABLE, "srd35.squeeze.escape-artist", "srd35.round.six-seconds")
    through = yield from check(fight, actor, "escape artist", parts, dc, *cites)
    why = "is through" if through else "is stuck and must begin again"
    yield ConditionLost(who=actor.id, condition=WRIGGLING, why=why, cites=(rule,))
    if through:
        yield from get_through(fight, actor, there, form, rule)


def rounds_to_wriggle(fight: Fight) -> int:
    """Return the rounds that a tight space takes."""
    minutes = int(fight.figure(TABLE, "tight_space_minutes"))
    return minutes * int(fight.figure("srd35.round.six-seconds", "rounds_per_minute"))


def square_in_words(at: Square) -> str:
    """Return a square in words."""
    return f"the tight space at {at[0]},{at[1]}"


def refuse_attack(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse attacks while wriggling (srd35.squeeze.escape-artist-no-attack)."""
    raise Refusal(
        f"{actor.id} wriggles into a tight space and cannot attack",
        fight.rule("srd35.squeeze.escape-artist-no-attack"),
    )


def stop_wriggling(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Stop wriggling by a different movement."""
    if WRIGGLING in combatant.conditions:
        yield ConditionLost(
            who=combatant.id,
            condition=WRIGGLING,
            why="gives it up",
            cites=fight.rules("srd35.squeeze.escape-artist"),
        )


# --- Incorporeal and ethereal creatures: inside of objects, or on another plane
# srd35.incorporeal.combat, srd35.etherealness.

ETHEREAL: Final = "ethereal"
FORCE: Final = "force"
#: The types of damage that spells deal to the incorporeal as to anybody (srd35.cond.incorporeal).
REACHING_THE_BODILESS: Final = frozenset({FORCE, "positive energy", "negative energy"})
COMBAT: Final = "srd35.incorporeal.combat"
#: Objects that fill their square: walls, pillars and trees.
FULL: Final = "#T"


def passes_solid_things(combatant: Combatant) -> bool:
    """Return whether solid things are no obstacle to a creature: it has no body, or is on another plane."""
    return ETHEREAL in combatant.conditions or is_a(combatant, INCORPOREAL)


def on_other_planes(one: Combatant, other: Combatant) -> bool:
    """Return whether two combatants are on different planes."""
    return (ETHEREAL in one.conditions) != (ETHEREAL in other.conditions)


def sees_across(viewer: Combatant) -> bool:
    """Return whether a creature in the world sees the ethereal."""
    return has_trait(viewer, "see invisibility") or has_trait(viewer, "true seeing")


def planes_part(blow: Blow) -> bool:
    """Return whether the planes keep a blow from its target: only force reaches the ethereal."""
    attacker, target = blow.attacker, blow.target
    if not (attacker.conditions or target.conditions) or not on_other_planes(attacker, target):
        return False
    return ETHEREAL in attacker.conditions or FORCE not in blow.weapon.traits


def is_inside_object(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a creature is wholly inside an object of this world; the ethereal never are."""
    field = fight.field
    # A full square gives cover, and that is looked up at once.
    if combatant.at not in field.covering or ETHEREAL in combatant.conditions:
        return False
    return all(field.at(square) in FULL for square in squares_of(combatant))


def enters_object(fight: Fight, combatant: Combatant, here: Square, there: Square) -> bool:
    """Return whether a step leads into an object out of the open."""
    if fight.field.at(there) not in FULL or ETHEREAL in combatant.conditions:
        return False
    return fight.field.at(here) not in FULL


def solid_is_no_obstacle(fight: Fight, combatant: Combatant, *given: object) -> bool:
    """Return whether solid things are no obstacle to a mover."""
    return passes_solid_things(combatant)


def refuse_too_deep(fight: Fight, combatant: Combatant, here: Square, there: Square, *given: object) -> None:
    """Refuse a step by which an incorporeal creature would leave the outside of the object that it is in.

    It stays next to the outside, and so does not get through an object thicker than its own space. The
    ethereal go anywhere on the map.
    """
    field = fight.field
    if not field.holds(there, combatant.space):
        raise Refusal(f"{there[0]},{there[1]} is not on the map", fight.rule("srd35.obstacle.blocking"))
    if ETHEREAL in combatant.conditions or not all(
        field.at(one) in FULL for one in space(there, combatant.space)
    ):
        return
    open_there = set(open_squares_beside(fight, there, combatant.space))
    inside = all(field.at(one) in FULL for one in space(here, combatant.space))
    if not open_there or (
        inside and not open_there.intersection(open_squares_beside(fight, here, combatant.space))
    ):
        reason = f"{combatant.id} must stay next to the outside of what it passes through"
        raise Refusal(reason, fight.rule(COMBAT))


def open_squares_beside(fight: Fight, at: Square, side: int) -> Iterator[Square]:
    """Yield the open squares in a space and next to it."""
    field = fight.field
    for square in space((at[0] - 1, at[1] - 1), side + 2):
        if field.holds(square) and field.at(square) not in FULL:
            yield square


def strikes_out(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Return whether a blow goes through the surface of the object that one of the two is inside of.

    A creature inside attacks what is next to it. It can itself be attacked there only while it attacks, by
    readied acts.
    """
    if not next_to(attacker, target):
        return False
    if is_inside_object(fight, target):
        striking = target.spent.get("standard") or target.spent.get("full-round")
        return fight.readied == attacker.id and fight.state.active == target.id and bool(striking)
    return is_inside_object(fight, attacker)


# --- The world and the ethereal plane: effects from one into the other (srd35.etherealness)

TOPIC: Final = "etherealness"
#: More feet than any reach.
OUT_OF_REACH: Final = 1_000_000
#: Acts on a target without a weapon that could be of force.
HANDS: Final = (
    acts.Trip,
    acts.Grapple,
    acts.Disarm,
    acts.Sunder,
    acts.BullRush,
    acts.Overrun,
    acts.CoupDeGrace,
    acts.Touch,
    acts.Feint,
    acts.Demoralize,
    acts.Pilfer,
    acts.Stabilize,
    acts.Treat,
    acts.Mount,
)


@per_company()
def anybody_ethereal(fight: Fight) -> bool:
    """Return whether any combatant in the fight is ethereal."""
    return any([ETHEREAL in one.conditions for one in fight.state.combatants.values()])


def anybody_beyond(fight: Fight, actor: Combatant, act: object) -> bool:
    """Return whether a combatant is on a different plane from others."""
    found: bool = fight.memory.company[anybody_ethereal]
    return found


def refuse_other_plane(fight: Fight, actor: Combatant, act: object) -> None:
    """Refuse to touch a target on another plane: only force reaches the ethereal, and nothing comes back."""
    for target, force in aimed_at(fight, actor, act):
        if on_other_planes(actor, target) and (ETHEREAL in actor.conditions or not force):
            raise Refusal(why_other_plane(actor, target), fight.rule(TOPIC))


def why_other_plane(combatant: Combatant, target: Combatant) -> str:
    """Return why a combatant does not reach a target on another plane."""
    if ETHEREAL in combatant.conditions:
        return f"{combatant.id} is ethereal and does nothing to {target.id}, who is not"
    return f"{target.id} is ethereal: force alone reaches it"


def aimed_at(fight: Fight, actor: Combatant, act: Any) -> list[tuple[Combatant, bool]]:
    """Return the targets of an act, and whether it affects each by force."""
    named: list[tuple[str, bool]] = []
    if type(act) is acts.FullAttack:
        named = [(one.target, not one.special and is_of_force(actor, one.weapon)) for one in act.strikes]
    elif type(act) in (acts.Attack, acts.Charge):
        special = type(act) is acts.Charge and act.special != ""
        named = [(act.target, not special and is_of_force(actor, act.weapon))]
    elif type(act) in HANDS:
        targets = act.targets if type(act) is acts.Touch else (act.target,)
        named = [(target, False) for target in targets]
    found = fight.state.combatants
    return [(found[name], force) for name, force in named if name in found]


def distance_between_planes(combatant: Combatant, target: Combatant) -> int:
    """Return the feet between planes: beyond any reach, but none for force into the ethereal."""
    if not on_other_planes(combatant, target):
        return 0
    if ETHEREAL in combatant.conditions:
        return OUT_OF_REACH
    return 0 if any(FORCE in one.traits for one in held_weapons(combatant)) else OUT_OF_REACH


def walls_part(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Return whether walls separate two combatants: walls of the world do not between the ethereal.

    srd35.etherealness.
    """
    return not (ETHEREAL in one.conditions and ETHEREAL in other.conditions)


def is_of_force(combatant: Combatant, name: str) -> bool:
    """Return whether the weapon of a declaration is of force."""
    ready: list[Weapon] = held_weapons(combatant)
    meant = next((one for one in ready if name in ("", one.name)), None)
    return meant is not None and FORCE in meant.traits


def spell_reaches(combatant: Combatant, spell: Spell, target: Combatant) -> bool:
    """Return whether a spell affects a target: on another plane only force, abjurations and gazes, one
    way.
    """
    if not on_other_planes(combatant, target):
        return True
    if ETHEREAL in combatant.conditions:
        return False
    forceful = spell.damage_type == FORCE or FORCE in spell.school
    return forceful or spell.school.startswith("abjuration") or spell.delivery == "gaze"


def refuse_spell(fight: Fight, actor: Combatant, spell: Spell, act: acts.Cast) -> None:
    """Refuse a spell at a target on another plane that it does not affect, or that its caster does not
    see.
    """
    for name in act.targets:
        target = fight.state.combatants.get(name)
        if target is None or not on_other_planes(actor, target):
            continue
        if not spell_reaches(actor, spell, target):
            raise Refusal(why_other_plane(actor, target), fight.rule(TOPIC))
        if not sees_across(actor):
            raise Refusal(f"{actor.id} does not see {target.id}, who is ethereal", fight.rule(TOPIC))


def on_other_plane(fight: Fight, caster: Combatant, spell: Spell, target: Combatant) -> Steps[bool]:
    """Return whether a spell does not reach its target, which is on the other plane (srd35.etherealness)."""
    if not (caster.conditions or target.conditions) or spell_reaches(caster, spell, target):
        return False
    what = f"{spell.name} does not reach {target.id}, who is on another plane"
    yield RuleApplied(who=target.id, what=what, cites=fight.rules(TOPIC))
    return True


# --- Moving through occupied squares, and staying in them (srd35.pass.*, srd35.size.tiny-*)

FILLING = "fills its space"
SWARM = "swarm"
GRAPPLING = "grappling"


def may_pass_by_rule(fight: Fight, combatant: Combatant, other: Combatant) -> tuple[bool, str]:
    """Return whether a combatant may move through another's square, and the topic of the rule that decides.

    Friends, the helpless, very small creatures and those of very different size may be passed; a creature
    that fills its squares may not.
    """
    if has_trait(other, FILLING) and not is_helpless(fight, other):
        return False, "pass.fills-squares"  # srd35.pass.fills-squares
    if (combatant.conditions or other.conditions) and on_other_planes(combatant, other):
        return True, "etherealness"
    if other.side == combatant.side:
        return True, "srd35.pass.friend"
    if is_helpless(fight, other):
        return True, "srd35.pass.helpless-opponent"
    if has_trait(combatant, SWARM) or has_trait(other, SWARM):
        return True, "srd35.pass.exceptions"
    if very_small(fight, combatant.sheet):
        return True, "pass.very-small"
    larger, smaller = "srd35.pass.three-sizes-larger", "srd35.pass.three-sizes-smaller"
    topic = larger if size_step(other) > size_step(combatant) else smaller
    if far_apart(fight, combatant, other, topic):
        return True, topic
    return False, "srd35.pass.opponent-blocked"


def far_apart(fight: Fight, combatant: Combatant, other: Combatant, topic: str) -> bool:
    """Return whether sizes let one pass the other (pass_size_difference: three or more, or exactly three)."""
    apart = abs(size_step(combatant) - size_step(other))
    least: int = fight.figure(topic, "size_difference")
    return apart == least if fight.option("pass_size_difference") == "exactly-three" else apart >= least


def may_pass(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether one may move through the other's square."""
    return may_pass_by_rule(fight, combatant, other)[0]


def very_small(fight: Fight, sheet: Sheet) -> bool:
    """Return whether a creature is of a size that shares squares: Tiny or less (srd35.pass.very-small)."""
    return sheet.size.capitalize() in fight.figure("srd35.pass.very-small")


def refuse_held(
    fight: Fight,
    combatant: Combatant,
    there: Square,
    others: Iterable[Combatant],
    last: bool,
    through: Combatant | None,
    how: str,
) -> None:
    """Refuse a square whose occupant cannot be passed, or at the end does not share it."""
    others = list(others)
    for other in others:
        free, topic = may_pass_by_rule(fight, combatant, other)
        bars = topic == "pass.fills-squares" or (other is not through and not last)
        if not free and bars:
            raise Refusal(f"{other.id} bars the way at {there[0]},{there[1]}", fight.rule(topic))
    if last:
        refuse_to_stay(fight, combatant.sheet, there, others)


def refuse_to_stay(fight: Fight, sheet: Sheet, there: Square, others: Iterable[Combatant]) -> None:
    """Refuse to end in squares of others, unless they are helpless or very small ones share them.

    Very small creatures may move into any square that has room for them; swarms into any square.
    """
    small = very_small(fight, sheet)
    for other in others:
        shares = small or SWARM in sheet.traits or is_helpless(fight, other)
        if not shares:
            raise Refusal(f"{other.id} is at {there[0]},{there[1]}", fight.rule("srd35.pass.ending-movement"))
    if small and SWARM not in sheet.traits and fullness(fight, sheet, others) > 1:
        raise Refusal(
            f"there is no room left at {there[0]},{there[1]} for so small a creature",
            fight.rule("srd35.size.tiny-share-square"),
        )


def fullness(fight: Fight, sheet: Sheet, others: Iterable[Combatant]) -> Fraction:
    """Return how much of one square very small creatures fill together, this one included."""
    sheets = [sheet, *(other.sheet for other in others if very_small(fight, other.sheet))]
    return sum((part_of_square(fight, one) for one in sheets), Fraction(0))


def part_of_square(fight: Fight, sheet: Sheet) -> Fraction:
    """Return how much of a square a very small creature fills: by its size, or by an unusual space."""
    capacity = fight.figure("srd35.size.tiny-share-square", "capacity_per_square")
    part = Fraction(1, capacity[sheet.size.capitalize()])
    if sheet.space is None:
        return part
    return part * (sheet.space / Fraction(size_row(fight, sheet)["space_ft"])) ** 2


def size_row(fight: Fight, sheet: Sheet) -> JsonObject:
    """Return the row of the table of sizes for a creature (srd35.size.table-space-reach)."""
    shape = sheet.size.capitalize()
    rows: dict[str, JsonObject] = {row["size"]: row for row in fight.figure("srd35.size.table-space-reach")}
    return rows.get(shape) or rows[f"{shape} ({'tall' if sheet.tall else 'long'})"]


def may_stop(fight: Fight, combatant: Combatant, at: Square) -> bool:
    """Return whether a mover that is stopped at `at` may stay there: grapplers may in each other's
    squares.
    """
    others = occupants(fight, combatant, at)
    if others and GRAPPLING in combatant.conditions:
        others = [other for other in others if not grapples(fight, other)]
    if not others:
        return True
    try:
        refuse_to_stay(fight, combatant.sheet, at, others)
    except Refusal:
        return False
    return True


def grapples(fight: Fight, combatant: Combatant) -> bool:
    """Return whether a combatant grapples, or carries a rider that does."""
    rider = fight.state.combatants.get(combatant.rider)
    return GRAPPLING in combatant.conditions or (rider is not None and GRAPPLING in rider.conditions)


def may_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> bool:
    """Return whether a combatant shares squares with others: very small ones and swarms do."""
    return very_small(fight, sheet) or SWARM in sheet.traits


def refuse_to_share(fight: Fight, sheet: Sheet, at: Square, side: int) -> None:
    """Refuse to bring a combatant into a full place, or one whose occupant it does not share squares with."""
    taken = set(space(at, side))
    others = [one for one in fight.state.combatants.values() if taken.intersection(squares_of(one))]
    refuse_to_stay(fight, sheet, at, others)


# --- Big and little creatures: the effects of size on space, reach and opportunities (srd35.size.*)


def space_and_reach_by_size(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the squares along a side and the natural reach in feet of a creature.

    A space of part of a square takes up the whole (srd35.size.table-space-reach, srd35.grid.square).
    """
    row = size_row(fight, sheet)
    feet = sheet.space if sheet.space is not None else row["space_ft"]
    side = max(1, ceil(feet / fight.figure("srd35.grid.square", "square_ft")))
    return side, int(sheet.reach if sheet.reach is not None else row["reach_ft"])


def rules_on_place(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rules that give a creature its space and reach (srd35.size.special-position-rules)."""
    topics = ["srd35.grid.square"]
    if sheet.size not in ("small", "medium"):
        topics.append("srd35.size.special-position-rules")
    if side > 1 and sheet.size.capitalize() in fight.figure("srd35.size.large-multi-square"):
        topics.append("size.large-multi-square")
        if reach >= fight.figure("srd35.size.large-reach", "min_reach_ft"):
            topics.append("size.large-reach")
    if very_small(fight, sheet) and reach == fight.figure("srd35.size.tiny-reach-zero", "reach_ft"):
        topics.append("size.tiny-reach-zero")
    return fight.rules(*topics)


def note_passed_enemies(fight: Fight, combatant: Combatant, path: Sequence[Square]) -> Steps[None]:
    """Report the enemies without reach that a move passes: it does not provoke from them.

    srd35.size.tiny-no-threat.
    """
    left = (combatant.at, *path[:-1])
    for enemy in fight.enemies(combatant):
        if (
            not enemy.reach
            and fight.dialect.position.reach_bands(fight, enemy)
            and not can_react(fight, enemy)
        ):
            near = (distance_ft(enemy.at, at, enemy.space, combatant.space) for at in left)
            if SQUARE_FT in near:
                yield RuleApplied(
                    who=combatant.id,
                    what=f"moving past {enemy.id} provokes nothing: it has no reach",
                    cites=fight.rules("srd35.size.tiny-no-threat"),
                )


def cite_place(fight: Fight, blow: Blow) -> None:
    """Cite the rule on reach: one's own square may be attacked (.attack-own-square)."""
    if blow.melee and not blow.distance and "grappling" not in blow.attacker.conditions:
        blow.cites.append(fight.rule("srd35.size.attack-own-square"))


# --- Incorporeal creatures: what affects them, and their attacks (srd35.incorporeal.*,
# srd35.cond.incorporeal)

ATTACK = "srd35.incorporeal.attack"
#: Weapon traits that affect the incorporeal.
TOUCHING = ("force", "ghost touch")
HOLDS = (acts.Trip, acts.Grapple)


def dexterity_without_body(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of an incorporeal creature's attack: it uses Dexterity (srd35.incorporeal.combat)."""
    dexterity = ability_now(fight, blow.attacker, "dex")
    part = Modifier(dexterity, "ability", "Dexterity (incorporeal)", fight.rule(COMBAT))
    return tuple(part if one.kind == "ability" else one for one in parts)


def cite_passed_armor(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the defense, citing srd35.incorporeal.attack if a touch ignores some of them."""
    if fight.rule("srd35.ac.incorporeal-touch") in blow.cites:
        blow.cites.append(fight.rule(ATTACK))
    return parts


def defense_without_body(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of an incorporeal target's defense: Charisma as deflection, no natural armor.

    srd35.incorporeal.combat.
    """
    return tuple(without_body(fight, blow.target, parts))


def without_body(fight: Fight, combatant: Combatant, parts: tuple[Modifier, ...]) -> Iterator[Modifier]:
    """Yield the parts of the defense of an incorporeal combatant."""
    rule = fight.rule(COMBAT)
    for part in parts:
        natural = part.kind == "natural" and part.value > 0 and not part.denied
        yield replace(part, denied=f"incorporeal: no natural armor ({rule})") if natural else part
    if not any(part.kind == "deflection" for part in parts):
        value = max(ability_now(fight, combatant, "cha"), fight.figure(COMBAT, "deflection_min"))
        yield Modifier(value, "deflection", "Charisma (incorporeal)", rule)


def strikes_bodiless(weapon: Weapon) -> bool:
    """Return whether a weapon affects the incorporeal like any target: force, or ghost touch."""
    return any(trait in TOUCHING for trait in weapon.traits)


def is_magic(weapon: Weapon) -> bool:
    """Return whether a weapon is magic: by its enhancement bonus, its trait, or as a spell."""
    enhanced = any(bonus.kind == "enhancement" for bonus in weapon.attack)
    return enhanced or "magic" in weapon.traits or weapon.family == "spell"


def ignore_spell_without_body(fight: Fight, harm: Harm) -> Steps[None]:
    """Let the incorporeal ignore the damage of half of the spells of casters with a body.

    Force, positive and negative energy are excepted (srd35.cond.incorporeal).
    """
    caster, target = harm.attacker, harm.target
    if caster is None or harm.weapon is not None or not harm.energy or harm.amount <= 0:
        return
    if is_a(caster, INCORPOREAL) or harm.damage_type in REACHING_THE_BODILESS:
        return
    topic, why = "srd35.cond.incorporeal", f"{target.id} is incorporeal"
    percent, rule = fight.figure(topic, "ignore_pct"), fight.rule(topic)
    if (yield from is_missed(caster, target, percent, why, rule, purpose="incorporeal")):
        harm.amount = 0


def passes_through(fight: Fight, blow: Blow) -> Steps[bool]:
    """Let a corporeal blow pass through the incorporeal: always without magic, half the time with it.

    srd35.cond.incorporeal.
    """
    target, weapon = blow.target, blow.weapon
    if is_a(blow.attacker, INCORPOREAL) or strikes_bodiless(weapon):
        return False
    topic = "srd35.cond.incorporeal"
    if not is_magic(weapon):
        what = f"the {weapon.name} passes through {target.id} without harm"
        yield RuleApplied(who=target.id, what=what, cites=fight.rules(topic))
        return True
    percent, why = fight.figure(topic, "ignore_pct"), f"{target.id} is incorporeal"
    rule = fight.rule(topic)
    return (yield from is_missed(blow.attacker, target, percent, why, rule, purpose="incorporeal"))


def refuse_holds(fight: Fight, actor: Combatant, act: acts.Trip | acts.Grapple) -> None:
    """Refuse to trip or grapple if either side is incorporeal (srd35.incorporeal.combat)."""
    target = fight.state.combatants.get(act.target)
    for one in (actor, target):
        if one is not None and target is not None and is_a(one, INCORPOREAL):
            raise Refusal(why_no_hold(one.id), fight.rule(COMBAT))


def why_no_hold(bodiless: str) -> str:
    """Return why an incorporeal combatant neither trips nor grapples, and cannot be a target of either."""
    return f"{bodiless} has no body: it neither trips nor grapples, and cannot be tripped or grappled"


def inside_object(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a target cannot be attacked, and the rule's topic: inside an object cover is total.

    A creature inside only attacks what is next to it (srd35.incorporeal.combat).
    """
    attacker, target = blow.attacker, blow.target
    if (is_inside_object(fight, target) or is_inside_object(fight, attacker)) and not strikes_out(
        fight, attacker, target
    ):
        if is_inside_object(fight, target):
            return f"{target.id} is inside an object and has total cover", COMBAT
        return f"{attacker.id} is inside an object and strikes only at what is next to it", COMBAT
    return "", ""


def through_surface(fight: Fight, blow: Blow) -> bool:
    """Return whether a blow goes through the surface of an object, which is no wall between the two."""
    return strikes_out(fight, blow.attacker, blow.target)


def cover_of_object(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the cover of a creature that attacks out of the object that it is in
    (srd35.incorporeal.combat).
    """
    blow.cites.append(fight.rule(COMBAT))
    source = "striking out of an object"
    return [fight.modifier("srd35.ac-mod.cover", "melee", kind="cover", source=source)]


def is_target_inside(fight: Fight, blow: Blow) -> bool:
    """Return whether the target is inside an object, out of which it attacks (srd35.incorporeal.combat)."""
    return is_inside_object(fight, blow.target)


def is_attacker_inside(fight: Fight, blow: Blow) -> bool:
    """Return whether the attacker is inside an object and finds no cover (srd35.incorporeal.combat)."""
    return is_inside_object(fight, blow.attacker)
