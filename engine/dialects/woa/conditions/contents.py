"""The chapter on conditions in woa: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.woa.conditions import gained_conditions, lost_attention, states
from affray.engine.dialects.woa.conditions.condition_table import TABLE
from affray.engine.dialects.woa.conditions.local import LOCAL
from affray.engine.dialects.woa.conditions.states import STATES
from affray.engine.dialects.woa.damage import blood_loss, treatment
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions
from affray.engine.record.compose import asks, choose, steps, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions import immunities
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS
from affray.engine.rules.magic.long_castings import CONCENTRATING, not_kept_up
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.events.facts import acts

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    questions=questions("drown: goes under, floats", "escape-dc: <number>", "severed: it gives, it holds"),
    acts={acts.Rouse: Honours(treatment.rouse, "target")},
    table=TABLE,
    states=STATES,
    leveled=frozenset({"entangled", "flying", "squeezed", "stooping", "stuck"}),
    degrees=states.DEGREES,
    local=LOCAL,
    paired=frozenset({"grappling"}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    gain=choose(
        when(
            "fact.condition != 'dead'",
            immunities.condition_does_nothing,
            holds=immunities.is_spared_condition,
        ),
        steps(gained_conditions.gain, asks("conditions.lapses")),
    ),
    lapses=lost_attention.lose_attention,
    start=gained_conditions.start,
    felling=frozenset({"unconscious"}),
    time_over=choose(when(f"condition == {CONCENTRATING!r}", not_kept_up), PLAIN_CONDITIONS.time_over),
    score_steps=blood_loss.score_steps,
)
