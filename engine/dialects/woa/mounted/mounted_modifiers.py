"""What being mounted changes in the numbers of a blow, and what it forbids (woa.mount.combat.*)."""

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.mounted.rider_and_mount import mount_of
from affray.engine.steps import Refusal
from affray.events.facts import acts
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

MILITARY_SADDLE = "military saddle"
WAR_TRAINED = "war-trained"


def has_stirrups(steed: Combatant) -> bool:
    """Say whether a mount wears a military saddle, the one with stirrups."""
    return has_trait(steed, MILITARY_SADDLE)


def is_trained(steed: Combatant) -> bool:
    """Say whether a mount is trained for war (woa.mount.control.war-training)."""
    return has_trait(steed, WAR_TRAINED)


def strikes_nobody(fight: Fight, combatant: Combatant) -> str:
    """Return the topic by which rider or mount makes no melee attack at all, "" for who may.

    Riders without stirrups do not, nor do mounts that combat frightens.
    """
    if combatant.mount and not has_stirrups(fight.state.combatants[combatant.mount]):
        return "mount.combat.saddle-required"
    if (combatant.rider or combatant.riderless) and not is_trained(combatant):
        return "mount.control.war-training"
    return ""


def moved_far(fight: Fight, steed: Combatant) -> bool:
    """Say whether a mount has moved farther this round than leaves time for several attacks."""
    topic = "woa.mount.combat.melee-while-moving"
    return bool(steed.spent.get("feet", 0) > fight.figure(topic, "mount_move_threshold_ft"))


def mount_on_attack(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return what the mount's movement does to a melee attack from the saddle: the rule's 0."""
    steed = mount_of(fight, blow.attacker)
    if steed is None or not blow.melee or not moved_far(fight, steed):
        return []
    topic = "woa.mount.combat.melee-while-moving"
    return [fight.modifier(topic, "melee_penalty", kind="penalty", source=f"{steed.id} in motion")]


def refuse_unstirruped(fight: Fight, combatant: Combatant) -> None:
    """Refuse to strike in melee from a saddle without stirrups (woa.mount.combat.saddle-required)."""
    steed = mount_of(fight, combatant)
    if steed is not None and not has_stirrups(steed):
        raise Refusal(
            f"{combatant.id} has no stirrups to strike from", fight.rule("woa.mount.combat.saddle-required")
        )


def refuse_afoot(fight: Fight, actor: Combatant, act: acts.Skirmish | acts.Clamber | acts.Hide) -> None:
    """Refuse movement on one's own feet to whoever sits in the saddle (woa.mount.shared-initiative)."""
    if actor.mount and (not isinstance(act, acts.Hide) or act.path):
        reason = f"{actor.id} rides {actor.mount} and does not move on its own feet"
        raise Refusal(reason, fight.rule("woa.mount.shared-initiative"))


def refuse_gestures_unstirruped(fight: Fight, actor: Combatant, act: acts.Cast) -> None:
    """Refuse somatic spells in a saddle without stirrups (woa.mount.casting-stirrups)."""
    steed = mount_of(fight, actor)
    spell = next((one for one in actor.sheet.spells if one.name == act.spell), None)
    if steed is None or spell is None or spell.ability or "somatic" not in spell.components:
        return
    if not has_stirrups(steed):
        raise Refusal(f"{actor.id} has no stirrups to cast from", fight.rule("woa.mount.casting-stirrups"))
