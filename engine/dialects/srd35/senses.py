"""Senses: light, sight, concealment, hiding and seeking."""

import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from affray.engine.dialects.srd35 import turns
from affray.engine.dialects.srd35.classes import abilities
from affray.engine.dialects.srd35.maneuvers.bull_rush_and_trip import beats_opposed
from affray.engine.dialects.srd35.position import (
    COMBAT,
    is_inside_object,
    on_other_planes,
    planes_part,
    sees_across,
)
from affray.engine.fight.fight import NO_STRETCH, Fight, is_down, rule_of
from affray.engine.fight.memory import per_fight, per_scene
from affray.engine.grid.battlefield import SQUARE_FT, Square
from affray.engine.grid.lines_and_cover import obscured
from affray.engine.kernel.actions import check_turn
from affray.engine.kernel.places import distance, footprint, line_between, next_to, squares_of
from affray.engine.record.acts import details_of
from affray.engine.record.blow import TOUCH_ARMOR_CLASS, Blow, Intent
from affray.engine.record.chapters import Side
from affray.engine.rules.attacks.attack_roll import attack_roll
from affray.engine.rules.attacks.declared_blow import attack_object_carefully
from affray.engine.rules.attacks.miss_chance import is_missed
from affray.engine.rules.classes.checks import check_by, skill_parts
from affray.engine.rules.classes.sheets import has_feat, has_trait, nature_among
from affray.engine.rules.conditions.conditions import find_blinding_condition, refuse_down
from affray.engine.rules.defense import explain_unaware_of_blow
from affray.engine.rules.gear.splash_weapons import SPLASH
from affray.engine.rules.gear.weapons_in_hand import find_weapon, unarmed
from affray.engine.rules.maneuvers.opposed_checks import side_of
from affray.engine.rules.movement import movement
from affray.engine.rules.position.places import concealing_borders, cover_between, sees
from affray.engine.rules.senses.hidden import (
    HIDDEN,
    PINPOINTED,
    hidden_from,
    is_hidden_from,
    knowledge_of_square,
    knows_square,
)
from affray.engine.rules.senses.senses import strike_nobody, unseen_in_square
from affray.engine.rules.turns.actions import spending
from affray.engine.steps import Refusal, Roll, Steps
from affray.events.facts import acts
from affray.events.facts.base import JsonObject
from affray.events.facts.combat import ConditionGained, EffectEnded, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier
from affray.projections.state import Combatant

# --- Senses: the ranges of darkvision, blindsight and the like (srd35.darkvision, srd35.blindsight)

_FEET = re.compile(r"\d+")
DARKVISION, BLINDSIGHT = "darkvision", "blindsight"


def sense_range(fight: Fight, combatant: Combatant, sense: str) -> int:
    """Return the range of a sense on the sheet in feet, 0 for one that it lacks.

    A sense without feet has the common range of darkvision.
    """
    for detail in details_of(sense, combatant.sheet.traits):
        found = _FEET.search(detail)
        return int(found.group()) if found else int(fight.figure(DARKVISION, "range_ft"))
    return 0


def is_within_range(feet: int, figure: int) -> bool:
    """Return whether a distance is within a range of the rules: the first square out of it is one further."""
    return feet < figure + SQUARE_FT


def is_sensed(fight: Fight, combatant: Combatant, other: Combatant, sense: str) -> bool:
    """Return whether a combatant is within the range of another's sense."""
    if not combatant.sheet.traits:
        return False
    feet = sense_range(fight, combatant, sense)
    return feet > 0 and is_within_range(distance(combatant, other), feet)


# --- Light: how bright sources are, and combatants in shadow or in the dark (srd35.light.levels)

TABLE, LEVELS = "srd35.gear.light-table", "srd35.light.levels"
#: Combatants without daylight, and those that carry a light.
UNLIT, BEARING = "unlit", "bearing a light"
BRIGHT, SHADOWY, DARK = "bright light", "shadowy light", "darkness"
MINUTES_AN_HOUR = 60
DEGREES = (BRIGHT, SHADOWY, DARK)
#: The eight directions of a lantern's cone; the index is the level of the condition.
WAYS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))


class Lit(Struct, frozen=True, gc=False):
    """How well lit a combatant is for a viewer, and the topics of the rules that contributed."""

    degree: str
    topics: tuple[str, ...] = ()


def light_seen(fight: Fight, viewer: Combatant, other: Combatant) -> Lit:
    """Return how well lit a combatant is for a viewer: by the best light near it.

    Low-light vision doubles both radii (srd35.gear.light-table, srd35.light.levels, .concealment.low-light).
    """
    if UNLIT not in other.conditions:
        return Lit(BRIGHT)
    plain, used = best_light(fight, other, 1)
    if not has_trait(viewer, "low-light vision") or plain == BRIGHT:
        return Lit(plain, used)
    keen, used = best_light(fight, other, fight.figure(LEVELS, "low_light_multiplier"))
    return Lit(keen, used if keen == plain else (*used, "srd35.concealment.low-light"))


