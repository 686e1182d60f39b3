"""The chapter on opportunity in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.turns import flow as own_flow
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    opportunities=own_flow.opportunities,
    opportunity_name=own_flow.opportunity_by_option,
    ranged_touch_provokes=True,
)
