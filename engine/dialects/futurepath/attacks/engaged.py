"""Shooting into a melee: who is engaged with whom."""

from typing import Final

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.grid.battlefield import SQUARE_FT
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks.attack_modifiers import is_clear_of_friends
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.position.line_of_effect import sees
from affray.engine.rules.position.place import distance
from affray.engine.steps import Steps
from affray.events.facts.combat import EffectGained, Until
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

DEFINITION: Final = "futurepath.attack.ranged.engaged-definition"
LARGE: Final = "futurepath.attack.ranged.into-melee-large-target"
#: The stat of the effect that says who is attacking somebody who cannot move.
UNDER_ATTACK: Final = "under-attack"
PINNED: Final = "pinned"


def shot_into_melee(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the penalty for shooting at somebody who is engaged in melee with an ally.

    None if a part of the target is far enough from all of them (futurepath.attack.ranged.into-melee,
    futurepath.attack.ranged.into-melee-large-target, futurepath.attack.ranged.engaged-definition).
    """
    attacker, target = blow.attacker, blow.target
    friends = [
        friend
        for friend in fight.state.combatants.values()
        if friend is not attacker
        and friend is not target
        and friend.side == attacker.side
        and is_engaged(fight, friend, target)
    ]
    if not friends or has_feat(attacker, "precise shot"):
        return []
    blow.cites.append(fight.rule(DEFINITION))
    if is_clear_of_friends(friends, target, fight.figure(LARGE, "distance_ft")):
        blow.cites.append(fight.rule(LARGE))
        return []
    topic, source = "futurepath.attack.ranged.into-melee", f"into melee with {friends[0].id}"
    return [fight.modifier(topic, "attack", kind="penalty", source=source)]


def is_engaged(fight: Fight, one: Combatant, other: Combatant) -> bool:
    """Say whether two are engaged in melee: enemies side by side, or in one square.

    Somebody who cannot move is engaged only while it is being attacked
    (futurepath.attack.ranged.engaged-definition).
    """
    if one.side == other.side or distance(one, other) > SQUARE_FT or not sees(fight, one, other):
        return False
    if is_immobile(fight, one):
        return not is_immobile(fight, other) and is_attacking(other, one)
    return not is_immobile(fight, other) or is_attacking(one, other)


def is_immobile(fight: Fight, combatant: Combatant) -> bool:
    """Say whether somebody is unconscious or otherwise immobilized: held in a pin too."""
    rules = (rule_of(fight, name) for name in combatant.conditions)
    still = any(rule.actions == "none" and not rule.moves for rule in rules)
    return still or PINNED in combatant.conditions


def is_attacking(attacker: Combatant, target: Combatant) -> bool:
    """Say whether somebody who cannot move is being attacked by another, who may hold it in a pin."""
    if PINNED in target.conditions and target.conditions[PINNED].source == attacker.id:
        return True
    return any(one.stat == UNDER_ATTACK and one.against == attacker.id for one in target.effects)


def note_attack(fight: Fight, blow: Blow) -> Steps[None]:
    """Note, until the attacker's next turn, that it attacks somebody who cannot move.

    futurepath.attack.ranged.engaged-definition.
    """
    attacker, target = blow.attacker, blow.target
    if is_attacking(attacker, target) or not is_immobile(fight, target):
        return
    rule = fight.rule(DEFINITION)
    yield EffectGained(
        who=target.id,
        id=f"{UNDER_ATTACK}:{attacker.id}:{target.id}",
        stat=UNDER_ATTACK,
        modifier=Modifier(0, "untyped", f"attacked by {attacker.id}", rule),
        until=Until("turn-start", attacker.id, fight.state.round + 1),
        against=attacker.id,
        cites=(rule,),
    )
