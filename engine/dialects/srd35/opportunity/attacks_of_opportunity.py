"""Attacks of opportunity in srd35, and what quick creatures make of their Dexterity in attacks.

srd35.aoo.*, srd35.feat.combat-reflexes, srd35.feat.weapon-finesse.
"""

from affray.engine.dialects.srd35.classes.combat_feats import lacks
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_roll
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.events.facts.sheet import Weapon
from affray.projections.state import Combatant


def aoo_topics(weapon: Weapon) -> tuple[str, ...]:
    """Return the topics of what lets a weapon strike out of turn (srd35.aoo.threatened, .per-opportunity)."""
    reach = ("aoo.reach-weapons",) if weapon.reach else ()
    return ("aoo.threatened", *reach, "aoo.per-opportunity")


def opportunities(fight: Fight, who: Combatant) -> tuple[int, str]:
    """Return how many attacks of opportunity a combatant may make a round, and the rule's topic.

    With Combat Reflexes the number of that feat and a Dexterity bonus (srd35.feat.combat-reflexes).
    """
    if has_feat(who, "combat reflexes"):
        topic = "feat.combat-reflexes"
        return fight.formula(topic, "aoo_per_round") + max(0, ability_now(fight, who, "dex")), topic
    return attacks_of_opportunity.opportunities(fight, who)


def finesse(fight: Fight, blow: Blow) -> bool:
    """Say whether Weapon Finesse puts Dexterity in the place of Strength for this attack.

    It takes some base attack bonus (srd35.feat.weapon-finesse).
    """
    return attack_roll.finesse(fight, blow) and not lacks(fight, blow.attacker, "feat.weapon-finesse")
