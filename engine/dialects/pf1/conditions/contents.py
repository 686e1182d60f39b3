"""The chapter on conditions in pf1: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.pf1.classes import rage
from affray.engine.dialects.pf1.conditions import (
    ability_loss,
    gained_conditions,
    negative_levels,
    poison,
)
from affray.engine.dialects.pf1.conditions.ability_loss import DRAINED
from affray.engine.dialects.pf1.conditions.bleed import BLEED, gain_bleed
from affray.engine.dialects.pf1.conditions.condition_table import STATES, TABLE
from affray.engine.dialects.pf1.conditions.creatures import IMMUNE
from affray.engine.dialects.pf1.conditions.local import LOCAL
from affray.engine.dialects.pf1.grapple import hold, swallow
from affray.engine.dialects.pf1.grapple.hold import TIED
from affray.engine.dialects.pf1.movement import fly
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import rolls
from affray.engine.record.compose import asks, choose, steps, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.classes.rage import begins_to_rage
from affray.engine.rules.classes.rage_scores import RAGING
from affray.engine.rules.conditions import fascination, immunities
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS
from affray.engine.rules.magic import casting_in_progress
from affray.engine.rules.magic.long_castings import CONCENTRATING, not_kept_up
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement.fly import start_aloft
from affray.events.facts import acts

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls(
        "1d100: confusion, exposure",
        "closest, self-harm",
        "ability, disease, energy-drain, other, poison, stunning",
    ),
    acts={
        acts.Rouse: Honours(fascination.rouse, "target"),
        acts.Envenom: Honours(poison.envenom, "weapon poison"),
    },
    table=TABLE,
    states=STATES,
    local=LOCAL,
    paired=frozenset({*hold.BETWEEN, TIED, swallow.SWALLOWED}),
    leveled=frozenset({BLEED, DRAINED, FLYING}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    # The grappled make no attacks of opportunity, but may strike on their turn: they threaten.
    unthreatening=frozenset({hold.PINNED, TIED}),
    gain=steps(
        choose(
            when("", immunities.condition_does_nothing, holds=immunities.is_spared_condition),
            when(f"fact.condition == {BLEED!r}", gain_bleed),
            when(f"fact.condition == {DRAINED!r}", negative_levels.drain_one_or_more),
            when("", rage.come_into_rage, holds=begins_to_rage),
            gained_conditions.gain,
        ),
        asks("conditions.lapses"),
    ),
    lapses=casting_in_progress.lose_with_mind,
    time_over=choose(
        when(f"condition == {CONCENTRATING!r}", not_kept_up),
        when("condition == 'holding'", hold.lapse),
        PLAIN_CONDITIONS.time_over,
    ),
    over=choose(when(f"condition == {RAGING!r}", rage.wear_off), PLAIN_CONDITIONS.over),
    start=choose(
        when(f"fact.condition == {RAGING!r}", rage.start_raging),
        when(f"fact.condition == {DRAINED!r}", negative_levels.drain_one_or_more),
        when(f"fact.condition == {FLYING!r}", start_aloft),
        PLAIN_CONDITIONS.start,
    ),
    immune_natures=IMMUNE,
    take_rider=poison.expose,
    limp=steps(
        hold.release_hold,
        swallow.let_out_by_death,
        when(f"{FLYING!r} in conditions", fly.fall_limp),
        when(f"{RAGING!r} in conditions", rage.lose_rage),
        when(f"'{balancing.BALANCING}' in conditions", balancing.off_balance),
    ),
    score_steps=choose(
        when("combatant.losses or combatant.conditions", ability_loss.score_steps),
        PLAIN_CONDITIONS.score_steps,
    ),
)
