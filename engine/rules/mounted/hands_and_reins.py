"""The hand that guides the mount, and what is left for weapons and shield (srd35.mount.knees)."""

from affray.engine.fight.fight import Fight
from affray.engine.rules.gear.weapons_in_hand import is_lance
from affray.engine.steps import Refusal, Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def refuse_both_hands(fight: Fight, combatant: Combatant, weapons: list[Weapon], second: str = "") -> None:
    """Refuse a rider what takes both hands while one of them holds the reins.

    A lance is couched in one hand; a `second` weapon takes the other hand (srd35.mount.knees,
    pf1.mount.knees).
    """
    if combatant.spent.get("knees"):
        return
    if second:
        raise Refusal(
            f"{combatant.id} needs a hand to guide the mount, and the other for the {second}",
            fight.rule("mount.knees"),
        )
    for weapon in weapons:
        both = weapon.hands == 2 or weapon.wield == "two-handed" or weapon.family == "bow"
        if (both and not is_lance(weapon)) or weapon.off_hand:
            raise Refusal(
                f"{combatant.id} needs a hand to guide the mount, and both for the {weapon.name}",
                fight.rule("mount.knees"),
            )


def lower_riders_shield(fight: Fight, combatant: Combatant) -> Steps[None]:
    """Lower the shield of a rider until the next turn (srd35.mount.knees)."""
    yield from deny_riders_shield(
        fight, combatant, "mount.knees", Until("turn-start", combatant.id, fight.state.round + 1)
    )


def deny_riders_shield(fight: Fight, combatant: Combatant, topic: str, until: Until) -> Steps[None]:
    """Deny the shield of a rider who has struck with one hand and guided the mount with the other."""
    shields = any(bonus.kind == "shield" for bonus in combatant.sheet.armor)
    lowered = any(effect.id.endswith(":reins") for effect in combatant.effects)
    if combatant.spent.get("knees") or not shields or lowered:
        return
    rule = fight.rule(topic)
    yield EffectGained(
        who=combatant.id,
        id=f"{fight.declaration}:reins",
        stat="no.defense",
        modifier=Modifier(0, "untyped", "shield", rule),
        until=until,
        cites=(rule,),
    )
