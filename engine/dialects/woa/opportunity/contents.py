"""The chapter on opportunity in woa: what stands at each point that is not plain.

Traits: "heavy load" and "nonproficient armor" hamper dodging, "armor stops" marks a touch attack that armor
takes instead. A part of `armor` may be of the kind "enhancement" or "shield enhancement". A plan's `ready`
tells trigger and act beforehand. A weapon's rider of the kind "stunning" costs rounds of actions.
"""

from msgspec.structs import replace

from affray.engine.dialects.woa.opportunity import attacks_of_opportunity
from affray.engine.dialects.woa.position import space_and_reach
from affray.engine.record.chapter import questions
from affray.engine.record.opportunity import Opportunity
from affray.engine.rules.opportunity.plain import PLAIN_OPPORTUNITY

OPPORTUNITY: Opportunity = replace(
    PLAIN_OPPORTUNITY,
    provoke=attacks_of_opportunity.provoke,
    questions=questions(
        "aid-attack: decline, aid",
        "aid-defense: decline, aid",
        "block-with: shield, <weapon>",
        "evade: armor class, acrobatics",
        "lodged: no, yes",
        "react: dodge, decline, block",
        "shield: nobody, <combatant>",
        "take: take, decline, trip, disarm, sunder, push, grab",
        "with: <weapon>",
    ),
    opportunities=attacks_of_opportunity.opportunities,
    weapons_at=space_and_reach.weapons_at,
)
