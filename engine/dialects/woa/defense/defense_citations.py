"""The rules to cite for what a target loses or keeps of its defense against one blow (woa.ac.*).

The parts of an Armor Class come from the sheet and the place; here stand the rules by which some of them
are lost, kept or counted together, for the outcome of the attack to cite.
"""

from affray.engine.dialects.woa.defense.armor_class import DENYING, LOST
from affray.engine.dialects.woa.defense.cover import cover_degree
from affray.engine.fight.fight import Fight, rule_of
from affray.engine.record.blow import Blow
from affray.engine.rules.classes.ability_modifiers import ability, has_trait
from affray.engine.rules.gear.held_weapons import melee_band
from affray.events.facts.modifier import Modifier
from affray.events.facts.sheet_parts import Bonus
from affray.projections.state import Combatant


def cite_guard(fight: Fight, blow: Blow) -> None:
    """Cite the rules by which the target loses or keeps protection against this blow."""
    blow.cites += rules_of_guard(fight, blow)


def rules_of_guard(fight: Fight, blow: Blow) -> list[str]:
    """Return the rules by which the target loses or keeps protection against this blow."""
    target = blow.target
    found = ["woa.attack-bonus.selection"] if blow.weapon.thrown else []
    if blow.melee and blow.weapon.reach and blow.distance > melee_band(blow.attacker, blow.weapon)[0] - 5:
        found.append("woa.attack.reach-weapons")
    reason, topic = fight.dialect.defense.dexterity_denied(fight, blow)
    kinds = {part.kind for part in target.sheet.armor}
    dexterity = ability(target.sheet, "dex")
    if reason:
        found += [topic] if counts_as_helpless(fight, target, reason) else []
        if dexterity > 0:
            found.append("woa.ac.dexterity-bonus-denied")
    elif keeps_guard(target) and (dexterity > 0 or not kinds.isdisjoint(LOST)):
        found.append("woa.surprise.improved-uncanny-dodge")
    denied = "".join(part.denied for part in fight.dialect.defense.defense_bonus(fight, blow))
    found += [topic for topic in DENYING if denied and f"({fight.rule(topic)})" in denied]
    found += topics_of_dodge_bonuses(blow, reason, dexterity)
    degree, _, topic = cover_degree(fight, blow.attacker, target, blow.melee)
    if degree != "none" and blow.intent.kind != "through":
        found += [topic, "woa.ac.cover-bonus"]
    return [rule for rule in fight.rules(*found) if rule not in blow.cites]


def counts_as_helpless(fight: Fight, target: Combatant, reason: str) -> bool:
    """Say whether what denies the active defense is a condition by which Dexterity counts as 0."""
    return reason in target.conditions and rule_of(fight, reason).helpless


def keeps_guard(target: Combatant) -> bool:
    """Say whether somebody unaware keeps its guard all the same (woa.surprise.improved-uncanny-dodge)."""
    return not target.aware and not target.acted and has_trait(target, "improved uncanny dodge")


def topics_of_dodge_bonuses(blow: Blow, reason: str, dexterity: int) -> list[str]:
    """Return the topics that dodge bonuses bring: they add up, and armor does not cap them.

    woa.ac.dodge-bonus-stacks, woa.ac.dodge-bonus-armor-no-cap
    """
    if reason:
        return []
    target = blow.target
    given: list[Bonus | Modifier] = [*target.sheet.armor, *blow.defense_extra]
    given += [one.modifier for one in target.effects if one.stat == "defense"]
    count = sum(part.kind == "dodge" and part.value > 0 for part in given)
    if not count:
        return []
    most = target.sheet.max_dex
    capped = ["woa.ac.dodge-bonus-armor-no-cap"] if most is not None and dexterity > most else []
    return [*capped, *(["woa.ac.dodge-bonus-stacks"] if count > 1 else [])]
