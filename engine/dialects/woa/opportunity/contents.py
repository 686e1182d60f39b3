"""The chapter on opportunity in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.opportunity import attacks_of_opportunity
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    provoke=attacks_of_opportunity.provoke,
    opportunities=attacks_of_opportunity.opportunities,
)
