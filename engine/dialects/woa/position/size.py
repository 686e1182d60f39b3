"""Implement size, space and reach, high ground, and the effects of size differences."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.grapple.grab_modifiers import arm_free
from affray.engine.dialects.woa.mounted import mounted_modifiers
from affray.engine.dialects.woa.movement import speed
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import Same, per_fight
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.kernel.places import distance, in_band, reaches
from affray.engine.record.acts import details_of
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.sheets import ability, has_trait, size_step, sizes_larger
from affray.engine.rules.gear.hands import (
    fights_unarmed,
    held_weapons,
    is_armed,
    melee_band,
    strikes_in_melee,
)
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import ConditionGained
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Bonus, Modifier, Sheet, Spell, Weapon
from affray.projections.state import Combatant

# --- Lying on the ground and keeping low (woa.posture.states)

#: Postures that keep low, and those that lie on the ground.
LOW = ("crouching", "kneeling", "sitting", "seated")
PRONE = ("prone", "crawling")


def has_low_posture(combatant: Combatant) -> bool:
    """Return whether a combatant crouches, kneels or sits."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in LOW)


def lies(combatant: Combatant) -> bool:
    """Return whether a combatant counts as prone (woa.posture.crawl-prone)."""
    return bool(combatant.conditions) and any(name in combatant.conditions for name in PRONE)


# --- Effects of size differences on attacks, in a shared space, and around one opponent (woa.size.*)

#: Conditions that raise a combatant above the ground; their level is the height in feet.
AT_HEIGHT = frozenset({"climbing", "brachiating"})
#: The condition of being on a monster's body, with the monster as its source.
PERCHED = "on its body"
#: The condition of balancing on a monster's back with both hands free.
BALANCED = "balancing on its body"
SUDDEN_STRIKE = "sudden strike"


def is_on_body_of(attacker: Combatant, target: Combatant) -> bool:
    """Return whether an attacker is on its target's body, which lifts the limits of size."""
    if not attacker.conditions:
        return False
    state = attacker.conditions.get(PERCHED)
    return state is not None and state.source == target.id


def refuse_clinging(fight: Fight, combatant: Combatant, weapon: Weapon) -> None:
    """Refuse a two-handed attack by a combatant that clings to a body (woa.battlefield-monster.balance)."""
    if PERCHED in combatant.conditions and BALANCED not in combatant.conditions and weapon.hands > 1:
        why = f"{combatant.id} clings to {combatant.conditions[PERCHED].source} and needs a hand for it"
        raise Refusal(why, fight.rule("woa.battlefield-monster.balance"))


def on_body(blow: Blow) -> str:
    """Return the topic by which the target of an attack from or at its own body cannot guard itself.

    "" for other attacks (woa.battlefield-monster.defense-loss, .reciprocal).
    """
    if is_on_body_of(blow.attacker, blow.target):
        return "woa.battlefield-monster.defense-loss"
    if is_on_body_of(blow.target, blow.attacker):
        return "woa.battlefield-monster.reciprocal"
    return ""


def refuse_too_large(fight: Fight, actor: Combatant, act: acts.Act) -> None:
    """Refuse normal attacks on a target far too large to be harmed by them.

    Attackers on its body are exempt, and swarms have their own rules (woa.size.combat.target-four-larger,
    woa.size.swarm).
    """
    aims = [one.target for one in getattr(act, "strikes", ())] or [getattr(act, "target", "")]
    for aim in aims:
        target = fight.state.combatants.get(aim)
        if target is None or is_on_body_of(actor, target) or has_trait(actor, "swarm"):
            continue
        topic = "woa.size.combat.target-four-larger"
        if sizes_larger(target, actor) >= fight.figure(topic, "size_difference"):
            why = f"{aim} is too large for {actor.id} to harm by normal attacks"
            raise Refusal(why, fight.rule(topic))


def refuse_above_reach(fight: Fight, actor: Combatant, target: Combatant, weapon: Weapon) -> None:
    """Refuse a melee attack at a climber that is higher than the weapon reaches (woa.size.vertical-reach)."""
    if actor.conditions.keys() & AT_HEIGHT or not strikes_in_melee(weapon):
        return
    height = max((target.conditions[name].level for name in AT_HEIGHT & target.conditions.keys()), default=0)
    _, most = melee_band(actor, weapon)
    if distance(actor, target) <= most and height > upward_reach(fight, actor, most):
        why = f"{target.id} is {height} ft. up, out of {actor.id}'s reach"
        raise Refusal(why, fight.rule("woa.size.vertical-reach"))


