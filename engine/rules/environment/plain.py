"""The plain values of the chapter on environment: complete, for a dialect to start from."""

from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.conditions import lone_conditions
from affray.engine.record.environment import Environment
from affray.engine.record.silent import no, no_parts, none
from affray.engine.rules.classes.sheet_words import DICE, damage_type
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

PLAIN_ENVIRONMENT = Environment(
    rolls=rolls("hazard"),
    acts={
        acts.Hazard: Honours(
            minor_acts.hazard,
            "target save dc source",
            damage=DICE,
            damage_type=damage_type,
            condition=lone_conditions,
            on_save=("negates", "half"),
            under=minor_acts.HAZARD_UNDER,
        )
    },
    dangers={},
    untouched=none,
    hardy=no_parts,
    drags=no,
)
