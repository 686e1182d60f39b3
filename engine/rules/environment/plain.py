"""The plain values of the chapter on environment: complete, for a dialect to start from."""

from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.conditions import lone_conditions
from affray.engine.record.environment import Environment
from affray.engine.record.silent import no, no_parts, none
from affray.engine.rules.classes.sheet_words import DICE, damage_type
from affray.engine.rules.conditions import immunities
from affray.engine.rules.turns import minor_acts
from affray.events.facts import acts

#: A danger that the game master declares: nothing of one to the body alone, to what has none.
HAZARD = choose(
    when(
        "save == 'fort' and condition and not damage and rider is None",
        immunities.spared_hazard,
        holds=immunities.is_hazard_to_body,
    ),
    minor_acts.hazard,
)

PLAIN_ENVIRONMENT = Environment(
    rolls=rolls("hazard"),
    acts={
        acts.Hazard: Honours(
            HAZARD,
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
