"""The chapter on opportunity in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.attacks import natural_weapons
from affray.engine.dialects.pf1.gear import tower_shield
from affray.engine.dialects.pf1.opportunity import attacks_of_opportunity as own_opportunity
from affray.engine.dialects.pf1.senses import stealth
from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.chapter import questions
from affray.engine.record.compose import first, gather, refine, when
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.attacks import swarm_prohibitions
from affray.engine.rules.conditions import compulsion
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.magic import charge_as_weapon
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.movement.movement import once_a_round
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY
from affray.engine.rules.position import long_reach

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    questions=PLAIN_OPPORTUNITY.questions
    | questions("take: take, trip, disarm, sunder, stand still, decline"),
    opportunities=refine(
        attacks_of_opportunity.opportunities,
        when("found[1] == 'flat-footed.start'", own_flow.opportunities_unaware),
        when("found[1] == 'feat.combat-reflexes'", own_flow.opportunities_by_feat),
    ),
    opportunity_name=first(own_flow.once_a_move, once_a_round),
    sheltered=first(
        when("'confused' in attacker.conditions", compulsion.why_confused_ignores),
        when("target.effects", stealth.why_unnoticed),
        when("target.effects", tower_shield.behind_closed_edge),
        attacks_of_opportunity.cover_or_concealment,
    ),
    opening_rules=gather(own_opportunity.rules_of_left_square, long_reach.rules_of_opening),
    weapons_at=refine(
        melee_weapons_at,
        natural_weapons.at_hand,
        when("combatant.sheet.traits", swarm_prohibitions.none_of_swarm),
        when(f"{CHARGED!r} in combatant.conditions", charge_as_weapon.charge_at_hand),
    ),
    touch_by_charge=charge_as_weapon.touch_by_charge,
)
