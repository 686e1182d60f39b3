"""Implement situational modifiers of attacks: cover, flanking, range, relative size, two weapons."""

from collections.abc import Iterator
from itertools import combinations

from msgspec.structs import replace

from affray.engine.dialects.woa.defense.defense import better_of_cover_and_posture, refuse_covered
from affray.engine.dialects.woa.environment import environment
from affray.engine.dialects.woa.opportunity.reaction_budget import reactions_of_round, why_no_reaction
from affray.engine.dialects.woa.position import shared_space
from affray.engine.dialects.woa.position.size import refuse_too_high
from affray.engine.dialects.woa.senses.concealment import IGNORES
from affray.engine.dialects.woa.table_cells import cell
from affray.engine.fight.fight import Fight, is_down
from affray.engine.fight.memory import per_scene
from affray.engine.grid.distance import opposite
from affray.engine.kernel.places import distance, reaches, squares_of
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_roll import build_blow, strike
from affray.engine.rules.attacks.full_attack import wield_with_another
from affray.engine.rules.classes.sheets import has_feat, size_step
from affray.engine.rules.conditions.conditions import condition_parts
from affray.engine.rules.gear.hands import held_weapons
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.places import sees, side_by_side
from affray.engine.steps import Choice, Refusal, Roll, Steps
from affray.events.errors import counted
from affray.events.facts import acts
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.flow import RuleApplied
from affray.events.facts.sheet import Modifier, Weapon
from affray.projections.state import Combatant

# --- Flanking: opponents on opposite sides, and ignoring one of them (woa.flanking.*)

TOPIC, THREAT, IGNORE = "woa.flanking.penalties", "woa.flanking.must-threaten", "woa.flanking.ignore-opponent"


@per_scene("combatant.id")
def find_flankers(fight: Fight, combatant: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return two enemies that flank a combatant, None if there are none.

    Both threaten it from opposite sides and, depending on an option, must be able to react
    (woa.flanking.penalties, woa.flanking.must-threaten; option `flanker_reactions`).
    """
    able = [
        one for one in standing_enemies(fight, combatant) if not explain_no_flanking(fight, one, combatant)
    ]
    return next(opposite_pairs(able, combatant), None)


def standing_enemies(fight: Fight, combatant: Combatant) -> list[Combatant]:
    """Return the enemies that are not down and that a combatant does not ignore."""
    return [
        one
        for one in fight.enemies(combatant)
        if not (one.conditions and is_down(fight, one))
        and not (combatant.effects and ignores(combatant, one))
    ]


def explain_no_flanking(fight: Fight, one: Combatant, combatant: Combatant) -> str:
    """Return why a present enemy does not flank, "" if it could (woa.flanking.must-threaten)."""
    if not threatens(fight, one, combatant):
        return "does not threaten"
    if fight.option("flanker_reactions") != "needed" or not (one.conditions or one.plan):
        return ""
    return "cannot react" if why_no_reaction(fight, one) or not reactions_of_round(fight, one) else ""


def opposite_pairs(enemies: list[Combatant], combatant: Combatant) -> Iterator[tuple[Combatant, Combatant]]:
    """Yield the pairs that have a combatant directly between them."""
    place = (combatant.at, combatant.space)
    for one, other in combinations(enemies, 2):
        if opposite((one.at, one.space), (other.at, other.space), place):
            yield one, other


def ignores(combatant: Combatant, other: Combatant) -> bool:
    """Return whether a combatant ignores an opponent."""
    return any(effect.stat == IGNORES and effect.against == other.id for effect in combatant.effects)


def flanked_ac(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the AC penalty for being flanked, denied if one of the two does not threaten."""
    target = blow.target
    if len(fight.enemies(target)) < 2:
        return []
    part = fight.modifier(TOPIC, "ac", kind="penalty", source="flanked")
    if find_flankers(fight, target):
        return [part]
    near = [one for one in standing_enemies(fight, target) if is_within_arms_reach(one, target)]
    for pair in opposite_pairs(near, target):
        for one in pair:
            why = explain_no_flanking(fight, one, target)
            if why:
                blow.cites.append(fight.rule(THREAT))
                denied = f"{one.id} {why} ({fight.rule(THREAT)})"
                return [Modifier(part.value, part.kind, part.source, part.rule, denied)]
    return []


def is_within_arms_reach(one: Combatant, combatant: Combatant) -> bool:
    """Return whether an enemy is near enough to attack with its hands or its held weapon."""
    far = any(weapon.reach for weapon in held_weapons(one))
    return reaches(one, combatant, 0, one.reach * (2 if far else 1))


def ignore(fight: Fight, act: acts.Ignore) -> Steps[None]:
    """Ignore some opponents until the end of the round, while flanked.

    They no longer flank and have total concealment (woa.flanking.ignore-opponent).
    """
    actor = fight.combatant(act.actor)
    rule = fight.rule(IGNORE)
    targets = [fight.combatant(name) for name in dict.fromkeys(act.targets)]
    if not targets:
        raise Refusal(f"no opponents are named for {actor.id} to ignore", rule)
    if find_flankers(fight, actor) is None:
        raise Refusal(f"{actor.id} is not flanked", rule)
    for target in targets:
        if target.side == actor.side or not threatens(fight, target, actor):
            raise Refusal(f"{target.id} is not an opponent of {actor.id} in melee", rule)
    for target in targets:
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:{IGNORES}:{target.id}",
            stat=IGNORES,
            modifier=Modifier(0, IGNORES, f"ignores {target.id}", rule),
            until=Until("round-end", "", fight.state.round),
            against=target.id,
            cites=(rule,),
        )