def best_light(fight: Fight, other: Combatant, times: int) -> tuple[str, tuple[str, ...]]:
    """Return the best light on a combatant, and the table's topic if a light source gives it."""
    found = DARK
    for bearer in fight.state.combatants.values():
        held = bearer.conditions.get(BEARING)
        if held is not None and shines_at(bearer, other, held.level):
            row = light_row(fight, held.source)
            feet = distance(bearer, other)
            degree = BRIGHT if row["bright"] and is_within_range(feet, row["bright"] * times) else DARK
            if degree == DARK and is_within_range(feet, row["shadowy"] * times):
                degree = SHADOWY
            found = min(found, degree, key=DEGREES.index)
    return found, (LEVELS, TABLE) if found != DARK else (LEVELS,)


def light_row(fight: Fight, item: str) -> JsonObject:
    """Return the row of a light source. Refuses other items."""
    rows: list[JsonObject] = fight.figure(TABLE)
    found = next((row for row in rows if row["item"] in (item, f"{item} (cone)")), None)
    if found is None:
        raise Refusal(f"a {item!r} gives no light", fight.rule(TABLE))
    return found


def shines_at(bearer: Combatant, other: Combatant, way: int) -> bool:
    """Return whether a light falls on a combatant: any but a lantern's cone that points elsewhere."""
    if not way or bearer is other:
        return not way
    (x, y), (dx, dy) = WAYS[way - 1], (other.at[0] - bearer.at[0], other.at[1] - bearer.at[1])
    if x and y:
        return dx * x >= 0 and dy * y >= 0
    along, across = (dx * x, dy) if x else (dy * y, dx)
    return abs(across) <= along


