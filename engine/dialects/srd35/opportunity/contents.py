"""The chapter on opportunity in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35 import contested
from affray.engine.dialects.srd35.magic import magic_steps
from affray.engine.dialects.srd35.opportunity import combat_reflexes
from affray.engine.dialects.srd35.position import creature_size
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    opportunities=combat_reflexes.opportunities,
    sheltered=magic_steps.sheltered,
    weapon_topics=contested.aoo_topics,
    opening_rules=creature_size.opening,
)