def range_penalties(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return -2 for each full range increment, and the range penalty of water.

    woa.range.penalty, woa.water.*
    """
    parts = range_penalty(fight, blow)
    return [*parts, *environment.range_parts(fight, blow, parts)]


def flanked_opportunity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty of a flanked combatant on its attacks of opportunity (woa.flanking.penalties)."""
    if not find_flankers(fight, blow.attacker):
        return []
    return [fight.modifier("woa.flanking.penalties", "aoo_attack_rolls", kind="penalty", source="flanked")]


def relative_size(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return +2 for each category that the target is larger, -2 if smaller, on ranged attacks.

    woa.attack-bonus.ranged-size-difference
    """
    steps = size_step(blow.target) - size_step(blow.attacker)
    if not steps:
        return []
    topic = "woa.attack-bonus.ranged-size-difference"
    blow.cites.append(fight.rule("woa.size.combat.ranged-attack-modifier"))
    word = "larger" if steps > 0 else "smaller"
    value = fight.figure(topic, f"per_category_target_{word}") * abs(steps)
    return [Modifier(value, "size", f"target {counted(abs(steps), 'size')} {word}", fight.rule(topic))]


def range_penalty(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return -2 for each full range increment (woa.range.penalty; option `range_limit`)."""
    increment = blow.weapon.range
    if not increment or not blow.distance:
        return []
    count, reading = blow.distance // increment, fight.option("range_limit")
    source = f"range {blow.distance} ft."
    if blow.distance % increment == 0:
        source += f" (range_limit: {reading})"
    if reading == "started-increments":
        count = (blow.distance - 1) // increment
    if not count:
        return []
    value = fight.figure("woa.range.penalty", "penalty_per_full_increment") * count
    return [Modifier(value, "penalty", source, fight.rule("woa.range.penalty"))]


def cover_and_posture(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the AC modifiers of cover and conditions; the better of cover and a low posture counts.

    woa.modifiers.attack-vs-ac, woa.cover.overlap-posture
    """
    target = blow.target
    parts = fight.dialect.defense.cover(fight, blow)
    if not target.conditions:
        return parts
    found = condition_parts(fight, target, "defense.melee" if blow.melee else "defense.ranged")
    return better_of_cover_and_posture(fight, [*parts, *found])


def no_miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return no miss chance: concealment is a penalty in these rules (woa.concealment.attack-penalty)."""
    return 0, "", ""


def refuse_untargetable(fight: Fight, blow: Blow) -> None:
    """Refuse an attack without line of effect, on the dead, or beyond the range.

    Thrown weapons reach five increments, projectiles ten (woa.cover.total, woa.range.max-*,
    woa.hp.loss-consequences).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot attack itself", fight.rule("woa.attack.melee-reach"))
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("woa.hp.loss-consequences"))
    if not sees(fight, attacker, target):
        raise Refusal(
            f"{attacker.id} has no line of effect to {target.id}: total cover", fight.rule("woa.cover.total")
        )
    refuse_covered(fight, blow)
    refuse_too_high(fight, blow)
    shared_space.refuse_no_room(fight, blow)
    if blow.melee:
        return
    topic, path = (
        ("woa.range.max-thrown", "thrown_max_increments")
        if weapon.thrown
        else ("woa.range.max-projectile", "projectile_max_increments")
    )
    if not weapon.range or blow.distance > weapon.range * fight.figure(topic, path):
        most = weapon.range * fight.figure(topic, path)
        reason = f"{target.id} is {blow.distance} ft. away, beyond the {weapon.name}'s range of {most} ft."
        raise Refusal(reason, fight.rule(topic))


# --- A missile that misses may strike another combatant near its target (woa.attack.ranged-miss-wrong-target)

#: The eight directions, clockwise from north.
AROUND = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
ASTRAY = "astray"
"""The kind of an attack that missed its intended target."""


def resolve_stray_missile(fight: Fight, blow: Blow) -> Steps[None]:
    """Ask whether a missile that missed endangers combatants near its target, and where it lands.

    A combatant in that square is attacked with the same roll. The printed text leaves the procedure to a
    missing sidebar; a table supplies it.
    """
    topic = "woa.attack.ranged-miss-wrong-target"
    rule = fight.rule(topic)
    fumbled = blow.outcome.natural == fight.figure("woa.attack.natural-1", "face")
    if blow.intent.kind == ASTRAY or fumbled:
        return
    die, squares = cell(fight, topic, 0, "die"), cell(fight, topic, 0, "squares")
    near = [one for one in fight.state.combatants.values() if one is not blow.target]
    near = [one for one in near if one is not blow.attacker and side_by_side(fight, one, blow.target)]
    if die is None or squares is None or not near or "spell" in blow.weapon.traits:
        return
    question = f"the {blow.weapon.name} misses {blow.target.id}: may it strike another combatant nearby?"
    if (yield Choice("", ASTRAY, question, ("no", "yes"), rule)) != "yes":
        return
    rolled = yield Roll(blow.attacker.id, ASTRAY, die.value)
    x, y = square_of_landing(blow, rolled.total, squares.value)
    blow.outcome.landed = x, y
    other = next((one for one in near if (x, y) in squares_of(one)), None)
    if other is None:
        yield RuleApplied(who=blow.target.id, what=f"the missile comes down at {x},{y}", cites=(rule,))
        return
    feet = distance(blow.attacker, other)
    past = build_blow(
        fight,
        blow.attacker,
        other,
        blow.weapon,
        ASTRAY,
        melee=False,
        feet=feet,
        nonlethal=blow.intent.nonlethal,
    )
    past.intent = replace(past.intent, taken=blow.outcome.natural)
    past.cites.append(rule)
    yield from strike(fight, past)


def square_of_landing(blow: Blow, direction: int, squares: int) -> tuple[int, int]:
    """Return the square where a missile lands: direction 1 is back towards the attacker."""
    at, origin = blow.target.at, blow.attacker.at
    back = (sign(origin[0] - at[0]), sign(origin[1] - at[1]))
    first = AROUND.index(back) if back in AROUND else 0
    x, y = AROUND[(first + direction - 1) % len(AROUND)]
    return at[0] + x * squares, at[1] + y * squares


def sign(number: int) -> int:
    """Return -1, 0 or 1."""
    return (number > 0) - (number < 0)


# --- Two weapons at once: the extra attack of the off hand, and its penalties (woa.two-weapon.*)

TABLE, EXTRA, BASH, THROWN = (
    "woa.two-weapon.penalty-table",
    "woa.two-weapon.extra-attack",
    "woa.two-weapon.shield-bash",
    "woa.two-weapon.thrown",
)
TRAINING, BASHING = "two-weapon fighting", "improved shield bash"
Rows = list[list[Modifier]]


def is_off_hand(combatant: Combatant, one: acts.Strike) -> bool:
    """Return whether a strike is with the off hand: declared so, or with the weapon held there."""
    return one.off_hand or any(
        weapon.off_hand for weapon in combatant.sheet.weapons if weapon.name == one.weapon
    )


def weapon_of_strike(fight: Fight, attacker: Combatant, weapon: Weapon, one: acts.Strike) -> Weapon:
    """Return a strike's weapon as wielded: in the off hand if the strike declares it."""
    return wield_with_another(fight, weapon, True) if one.off_hand else weapon


def attacks_with_off_hand(fight: Fight, actor: Combatant, act: acts.FullAttack, series: Rows) -> Rows:
    """Return the modifiers of each attack: the series, and one more with a weapon in the off hand.

    The off hand makes only that attack (woa.two-weapon.extra-attack). Strikes with the off hand alone do not
    count as two-weapon fighting.
    """
    off = sum(is_off_hand(actor, one) for one in act.strikes)
    if not off or off == len(act.strikes):
        return series
    extra = fight.figure(EXTRA, "extra_attacks")
    if off > extra:
        raise Refusal(f"the off hand of {actor.id} makes {extra} attack, not {off}", fight.rule(EXTRA))
    return [*series, *([] for _ in range(extra))]


def two_weapon_penalty(fight: Fight, actor: Combatant, act: acts.FullAttack) -> Steps[None]:
    """Apply the two-weapon penalty to all attack rolls of the round.

    A light weapon in the off hand and feats reduce it (woa.two-weapon.penalty-table, .shield-bash). A full
    attack with the off hand's weapon alone does not count as two-weapon fighting.
    """
    off = [one for one in act.strikes if is_off_hand(actor, one)]
    if not off or len(off) == len(act.strikes):
        return
    rule = fight.rule(EXTRA)
    weapon = weapon_of_strike(fight, actor, find_weapon(fight, actor, off[0].weapon), off[0])
    light, counted = is_light_in_off_hand(fight, weapon, off[0].thrown)
    feat = has_feat(actor, TRAINING)
    source = "two weapons" + (" (light off-hand weapon)" if light else "")
    if light or feat:
        value = next(
            one["penalty"]
            for one in fight.figure(TABLE)
            if (one["off_hand_light"], one["feat"]) == (light, feat)
        )
        part = Modifier(value, "penalty", source, fight.rule(TABLE))
    else:
        part = fight.modifier(EXTRA, "penalty_all_attacks", kind="penalty", source=source)
    parts = [part]
    if has_shield_bash_ease(fight, actor, act, weapon):
        parts.append(fight.modifier(BASH, "reduction", kind="untyped", source="Improved Shield Bash"))
    for number, one in enumerate(parts):
        yield EffectGained(
            who=actor.id,
            id=f"{fight.declaration}:two-weapons:{number}",
            stat="attack",
            modifier=one,
            until=Until("round-end", "", fight.state.round),
            cites=(rule, *counted, one.rule) if one is part else (one.rule,),
        )


def is_light_in_off_hand(fight: Fight, weapon: Weapon, thrown: bool) -> tuple[bool, tuple[str, ...]]:
    """Return whether an off-hand weapon counts as light, with the rule if it is a special case.

    Fists do; for thrown and slung weapons the rule lists which do (woa.two-weapon.thrown).
    """
    if thrown or weapon.wield == "projectile":
        for row in fight.figure(THROWN):
            if row["weapon"] == weapon.name:
                return row["treat_as"] == "light", fight.rules(THROWN)
    return weapon.wield in ("light", "unarmed"), ()


def has_shield_bash_ease(fight: Fight, attacker: Combatant, act: acts.FullAttack, weapon: Weapon) -> bool:
    """Return whether Improved Shield Bash reduces the penalty: for a shield and fists only."""
    if "shield" not in weapon.traits or not has_feat(attacker, BASHING):
        return False
    others = [one for one in act.strikes if not is_off_hand(attacker, one)]
    return all(find_weapon(fight, attacker, one.weapon).wield == "unarmed" for one in others)


# --- The attacks of a full attack, and the modifiers of each (woa.attack.full-attack)

OFTEN = 3


def rule_on_further_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> tuple[str, ...]:
    """Return the rule on extra attacks, if there are more strikes than the base attack bonus gives.

    woa.attack.extra-attacks-sources
    """
    own = full_attacks(fight, actor, acts.FullAttack())
    return fight.rules("woa.attack.extra-attacks-sources") if len(act.strikes) > len(own) else ()


def full_attacks(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the modifiers of each attack that a full attack allows, in order.

    Two at full bonus from base attack +6 (option `third_attack`: one more at each further -5); a
    weapon in the off hand gives one more (woa.two-weapon.extra-attack).
    """
    base = actor.sheet.base_attack
    rule = fight.rule("woa.attack.full-attack")
    second = fight.figure("woa.attack.full-attack", "bab_for_second_attack")
    series: list[list[Modifier]] = [[]]
    if fight.option("third_attack") == "iterative":
        step = second - 1
        lower = range(step, base, step)
        series += [
            [Modifier(-by, "iterative", f"attack {n} (third_attack: iterative)", rule)]
            for n, by in enumerate(lower, 2)
        ][:OFTEN]
    elif base >= second:
        series += [[]] * (fight.figure("woa.attack.full-attack", "attacks") - 1)
    return attacks_with_off_hand(fight, actor, act, series)
