"""What quick creatures make of their Dexterity: Combat Reflexes and Weapon Finesse (srd35.feat.*)."""

from affray.engine.dialects.srd35.classes.combat_feats import lacks
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.rules.attacks import attack_roll
from affray.engine.rules.classes.ability_modifiers import has_feat
from affray.engine.rules.classes.ability_scores import ability_now
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.projections.state import Combatant


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
