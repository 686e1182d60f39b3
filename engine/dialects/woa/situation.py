"""What the situation does to an attack: cover, concealment, flanking, high ground, range, relative size."""

from affray.engine.dialects.woa import aloft, horseback, wet
from affray.engine.dialects.woa.objects import damaged_parts
from affray.engine.fight import Fight
from affray.engine.grid.concealment import obscured
from affray.engine.grid.flanking import opposite
from affray.engine.rules.abilities import has_trait, size_step
from affray.engine.rules.attack import common_attack_situation
from affray.engine.rules.blow import Blow
from affray.engine.rules.conditions import can_react, condition_parts, effect_parts, is_down
from affray.engine.rules.features import blow_parts
from affray.engine.rules.place import cover_between, distance, sees
from affray.engine.rules.threat import threatens
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

DEGREES = ("none", "one-quarter", "one-half", "three-quarters", "total")


def attack_situation(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what changes the roll: conditions, range, relative size, concealment (woa.modifiers.*)."""
    parts = common_attack_situation(fight, blow)
    if blow.attacker.resources:
        parts += damaged_parts(fight, blow)
    if not blow.melee:
        parts += size_difference(fight, blow)
        ranged = range_parts(fight, blow)
        parts += [*ranged, *wet.range_parts(fight, blow, ranged)]
    if blow.attacker.mount:
        parts += horseback.attack_parts(fight, blow)
    if blow.attacker.conditions or blow.target.conditions:
        parts += wet.attack_parts(fight, blow)
        blow.cites += wet.veiled(fight, blow)
    if blow.kind == "opportunity" and flanked_by(fight, blow.attacker):
        parts.append(
            fight.modifier("flanking.penalties", "aoo_attack_rolls", kind="penalty", source="flanked")
        )
    parts += concealment(
        fight, blow.attacker, blow.target, blow.melee, "attack", "concealment.attack-penalty"
    )
    return parts


def size_difference(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return +2 for each category that the target is larger, -2 if smaller; ranged attacks only.

    woa.attack-bonus.ranged-size-difference
    """
    steps = size_step(blow.target) - size_step(blow.attacker)
    if not steps:
        return []
    topic = "attack-bonus.ranged-size-difference"
    path = "per_category_target_larger" if steps > 0 else "per_category_target_smaller"
    word = "larger" if steps > 0 else "smaller"
    value = fight.figure(topic, path) * abs(steps)
    return [Modifier(value, "size", f"target {abs(steps)} sizes {word}", fight.rule(topic))]


def range_parts(fight: Fight, blow: Blow) -> list[Modifier]:
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
    value = fight.figure("range.penalty", "penalty_per_full_increment") * count
    return [Modifier(value, "penalty", source, fight.rule("range.penalty"))]


def defense_situation(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what place, tactics and conditions do to the target's AC (woa.modifiers.attack-vs-ac)."""
    target, attacker = blow.target, blow.attacker
    parts = fight.dialect.points.cover(fight, blow)
    if target.conditions:
        covered = any(part.kind == "cover" for part in parts)
        for part in condition_parts(fight, target, "defense.melee" if blow.melee else "defense.ranged"):
            if covered and part.kind == "posture":
                denied = f"overlaps with cover ({fight.rule('cover.overlap-posture')})"
                part = Modifier(part.value, part.kind, part.source, part.rule, denied)
            parts.append(part)
    if target.effects:
        reason, topic = fight.dialect.points.dexterity_denied(fight, blow)
        for part in effect_parts(target, "defense", attacker.id):
            if reason and part.kind == "dodge":
                denied = f"{reason}: dodge bonuses denied ({fight.rule(topic)})"
                part = Modifier(part.value, part.kind, part.source, part.rule, denied)
            parts.append(part)
    if flanked_by(fight, target):
        parts.append(fight.modifier("flanking.penalties", "ac", kind="penalty", source="flanked"))
    parts += aloft.defense_parts(fight, blow)
    if blow.melee:
        parts += high_ground(fight, blow)
    parts += concealment(fight, target, attacker, blow.melee, "ac", "concealment.ac-penalty")
    return parts + blow_parts(fight, blow, "defense")


def high_ground(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the change of AC between different heights (woa.high-ground.*)."""
    attacker, target = blow.attacker, blow.target
    field = fight.field
    above: int = field.high(attacker.at, attacker.space)
    below: int = field.high(target.at, target.space)
    if higher := aloft.above(blow):
        above, below = higher, -higher
        blow.cites.append(fight.rule("fly.high-ground"))
    if horseback.looks_down(fight, blow):
        blow.cites.append(fight.rule("mount.combat.higher-ground"))
        where, source = "defender_lower", "below a rider"
        return [fight.modifier("high-ground.ac-modifier", where, "ac", kind="circumstance", source=source)]
    if above != below and wet.weightless(blow):
        blow.cites.append(fight.rule("water.no-high-ground"))
        return []
    if above == below or abs(size_step(attacker) - size_step(target)) > 1:
        return []
    where = "defender_lower" if above > below else "defender_higher"
    source = "lower ground" if above > below else "higher ground"
    return [fight.modifier("high-ground.ac-modifier", where, "ac", kind="circumstance", source=source)]


def flanked_by(fight: Fight, who: Combatant) -> tuple[Combatant, Combatant] | None:
    """Return two enemies that flank a combatant, if any do.

    Both threaten it from opposite sides and, unless the option says otherwise, could react
    (woa.flanking.penalties, woa.flanking.must-threaten; option `flanker_reactions`).
    """
    enemies = [one for one in fight.enemies(who) if not is_down(fight, one) and threatens(fight, one, who)]
    if len(enemies) < 2:
        return None
    if fight.option("flanker_reactions") == "needed":
        enemies = [one for one in enemies if not can_react(fight, one)]
    place = (who.at, who.space)
    for index, one in enumerate(enemies):
        for other in enemies[index + 1 :]:
            if opposite((one.at, one.space), (other.at, other.space), place):
                return one, other
    return None


def cover_degree(fight: Fight, attacker: Combatant, target: Combatant, melee: bool) -> tuple[str, str, str]:
    """Return (degree, source, topic) of the cover that a target has from an attacker.

    Half of the body behind a low wall is a quarter, a corner one half, a creature of one's own size one
    half, a smaller one a quarter (woa.cover.degree, woa.cover.creature.*).
    """
    found = cover_between(fight, attacker, target, melee)
    if found.kind == "none":
        return "none", "", "cover.degree"
    if found.kind == "total":
        return "total", "total cover", "cover.total"
    if found.kind == "cover":
        place = ", ".join(f"{x},{y}" for x, y in found.squares[:3])
        if not found.low:
            return "one-half", f"a corner at {place}", "cover.degree"
        source = f"a low wall at {place}"
        if "kneeling" in target.conditions or "crouching" in target.conditions:
            return "three-quarters", source, "cover.overlap-posture"
        steps = size_step(attacker) - size_step(target)
        if melee and steps < 0:
            return "one-half", source, "cover.degree-relative-size"
        if melee and steps > 1:
            return "none", source, "cover.degree-relative-size"
        return "one-quarter", source, "cover.degree"
    return creature_cover(fight, attacker, target, found.creatures, melee)


def creature_cover(
    fight: Fight, attacker: Combatant, target: Combatant, names: tuple[str, ...], melee: bool
) -> tuple[str, str, str]:
    """Return the best cover that creatures in between give; crouching ones count one size smaller."""
    best = ("none", "", "cover.degree")
    for name in names:
        other = fight.state.combatants[name]
        if "prone" in other.conditions and size_step(other) <= size_step(target):
            continue
        low = "kneeling" in other.conditions or "crouching" in other.conditions
        steps = size_step(other) - low - size_step(target)
        if steps < -1:
            continue
        if steps == -1:
            if not melee and distance(attacker, other) < distance(other, target):
                continue
            found = ("one-quarter", f"{name} in the way", "cover.creature.smaller")
        else:
            topic = "cover.creature.reach-weapon" if melee else "cover.creature.ranged"
            found = ("one-half", f"{name} in the way", topic)
        if DEGREES.index(found[0]) > DEGREES.index(best[0]):
            best = found
    return best


def cover_parts(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the AC bonus of the target's cover (woa.cover.table).

    Nobody whom another one is pushed into has cover from that other.
    """
    if blow.kind == "through":
        return []
    degree, source, _ = cover_degree(fight, blow.attacker, blow.target, blow.melee)
    if degree in ("none", "total"):
        return []
    path = ("rows", f"degree={degree}", "ac_bonus")
    return [fight.modifier("cover.table", *path, kind="cover", source=f"{degree} cover: {source}")]


def half_covered(fight: Fight, attacker: Combatant, target: Combatant) -> bool:
    """Say whether one-half cover or better is between two in melee (woa.cover.no-attack-of-opportunity)."""
    degree, _, _ = cover_degree(fight, attacker, target, True)
    return DEGREES.index(degree) >= DEGREES.index("one-half")


def concealment(
    fight: Fight, viewer: Combatant, other: Combatant, melee: bool, column: str, topic: str
) -> list[Modifier]:
    """Return the penalties for not seeing `other` well, added up to that of total concealment.

    Figures are completed, the text prints none (woa.concealment.figures; option `unprinted_tables`).
    """
    found = degrees(fight, viewer, other, melee)
    if not found or fight.option("unprinted_tables") == "printed-only":
        return []
    worst = fight.figure("concealment.figures", "degree=total", column)
    parts = []
    total = 0
    for degree, why in found:
        value = max(fight.figure("concealment.figures", f"degree={degree}", column), worst - total)
        total += value
        if value:
            parts.append(
                Modifier(value, "penalty", f"{degree} concealment: {why}", fight.rule("concealment.figures"))
            )
    return parts


def degrees(fight: Fight, viewer: Combatant, other: Combatant, melee: bool) -> list[tuple[str, str]]:
    """Return the degrees of concealment that `other` has from `viewer`, with their sources."""
    found = []
    if "invisible" in other.conditions and not has_trait(viewer, "see invisibility"):
        found.append(("total", f"{other.id} is invisible"))
    if "blinded" in viewer.conditions:
        found.append(("total", f"{viewer.id} is blinded"))
    elif "dazzled" in viewer.conditions:
        found.append(("one-quarter", f"{viewer.id} is dazzled"))
    if obscured(fight.field, (viewer.at, viewer.space), (other.at, other.space), melee=melee):
        found.append(("one-half", "fog or foliage"))
    if viewer.conditions or other.conditions:
        degree, why, _ = wet.veil(fight, viewer, other)
        found += [(degree, why)] if degree else []
    return found


def unseen(fight: Fight, viewer: Combatant, other: Combatant) -> bool:
    """Say whether `other` has total concealment from `viewer` (woa.concealment.total.no-reactions)."""
    return any(degree == "total" for degree, _ in degrees(fight, viewer, other, True))


def no_miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return no miss chance: concealment is a penalty here (woa.concealment.attack-penalty)."""
    return 0, "", ""


def refuse_untargetable(fight: Fight, blow: Blow) -> None:
    """Refuse an attack without line of effect, on the dead, or beyond the range.

    Thrown weapons reach five increments, projectiles ten (woa.cover.total, woa.range.max-*).
    """
    attacker, target, weapon = blow.attacker, blow.target, blow.weapon
    if target is attacker:
        raise Refusal(f"{attacker.id} cannot attack itself", fight.rule("attack.melee-reach"))
    if "dead" in target.conditions:
        raise Refusal(f"{target.id} is dead already", fight.rule("attack.melee-reach"))
    if not sees(fight, attacker, target):
        raise Refusal(
            f"{attacker.id} has no line of effect to {target.id}: total cover", fight.rule("cover.total")
        )
    if blow.melee:
        return
    topic, path = (
        ("range.max-thrown", "thrown_max_increments")
        if weapon.thrown
        else ("range.max-projectile", "projectile_max_increments")
    )
    if not weapon.range or blow.distance > weapon.range * fight.figure(topic, path):
        raise Refusal(
            f"{target.id} is {blow.distance} ft. away, beyond the {weapon.name}'s range", fight.rule(topic)
        )
