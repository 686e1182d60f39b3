"""What unseen attackers gain nothing of, and how the blind move, with Blind-Fight (pf1.feat.blind-fight)."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.defense.armor_class import what_misleads
from affray.engine.steps import Steps, reciting
from affray.events.facts import acts
from affray.events.facts.combat import Moved
from affray.events.facts.modifier import Modifier

BLIND_FIGHT: Final = "blind-fight"
TOPIC: Final = "pf1.feat.blind-fight"
#: Against whoever attacks unseen in melee.
UNSEEN: Final = "melee and 'invisible' in attacker.conditions"


def keep_dexterity(fight: Fight, blow: Blow, denied: tuple[str, str]) -> tuple[str, str]:
    """Return why Dexterity is lost: with Blind-Fight not to an unseen attacker in melee."""
    if denied[1] != "attack-mod.invisible" or not has_feat(blow.target, BLIND_FIGHT):
        return denied
    return what_misleads(blow)


def deny_unseen_attacker(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack roll, what the attacker gains by being unseen denied by Blind-Fight."""
    if not has_feat(blow.target, BLIND_FIGHT):
        return parts
    rule, unseen = fight.rule(TOPIC), fight.rule("pf1.cond.invisible")
    denied = f"Blind-Fight of {blow.target.id} ({rule})"
    blow.cites.append(rule)
    return [replace(part, denied=denied) if part.rule == unseen else part for part in parts]


def moves_surely(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> bool:
    """Say whether it is one of the blinded with Blind-Fight who moves."""
    actor = fight.combatant(act.actor)
    return "blinded" in actor.conditions and has_feat(actor, BLIND_FIGHT)


def move_surely(fight: Fight, act: acts.Move | acts.Run, moving: Steps[None]) -> Steps[None]:
    """Let the blinded with Blind-Fight move at full speed without a check."""
    return reciting(moving, Moved, fight.rule(TOPIC))
