"""House rules for srd35: one stage and one figure.

An attack on a shaken opponent has +1, and a charge gives +3 instead of +2.
"""

from affray.engine.book import Rule
from affray.engine.fight.fight import Fight
from affray.engine.record.blow import Blow
from affray.engine.record.compose import when
from affray.engine.record.house_rules import HouseRules, Put
from affray.events.facts.sheet import Modifier

NO_QUARTER = "no-quarter.shaken"


def against_the_shaken(fight: Fight, blow: Blow) -> list[Modifier]:
    """Return the bonus on an attack roll against a shaken opponent (no-quarter.shaken)."""
    if "shaken" not in blow.target.conditions:
        return []
    return [fight.modifier(NO_QUARTER, "attack", kind="morale", source="no quarter")]


HOUSE = HouseRules(
    dialect="srd35",
    stages=(Put("attacks.attack_situation", "gather", when("target.conditions", against_the_shaken)),),
    figures={"srd35.charge.attack/attack": 3},
    rules=(
        Rule(
            id=NO_QUARTER,
            title="No quarter",
            section="House rules",
            kind="modifier",
            text="An attack on a shaken opponent has a +1 morale bonus.",
            tier="core",
            provenance="house",
            figures={"attack": 1},
        ),
    ),
)
