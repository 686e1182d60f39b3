"""The chapter on opportunity in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.defense.armor_as_worn import behind_tower_shield
from affray.engine.dialects.srd35.opportunity import attacks_of_opportunity as srd35_opportunity
from affray.engine.dialects.srd35.senses import concealment
from affray.engine.record.chapter import questions
from affray.engine.record.compose import first, refine, when
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.conditions import compulsion
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.magic import charge_as_weapon
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY
from affray.engine.rules.position import long_reach

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    opportunities=refine(
        attacks_of_opportunity.opportunities,
        when("found[1] == 'feat.combat-reflexes'", srd35_opportunity.number_of_feat),
    ),
    questions=questions("take: take, trip, disarm, grapple, decline, sunder", "with: <weapon>"),
    sheltered=first(
        when("'confused' in attacker.conditions", compulsion.why_confused_ignores),
        concealment.out_of_sight,
        behind_tower_shield,
        attacks_of_opportunity.cover_or_concealment,
    ),
    weapons_at=refine(
        melee_weapons_at,
        srd35_opportunity.leave_out_rakes,
        when("combatant.sheet.traits", swarm_prohibitions.none_of_swarm),
        when(f"{CHARGED!r} in combatant.conditions", charge_as_weapon.charge_at_hand),
    ),
    touch_by_charge=charge_as_weapon.touch_by_charge,
    weapon_topics=srd35_opportunity.aoo_topics,
    opening_rules=long_reach.rules_of_opening,
)
