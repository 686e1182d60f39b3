"""Natural weapons: primary and secondary ones, the only one, and all of them in a full attack.

srd35.natural-weapons, srd35.natural-weapons.single, srd35.feat.multiattack, pf1.natural.attacks.
"""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.compose import amend, choose, refine, when
from affray.engine.rules.classes.feat_prerequisites import masters
from affray.engine.rules.gear.held_weapons import held_weapons, natural_weapons, strikes_per_full_attack
from affray.engine.rules.gear.weapons_in_hand import find_weapon
from affray.engine.rules.turns.action_budget import ATTACKS, LIMB, OFF_HAND
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.events.wording import counted
from affray.projections.state import Combatant

SECONDARY: Final = "secondary"
#: What a printed stat block says of an attack that its bonus already holds.
PRINTED: Final = ("secondary natural attack", "Strength,")


def ordinary_natural_weapons(combatant: Combatant) -> list[Weapon]:
    """Return the natural weapons that strike in an ordinary full attack: all but what rakes."""
    return [weapon for weapon in natural_weapons(combatant) if "rake" not in weapon.traits]


def accounted_for(weapon: Weapon) -> bool:
    """Say whether the weapon's own bonuses, as printed, hold what a secondary or only attack changes."""
    parts = (*weapon.attack, *weapon.bonus_damage)
    return any(part.source.startswith(PRINTED) for part in parts)


def marked_secondary(fight: Fight, combatant: Combatant, weapon: Weapon) -> bool:
    """Say whether a natural weapon is a secondary one by its trait, and its own bonuses do not hold that."""
    return SECONDARY in weapon.traits and not accounted_for(weapon)


def is_secondary(fight: Fight, blow: Blow) -> bool:
    """Say whether a natural weapon strikes as a secondary one: by its nature, or beside held weapons."""
    weapon = blow.weapon
    if accounted_for(weapon):
        return False
    if any(part.kind == SECONDARY for part in blow.attack_extra):
        return True
    return fight.dialect.attacks.secondary_limb(fight, blow.attacker, weapon)


def is_single(blow: Blow) -> bool:
    """Say whether a natural weapon is the only attack that a creature has.

    A weapon marked as primary is one of several, whatever the sheet lists (srd35.natural-weapons.single,
    pf1.natural.attacks).
    """
    weapon = blow.weapon
    if "primary" in weapon.traits or accounted_for(weapon):
        return False
    return ordinary_natural_weapons(blow.attacker) == [weapon] and strikes_per_full_attack(weapon) == 1


def secondary_part(fight: Fight, combatant: Combatant) -> Modifier:
    """Return what a secondary natural weapon has to bear, less with Multiattack.

    srd35.natural-weapons, srd35.feat.multiattack, pf1.natural.attacks.
    """
    if masters(fight, combatant, "multiattack"):
        return fight.modifier(
            "feat.multiattack", "secondary", kind=SECONDARY, source="secondary, Multiattack"
        )
    source = "secondary natural weapon"
    return fight.modifier("natural-weapons", "secondary_attack", kind=SECONDARY, source=source)


def less_if_secondary(fight: Fight, blow: Blow, parts: tuple[Modifier, ...]) -> tuple[Modifier, ...]:
    """Return what sheet and weapon give to an attack, less for a secondary natural weapon."""
    attacker = blow.attacker
    if not fight.dialect.attacks.secondary_limb(fight, attacker, blow.weapon):
        return parts
    return (*parts, secondary_part(fight, attacker))


def strikes_with_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> bool:
    """Say whether a strike of a full attack is one of a natural weapon."""
    for one in actor.sheet.weapons:
        if one.wield == "natural":
            break
    else:
        return False
    found = [find_weapon(fight, actor, one.weapon) for one in act.strikes if not one.special]
    return any(weapon.wield == "natural" for weapon in found)


