"""The chapter on opportunity in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.attacks import attack_roll, unarmed
from affray.engine.dialects.futurepath.defense import cover
from affray.engine.dialects.futurepath.opportunity import attacks_of_opportunity as own_opportunity
from affray.engine.dialects.futurepath.opportunity import gun_butt
from affray.engine.record.chapter import questions
from affray.engine.record.compose import first, gather, refine, when
from affray.engine.record.opportunity import Opportunity
from affray.engine.record.silent import no_reason
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    questions=questions("take: take, trip, disarm, grapple, decline", "with: <weapon>"),
    opportunities=attacks_of_opportunity.opportunities,
    sheltered=first(
        cover.behind_total_cover,
        when("attacker.conditions", attack_roll.why_hopeless),
        no_reason,
    ),
    weapons_at=refine(
        melee_weapons_at,
        when(f"{unarmed.MARTIAL!r} in sheet.feats", unarmed.with_trained_fists),
        gun_butt.at_hand,
    ),
    weapon_topics=gather(own_opportunity.rules_of_weapon, unarmed.arms_of_opportunity),
    opening_rules=own_opportunity.rules_of_way,
)
