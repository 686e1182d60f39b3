"""The plain values of the chapter on opportunity: complete, for a dialect to start from."""

from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.opportunity import Opportunity
from affray.engine.record.silent import no_rules
from affray.engine.rules.gear.weapons_in_hand import melee_weapons_at
from affray.engine.rules.movement.movement import once_a_round
from affray.engine.rules.opportunity import attacks_of_opportunity
from affray.engine.rules.opportunity.attacks_of_opportunity import cover_or_concealment
from affray.engine.rules.opportunity.granted_opening import opening
from affray.events.facts import acts

PLAIN_OPPORTUNITY = Opportunity(
    questions=questions("take: take, decline", "with: <weapon>"),
    acts={acts.Opening: Honours(opening, "target opponent reason")},
    provoke=attacks_of_opportunity.provoke,
    opportunities=attacks_of_opportunity.opportunities,
    opportunity_name=once_a_round,
    sheltered=cover_or_concealment,
    weapons_at=melee_weapons_at,
    touch_by_charge=attacks_of_opportunity.no_charge,
    weapon_topics=no_rules,
    opening_rules=no_rules,
)