def no_daylight(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Put a combatant where only carried lights help (srd35.light.levels)."""
    yield ConditionGained(who=target.id, condition=UNLIT, source="no daylight", cites=fight.rules(LEVELS))


def carry_light(fight: Fight, target: Combatant, act: acts.Expose) -> Steps[None]:
    """Make a combatant carry a burning light; a lantern's cone has a direction (srd35.gear.light-table)."""
    row = light_row(fight, act.degree)
    cone = row["item"].endswith("(cone)")
    hour = fight.figure("srd35.round.six-seconds", "rounds_per_minute") * MINUTES_AN_HOUR
    if cone and act.way not in WAYS:
        raise Refusal(f"the {act.degree} needs a direction (`way`)", fight.rule(TABLE))
    yield ConditionGained(
        who=target.id,
        condition=BEARING,
        source=act.degree,
        level=WAYS.index(act.way) + 1 if cone else 0,
        until=Until("round-end", target.id, fight.state.round + row["hours"] * hour),
        cites=fight.rules(TABLE),
    )


# --- Sight: concealment, total concealment, and the senses that ignore them
# srd35.concealment.*, srd35.light.levels, srd35.blindsight, srd35.cond.invisible, srd35.cond.blinded.

TOTAL, SOME = "srd35.concealment.total-miss-chance", "srd35.concealment.miss-chance"
BLIND_FIGHT = "srd35.feat.blind-fight"
#: Magic that blurs its bearer; with a level, a concealment of that percentage.
BLURRED, VEILED = "blurred", "veiled"
#: Further conditions that conceal or blind, in addition to the rules of conditions.
OF_SIGHT = frozenset({"invisible", "blinded", "ethereal", UNLIT, BLURRED, VEILED})
SENSED = {"blindsense": "blindsight", "tremorsense": "darkvision"}


class Veil(Struct, frozen=True, gc=False):
    """One concealment: the miss chance, the reason, its topic, and the topics that led to it."""

    percent: int
    why: str
    topic: str
    topics: tuple[str, ...] = ()


class Look(Struct, frozen=True, gc=False):
    """A viewer's sight of another combatant: what conceals it, and the topics of senses that ignore the
    rest.
    """

    veils: tuple[Veil, ...] = ()
    through: tuple[str, ...] = ()

    @property
    def unseen(self) -> bool:
        """Return whether there is no line of sight."""
        return any(veil.topic == TOTAL for veil in self.veils)


CLEAR = Look()


def look(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return a combatant's sight of another.

    Within the range of blindsight there is no concealment (srd35.blindsight).
    """
    told, field = fight.memory.fight.get(conditions_of_sight) or conditions_of_sight(fight), fight.field
    plain = told.isdisjoint(viewer.conditions) and told.isdisjoint(other.conditions)
    # Mostly nothing is in the way: this check is faster than the cache. Objects that can be entered give
    # cover.
    clear = plain and not field.concealing and viewer.at not in field.covering
    clear = clear and not (fight.state.barriers and concealing_borders(fight))
    return CLEAR if clear else looked(fight, viewer, other, melee)


@per_fight()
def conditions_of_sight(fight: Fight) -> frozenset[str]:
    """Return the conditions that may conceal their bearer, or keep it from seeing."""
    rules = fight.dialect.conditions.table.items()
    return OF_SIGHT.union([name for name, rule in rules if rule.veils or rule.sightless])


@per_scene("viewer.id", "other.id", "melee")
def looked(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> Look:
    """Return a combatant's sight of another if something may conceal it."""
    through: list[str] = []
    veils = tuple(veils_between(fight, viewer, other, melee, through))
    if veils and is_sensed(fight, viewer, other, BLINDSIGHT):
        return Look((), ("blindsight",))
    return Look(veils, tuple(through))


def veils_between(
    fight: Fight, viewer: Combatant, other: Combatant, melee: bool, through: list[str]
) -> Iterator[Veil]:
    """Yield the concealments of one combatant from another; `through` collects the senses that ignore the
    rest.
    """
    total = fight.figure(TOTAL, "miss_chance_percent")
    if is_sensed(fight, viewer, other, "blindsense"):
        total = fight.figure("srd35.blindsight", "blindsense_miss_pct")
    if "invisible" in other.conditions and not has_trait(viewer, "see invisibility"):
        yield Veil(
            total,
            f"{other.id} is invisible",
            TOTAL,
            ("srd35.concealment.total-definition", "srd35.cond.invisible"),
        )
    if "blinded" in viewer.conditions:
        topics = ("srd35.concealment.total-definition", "srd35.cond.blinded")
        yield Veil(total, f"{viewer.id} is blinded", TOTAL, topics)
    if "ethereal" in other.conditions and on_other_planes(viewer, other) and not sees_across(viewer):
        topics = ("srd35.concealment.total-definition", "etherealness")
        yield Veil(total, f"{other.id} is ethereal", TOTAL, topics)
    if is_inside_object(fight, viewer):
        topics = ("srd35.concealment.total-definition", COMBAT)
        yield Veil(total, f"{viewer.id} sees nothing from inside an object", TOTAL, topics)
    blind = find_blinding_condition(fight, viewer) if viewer.conditions else ""
    if blind:
        topic, path = rule_of(fight, blind).sightless or ("", "")
        yield Veil(fight.figure(topic, path), f"{viewer.id} is {blind}", topic)
    yield from in_the_dark(fight, viewer, other, through)
    for name, state in other.conditions.items():
        veil = rule_of(fight, name).veils
        if veil is not None:
            yield Veil(fight.figure(*veil), f"{other.id} is {name}", veil[0])
        elif name == BLURRED:
            percent = fight.figure(SOME, "miss_chance_percent")
            yield Veil(percent, f"{other.id} is {name} by magic", SOME, ("srd35.concealment.magical",))
        elif name == VEILED and state.level:
            yield Veil(state.level, f"{other.id} is {name}", "srd35.concealment.varying")
    borders = concealing_borders(fight) if fight.state.barriers else ()
    spaces = (viewer.at, viewer.space), (other.at, other.space)
    if obscured(fight.field, *spaces, melee=melee, borders=borders):
        percent = fight.figure(SOME, "miss_chance_percent")
        yield Veil(percent, "concealed by the terrain", SOME, (test_of(viewer, other, melee),))


def in_the_dark(fight: Fight, viewer: Combatant, other: Combatant, through: list[str]) -> Iterator[Veil]:
    """Yield the concealment of shadow or darkness, unless darkvision ignores it.

    srd35.light.levels, srd35.concealment.darkvision, .low-light.
    """
    if UNLIT not in other.conditions:
        return
    found = light_seen(fight, viewer, other)
    if found.degree == BRIGHT:
        through.extend(found.topics)
        return
    if is_sensed(fight, viewer, other, DARKVISION):
        through += ["srd35.concealment.darkvision", "darkvision"]
        return
    shadowy = found.degree == SHADOWY
    percent = fight.figure(LEVELS, "shadowy_miss_pct" if shadowy else "dark_miss_pct")
    topics = found.topics if shadowy else (*found.topics, "srd35.concealment.total-definition")
    yield Veil(percent, f"{other.id} is in {found.degree}", SOME if shadowy else TOTAL, topics)


def test_of(viewer: Combatant, other: Combatant, melee: bool) -> str:
    """Return the topic of the test of concealment that applies to an attack."""
    if not melee:
        return "srd35.concealment.ranged-test"
    near = next_to(viewer, other)
    return "srd35.concealment.melee-adjacent-test" if near else "srd35.concealment.melee-reach-test"


def chance_by_concealment(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return (percent, why, topic) of the miss chance; of several concealments the thickest counts.

    The blow records the other rules that contributed (srd35.concealment.*, srd35.ac-mod.concealed-invisible).
    """
    found = look(fight, blow.attacker, blow.target, blow.melee)
    if not found.veils:
        return 0, "", ""
    veil = max(found.veils, key=lambda one: one.percent)  # they do not add up
    several = ("srd35.concealment.no-stack",) if len(found.veils) > 1 else ()
    sensed = is_sensed(fight, blow.attacker, blow.target, "blindsense") and found.unseen
    also = ("blindsight",) if sensed else ()
    blow.outcome.miss_chance_cites = fight.rules(
        "srd35.ac-mod.concealed-invisible", *veil.topics, *several, *also
    )
    return veil.percent, veil.why, veil.topic


def cite_sight(fight: Fight, blow: Blow) -> None:
    """Cite with an attack roll the senses that ignore concealment, or the rule on attacking a square.

    A totally concealed target cannot be aimed at; the blow is made into the square where the attacker guesses
    it (srd35.concealment.total-attack-square).
    """
    found = look(fight, blow.attacker, blow.target, blow.melee)
    if found.unseen:
        known = how_located(fight, blow.attacker, blow.target)
        if known != PINPOINTED:
            blow.cites += fight.rules(SENSED.get(known, "srd35.concealment.total-attack-square"))
    elif found.through and not found.veils:
        blow.cites += fight.rules(*found.through)


def how_located(fight: Fight, combatant: Combatant, other: Combatant) -> str:
    """Return how a combatant knows the square of another that it does not see, "" if it does not.

    Found by a check, groped, or felt by blindsense or, on the ground, by tremorsense; from inside an object
    it senses what is next to it.
    """
    if knows_square(combatant, other):
        return PINPOINTED
    if is_inside_object(fight, combatant) and next_to(combatant, other):
        return PINPOINTED
    return next((sense for sense in SENSED if is_sensed(fight, combatant, other, sense)), "")


def out_of_sight(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return total cover, or another plane, as protection from an attack of opportunity.

    srd35.cover.total-definition, srd35.etherealness.
    """
    if not sees(fight, blow.attacker, blow.target):
        return f"{blow.target.id} has total cover", "srd35.cover.total-definition"
    if planes_part(blow):
        return f"{blow.target.id} is on another plane", "etherealness"
    return "", ""


def sees_foe(fight: Fight, combatant: Combatant, enemy: Combatant) -> bool:
    """Return whether a combatant sees an enemy: there is a line of sight, and the enemy does not hide."""
    if not (combatant.conditions or enemy.conditions or enemy.effects):
        return True
    return not look(fight, combatant, enemy, True).unseen and not (
        enemy.effects and is_hidden_from(enemy, combatant)
    )


def locates(fight: Fight, combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant perceives another, or has found out its square by another sense.

    srd35.concealment.total-definition, srd35.skill.hide, srd35.invisibility.grope, srd35.blindsight.
    """
    return sees_foe(fight, combatant, other) or bool(how_located(fight, combatant, other))


def sensed_attacker(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity, although it may sense an invisible attacker.

    srd35.attack-mod.invisible, srd35.blindsight, srd35.cond.invisible, srd35.feat.blind-fight.
    """
    return (
        explain_unaware_of_blow(blow)
        if denied[0] == "attacker unseen" and sees_invisible(fight, blow)
        else denied
    )


def is_of_the_eyes(fight: Fight, condition: str) -> bool:
    """Return whether a condition only hampers those that need their eyes."""
    return condition == "blinded" or bool(rule_of(fight, condition).sightless)


def dexterity_without_eyes(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity, if it needs no eyes to sense its attacker.

    srd35.blindsight.
    """
    target, uncanny = blow.target, fight.dialect.defense.uncanny_dodge
    if denied[0] not in target.conditions or not is_of_the_eyes(fight, denied[0]):
        return denied
    if not is_sensed(fight, target, blow.attacker, BLINDSIGHT):
        return denied
    for name in target.conditions:
        rule = rule_of(fight, name)
        kept = rule.dexterity or (rule.off_guard and uncanny(fight, target))
        if not kept and not is_of_the_eyes(fight, name):
            return name, rule.dexterity_topic or rule.topic
    return explain_unaware_of_blow(blow)


def defense_without_eyes(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of the defense, without the penalty of blindness if it senses its attacker.

    srd35.blindsight.
    """
    target = blow.target
    hampers = [name for name in target.conditions if is_of_the_eyes(fight, name)]
    if not hampers or not is_sensed(fight, target, blow.attacker, BLINDSIGHT):
        return parts
    rule = fight.rule("srd35.blindsight")
    denied = f"{target.id} needs no eyes ({rule})"
    blow.cites.append(rule)
    return [replace(part, denied=denied) if part.source in hampers else part for part in parts]


def unseen_attacker(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why the target loses its Dexterity to a hidden or unlit attacker, unless it has uncanny
    dodge.
    """
    if denied[0]:
        return denied
    found = why_unseen(fight, blow)
    return ("", "") if found[0] and fight.dialect.defense.uncanny_dodge(fight, blow.target) else found


def why_unseen(fight: Fight, blow: Blow) -> tuple[str, str]:
    """Return why the target does not see its attacker, and the topic of the rule; ("", "") if it does.

    A target that does not see the attacker is denied its Dexterity; Blind-Fight prevents that in melee
    (srd35.attack-mod.invisible, srd35.skill.hide, srd35.light.levels, srd35.feat.blind-fight).
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and has_feat(target, "blind-fight"):
        return "", ""
    if attacker.effects and is_hidden_from(attacker, target):
        return "attacker hidden", "srd35.skill.hide"
    if UNLIT in attacker.conditions:
        found = look(fight, target, attacker, blow.melee)
        if any(veil.why.endswith(DARK) for veil in found.veils):
            return "attacker unseen in the dark", LEVELS
    return "", ""


def sees_invisible(fight: Fight, blow: Blow) -> str:
    """Return the topic of the rule by which an invisible attacker has no advantage, "" if it has.

    Against the blinded, those who sense it otherwise and, in melee, those with Blind-Fight.
    """
    attacker, target = blow.attacker, blow.target
    if "blinded" in target.conditions:
        return "srd35.attack-mod.invisible"
    if is_sensed(fight, target, attacker, BLINDSIGHT):
        return "blindsight"
    if has_trait(target, "see invisibility"):
        return "srd35.cond.invisible"
    return BLIND_FIGHT if blow.melee and has_feat(target, "blind-fight") else ""


def invisible_attacker(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack with the bonus of invisibility denied if it gives no advantage.

    srd35.attack-mod.invisible, srd35.cond.invisible.
    """
    row = fight.rule("srd35.attack-mod.invisible")
    if not any(part.rule == row for part in parts):
        return parts
    topic = sees_invisible(fight, blow)
    blow.cites.append(fight.rule(topic or "srd35.cond.invisible"))
    if not topic:
        return parts
    denied = f"no advantage over {blow.target.id} ({fight.rule(topic)})"
    return [replace(part, denied=denied) if part.rule == row else part for part in parts]


# --- Attacking a square where the attacker guesses an unseen enemy (srd35.concealment.total-attack-square)

SQUARE = "srd35.concealment.total-attack-square"


def attack_creature_or_square(fight: Fight, act: acts.Attack) -> Steps[None]:
    """Attack a target, or with `at` a guessed unseen one in a square."""
    if act.aim:
        return attack_object_carefully(fight, act)
    if act.at is None or SPLASH in find_weapon(fight, fight.combatant(act.actor), act.weapon).traits:
        return turns.attack_by_rider_or_mount(fight, act)
    return attack_guessed_square(fight, act, act.at)


def attack_guessed_square(fight: Fight, act: acts.Attack, at: tuple[int, int]) -> Steps[None]:
    """Attack a square with a possible unseen occupant: a wrong guess costs the attack.

    srd35.concealment.total-attack-square, srd35.attack-action.ranged, srd35.actions-table.standard.
    """
    actor, rule = fight.combatant(act.actor), fight.rule(SQUARE)
    there = unseen_in_square(fight, actor, at, lambda one: look(fight, actor, one, True).unseen, rule)
    if there is None:
        yield from strike_nobody(fight, act, at, rule)
    else:
        named = replace(act, target=there.id, at=None)
        yield from turns.attack_by_rider_or_mount(fight, named)


# --- Hiding from sight (srd35.skill.hide, srd35.cover.hide, srd35.concealment.hide)

TOPIC, HIDE_SPOT = "srd35.skill.hide", "srd35.skill.spot-listen"
IMPROVED_COVER = "behind improved cover"
#: The ten feet by which distance lowers checks.
STRETCH = 10


def hide(fight: Fight, act: acts.Hide) -> Steps[None]:
    """Hide from every opponent: as part of a move along `path`, or after a shot as a move action.

    One check against the Spot of each that could see the place; it takes cover or concealment there, or
    distracted enemies (srd35.skill.hide).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(TOPIC)
    check_turn(fight, actor)
    refuse_down(fight, actor, "hide")
    if act.how == "snipe" and not actor.spent.get("standard"):
        raise Refusal(f"{actor.id} has not shot from hiding", rule)
    if act.path:
        movement.refuse_after_step(fight, actor)
        movement.refuse_prone(fight, actor)
        movement.refuse_path(fight, actor, act.path, movement.speed(fight, actor), rule)
    if act.path or act.how == "snipe":
        yield spending(fight, actor, "move", "hides", rule)
    if act.path and not (yield from fight.dialect.movement.walk(fight, actor, act.path, "hiding", rule)):
        return
    hiding = side_of(fight, actor, "hide", hide_parts(fight, actor, act))
    watching = [one for one in fight.enemies(actor) if not is_down(fight, one) and sees(fight, one, actor)]
    rolled = None
    for enemy in watching:
        allowed = place_to_hide(fight, actor, enemy, act)
        near = act.how == "snipe" and distance(actor, enemy) < fight.figure(TOPIC, "snipe_min_ft")
        if not allowed or near:
            why = "is too near" if near else "sees the place"
            cites = (
                fight.rules(TOPIC) if near else fight.rules(TOPIC, *rules_of_exposure(fight, actor, enemy))
            )
            yield RuleApplied(who=actor.id, what=f"no hiding from {enemy.id}, who {why}", cites=cites)
            continue
        if "blinded" not in enemy.conditions:
            if rolled is None:
                rolled = yield Roll(actor.id, "hide", "1d20")
            mine = Side(actor, [*hiding.parts, *better_cover(fight, actor, enemy)], hiding.check_name)
            theirs = side_of(fight, enemy, "spot", spot_parts(fight, enemy, actor))
            cites = fight.rules(TOPIC, HIDE_SPOT, *allowed)
            contest = yield from beats_opposed(fight, "hide", mine, theirs, *cites, rolled=rolled)
            if not contest.won:
                continue
        else:
            what = f"{enemy.id} sees nothing of {actor.id}"
            yield RuleApplied(who=enemy.id, what=what, cites=fight.rules("srd35.cond.blinded"))
        yield hidden_from(fight, actor, enemy, rule)


def hide_parts(fight: Fight, actor: Combatant, act: acts.Hide) -> Iterator[Modifier]:
    """Yield the parts of a Hide check: size if the sheet has no total, pace, other acts."""
    rule = fight.rule(TOPIC)
    yield from skill_parts(fight, actor, "hide", "dex", rule)
    size = fight.figure("srd35.size.special-modifiers", "hide", actor.sheet.size.capitalize())
    if size and "hide" not in actor.sheet.skills:
        yield Modifier(size, "size", actor.sheet.size, fight.rule("srd35.size.special-modifiers"))
    if "invisible" in actor.conditions:
        moving = "hide_moving" if act.path else "hide_stationary"
        yield fight.modifier(
            "srd35.concealment.invisible-hide", moving, kind="circumstance", source="invisible"
        )
    rushing = next((name for name in ("running", "charging") if name in actor.conditions), "")
    if rushing or act.how == "attacking":
        source = rushing or "attacking"
        yield fight.modifier(TOPIC, "fast_or_attacking", kind="penalty", source=source)
    elif 2 * actor.spent.get("feet", 0) > movement.speed(fight, actor):
        yield fight.modifier(TOPIC, "over_half_speed", kind="penalty", source="over half speed")
    if act.how in ("snipe", "distraction"):
        yield fight.modifier(TOPIC, act.how, kind="penalty", source=act.how)


def place_to_hide(fight: Fight, actor: Combatant, enemy: Combatant, act: acts.Hide) -> tuple[str, ...]:
    """Return the topics of what allows hiding from an enemy here, () for nothing.

    Soft cover does not (srd35.cover.soft-limits).
    """
    if act.how == "distraction":
        return (TOPIC,)
    found = look(fight, enemy, actor, False)
    if found.veils:
        return ("srd35.concealment.hide",)
    cover = cover_between(fight, enemy, actor, False).kind
    soft = cover == "soft" and fight.figure("srd35.cover.soft-limits", "allows_hide")
    return ("srd35.cover.hide",) if cover == "cover" or soft else ()


def rules_of_exposure(fight: Fight, combatant: Combatant, enemy: Combatant) -> tuple[str, ...]:
    """Return the topics of what prevents hiding: soft cover, darkvision, plain light."""
    if cover_between(fight, enemy, combatant, False).kind == "soft":
        return ("srd35.cover.soft-limits",)
    return look(fight, enemy, combatant, False).through or (LEVELS,)


def better_cover(fight: Fight, combatant: Combatant, enemy: Combatant) -> Iterator[Modifier]:
    """Yield the bonus of improved cover to a Hide check (srd35.cover.improved-hide)."""
    if (
        IMPROVED_COVER in combatant.conditions
        and cover_between(fight, enemy, combatant, False).kind == "cover"
    ):
        yield fight.modifier(
            "srd35.cover.improved-hide", "hide", kind="circumstance", source="improved cover"
        )


def spot_parts(fight: Fight, combatant: Combatant, other: Combatant, far: bool = True) -> Iterator[Modifier]:
    """Yield the parts of a Spot check, with distance and distraction (srd35.skill.spot-listen)."""
    rule = fight.rule(HIDE_SPOT)
    yield from skill_parts(fight, combatant, "spot", "wis", rule)
    yield from abilities.check_bonus_against(fight, combatant, other, "spot")
    stretches = distance(combatant, other) // STRETCH if far else 0
    if stretches:
        value = fight.figure(HIDE_SPOT, "per_10ft") * stretches
        yield Modifier(value, "distance", f"{distance(combatant, other)} ft. away", rule)
    if "distracted" in combatant.conditions:
        yield fight.modifier(HIDE_SPOT, "distracted", kind="penalty", source="distracted")


# --- Finding the unseen: by eye, ear, nose or hand (srd35.invisibility.*, srd35.scent)

SEEK_SPOT, LISTEN, SILENCE = (
    "srd35.invisibility.spot",
    "srd35.invisibility.listen-table",
    "srd35.skill.move-silently",
)
SENSES, GROPE, STRUCK, SCENT = (
    "srd35.skill.spot-listen",
    "srd35.invisibility.grope",
    "srd35.invisibility.struck",
    "scent",
)
UNLIVING = ("undead", "construct")
_OFFSET = re.compile(r"- (\d+)")


def seek(fight: Fight, act: acts.Seek) -> Steps[None]:
    """Try to notice a combatant: a move action, groping a standard action, no action in reaction."""
    actor = fight.combatant(act.actor)
    target = fight.combatant(act.target) if act.target else None
    if act.sense == "grope":
        yield from grope(fight, actor, act)
        return
    topic = SENSES if act.sense != "scent" else SCENT
    if target is None:
        raise Refusal("no target is named to look for", fight.rule(topic))
    if target is actor:
        raise Refusal(f"{actor.id} need not look for itself", fight.rule(topic))
    refuse_beyond(fight, actor, target, act)
    if not act.reactive:
        yield spending(fight, actor, "move", f"looks for {target.id}", fight.rule(topic))
    yield from {"spot": by_eye, "listen": by_ear, "scent": by_nose}[act.sense](fight, actor, target, act)


def refuse_beyond(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> None:
    """Refuse what cannot be sensed: the blind see nothing, the ethereal not far, scent takes a nose.

    srd35.cond.blinded, srd35.cond.deafened, srd35.etherealness, srd35.scent, srd35.invisibility.spot.
    """
    feet = distance(actor, target)
    if "ethereal" in target.conditions and on_other_planes(actor, target) and not sees_across(actor):
        raise Refusal(f"{target.id}, who is ethereal, cannot be sensed", fight.rule("srd35.etherealness"))
    if act.sense == "scent":
        if not has_trait(actor, "scent"):
            raise Refusal(f"{actor.id} has no keen scent", fight.rule(SCENT))
        if not is_within_range(feet, scent_range(fight, target, act.wind)):
            raise Refusal(f"{target.id} is {feet} ft. away, too far to smell", fight.rule(SCENT))
    if act.sense == "listen" and "deafened" in actor.conditions:
        raise Refusal(f"{actor.id} is deafened and hears nothing", fight.rule("srd35.cond.deafened"))
    if act.sense != "spot":
        return
    if "blinded" in actor.conditions:
        raise Refusal(f"{actor.id} is blinded and sees nothing", fight.rule("srd35.cond.blinded"))
    if "ethereal" in actor.conditions and not is_within_range(
        feet, fight.figure("srd35.etherealness", "sight_ft")
    ):
        raise Refusal(f"{target.id} is {feet} ft. away, beyond the mist", fight.rule("srd35.etherealness"))
    if "invisible" in target.conditions and not is_within_range(feet, fight.figure(SEEK_SPOT, "within_ft")):
        raise Refusal(f"{target.id} is unseen {feet} ft. away", fight.rule(SEEK_SPOT))


def by_eye(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Look for an invisible or a hiding combatant (srd35.invisibility.spot, srd35.skill.hide)."""
    parts = list(spot_parts(fight, actor, target, far="invisible" not in target.conditions))
    if "invisible" in target.conditions:
        dc = fight.figure(SEEK_SPOT, activity_of_invisible(target))
        cites = fight.rules(SEEK_SPOT, "srd35.concealment.invisible-spot")
        why = f"to notice {target.id}, invisible"
        by = yield from check_by(fight, actor, "spot", parts, dc, *cites, why=why)
        yield from tell_notice(fight, actor, target, by, SEEK_SPOT)
        return
    hides = [one for one in target.effects if one.stat == HIDDEN and one.against == actor.id]
    if not hides:
        return
    hidden = skill_parts(fight, target, "hide", "dex", fight.rule("srd35.skill.hide"))
    mine, theirs = side_of(fight, actor, "spot", parts), side_of(fight, target, "hide", hidden)
    contest = yield from beats_opposed(fight, "spot", mine, theirs, *fight.rules(SENSES, "srd35.skill.hide"))
    if contest.won:
        for one in hides:
            why = f"{actor.id} has noticed"
            yield EffectEnded(who=target.id, id=one.id, why=why, cites=fight.rules("srd35.skill.hide"))


def activity_of_invisible(target: Combatant) -> str:
    """Return the activity of an invisible creature: active, holding still, or immobile."""
    if "immobile" in target.conditions:
        return "immobile"
    if target.spent.get("feet") or target.spent.get("standard") or target.spent.get("full-round"):
        return "active"
    return "immobile" if nature_among(target, UNLIVING) else "still"


def tell_notice(fight: Fight, combatant: Combatant, target: Combatant, by: int, topic: str) -> Steps[None]:
    """Report the result of a check: a combatant is noticed, or by a higher margin its square."""
    if by < 0:
        return
    rule = fight.rule(topic)
    if by < fight.figure(SEEK_SPOT, "pinpoint"):
        yield RuleApplied(who=combatant.id, what=f"notices that {target.id} is there", cites=(rule,))
        return
    yield knowledge_of_square(fight, combatant, target, topic)


def by_ear(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Listen for a combatant: distance, doors and walls, distraction and sleep make it harder.

    A fighting or speaking combatant is loud; one that moves silently is as loud as its check and its pace
    (srd35.invisibility.listen-table, srd35.skill.move-silently, srd35.skill.spot-listen).
    """
    dc = listen_dc_row(fight, "fighting or speaking")
    cites = fight.rules(SENSES, LISTEN)
    if not (target.spent.get("standard") or target.spent.get("full-round")):
        dc = yield from dc_to_hear(fight, target)
        cites = fight.rules(SENSES, LISTEN, SILENCE)
    dc += distance(actor, target) // STRETCH * listen_dc_row(fight, "per 10 ft.")
    if act.through:
        dc += listen_dc_row(fight, f"{act.through} between")
    if "distracted" in actor.conditions:
        dc += fight.figure(SENSES, "listen_distracted")
    parts = skill_parts(fight, actor, "listen", "wis", cites[0])
    parts += abilities.check_bonus_against(fight, actor, target, "listen")
    if "asleep" in actor.conditions:
        parts.append(fight.modifier(SENSES, "asleep", kind="penalty", source="asleep"))
    by = yield from check_by(fight, actor, "listen", parts, dc, *cites, why=f"to hear {target.id}")
    yield from tell_notice(fight, actor, target, by, LISTEN)


def listen_dc_row(fight: Fight, state: str) -> int:
    """Return the number in a row of the table of Listen DCs; that of a pace counts below 0."""
    rows = fight.figure(LISTEN)
    dc = next(one["dc"] for one in rows if one["state"] == state)
    if isinstance(dc, int):
        return dc
    found = _OFFSET.search(dc)
    return -int(found.group(1)) if found else 0


def dc_to_hear(fight: Fight, combatant: Combatant) -> Steps[int]:
    """Roll Move Silently for a combatant and return the DC to hear it.

    An invisible creature's pace counts by the table, that of others by the skill.
    """
    tally = fight.stack(list(silence_parts(fight, combatant)))
    rolled = yield Roll(combatant.id, "move-silently", "1d20")
    dc = int(rolled.total + tally.total)
    if "invisible" in combatant.conditions:
        dc += listen_dc_row(fight, pace_row(fight, combatant))
    return dc


def pace_row(fight: Fight, combatant: Combatant) -> str:
    """Return the row of the table for a combatant's pace in its last turn."""
    if "running" in combatant.conditions or "charging" in combatant.conditions:
        return "running or charging"
    fast = 2 * combatant.spent.get("feet", 0) > movement.speed(fight, combatant)
    return "full speed" if fast else "half speed"


def silence_parts(fight: Fight, combatant: Combatant) -> Iterator[Modifier]:
    """Yield the parts of a Move Silently check (srd35.skill.move-silently)."""
    yield from skill_parts(fight, combatant, "move silently", "dex", fight.rule(SILENCE))
    if "invisible" not in combatant.conditions:
        figure = {"full speed": "over_half_speed", "running or charging": "running"}.get(
            pace_row(fight, combatant)
        )
        if figure:
            yield fight.modifier(SILENCE, figure, kind="penalty", source=pace_row(fight, combatant))
    for name, figure in (("on noisy ground", "noisy"), ("on very noisy ground", "very_noisy")):
        if name in combatant.conditions:
            yield fight.modifier(SILENCE, figure, kind="penalty", source=name)


def scent_range(fight: Fight, target: Combatant, wind: str) -> int:
    """Return the feet within which a combatant can be smelt, by wind and strength of its odor."""
    feet = int(fight.figure(SCENT, wind or "ft"))
    for name, figure in (("strong scent", "strong"), ("overpowering scent", "overpowering")):
        if has_trait(target, name) or name in target.conditions:
            feet *= fight.figure(SCENT, figure)
    return feet


def by_nose(fight: Fight, actor: Combatant, target: Combatant, act: acts.Seek) -> Steps[None]:
    """Smell a combatant: its presence, with a move action its direction, from close by its square."""
    if is_within_range(distance(actor, target), fight.figure(SCENT, "pinpoint_ft")):
        yield knowledge_of_square(fight, actor, target, SCENT)
        return
    what = f"smells that {target.id} is near"
    if not act.reactive:
        what = f"smells in which direction {target.id} is"
    yield RuleApplied(who=actor.id, what=what, cites=fight.rules(SCENT))


def grope(fight: Fight, actor: Combatant, act: acts.Seek) -> Steps[None]:
    """Feel about in two adjacent squares: a touch that may miss, and finds the unseen.

    In the order of the named squares; visible combatants are skipped (srd35.invisibility.grope).
    """
    rule = fight.rule(GROPE)
    near = [square for square in act.at if feels_into(fight, actor, square)]
    if not act.at or near != list(act.at) or len(act.at) > fight.figure(GROPE, "squares"):
        raise Refusal(f"{actor.id} gropes in one or two squares (`at`) within its reach", rule)
    yield spending(fight, actor, "standard", "gropes about", rule)
    unseen = [one for one in fight.enemies(actor) if look(fight, actor, one, True).unseen]
    target = next((one for square in act.at for one in unseen if square in squares_of(one)), None)
    if target is None:
        yield RuleApplied(who=actor.id, what="touches nobody", cites=(rule,))
        return
    intent = Intent("grope", TOUCH_ARMOR_CLASS)
    blow = Blow(actor, target, unarmed(fight, actor), True, distance(actor, target), intent)
    if not (yield from attack_roll(fight, blow)):
        return
    percent = fight.figure(GROPE, "miss_pct")
    if not (yield from is_missed(actor, target, percent, "groping", rule)):
        yield knowledge_of_square(fight, actor, target, GROPE)


def feels_into(fight: Fight, combatant: Combatant, square: Square) -> bool:
    """Return whether a square is next to a combatant, with no wall between."""
    (x, y), side = combatant.at, combatant.space
    near = x - 1 <= square[0] <= x + side and y - 1 <= square[1] <= y + side
    return near and line_between(fight, *footprint(combatant), square, 1, NO_STRETCH)


def strikes_unseen(fight: Fight, blow: Blow, *given: object) -> bool:
    """Return whether the target did not see the attacker of a blow."""
    return look(fight, blow.target, blow.attacker, blow.melee).unseen


def locate_attacker(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Reveal to a victim the square of an unseen attacker, or only the direction.

    srd35.invisibility.struck.
    """
    attacker, target = blow.attacker, blow.target
    if blow.melee and attacker.reach <= STRETCH // 2 and not blow.weapon.reach:
        if not knows_square(target, attacker):
            yield knowledge_of_square(fight, target, attacker, STRUCK)
        return
    what = f"knows from which direction {attacker.id} has struck"
    yield RuleApplied(who=target.id, what=what, cites=fight.rules(STRUCK))
