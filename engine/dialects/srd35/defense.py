"""Defense: the score that an attack must reach, worn armor, cover."""

from collections.abc import Sequence

from msgspec.structs import replace

from affray.engine.dialects.srd35 import environment, senses
from affray.engine.fight.fight import Fight, Standing, is_helpless, rectangle_between
from affray.engine.fight.memory import Same, per_fight, per_map, per_scene
from affray.engine.grid.battlefield import Square
from affray.engine.grid.distance import space
from affray.engine.grid.lines_and_cover import Cover, Creature, cover, rank
from affray.engine.kernel.places import footprint, next_to, squares_apart_in_height
from affray.engine.modifiers import Tally, effect_parts
from affray.engine.record.blow import Blow
from affray.engine.rules import defense
from affray.engine.rules.attacks.stacking import stack_typed
from affray.engine.rules.classes.sheets import ability, size_step
from affray.engine.rules.defense import is_of_force
from affray.engine.rules.gear.splash_weapons import SPLASH
from affray.engine.rules.position.places import (
    LARGEST,
    cover_at,
    cover_from_origin,
    covering_borders,
    creatures_are_passed,
    creatures_between,
    occupants,
)
from affray.engine.steps import Choice, Steps
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- The parts of armor and shields as currently worn (srd35.armor.no-stack, srd35.armor.hasty)

ONCE = ("armor", "shield")


