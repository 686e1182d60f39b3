"""What the situation does to an attack: cover, concealment, flanking, high ground, range, relative size."""

from affray.engine.dialects.woa.attacks.flanking import flanked_by
from affray.engine.dialects.woa.defense.cover import better_of_cover_and_posture, refuse_covered
from affray.engine.dialects.woa.environment import underwater_combat
from affray.engine.dialects.woa.position import crowding
from affray.engine.dialects.woa.position.high_ground import refuse_too_high
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import size_step
from affray.engine.rules.conditions.condition_rules import condition_parts
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.events.wording import counted


def range_penalties(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return -2 for each full range increment, and what water adds to it (woa.range.penalty, woa.water.*)."""
    parts = range_penalty(fight, blow)
    return [*parts, *underwater_combat.range_parts(fight, blow, parts)]


def flanked_opportunity(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what flanking takes off attacks of opportunity of the flanked (woa.flanking.penalties)."""
    if not flanked_by(fight, blow.attacker):
        return []
    return [fight.modifier("woa.flanking.penalties", "aoo_attack_rolls", kind="penalty", source="flanked")]


def relative_size(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return +2 for each category that the target is larger, -2 if smaller; ranged attacks only.

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
    """Return what cover and conditions do to the target's AC: of cover and a low posture the better counts.

    woa.modifiers.attack-vs-ac, woa.cover.overlap-posture.
    """
    target = blow.target
    parts = fight.dialect.defense.cover(fight, blow)
    if not target.conditions:
        return parts
    found = condition_parts(fight, target, "defense.melee" if blow.melee else "defense.ranged")
    return better_of_cover_and_posture(fight, [*parts, *found])


def no_miss_chance(fight: Fight, blow: Blow) -> tuple[int, str, str]:
    """Return no miss chance: concealment is a penalty here (woa.concealment.attack-penalty)."""
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
    crowding.refuse_no_room(fight, blow)
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
