"""What holding and being held costs: penalties, limbs, speed, reactions (woa.grab.*)."""

from fractions import Fraction

from affray.engine.dialects.woa.grapple.grab_state import (
    GRABBED,
    GRABBING,
    OTHER_ARM,
    WEAPON_ARM,
    hands_on,
    held_by,
    holding,
    parts_held,
)
from affray.engine.dialects.woa.table_cells import table_modifier
from affray.engine.fight.fight import Fight
from affray.engine.fight.memory import per_scene
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import sizes_larger, wielded_in_two_hands
from affray.engine.rules.gear.held_weapons import bears_shield
from affray.engine.steps import Refusal
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

HANDS = 2
#: The table of penalties goes this many sizes either way.
MOST_SIZES = 3
#: Checks that need no freedom of movement.
BODILY = (
    "strength",
    "dexterity",
    "acrobatics",
    "athletics",
    "escape artist",
    "climb",
    "jump",
    "swim",
    "tumble",
)


@per_scene("combatant.id")
def hold_penalties(fight: Fight, combatant: Combatant) -> list[Modifier]:
    """Return what every hold that a combatant has, or is in, takes off; they add up.

    woa.grab.combat-penalties-scope, woa.grab.multiple-penalties-sum
    """
    if GRABBING not in combatant.conditions and GRABBED not in combatant.conditions:
        return []
    made: list[Modifier] = []
    for other in holding(fight, combatant):
        made += hold_penalty(fight, sizes_larger(combatant, other), "grabber", f"holds {other.id}")
    for other in held_by(fight, combatant):
        made += hold_penalty(fight, sizes_larger(other, combatant), "grabbed", f"held by {other.id}")
    return made


def hold_penalty(fight: Fight, steps: int, column: str, source: str) -> list[Modifier]:
    """Return the penalty of one hold, by how many sizes the holder is the larger one."""
    steps = max(-MOST_SIZES, min(MOST_SIZES, steps))
    topic = "woa.grab.combat-penalties-scope"
    return table_modifier(fight, topic, f"larger={steps}", column, kind="penalty", source=source)


def holds_on_attack(fight: Fight, blow: Blow, detail: str) -> list[Modifier]:
    """Return what holds do to an attack roll."""
    return hold_penalties(fight, blow.attacker)


def holds_on_check(fight: Fight, combatant: Combatant, name: str, detail: str) -> list[Modifier]:
    """Return what holds do to a check that asks for freedom of movement."""
    return hold_penalties(fight, combatant) if name in BODILY else []


def seized_arms(fight: Fight, combatant: Combatant) -> set[str]:
    """Return the arms that a combatant cannot use, because they are held."""
    return (
        parts_held(fight, combatant) & {WEAPON_ARM, OTHER_ARM} if GRABBED in combatant.conditions else set()
    )


def hands_free_in_grab(fight: Fight, combatant: Combatant) -> int:
    """Return how many of two hands hold nothing and nobody, and are not held (woa.grab.free-hand).

    The weapon is in the weapon arm, a shield or a second item in the other; two hands on a weapon take both.
    """
    arms = {WEAPON_ARM, OTHER_ARM} - seized_arms(fight, combatant)
    weapons = {weapon.name: weapon for weapon in combatant.sheet.weapons}
    for item in combatant.held:
        weapon = weapons.get(item)
        if weapon is not None and wielded_in_two_hands(weapon):
            arms.clear()
        arms.discard(WEAPON_ARM if item == combatant.held[0] else OTHER_ARM)
    if bears_shield(combatant):
        arms.discard(OTHER_ARM)
    return max(0, len(arms) - sum(hands_on(combatant, other.id) for other in holding(fight, combatant)))


def refuse_arm(fight: Fight, grappler: Combatant, weapon: Weapon) -> None:
    """Refuse to strike in any way with a weapon whose arm is not free (woa.grab.occupied-limbs)."""
    if not arm_free(fight, grappler, weapon):
        reason = f"{grappler.id} has no arm free for the {weapon.name}"
        raise Refusal(reason, fight.rule("woa.grab.occupied-limbs"))


def arm_free(fight: Fight, grappler: Combatant, weapon: Weapon) -> bool:
    """Say whether no hold, on it or of its own, takes away the arm, or both, that a weapon needs."""
    if weapon.wield in ("natural", "unarmed") or not grappler.conditions.keys() & {GRABBED, GRABBING}:
        return True
    arms = seized_arms(fight, grappler)
    busy = sum(hands_on(grappler, other.id) for other in holding(fight, grappler))
    second = weapon.off_hand or (weapon.name in grappler.held and weapon.name != grappler.held[0])
    arm = OTHER_ARM if second else WEAPON_ARM
    return not (arm in arms or (wielded_in_two_hands(weapon) and bool(arms or busy)) or busy >= HANDS)


def speed_divisor(fight: Fight, combatant: Combatant) -> Fraction:
    """Return what being held divides the speed by, 1 or more.

    2 for each holder of the same size, twice that for each size larger, half for each smaller
    (woa.grab.restricted-movement, option `grabbed_speed`).
    """
    topic = "woa.grab.restricted-movement"
    each: list[Fraction] = []
    for one in held_by(fight, combatant):
        steps = sizes_larger(one, combatant)
        if steps < 0 and fight.option("grabbed_speed") == "smaller-ignored":
            continue
        double = fight.figure(topic, "larger_by_1_factor")
        factor = Fraction(fight.figure(topic, "larger_by_2_factor")) if steps > 1 else Fraction(1)
        each.append(factor * Fraction(double) ** (steps - HANDS if steps > 1 else steps))
    each.sort(reverse=True)
    first: int = fight.figure(topic, "same_size_divisor")
    more: int = fight.figure(topic, "each_additional_same_size")
    return max(Fraction(1), first * sum(each[:1], Fraction(0)) + more * sum(each[1:], Fraction(0)))


def speed_under_holds(fight: Fight, combatant: Combatant, feet: int) -> int:
    """Return the speed that holds leave, in feet, and the weight of who hangs on (woa.grab.encumbrance)."""
    if "weighed down" in combatant.conditions:
        rows = fight.figure("woa.speed.by-race")
        feet = next((row["encumbered_ft"] for row in rows if row["speed_ft"] == feet), feet)
    return int(feet / speed_divisor(fight, combatant)) if GRABBED in combatant.conditions else feet


def no_dodge(fight: Fight, combatant: Combatant) -> bool:
    """Say whether holding or being held forbids to dodge (woa.grab.dodge-block)."""
    free = bool(fight.figure("woa.grab.dodge-block", "dodge"))
    return not free and (GRABBING in combatant.conditions or GRABBED in combatant.conditions)


def blocks_with(fight: Fight, combatant: Combatant, arm: str) -> bool:
    """Say whether the shield arm or the weapon arm is free to block (woa.grab.dodge-block)."""
    busy = (
        sum(hands_on(combatant, other.id) for other in holding(fight, combatant))
        if GRABBING in combatant.conditions
        else 0
    )
    return arm not in seized_arms(fight, combatant) and busy < HANDS


def held_target(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what holds take off the AC of the target of a blow (woa.grab.combat-penalties-scope)."""
    return hold_penalties(fight, blow.target)
