"""The chapter on conditions in futurepath: what stands at each point that is not plain."""

from msgspec.structs import replace

from affray.engine.dialects.futurepath.conditions import declared_advantages
from affray.engine.dialects.futurepath.conditions.condition_table import STATES, TABLE
from affray.engine.dialects.futurepath.conditions.local import LOCAL
from affray.engine.dialects.futurepath.magic import concentration
from affray.engine.record.compose import amend, asks, choose, steps, when
from affray.engine.record.conditions import Conditions
from affray.engine.rules.conditions import immunities
from affray.engine.rules.conditions.plain import PLAIN_CONDITIONS, gained_apart
from affray.engine.rules.grapple.loose_holds import let_go_limp

CONDITIONS: Conditions = replace(
    PLAIN_CONDITIONS,
    table=TABLE,
    states=STATES,
    gain=choose(
        when("", immunities.condition_does_nothing, holds=immunities.is_spared_condition),
        steps(amend(declared_advantages.cite_kind, gained_apart), asks("conditions.lapses")),
    ),
    local=LOCAL,
    paired=frozenset({"grappling"}),
    lapses=concentration.lose_with_mind,
    limp=steps(when("'grappling' in conditions", let_go_limp)),
)
