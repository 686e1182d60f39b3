"""The grapple check: what each of those who make it brings to it (woa.grapple.check, .advantage)."""

from collections.abc import Sequence

from msgspec import Struct

from affray.engine.dialects.woa.grapple.grapple_state import (
    AHEAD,
    IMMOBILE,
    LOCKS,
    holds_and_locks,
    opponents,
)
from affray.engine.dialects.woa.grapple.grapple_words import HANDS, POSTURES
from affray.engine.fight.fight import Fight
from affray.engine.modifiers import Tally
from affray.engine.record.blow import Blow, Intent
from affray.engine.rules.attacks.attack_roll import common_attack_situation
from affray.engine.rules.classes.ability_modifiers import size_step, wielded_in_two_hands
from affray.engine.rules.classes.features import roll_parts
from affray.engine.rules.classes.saves_and_checks import check_parts, skill_parts
from affray.engine.rules.conditions.condition_rules import ruled_out
from affray.engine.rules.gear.held_weapons import bears_shield
from affray.engine.rules.gear.weapons_in_hand import unarmed
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


class Wrestler(Struct):
    """One who takes part in a round's check: what it adds, and its roll (0 before it)."""

    who: Combatant
    tally: Tally
    natural: int = 0
    cites: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """The result of the check."""
        return self.natural + self.tally.total


def declared_activity(combatant: Combatant) -> str:
    """Return what a grappler has declared for this round ("nothing" without a plan)."""
    return next((what for type_, what, _ in combatant.plan if type_ == "grapple"), "nothing")


def grapple_side(
    fight: Fight, combatant: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> Wrestler:
    """Return what a grappler brings to a grapple check, or to Escape Artist in its place, not yet rolled.

    If all that oppose it are immobile, that is as good as a 20 (woa.grapple.check,
    woa.grapple.activity.escape, option `pinned_maneuvers`).
    """
    cites = [fight.rule("woa.grapple.check")]
    if declared_activity(combatant) == "escape-artist":
        rule = fight.rule("woa.grapple.activity.escape")
        cites.append(rule)
        parts = skill_parts(fight, combatant, "escape artist", "dex", rule)
        parts = check_parts(fight, combatant, "escape artist", parts)
    else:
        parts = grapple_parts(fight, combatant, against, rolling)
    tally = fight.dialect.attacks.stack(fight, ruled_out(combatant, "grapple", parts))
    sure = fight.option("pinned_maneuvers") == "all" and all(IMMOBILE in one.conditions for one in against)
    natural = fight.figure("woa.attack.natural-20", "face") if sure else 0
    return Wrestler(combatant, tally, natural, tuple(cites))


def grapple_parts(
    fight: Fight, combatant: Combatant, against: Sequence[Combatant], rolling: Sequence[Combatant]
) -> list[Modifier]:
    """Return the parts of a grapple check: the unarmed attack bonus and all that modifies attacks.

    Posture does not count. All but the smallest add the size modifier of maneuvers; the advantage counts,
    and every hand that holds something else (woa.grapple.check, .advantage, .activity.manipulate-item).
    """
    blow = Blow(combatant, against[0], unarmed(fight, combatant), True, 0, Intent("grapple"))
    parts = [*fight.dialect.attacks.attack_bonus(fight, blow)]
    parts += [part for part in common_attack_situation(fight, blow) if part.source not in POSTURES]
    larger = size_step(combatant) - min(size_step(one) for one in rolling)
    if larger:
        topic = "woa.maneuver.size-modifier"
        per = fight.figure(topic, "per_category_attacker_larger")
        parts.append(Modifier(per * larger, "size", f"{larger} larger than the smallest", fight.rule(topic)))
    parts += advantage_parts(fight, combatant)
    busy = busy_hands(combatant)
    if busy:
        topic = "woa.grapple.activity.manipulate-item"
        per = fight.figure(topic, "check_penalty_per_occupied_hand")
        source = "both hands occupied" if busy == HANDS else "1 hand occupied"
        parts.append(Modifier(per * busy, "penalty", source, fight.rule(topic)))
    return parts + roll_parts(fight, combatant, "check", "grapple")


def busy_hands(combatant: Combatant) -> int:
    """Return how many of the two hands hold a weapon, an item or a shield; a buckler leaves its hand free."""
    busy = 0
    weapons = {weapon.name: weapon for weapon in combatant.sheet.weapons}
    for item in combatant.held:
        weapon = weapons.get(item)
        busy += HANDS if weapon is not None and wielded_in_two_hands(weapon) else 1
    return min(HANDS, busy + bears_shield(combatant))


def advantage_parts(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what the advantage gives: more with a pin or a lock in place, less with a hand on a mouth.

    A hold counts if it was in place as the round began; of several each multiplies the plain advantage
    (woa.grapple.advantage, woa.grapple.hold.*).
    """
    if AHEAD not in combatant.conditions:
        return []
    held = [
        name
        for other in opponents(fight, combatant)
        for name in holds_and_locks(fight, combatant, other)
        if other.conditions[name].level < fight.state.round
    ]
    if not held:
        return [fight.modifier("woa.grapple.advantage", "bonus", kind="advantage", source="advantage")]
    source = f"advantage ({', '.join(held)})"
    if len(held) == 1:
        return [fight.modifier(LOCKS[held[0]], "advantage", kind="advantage", source=source)]
    topic = "woa.grapple.hold.advantage-table"
    value = fight.figure("woa.grapple.advantage", "bonus") * 100
    for name in held:
        value = value * int(fight.figure(topic, f"hold={name}", "factor") * 100) // 100
    return [Modifier(value // 100, "advantage", source, fight.rule(topic))]
