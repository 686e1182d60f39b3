"""What the skill of riding is for in a fight: control, knees, cover, spurs (srd35.skill.ride-table)."""

from affray.engine.fight.fight import Fight
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def is_trained(fight: Fight, steed: Combatant) -> bool:
    """Say whether a mount is trained for combat (srd35.mount.combat-trained)."""
    return is_listed(fight, steed, "trained")


def is_frightened(fight: Fight, steed: Combatant) -> bool:
    """Say whether combat frightens a mount: the horses of the list, unless they are trained for it."""
    return is_listed(fight, steed, "frightened") and not is_trained(fight, steed)


def is_listed(fight: Fight, steed: Combatant, column: str) -> bool:
    """Say whether a mount's name or one of its traits is, or ends with, a name of the list."""
    listed = fight.figure("mount.combat-trained", column)
    names = (steed.sheet.name.casefold(), *steed.sheet.traits)
    return any(name == one or name.endswith(f" {one}") for name in names for one in listed)


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
