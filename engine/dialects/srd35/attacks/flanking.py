"""Flanking: who flanks with whom, and who cannot (srd35.flank.*)."""

from affray.engine.dialects.srd35.position.pass_through import SWARM, very_small
from affray.engine.fight.extent import NO_STRETCH
from affray.engine.fight.fight import Fight, is_down
from affray.engine.grid.flanking import opposite
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.conditions.condition_rules import has_no_attack
from affray.engine.rules.opportunity.threatened_squares import threatens
from affray.engine.rules.position.place import anchors_of, next_to
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant


def flanking_bonus(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus for flanking the target with a friend; denied if the friend does not count.

    Only a friend who threatens the target helps, and nobody without reach flanks (srd35.flank.must-threaten,
    srd35.flank.reach-zero, srd35.flank.bonus).
    """
    attacker, target = blow.attacker, blow.target
    denied: list[tuple[Combatant, str, list[str]]] = []
    for friend in fight.state.combatants.values():
        if friend.side != attacker.side or friend is attacker or friend is target:
            continue
        if (friend.conditions and is_down(fight, friend)) or not are_opposite(attacker, friend, target):
            continue
        topics = why_cannot_flank(fight, friend, target)
        if not topics and has_trait(target, SWARM):
            topics = ["swarm"]
        if not topics:
            blow.cites += fight.rules(*rules_of_opposite(attacker, friend, target))
            return [flanking_modifier(fight, friend)]
        if next_to(friend, target):
            denied.append((friend, topics[0], topics))
    for friend, topic, topics in denied[:1]:
        blow.cites += fight.rules(*topics)
        part = flanking_modifier(fight, friend)
        reason = f"{friend.id} does not flank ({fight.rule(topic)})"
        return [Modifier(part.value, part.kind, part.source, part.rule, reason)]
    return []


def flanking_modifier(fight: Fight, friend: Combatant) -> Modifier:
    """Return the flanking bonus."""
    return fight.modifier(
        "srd35.flank.bonus", "melee_attack", kind="flanking", source=f"flanking with {friend.id}"
    )


def why_cannot_flank(fight: Fight, friend: Combatant, target: Combatant) -> list[str]:
    """Return the topics of the rules by which a friend on the other side does not help to flank."""
    if friend.reach <= fight.figure("srd35.flank.reach-zero", "reach_ft"):
        small = ["srd35.size.tiny-no-flank"] if very_small(fight, friend.sheet) else []
        return ["flank.reach-zero", *small]
    helpless = bool(friend.conditions) and has_no_attack(fight, friend)
    return [] if not helpless and threatens(fight, friend, target) else ["srd35.flank.must-threaten"]


def are_opposite(attacker: Combatant, friend: Combatant, target: Combatant) -> bool:
    """Say whether two combatants stand on opposite sides of a third."""
    if attacker.stretch == friend.stretch == target.stretch == NO_STRETCH:
        return opposite((attacker.at, attacker.space), (friend.at, friend.space), (target.at, target.space))
    return any(
        opposite((one, attacker.space), (other, friend.space), (place, target.space))
        for one in anchors_of(attacker)
        for other in anchors_of(friend)
        for place in anchors_of(target)
    )


def rules_of_opposite(attacker: Combatant, friend: Combatant, target: Combatant) -> list[str]:
    """Return the rules that settled who stands opposite: the line between centres, and big flankers' squares.

    Where both stand next to a single square, in those of opposite borders or corners, no line needs to be
    traced.
    """
    big = attacker.space > 1 or friend.space > 1
    if not big and target.space == 1 and next_to(attacker, target) and next_to(friend, target):
        return []
    return ["srd35.flank.line-test", "srd35.flank.large-flanker"] if big else ["srd35.flank.line-test"]
