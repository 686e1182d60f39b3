"""The chapter on conditions in srd35: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.srd35.classes import fear_bonuses, rage
from affray.engine.dialects.srd35.conditions import (
    ability_loss,
    energy_drain,
    gained_conditions,
    poison,
    states,
)
from affray.engine.dialects.srd35.conditions.condition_table import TABLE
from affray.engine.dialects.srd35.conditions.local import LOCAL
from affray.engine.dialects.srd35.conditions.states import STATES
from affray.engine.dialects.srd35.damage import attack_riders
from affray.engine.dialects.srd35.movement import climb, stall
from affray.engine.record.acts import Honours
from affray.engine.record.chapter import questions, rolls
from affray.engine.record.compose import asks, choose, steps, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.classes.natures import FLYING
from affray.engine.rules.classes.rage import begins_to_rage
from affray.engine.rules.classes.rage_scores import RAGING
from affray.engine.rules.conditions import fascination, immunities
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS
from affray.engine.rules.grapple import loose_holds
from affray.engine.rules.magic import casting_in_progress
from affray.engine.rules.magic.long_castings import CONCENTRATING, not_kept_up
from affray.engine.rules.magic.lost_charge import CHARGED
from affray.engine.rules.movement import balance as balancing
from affray.engine.rules.movement import fly
from affray.events.facts import acts

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    rolls=rolls("1d100: confusion, exposure", "1d5: flight", "1d6: ability", "poison"),
    questions=questions("lost-spell: <spell>", "treat: <affliction>"),
    acts={
        acts.Rouse: Honours(fascination.rouse, "target"),
        acts.Envenom: Honours(poison.envenom, "weapon poison"),
    },
    table=TABLE,
    states=STATES,
    leveled=frozenset({energy_drain.DRAINED, FLYING}),
    degrees=states.DEGREES,
    local=LOCAL,
    paired=frozenset({"grappling", "holding", "swallowed"}),
    cast=frozenset({CONCENTRATING, CHARGED}),
    gain=choose(
        when("", immunities.condition_does_nothing, holds=immunities.is_spared_condition),
        steps(
            choose(
                when(f"fact.condition == '{energy_drain.DRAINED}'", energy_drain.drain_one_or_more),
                when("", rage.come_into_rage, holds=begins_to_rage),
                gained_conditions.gain_with_consequences,
            ),
            asks("conditions.lapses"),
        ),
    ),
    lapses=casting_in_progress.lose_with_mind,
    start=choose(
        when(f"fact.condition == '{energy_drain.DRAINED}'", energy_drain.start_drained),
        when(f"fact.condition == '{FLYING}'", fly.start_aloft),
        when(f"fact.condition == '{RAGING}'", rage.start_raging),
        when("fact.condition == 'dead'", gained_conditions.start_dead),
        PLAIN_CONDITIONS.start,
    ),
    time_over=choose(when(f"condition == {CONCENTRATING!r}", not_kept_up), PLAIN_CONDITIONS.time_over),
    over=choose(when(f"condition == {RAGING!r}", rage.wear_off), PLAIN_CONDITIONS.over),
    limp=steps(
        when("'grappling' in conditions or 'holding' in conditions", loose_holds.let_go_limp),
        when(f"'{FLYING}' in conditions", stall.fall_limp),
        when(f"'{climb.CLIMBING}' in conditions", climb.let_go),
        when(
            f"'{balancing.BALANCING}' in conditions or '{balancing.SURELY}' in conditions",
            balancing.off_balance,
        ),
    ),
    take_rider=attack_riders.resist_or_suffer,
    immune_mind=fear_bonuses.immune_to_fear,
    immune_natures={
        nature: ("srd35.creature-immunities", nature)
        for nature in ("undead", "construct", "ooze", "plant", "elemental", "vermin")
    },
    score_steps=ability_loss.score_steps,
)