def armor_as_worn(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class as its equipment is currently worn.

    Of two suits of armor, or two shields, the better one counts; one put on in haste protects less.
    """
    target = blow.target
    hasty = tuple(name for name, state in target.items.items() if state == "hasty") if target.items else ()
    return hastily_worn_parts(fight, parts, hasty)


@per_fight(Same("parts"), "hasty")
def hastily_worn_parts(
    fight: Fight, parts: tuple[Modifier, ...], hasty: tuple[str, ...]
) -> tuple[Modifier, ...]:
    """Return the parts with those lowered that were put on in haste, and the second of a kind denied."""
    made = []
    for part in parts:
        if part.source in hasty and part.kind in ONCE:
            less = part.value + fight.figure("srd35.armor.hasty", "bonus")
            part = replace(
                part,
                value=less,
                source=f"{part.source}, put on in haste",
                rule=fight.rule("srd35.armor.hasty"),
            )
        made.append(part)
    for kind in ONCE:
        same = [part for part in made if part.kind == kind and not part.denied]
        ranked = sorted(same, key=lambda part: -part.value)
        for part in ranked[1:]:
            rule = fight.rule("srd35.armor.no-stack")
            why = f"the {ranked[0].source} protects better ({rule})"
            made[made.index(part)] = replace(part, rule=rule, denied=why)
    return parts if made == list(parts) else tuple(made)


def behind_tower_shield(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why a target cannot be attacked, and the rule's topic: it hides behind a tower shield.

    srd35.armor.tower-shield.
    """
    if "sheltered" in blow.target.conditions:
        return f"{blow.target.id} has total cover behind its shield", "srd35.armor.tower-shield"
    return "", ""


# --- Rules that deny parts of Armor Class: the touch of the incorporeal, lost Dexterity
# srd35.ac.*, srd35.cond.no-dex-list.

#: The mark of special armor that stops the incorporeal too.
GHOST_TOUCH = "ghost touch"
#: The wordings of reasons for a lost Dexterity bonus in the table of them.
LISTED = {
    "grappling": "grappling vs outsiders",
    "running": "running (no Run feat)",
    "feint": "successful feint against you",
    "balancing": "balancing (too few ranks)",
    "squeezing": "squeezing by Escape Artist",
}


def cite_lost_parts(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return the parts of the target's Armor Class, citing what denied Dexterity and dodge bonuses.

    srd35.ac.flat-footed, srd35.ac.dodge-bonus, srd35.cond.no-dex-list, srd35.ac.armor-cap-not-denied.
    """
    reason, _ = fight.dialect.defense.dexterity_denied(fight, blow)
    if reason:
        cite_denied_dexterity(fight, blow, reason, parts)
    elif ability(blow.target.sheet, "dex") > 0 == blow.target.sheet.max_dex:
        blow.cites.append(fight.rule("srd35.ac.armor-cap-not-denied"))
    return parts


def incorporeal_touch(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Deny the parts that the incorporeal ignore: armor, shield and natural armor, unless it is of force.

    srd35.ac.incorporeal-touch.
    """
    rule = fight.rule("srd35.ac.incorporeal-touch")
    denied = f"incorporeal: it does not count ({rule})"
    made = tuple(
        replace(part, denied=denied)
        if part.value > 0 and part.kind in defense.PHYSICAL and not stops_incorporeal(part)
        else part
        for part in parts
    )
    if made != parts:
        blow.cites.append(rule)
    return made


def stops_incorporeal(part: Modifier) -> bool:
    """Return whether a part of Armor Class is denied anyway, or stops the incorporeal as well."""
    return bool(part.denied) or GHOST_TOUCH in part.source or is_of_force(part.source)


def cite_denied_dexterity(fight: Fight, blow: Blow, reason: str, parts: tuple[Modifier, ...]) -> None:
    """Cite the rules by which Dexterity and dodge bonuses are lost for this reason, if any were."""
    lost = {part.kind for part in parts if part.denied.startswith(f"{reason}:")}
    lost |= {part.kind for part in passing_dodges(blow)}
    if "dodge" in lost:
        blow.cites.append(fight.rule("srd35.ac.dodge-bonus"))
    if not lost:
        return
    if reason == "flat-footed":
        blow.cites.append(fight.rule("srd35.ac.flat-footed"))
    listed = "helpless" if is_helpless(fight, blow.target) else LISTED.get(reason, reason)
    if listed in fight.figure("srd35.cond.no-dex-list"):
        blow.cites.append(fight.rule("srd35.cond.no-dex-list"))


def passing_dodges(blow: Blow) -> list[Modifier]:
    """Return the temporary dodge bonuses of the target against this attacker."""
    parts = effect_parts(blow.target, "defense", blow.attacker.id)
    return [part for part in parts if part.kind == "dodge" and part.value > 0]


def helpless_at_range(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the Dexterity of the helpless against missiles: 0 too, or unchanged (helpless_ranged)."""
    return [] if fight.option("helpless_ranged") == "no-penalty" else parts


def cite_helpless(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense, citing srd35.helpless.ac if it has the row on the helpless."""
    row = fight.rule("srd35.ac-mod.helpless")
    if any(part.rule == row for part in parts):
        blow.cites.append(fight.rule("srd35.helpless.ac"))
    return parts


# --- Bonus types: those that stack, and those that raise another bonus (srd35.bonus.*)

#: Parts of a roll that are no typed bonuses: every one of them counts.
PLAIN = frozenset({"ability", "base", "penalty"})
#: Kinds that stack without being exceptions.
ORDINARY = PLAIN | {"untyped"}


@per_fight()
def kinds_that_add(fight: Fight) -> frozenset[str]:
    """Return the kinds that stack with themselves, by their table (srd35.bonus.types-table)."""
    return PLAIN | {row["type"] for row in fight.figure("srd35.bonus.types-table") if row["stacks"]}


def stack(fight: Fight, parts: Sequence[Modifier]) -> Tally:
    """Add up by type: the best of each, dodge and the like together.

    srd35.bonus.same-type, srd35.bonus.types-table, srd35.bonus.stack-exceptions.
    """
    kinds = fight.memory.fight.get(kinds_that_add) or kinds_that_add(fight)
    tally = stack_typed(parts, stacks=kinds, rule=fight.rule("srd35.bonus.same-type"))
    cites = tally.cites
    if cites:
        cites = (*cites, fight.rule("srd35.bonus.types-table"))
    seen = set()
    for part in tally.parts:
        if part.value > 0 and not part.denied and part.kind in kinds and part.kind not in ORDINARY:
            if part.kind in seen:
                return Tally(
                    tally.total,
                    tally.parts,
                    (*cites, fight.rule("srd35.bonus.stack-exceptions")),
                    tally.failed,
                )
            seen.add(part.kind)
    return Tally(tally.total, tally.parts, cites, tally.failed) if cites else tally


def splash_proficiency(fight: Fight, blow: Blow, *given: object) -> bool:
    """Return whether a throw needs no proficiency: splash weapons, by another reading any thrown weapon.

    splash_proficiency (srd35.splash.no-proficiency).
    """
    return SPLASH in blow.weapon.traits or fight.option("splash_proficiency") == "all-thrown"


# --- Cover in srd35: how friends, low obstacles and the choice of squares reduce it


def cover_of(fight: Fight, blow: Blow) -> Cover:
    """Return the cover of a blow's target, and cite the rules that reduced it."""
    found, cites = assess_cover(fight, blow)
    blow.cites += cites
    return found


@per_scene("blow.attacker.id", "blow.target.id", "blow.melee")
def assess_cover(fight: Fight, blow: Blow) -> tuple[Cover, list[str]]:
    """Return the cover of a blow's target, and the rules that reduced it.

    A friend in a square on the path gives none (srd35.pass.friend-no-cover).
    """
    attacker, target, melee = blow.attacker, blow.target, blow.melee
    here, there = footprint(attacker), footprint(target)
    step = size_step(attacker) if fight.state.barriers else LARGEST
    if creatures_are_passed(*here, *there, melee) and not squares_apart_in_height(attacker, target):
        return assess_place(fight, here, there, melee, (), False, step)
    beside = tuple([one for one in occupants(fight, target, target.at) if one.side == target.side])
    creatures = creatures_between(fight, attacker, target, melee, beside)
    passed = bool(beside) and not (melee and next_to(attacker, target))
    return assess_place(fight, here, there, melee, creatures, passed, step)


@per_map("attacker", "target", "melee", "creatures", "passed", "step")
def assess_place(
    fight: Fight,
    attacker: Standing,
    target: Standing,
    melee: bool,
    creatures: tuple[Creature, ...],
    passed: bool,
    step: int,
) -> tuple[Cover, list[str]]:
    """Return the cover from one place to another past these creatures, and the rules that reduced it.

    `step` is the attacker's size. `passed` means that a friend in the target's own squares is not among the
    creatures, and that this may matter given both positions.

    Low obstacles are disregarded from nearby; in melee big creatures choose among their squares, and so do
    their attackers (srd35.pass.friend-no-cover, srd35.cover.low-obstacle-ignored, .big-attacker,
    .big-defender).
    """
    cites: list[str] = []
    found = cover_at(fight, attacker, target, melee, False, creatures, step)
    if found.kind == "total":
        return found, cites
    if passed and found.kind == "none":
        cites.append(fight.rule("srd35.pass.friend-no-cover"))
    between = rectangle_between(attacker, target)
    if rank(found) < 2 and low_obstacle_between(fight, between):
        heeded = cover_at(fight, attacker, target, melee, True, creatures, step)
        if heeded.kind == "cover":
            cites.append(fight.rule("srd35.cover.low-obstacle-ignored"))
    (a, a_space, _), (b, b_space, _) = attacker, target
    big = a_space > 1 or b_space > 1
    if melee and big and rank(found) < 2 and anything_covers_between(fight, between):
        cites += fight.rules(*rules_of_chosen_square(fight, a, a_space, b, b_space))
    return found, cites


def low_obstacle_between(fight: Fight, between: tuple[int, int, int, int]) -> bool:
    """Return whether a low obstacle is between those columns and rows, where a line may touch it."""
    if fight.state.barriers and any(one.low for one in covering_borders(fight)):
        return True
    return bool(fight.field.low) and fight.field.any_within("low", *between)


def anything_covers_between(fight: Fight, between: tuple[int, int, int, int]) -> bool:
    """Return whether anything that gives cover is between those columns and rows."""
    if fight.state.barriers and covering_borders(fight):
        return True
    return fight.field.any_within("covering", *between)


@per_map("a", "a_space", "b", "b_space")
def rules_of_chosen_square(fight: Fight, a: Square, a_space: int, b: Square, b_space: int) -> tuple[str, ...]:
    """Return the topics whose choice of a square avoids cover that another square would have had."""
    mine, theirs = space(a, a_space), space(b, b_space)
    covered = {(own, other): is_covered_from_square(fight, own, other) for own in mine for other in theirs}
    topics = []
    if any(all(covered[own, other] for other in theirs) for own in mine):
        topics.append("srd35.cover.big-attacker")
    if any(all(covered[own, other] for own in mine) for other in theirs):
        topics.append("srd35.cover.big-defender")
    return tuple(topics)


def is_covered_from_square(fight: Fight, mine: Square, theirs: Square) -> bool:
    """Return whether one square has cover from another by what is between them, creatures aside."""
    low = fight.figure("srd35.cover.low-obstacle", "range_ft")
    borders = covering_borders(fight)
    found = cover(fight.field, (mine, 1), (theirs, 1), melee=True, low_range_ft=low, borders=borders)
    return found.kind in ("cover", "total")


def around_corners(
    fight: Fight, target: Combatant, cover: tuple[Modifier, ...]
) -> Steps[tuple[Modifier, ...]]:
    """Return the cover that remains against a spread, which may go around it: the game master decides.

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
    """Return whether creatures in the way give cover against this attack."""
    reading = fight.option("soft_cover")
    if reading == "none" or (reading == "melee-only" and not blow.melee):
        return False
    return blow.intent.kind != "opportunity" or fight.option("soft_cover_blocks_aoo") == "on"


def soft_cover(fight: Fight, found: Cover) -> Modifier:
    """Return the bonus of soft cover."""
    source = f"soft cover from {', '.join(found.creatures)}"
    return fight.modifier("srd35.cover.soft", "ac", kind="cover", source=source)


def cover_on_the_map(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus of cover between attacker and target, with the test that found it.

    srd35.cover.*, srd35.ac-mod.cover (soft_cover, soft_cover_blocks_aoo).
    """
    found = cover_of(fight, blow)
    if found.kind == "cover":
        blow.cites.append(fight.rule(cover_test(blow)))
        if found.low:
            blow.cites.append(fight.rule("srd35.cover.low-obstacle"))
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if senses.IMPROVED_COVER in blow.target.conditions:
            return [environment.improved_cover_bonus(fight, "ac", f"cover at {place}")]
        way = "melee" if blow.melee else "ranged"
        return [fight.modifier("srd35.ac-mod.cover", way, kind="cover", source=f"cover at {place}")]
    if found.kind == "soft" and soft_cover_counts(fight, blow):
        return [soft_cover(fight, found)]
    return []


def reflex_behind_soft_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of soft cover to a Reflex save: none (srd35.cover.soft-limits)."""
    if (
        cover_from_origin(fight, combatant, target, origin).kind == "soft"
        and fight.option("soft_cover") != "none"
    ):
        return (fight.modifier("srd35.cover.soft-limits", "reflex", kind="cover", source="soft cover"),)
    return ()


def reflex_behind_improved_cover(
    fight: Fight, combatant: Combatant, target: Combatant, origin: Standing
) -> tuple[Modifier, ...]:
    """Return the bonus of improved cover to a Reflex save."""
    if cover_from_origin(fight, combatant, target, origin).kind == "cover":
        return (environment.improved_cover_bonus(fight, "reflex", "cover"),)
    return ()