def struck_with(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[Weapon | None]:
    """Return the natural weapon of each strike of a full attack, None for one with anything else."""
    found = [find_weapon(fight, actor, one.weapon) if not one.special else None for one in act.strikes]
    return [weapon if weapon is not None and weapon.wield == "natural" else None for weapon in found]


def refuse_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse more strikes than a natural weapon has in the whole full attack, and with what rakes.

    srd35.natural-weapons, srd35.constrict-rake-rend, pf1.natural.attacks, pf1.constrict-rend-rake.
    """
    limbs = [weapon for weapon in struck_with(fight, actor, act) if weapon is not None]
    rule = fight.rule("natural-weapons")
    for weapon in limbs:
        refuse_rake(fight, actor, weapon)
        if limbs.count(weapon) + limb_used(actor, weapon) > strikes_per_full_attack(weapon):
            times = counted(strikes_per_full_attack(weapon), "time")
            raise Refusal(f"the {weapon.name} strikes only {times} in a full attack", rule)


def refuse_rake(fight: Fight, actor: Combatant, weapon: Weapon) -> None:
    """Refuse to strike with what only rakes (srd35.constrict-rake-rend, pf1.constrict-rend-rake)."""
    if "rake" in weapon.traits:
        reason = f"{actor.id} can rake only an opponent that it holds in a grapple"
        raise Refusal(reason, fight.rule("constrict-rake-rend"))


def strikes_with_limbs_only(fight: Fight, actor: Combatant, act: acts.FullAttack) -> bool:
    """Say whether all strikes of a full attack are those of natural weapons."""
    return all(struck_with(fight, actor, act))


def no_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> list[list[Modifier]]:
    """Return the attacks of a full attack in which no hand strikes: none."""
    return []


def strikes_of_hands(fight: Fight, actor: Combatant, act: acts.FullAttack) -> acts.FullAttack:
    """Return a full attack without the strikes of natural weapons."""
    limbs = struck_with(fight, actor, act)
    held = [one for one, limb in zip(act.strikes, limbs, strict=True) if limb is None]
    return replace(act, strikes=tuple(held))


def with_limbs(
    fight: Fight, actor: Combatant, act: acts.FullAttack, hands: list[list[Modifier]]
) -> list[list[Modifier]]:
    """Return the modifiers of each attack of a full attack in which natural weapons strike, then the rest.

    Beside held weapons, whose attacks are given, all of them are secondary (srd35.natural-weapons,
    pf1.natural.attacks).
    """
    series = iter(hands)
    found = struck_with(fight, actor, act)
    held = not all(found) or hands_used(actor) > 0
    parts: list[list[Modifier]] = []
    for each in found:
        if each is None:
            following = next(series, None)
            if following is None:
                return parts
            parts.append(following)
        else:
            parts.append(beside_held_weapons(fight, actor, each) if held else [])
    left = sum(
        strikes_per_full_attack(one) - limb_used(actor, one) - found.count(one)
        for one in ordinary_natural_weapons(actor)
    )
    return [*parts, *series, *([] for _ in range(left))]


def beside_held_weapons(fight: Fight, actor: Combatant, weapon: Weapon) -> list[Modifier]:
    """Return what a natural weapon has to bear beside weapons in hand, if not for each of its attacks."""
    return [] if bears_penalty(fight, actor, weapon) else [secondary_part(fight, actor)]


def limb_used(actor: Combatant, weapon: Weapon) -> int:
    """Return how many attacks with a natural weapon an open full attack has made."""
    return actor.spent.get(f"{LIMB}{weapon.name}", 0)


def main_hand_used(actor: Combatant) -> int:
    """Return how many attacks of the main hand an open full attack has made."""
    limbs = sum(amount for kind, amount in actor.spent.items() if kind.startswith(LIMB))
    return actor.spent.get(ATTACKS, 0) - limbs


def hands_used(actor: Combatant) -> int:
    """Return how many attacks of either hand an open full attack has made."""
    return main_hand_used(actor) + actor.spent.get(OFF_HAND, 0)


def refuse_hands_after_limbs(fight: Fight, actor: Combatant, act: acts.FullAttack) -> None:
    """Refuse attacks with hands in a full attack that natural weapons have begun as primary ones.

    srd35.natural-weapons, pf1.natural.attacks.
    """
    if not hands_used(actor) and not all(struck_with(fight, actor, act)):
        reason = "natural weapons have struck at their full bonus: nothing else strikes beside them"
        raise Refusal(reason, fight.rule("natural-weapons"))


def bears_penalty(fight: Fight, actor: Combatant, weapon: Weapon) -> bool:
    """Say whether each attack with a natural weapon has the penalty of a secondary one already."""
    printed = SECONDARY in weapon.traits and accounted_for(weapon)
    return printed or fight.dialect.attacks.secondary_limb(fight, actor, weapon)


def limbs_and_hands(
    series_of_hands: Callable[..., list[list[Modifier]]],
) -> Callable[..., list[list[Modifier]]]:
    """Return the series of a full attack in which natural weapons strike: alone, or beside those of hands."""
    alone = when("", no_hands, holds=strikes_with_limbs_only)
    return refine(choose(alone, amend(strikes_of_hands, series_of_hands)), with_limbs)


def strikes_of_every_limb(
    fight: Fight, attacker: Combatant, enemy: Combatant, weapon: Weapon
) -> tuple[acts.Strike, ...]:
    """Return the strikes of a usual full attack with every limb."""
    reaching = [one for one in held_weapons(attacker) if one in ordinary_natural_weapons(attacker)]
    return tuple(
        acts.Strike(enemy.id, one.name) for one in reaching for _ in range(strikes_per_full_attack(one))
    )
