"""The chapter on conditions in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.conditions import (
    ability_loss,
    gained_conditions,
    negative_levels,
    poison,
)
from affray.engine.dialects.pf1.conditions.ability_loss import DRAINED
from affray.engine.dialects.pf1.conditions.bleed import BLEED, gain_bleed
from affray.engine.dialects.pf1.conditions.condition_table import STATES, TABLE
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import choose, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls("ability, disease, energy-drain, other, poison, stunning"),
    table=TABLE,
    states=STATES,
    leveled=frozenset({BLEED, DRAINED}),
    gain=choose(
        when(f"fact.condition == {BLEED!r}", gain_bleed),
        when(f"fact.condition == {DRAINED!r}", negative_levels.drain_one_or_more),
        gained_conditions.gain,
    ),
    start=choose(
        when(f"fact.condition == {DRAINED!r}", negative_levels.drain_one_or_more), PLAIN_CONDITIONS.start
    ),
    take_rider=poison.expose,
    score_steps=choose(when("combatant.losses", ability_loss.score_steps), PLAIN_CONDITIONS.score_steps),
)