def upward_reach(fight: Fight, combatant: Combatant, reach: int) -> int:
    """Return how many feet up a combatant strikes: half its reach above its space if tall, else its space
    alone.
    """
    space = combatant.space * SQUARE_FT
    share = str(fight.figure("woa.size.vertical-reach", "tall" if combatant.sheet.tall else "long")).split()[
        0
    ]
    return space + (reach // int(share.partition("/")[2]) if "/" in share else int(share))


def swarming(fight: Fight, blow: Blow) -> tuple[str, ...]:
    """Return the rules by which a swarm of small creatures may attack a far larger target, if they apply."""
    least = fight.figure("woa.size.combat.target-four-larger", "size_difference")
    if has_trait(blow.attacker, "swarm") and sizes_larger(blow.target, blow.attacker) >= least:
        return fight.rules("woa.size.swarm", "woa.size.surround.very-different")
    return ()


def deny_sudden_strike(fight: Fight, blow: Blow) -> Iterator[Modifier]:
    """Yield that a thief's sudden strike does not count in melee against a target this large."""
    attacker, topic = blow.attacker, "woa.size.combat.target-two-larger"
    if any(trait.startswith(SUDDEN_STRIKE) for trait in attacker.sheet.traits):
        steps = sizes_larger(blow.target, attacker)
        if steps >= fight.figure(topic, "size_difference") and not is_on_body_of(attacker, blow.target):
            rule = fight.rule(topic)
            why = f"{blow.target.id} is {steps} sizes larger ({rule})"
            yield Modifier(0, "special", SUDDEN_STRIKE, rule, why)


def unconfirmed(fight: Fight, blow: Blow) -> RuleApplied | None:
    """Return that a threat cannot be confirmed against a target this large in melee, None if it can.

    woa.size.combat.target-three-larger
    """
    topic = "woa.size.combat.target-three-larger"
    steps = sizes_larger(blow.target, blow.attacker)
    if not blow.melee or steps < fight.figure(topic, "size_difference"):
        return None
    if is_on_body_of(blow.attacker, blow.target):
        return None
    what = f"cannot confirm a critical hit: {blow.target.id} is {steps} sizes larger"
    return RuleApplied(who=blow.attacker.id, what=what, cites=ids_of_limit(fight, topic))


def ids_of_limit(fight: Fight, topic: str) -> tuple[str, ...]:
    """Return the ids of a size limit and of the table that sums up all of them."""
    return fight.rules(topic, "woa.size.combat.summary-table")


def crush_far_smaller(fight: Fight, blow: Blow, before: tuple[int, int, int], standing: bool) -> Steps[None]:
    """Ask the game master whether a hit kills a far smaller target outright.

    woa.size.combat.target-four-smaller
    """
    topic, target = "woa.size.combat.target-four-smaller", blow.target
    if -sizes_larger(target, blow.attacker) < fight.figure(topic, "size_difference"):
        return
    if "dead" in target.conditions:
        return
    question = f"does the blow of {blow.attacker.id} kill {target.id} outright?"
    answer = yield Choice("", "crushed", question, ("dies", "by its hit points"), fight.rule(topic))
    if answer == "dies":
        source, cites = f"a blow of {blow.attacker.id}", ids_of_limit(fight, topic)
        death = ConditionGained(who=target.id, condition="dead", source=source, cites=cites)
        yield from fight.dialect.conditions.gain(fight, death)


def size_against_life(
    fight: Fight, caster: Combatant | None, target: Combatant, spell: Spell
) -> list[Modifier]:
    """Return the size modifier of a save against attacks on life itself: poison, disease, death.

    For magic the sizes of caster and target are compared, otherwise the target's size is compared with Medium
    (woa.size.combat.unusual-attacks, .magic-relative-size).
    """
    deadly = spell.school == "death" or spell.condition == "dead"
    if not deadly and not any(one.kind in ("poison", "disease", "energy drain") for one in spell.riders):
        return []
    return save_modifier_by_size(fight, target, caster)


def save_modifier_by_size(fight: Fight, target: Combatant, caster: Combatant | None = None) -> list[Modifier]:
    """Return the size modifier of a save against attacks on life, relative to the caster or to Medium."""
    indices = {row["name"].lower(): row["index"] for row in fight.figure("woa.size.categories")}
    own = indices.get(target.sheet.size, 0)
    steps = own - (indices.get(caster.sheet.size, 0) if caster is not None else 0)
    topic = "woa.size.combat.unusual-attacks"
    found = cell(fight, topic, "of=each category", "save")
    if not steps or found is None:
        return []
    source = f"{counted(abs(steps), 'size')} {'larger' if steps > 0 else 'smaller'}"
    if caster is not None:
        topic = "woa.size.combat.magic-relative-size"
        source += f" than {caster.id}"
    return [Modifier(found.value * steps, "size", source, fight.rule(topic))]


# --- What size determines: space, reach, hit points, armor, speed (woa.size.table)

#: The values that a sheet may leave to its size: see `Sheet.bare`.
HIT_POINTS, SPEED = "hit points", "speed"
MEDIUM = "medium"
#: The sizes at both ends of the scale.
BEYOND = ("fine", "colossal")


def natural_reach(fight: Fight, sheet: Sheet, feet: int) -> int:
    """Return the reach that goes with a space of `feet` feet.

    The reach of a tall creature equals its space, that of a long one is half of it
    (woa.size.reach-tall-long).
    """
    if not is_scaled(sheet):
        return int(size_row(fight, sheet)["reach_ft"])
    word = str(fight.figure("woa.size.reach-tall-long", "tall" if sheet.tall else "long"))
    return feet // int(word.partition("/")[2] or 1)


def size_row(fight: Fight, sheet: Sheet) -> dict[str, int]:
    """Return the row of the space and reach table for a sheet's size."""
    name = sheet.size.capitalize()
    found: dict[str, int] = next(
        row for row in fight.figure("woa.size.table-space-reach") if row["size"] == name
    )
    return found


def is_scaled(sheet: Sheet) -> bool:
    """Return whether creatures of a sheet's size are either tall or long."""
    return sheet.size in ("large", "huge", "gargantuan", "colossal")


def rules_of_size(fight: Fight, sheet: Sheet, exceptional: bool) -> tuple[str, ...]:
    """Return the rules that determine the space and reach of a creature that joins the fight.

    For Medium creatures there are none, unless their reach is `exceptional`.
    """
    if sheet.size == MEDIUM:
        return fight.rules("woa.size.reach-exceptional") if exceptional else ()
    topics = ["woa.size.categories", "woa.size.default-assumption", "woa.size.combat.space-reach"]
    if sheet.size in BEYOND:
        topics = ["woa.size.pseudo-categories", *topics[1:]]
    if sheet.space is None:
        topics.append("woa.size.space")
    if exceptional:
        topics.append("woa.size.reach-exceptional")
    elif is_scaled(sheet) and sheet.reach is None:
        topics += ["woa.size.tall-long", "woa.size.reach-tall-long"]
    return fight.rules(*topics)


def size_statistics(fight: Fight, sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return the sheet with the hit points, armor and speed that depend on size, and the rules.

    Its `bare` lists "hit points" if they lack the Constitution share, and "speed" if it is that of the size.
    Armor in `worn` that is not yet part of Armor Class is added.
    """
    cites: list[str] = []
    if HIT_POINTS in sheet.bare:
        sheet = with_constitution(fight, sheet, cites)
    if SPEED in sheet.bare:
        found = cell(fight, "woa.size.table", f"size={sheet.size}", "speed")
        if found is not None:
            sheet = replace(sheet, speed=found.value)
            cites += (found.rule, fight.rule("woa.size.ground-speed"))
            cites += fight.rules("woa.size.speed") if sheet.size != MEDIUM else ()
    if sheet.worn:
        sheet = with_armor(fight, sheet, cites)
    return sheet, tuple(dict.fromkeys(cites))


def with_constitution(fight: Fight, sheet: Sheet, cites: list[str]) -> Sheet:
    """Add the hit points from Constitution: by level, times the multiplier of the size, rounded down.

    woa.hp.total, woa.hp.size, woa.size.hp-con-multiplier
    """
    found = cell(fight, "woa.size.table", f"size={sheet.size}", "con")
    share = 100 if found is None else found.value
    level = sum(sheet.classes.values()) or sheet.hit_dice
    more = ability(sheet, "con") * level * share // 100
    cites.append(fight.rule("woa.hp.total"))
    if found is not None and share != 100 and more:
        cites += (*fight.rules("woa.hp.size", "woa.size.hp-con-multiplier"), found.rule)
    return replace(sheet, hp=max(1, sheet.hp + more))


def with_armor(fight: Fight, sheet: Sheet, cites: list[str]) -> Sheet:
    """Add worn armor to Armor Class, reduced by the multiplier of the size it is made for.

    Its enhancement counts in full. Armor that is reduced to 0 is useless (woa.size.armor-ac-multiplier).
    """
    parts = []
    for suit in sheet.worn:
        size = suit.size or sheet.size
        bonus = suit.bonus
        if size != MEDIUM and suit.kind == "armor":
            found = cell(fight, "woa.size.table", f"size={size}", "armor")
            bonus = suit.bonus * (100 if found is None else found.value) // 100
            if found is not None and bonus != suit.bonus:
                cites += (fight.rule("woa.size.armor-ac-multiplier"), found.rule)
        if bonus > 0:
            magic = suit.enhancement
            name = suit.name if bonus == suit.bonus else f"{suit.name} ({suit.bonus} at Medium size)"
            parts.append(Bonus(bonus + magic, suit.kind, name))
    return replace(sheet, armor=(*sheet.armor, *parts))


# --- How far weapons reach, and which are light (woa.reach.weapon, woa.space.own-space-not-threatened)

MULTIPLE, CLOSE = "woa.reach.weapon", "woa.reach.weapon-close-attacks"


def band(fight: Fight, combatant: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances, (least, most) in feet, at which a weapon strikes in melee.

    A reach weapon strikes up to twice the natural reach but not within the natural reach (woa.reach.weapon).
    """
    if weapon.far:
        return 0, weapon.far
    if weapon.reach:
        near = 0 if "near-and-far" in weapon.traits else combatant.reach + SQUARE_FT
        return near, combatant.reach * fight.figure(MULTIPLE, "reach_multiplier")
    return 0, combatant.reach


def is_light(weapon: Weapon) -> bool:
    """Return whether a weapon is light; unarmed strikes are (woa.space.own-space-not-threatened)."""
    return weapon.wield in ("light", "unarmed")


def threatened(fight: Fight, combatant: Combatant, weapon: Weapon) -> tuple[int, int]:
    """Return the distances at which a weapon threatens; only a light weapon threatens the wielder's own
    space.
    """
    least, most = band(fight, combatant, weapon)
    return (least if is_light(weapon) else max(least, 1)), most


def refuse_lying_shot(fight: Fight, blow: Blow) -> None:
    """Refuse to shoot while prone with any weapon except a crossbow (woa.posture.prone.ranged-weapons)."""
    attacker, weapon = blow.attacker, blow.weapon
    if not blow.melee and lies(attacker) and weapon.family != "crossbow" and "prone use" not in weapon.traits:
        raise Refusal(
            f"{attacker.id} is prone and cannot use the {weapon.name}",
            fight.rule("woa.posture.prone.ranged-weapons"),
        )


# --- High ground: which combatant is higher, and its effect in melee (woa.high-ground.*)

#: The condition of being raised above the ground; its level is the height in feet.
RAISED = "raised"
TOWER_SHIELD = "tower shield"


def own_height(combatant: Combatant) -> int:
    """Return a combatant's height in feet: from its trait ("height 6"), otherwise the width of its space."""
    for detail in details_of("height", combatant.sheet.traits):
        if detail.isdigit():
            return int(detail)
    return combatant.space * SQUARE_FT


def feet_raised(combatant: Combatant) -> int:
    """Return how many feet above the ground a combatant is by a ruling of the game master."""
    state = combatant.conditions.get(RAISED) if combatant.conditions else None
    return state.level if state is not None else 0


def topic_of_high_ground(fight: Fight, combatant: Combatant, other: Combatant) -> str:
    """Return the topic of the rule that puts a combatant on high ground above another, "" if none does.

    High ground is a raised square of the map, a height of half the opponent's own, or a mount larger than an
    opponent on foot (woa.high-ground.elevation-threshold, woa.high-ground.mounted).
    """
    field = fight.field
    if speed.height_aloft(combatant) != speed.height_aloft(other):
        return "woa.fly.high-ground" if speed.height_aloft(combatant) > speed.height_aloft(other) else ""
    topic = "woa.high-ground.elevation-threshold"
    if field.high(combatant.at, combatant.space) and not field.high(other.at, other.space):
        return topic
    up = feet_raised(combatant) - feet_raised(other)
    if up > 0 and up * fight.figure(topic, "height_divisor") >= own_height(other):
        return topic
    if combatant.mount and not other.mount:
        mount = fight.state.combatants[combatant.mount]
        if size_step(mount) > size_step(other):
            return "high-ground.mounted"
    return ""


def passes_above(fight: Fight, source: Combatant, between: Iterable[Combatant]) -> bool:
    """Return whether an attack passes above creatures in between: its source flies, is tall or is on a
    height.
    """
    if "flying" in source.conditions or fight.field.high(source.at, source.space):
        return True
    tallest = max(own_height(one) + feet_raised(one) for one in between)
    return feet_raised(source) > tallest or own_height(source) >= 2 * tallest


def high_ground(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the AC modifier for a difference in height, in melee between combatants of similar size.

    woa.high-ground.ac-modifier, woa.high-ground.size-limit
    """
    attacker, target = blow.attacker, blow.target
    up, down = topic_of_high_ground(fight, attacker, target), topic_of_high_ground(fight, target, attacker)
    if bool(up) == bool(down):
        return []
    apart = abs(size_step(attacker) - size_step(target))
    limit = "woa.high-ground.size-limit"
    beyond_limit = not blow.melee or apart > fight.figure(limit, "max_size_difference")
    if environment.are_both_under_water(blow):
        blow.cites += [] if beyond_limit else fight.rules("woa.water.no-high-ground")
        return []
    if up == "high-ground.mounted":
        blow.cites.append(fight.rule("woa.mount.combat.higher-ground"))
    topic = up or down
    where = "defender_lower" if up else "defender_higher"
    source = "lower ground" if up else "higher ground"
    part = fight.modifier("woa.high-ground.ac-modifier", where, "ac", kind="circumstance", source=source)
    if beyond_limit:
        why = "the sizes are too different" if blow.melee else "no melee attack"
        denied = f"{why} ({fight.rule(limit)})"
        blow.cites.append(fight.rule(limit))
        return [Modifier(part.value, part.kind, part.source, part.rule, denied)]
    blow.cites.append(fight.rule(topic))
    return [part]


def is_block_barred_from_below(fight: Fight, blow: Blow) -> bool:
    """Return whether the target cannot block this attack because it comes from below; a tower shield can.

    woa.high-ground.blocking
    """
    target = blow.target
    below = blow.melee and topic_of_high_ground(fight, target, blow.attacker)
    return bool(below) and TOWER_SHIELD not in target.sheet.traits


def reach_up_or_down(combatant: Combatant, other: Combatant) -> int:
    """Return how many feet a combatant must reach up or down to another; negative if it need not reach."""
    up = feet_raised(other) - feet_raised(combatant)
    return up - own_height(combatant) if up > 0 else -up - own_height(other)


def height_apart(combatant: Combatant, other: Combatant) -> int:
    """Return the vertical distance in feet between two combatants, in the air or on a height.

    woa.high-ground.out-of-reach
    """
    return max(speed.feet_above(combatant, other), reach_up_or_down(combatant, other))


def is_overhead(combatant: Combatant, other: Combatant) -> bool:
    """Return whether one of two is so high in the air that the other passes below, in a space of its own."""
    up = speed.height_aloft(combatant) - speed.height_aloft(other)
    return bool(up) and abs(up) >= own_height(combatant if up < 0 else other)


def refuse_too_high(fight: Fight, blow: Blow) -> None:
    """Refuse a melee attack across a height beyond the attacker's reach; from below, its own height counts.

    woa.high-ground.out-of-reach
    """
    if not (blow.attacker.conditions or blow.target.conditions):
        return
    up = feet_raised(blow.target) - feet_raised(blow.attacker)
    if (
        blow.melee
        and reach_up_or_down(blow.attacker, blow.target) > band(fight, blow.attacker, blow.weapon)[1]
    ):
        where = f"{abs(up)} ft. {'up' if up > 0 else 'down'}"
        raise Refusal(
            f"{blow.target.id} is {where}, out of {blow.attacker.id}'s reach",
            fight.rule("woa.high-ground.out-of-reach"),
        )


# --- Space and reach: how much room a creature takes, how far it strikes and what it threatens
#
# woa.space.*, woa.reach.*, woa.posture.prone.threatened-area

TABLE = "woa.size.table-space-reach"
SMALLER = ("fine", "diminutive", "tiny", "small")


def space_and_reach(fight: Fight, sheet: Sheet) -> tuple[int, int]:
    """Return the side of a creature's space in squares, rounded up, and its natural reach in feet.

    Figures printed in the rules text come first, the rest comes from the table of sizes
    (woa.space.definition, woa.reach.humanoid, woa.reach.by-size).
    """
    feet, reach = printed(fight, sheet)
    rows = {row["size"]: row for row in fight.figure(TABLE)}
    feet = rows[sheet.size.capitalize()]["space_ft"] if feet is None else feet
    feet = int(feet if sheet.space is None else sheet.space)
    if sheet.reach is not None:
        reach = sheet.reach
    elif reach is None or (sheet.space is not None and is_scaled(sheet)):
        reach = natural_reach(fight, sheet, feet)
    return max(1, -(-feet // SQUARE_FT)), int(reach)


def exceptional(fight: Fight, sheet: Sheet) -> bool:
    """Return whether a sheet's reach differs from the reach of its size (woa.size.reach-exceptional)."""
    return sheet.reach is not None and sheet.reach != space_and_reach(fight, replace(sheet, reach=None))[1]


def printed(fight: Fight, sheet: Sheet) -> tuple[int | None, int | None]:
    """Return the space and reach in feet that the rules text prints for a creature, None where it prints
    none.
    """
    if sheet.size == "medium":
        reach = fight.figure("woa.reach.humanoid", "medium_humanoid_reach_ft")
        return fight.figure("woa.space.definition", "medium_space_ft"), reach
    if sheet.size == "large" and sheet.tall:
        return None, fight.figure("woa.reach.by-size", "large_reach_ft")
    return None, None


def rules_of_space(fight: Fight, sheet: Sheet, side: int, reach: int) -> tuple[str, ...]:
    """Return the rules that determine the space and reach of a creature that joins the fight."""
    topics = ["woa.reach.definition"]
    if sheet.size == "medium":
        topics += ["woa.space.definition", *(("woa.reach.humanoid",) if sheet.reach is None else ())]
    elif sheet.size in SMALLER or sheet.reach is None:
        topics.append("woa.reach.by-size")
    if sheet.size != "medium" and (sheet.space is None or (sheet.reach is None and sheet.size in SMALLER)):
        topics.append(TABLE)
    return fight.rules(*topics) + rules_of_size(fight, sheet, exceptional(fight, sheet))


def bands(fight: Fight, combatant: Combatant) -> tuple[tuple[int, int], ...]:
    """Return the distances (least, most), in feet, at which a combatant threatens; empty if unarmed.

    Only a light weapon threatens the combatant's own space, and a prone combatant does not threaten with
    light weapons. Kicks while holding a reach weapon threaten nothing (woa.space.own-space-not-threatened,
    woa.posture.prone.threatened-area, woa.reach.weapon-close-attacks; option `kicks_threaten`).
    """
    if idle(fight, combatant):
        return ()
    down = lies(combatant)
    stuck = (
        tuple(one.name for one in held_weapons(combatant) if not arm_free(fight, combatant, one))
        if combatant.conditions
        else ()
    )
    return usual_bands(fight, combatant, down, stuck)


@per_fight(Same("combatant.sheet"), "combatant.held", "combatant.reach", "down", "stuck")
def usual_bands(
    fight: Fight, combatant: Combatant, down: bool, stuck: tuple[str, ...]
) -> tuple[tuple[int, int], ...]:
    """Return the distances at which a combatant able to attack threatens, if `down` or with
    weapons `stuck`.
    """
    weapons = held_weapons(combatant)
    far = any(weapon.reach for weapon in weapons)
    if fights_unarmed(combatant) and not (far and fight.option("kicks_threaten") == "never"):
        weapons = [*weapons, unarmed(fight, combatant)]
    return tuple(
        dict.fromkeys(
            threatened(fight, combatant, weapon)
            for weapon in weapons
            if strikes_in_melee(weapon)
            and weapon.name not in stuck
            and is_armed(combatant, weapon)
            and "no-threat" not in weapon.traits
            and not (down and is_light(weapon))
        )
    )


def idle(fight: Fight, combatant: Combatant) -> str:
    """Return the topic that currently keeps a combatant from all melee attacks, "" if there is none.

    This holds while wriggling by Escape Artist, in a saddle without stirrups, and for a mount frightened by
    combat.
    """
    if combatant.conditions and "wriggling" in combatant.conditions:
        return "squeezing.escape-artist"
    mounted = combatant.mount or combatant.rider or combatant.riderless
    return mounted_modifiers.strikes_nobody(fight, combatant) if mounted else ""


def weapon_at(fight: Fight, combatant: Combatant, target: Combatant) -> Weapon | None:
    """Return the first armed weapon with which a combatant reaches a target in melee and may
    strike, or None.
    """
    return next(_reaching(fight, combatant, target), None)


def weapons_at(fight: Fight, combatant: Combatant, target: Combatant) -> list[Weapon]:
    """Return all armed weapons with which a combatant reaches a target in melee and may strike."""
    return list(_reaching(fight, combatant, target))


def _reaching(fight: Fight, combatant: Combatant, target: Combatant) -> Iterator[Weapon]:
    """Yield the armed weapons with which a combatant reaches a target in melee and may strike."""
    if idle(fight, combatant):
        return
    ready = held_weapons(combatant)
    if fights_unarmed(combatant):
        ready = [*ready, unarmed(fight, combatant)]
    for weapon in ready:
        if strikes_in_melee(weapon) and is_armed(combatant, weapon) and arm_free(fight, combatant, weapon):
            least, most = band(fight, combatant, weapon)
            if reaches(combatant, target, least, most):
                yield weapon


def unthreatening(
    fight: Fight, combatant: Combatant, mover: Combatant, at: tuple[int, int] | None = None
) -> str:
    """Return the topic by which a mover within reach is not threatened, "" if it is too far away.

    Call it only for combatants that do not threaten the mover (woa.space.own-space-not-threatened,
    woa.posture.prone.threatened-area, woa.reach.weapon-close-attacks, woa.grab.occupied-limbs).
    """
    place = mover.at if at is None else at
    if not in_band(combatant.at, combatant.space, place, mover.space, 0, combatant.reach):
        return ""
    if fight.dialect.position.levels_apart(combatant, mover) > combatant.reach:
        return ""
    if topic := idle(fight, combatant):
        return topic
    weapons = [one for one in held_weapons(combatant) if strikes_in_melee(one)]
    if weapons and not any(arm_free(fight, combatant, one) for one in weapons):
        return "woa.grab.occupied-limbs"
    if lies(combatant) and any(is_light(one) for one in weapons):
        return "woa.posture.prone.threatened-area"
    if any(not is_light(one) and not one.reach for one in weapons):
        return "woa.space.own-space-not-threatened"
    kicks = any(one.reach for one in weapons) and fights_unarmed(combatant)
    return CLOSE if kicks else ""


def close_in_under_reach(fight: Fight, blow: Blow) -> None:
    """Add the penalty for striking inside the reach of the attacker's reach weapon.

    woa.reach.weapon, woa.reach.weapon-close-attacks
    """
    attacker, weapon = blow.attacker, blow.weapon
    if not blow.melee:
        return
    if weapon.reach:
        blow.cites.append(fight.rule(MULTIPLE))
    elif weapon.wield == "unarmed" and any(one.reach for one in held_weapons(attacker)):
        blow.attack_extra.append(
            fight.modifier(CLOSE, "attack_penalty", kind="penalty", source="under a reach weapon")
        )
