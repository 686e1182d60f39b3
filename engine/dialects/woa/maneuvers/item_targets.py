"""Things as the target of a maneuver: who holds them, how firmly, and with what they are guarded."""

from affray.engine.dialects.woa.maneuvers.maneuver_check import BASE, strength_bonus
from affray.engine.fight.fight import Fight, is_down
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import wielded_in_two_hands
from affray.engine.rules.gear.held_weapons import held_weapons
from affray.engine.steps import Choice, Refusal, Steps
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant

LOST = frozenset({"dropped", "broken", "gone", "doffed"})


def weapon_in_hand(combatant: Combatant, item: str) -> Weapon | None:
    """Return the weapon of that name in a combatant's hands, None for anything else."""
    found = (one for one in held_weapons(combatant) if one.wield not in ("natural", "unarmed"))
    return next((one for one in found if one.name == item), None)


def named_item(fight: Fight, target: Combatant, item: str, topic: str) -> str:
    """Return the item that is meant, "" for the first weapon in hand. Refuses what is not there."""
    found = item or next(
        (one.name for one in held_weapons(target) if one.wield not in ("natural", "unarmed")), ""
    )
    if not found:
        raise Refusal(f"{target.id} holds no weapon", fight.rule(topic))
    if target.items.get(found) in LOST:
        raise Refusal(f"{target.id} has no {found} any more", fight.rule(topic))
    return found


def free_hands(combatant: Combatant) -> int:
    """Return how many hands hold neither a weapon nor a shield."""
    arms = [one for one in combatant.sheet.weapons if one.name in combatant.held]
    hands = sum(2 if wielded_in_two_hands(one) else 1 for one in arms)
    hands += len([name for name in combatant.held if all(one.name != name for one in arms)])
    hands += any(
        part.kind == "shield" and combatant.items.get(part.source or "shield") not in LOST
        for part in combatant.sheet.armor
    )
    return max(0, 2 - hands)


def guard_by_base_attack(fight: Fight, blow: Blow, item: str, topic: str) -> Steps[None]:
    """Let the defender of a weapon in hand put its base attack bonus in the place of its Strength bonus.

    Only with a weapon that it is proficient with; without that, and for other things in hand, Strength
    counts (woa.disarm.ac-proficient, woa.maneuver.sunder.ac-bab-option).
    """
    target = blow.target
    weapon = weapon_in_hand(target, item)
    strength = strength_bonus(fight, target)
    base = target.sheet.base_attack
    skilled = weapon is not None and weapon.proficient and not is_down(fight, target)
    chosen = "Strength"
    if skilled and base != strength and base > 0:
        options = ("base attack", "Strength") if base > strength else ("Strength", "base attack")
        question = f"does {target.id} guard its {item} by Strength {strength:+d} or base attack {base:+d}?"
        chosen = yield Choice(target.id, "guard", question, options, fight.rule(topic))
    if chosen == "base attack":
        blow.defense_extra.append(Modifier(base, "base", BASE, fight.rule(topic)))
    elif strength:
        blow.defense_extra.append(Modifier(strength, "ability", "Strength", fight.rule("woa.maneuver.ac")))
