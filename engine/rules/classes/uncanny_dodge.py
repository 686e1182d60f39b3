"""Uncanny dodge: Dexterity that surprise does not take away, and a back that cannot be flanked."""

from typing import Final

from msgspec.structs import replace

from affray.engine.fight.fight import Fight, rule_of
from affray.engine.fight.memory import Same, per_fight
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import has_trait
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.classes.levels import character_level, class_level
from affray.events.facts.modifier import Modifier
from affray.projections.state import Combatant

GRANTING = ("barbarian", "rogue")
PLAIN, IMPROVED = "class.uncanny-dodge", "class.improved-uncanny-dodge"
#: When a blow may find its target unawares.
TAKEN_UNAWARES: Final = "not target.acted or target.conditions or 'invisible' in attacker.conditions"


def classes_that_grant(fight: Fight, combatant: Combatant, topic: str) -> list[str]:
    """Return the classes whose levels give the ability on a topic."""
    classes = combatant.sheet.classes
    return [name for name in GRANTING if name in classes and classes[name] >= fight.figure(topic, name)]


@per_fight(Same("combatant.sheet"))
def is_uncanny(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant keeps its Dexterity flat-footed or against the unseen.

    By the sheet's word, or by levels of barbarian or rogue (srd35.class.uncanny-dodge, pf1.uncanny-dodge).
    """
    if has_trait(combatant, "uncanny dodge") or has_trait(combatant, "improved uncanny dodge"):
        return True
    return bool(combatant.sheet.classes and classes_that_grant(fight, combatant, PLAIN))


def is_improved(fight: Fight, combatant: Combatant) -> bool:
    """Say whether a combatant has the improved form: by its level, or by having the plain form twice."""
    if has_trait(combatant, "improved uncanny dodge") or classes_that_grant(fight, combatant, IMPROVED):
        return True
    return len(classes_that_grant(fight, combatant, PLAIN)) > 1


def cannot_be_flanked(fight: Fight, blow: Blow) -> bool:
    """Say whether improved uncanny dodge keeps the attacker from flanking.

    A rogue of enough levels more flanks all the same; levels of all granting classes count together.
    """
    target = blow.target
    if not is_improved(fight, target):
        return False
    granting = classes_that_grant(fight, target, PLAIN)
    level = class_level(target, *granting) if granting else character_level(target)
    gap = fight.figure(IMPROVED, "level_gap")
    return bool(class_level(blow.attacker, "rogue") < level + gap)


def deny_flanking(fight: Fight, blow: Blow, parts: list[Modifier]) -> list[Modifier]:
    """Return the parts of an attack with the flanking bonus denied against whom cannot be flanked.

    srd35.class.improved-uncanny-dodge, pf1.uncanny-dodge.
    """
    if not any(part.kind == "flanking" for part in parts) or not is_improved(fight, blow.target):
        return parts
    rule = fight.rule(IMPROVED)
    blow.cites.append(rule)
    if not cannot_be_flanked(fight, blow):
        return parts
    denied = f"{blow.target.id} cannot be flanked ({rule})"
    return [replace(part, denied=denied) if part.kind == "flanking" else part for part in parts]


def cite_uncanny_dodge(fight: Fight, blow: Blow) -> None:
    """Cite the rule on uncanny dodge where it keeps the target's Dexterity against this blow.

    srd35.class.uncanny-dodge, pf1.uncanny-dodge.
    """
    target = blow.target
    caught = not target.acted or "invisible" in blow.attacker.conditions
    caught = caught or any(rule_of(fight, name).off_guard for name in target.conditions)
    if not caught or not is_uncanny(fight, target) or ability_now(fight, target, "dex") <= 0:
        return
    if not fight.dialect.defense.dexterity_denied(fight, blow)[0]:
        blow.cites.append(fight.rule(PLAIN))
